"""Who may ask: keys, scopes, and how often."""

import datetime as dt
from typing import Any

import httpx

from mergegate.core.plans import Scope
from mergegate.host.account import FREE
from mergegate.host.store import keys
from tests.host.api.conftest import PLAIN, Host, now

PATH = "/api/repo/result"
ASKED = {"id": "rs_0123"}


def refused(host: Host, headers: Any) -> httpx.Response:
    return httpx.get(f"{host.url}{PATH}", params=ASKED, headers=headers, timeout=60, verify=PLAIN)


def test_every_bad_key_gets_the_same_answer(host: Host) -> None:
    revoked = host.key()
    host.change(lambda conn: keys.revoke(conn, revoked[:11], now()))
    expired = host.key(expires=now() - dt.timedelta(seconds=1))
    bad = ["", "wrong", "mg_" + "A" * 43, "x" * 1_000_000, revoked, expired, "\xff\xfe"]
    answers = [refused(host, {"X-API-Key": key.encode("latin-1")}) for key in bad]
    answers += [refused(host, {}), refused(host, [("X-API-Key", host.key())] * 2)]
    assert {one.status_code for one in answers} == {401}
    assert {one.headers["WWW-Authenticate"] for one in answers} == {"ApiKey"}
    assert len({one.content for one in answers}) == 1
    assert answers[0].json()["code"] == "UNAUTHORIZED"


def test_a_key_is_judged_before_anything_else_of_a_request(host: Host) -> None:
    wrong = {"X-API-Key": "wrong", "Content-Type": "text/plain"}
    answer = httpx.post(f"{host.url}/api/audit?odd=1", content=b"{", headers=wrong, verify=PLAIN)
    assert answer.status_code == 401


def test_a_key_without_the_scope_is_forbidden(host: Host) -> None:
    site = host.client(host.key(scopes=frozenset({Scope.SITE})))
    repo = host.client(host.key(scopes=frozenset({Scope.REPO})))
    assert site.get(PATH, params=ASKED).json()["code"] == "FORBIDDEN"
    assert repo.get(PATH, params=ASKED).status_code == 404
    assert repo.post("/api/audit", json={"url": "https://a.example.org/"}).status_code == 403
    assert site.get("/api/audit", params=ASKED).status_code == 404


def test_an_admins_key_may_do_everything(host: Host) -> None:
    admin = host.client(host.key(scopes=frozenset({Scope.ADMIN})))
    assert admin.get(PATH, params=ASKED).status_code == 404
    assert admin.get("/api/audit", params=ASKED).status_code == 404


def test_the_sixty_first_request_of_a_minute_is_told_when_to_come_back(host: Host) -> None:
    account = host.account(FREE)
    hasty, other = host.client(host.key(account)), host.client(host.key(account))
    answers = [hasty.get(PATH, params=ASKED) for _ in range(61)]
    assert {one.status_code for one in answers[:60]} == {404}
    assert answers[60].status_code == 429
    assert answers[60].json()["code"] == "RATE_LIMITED"
    assert 1 <= int(answers[60].headers["Retry-After"]) <= 60
    assert other.get(PATH, params=ASKED).status_code == 404


def test_an_account_without_limits_may_ask_as_often_as_it_likes(client: httpx.Client) -> None:
    assert {client.get(PATH, params=ASKED).status_code for _ in range(70)} == {404}
