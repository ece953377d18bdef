"""A scan is submitted once and waited for, whatever the host goes through meanwhile."""

import asyncio
import gzip
import json
import ssl
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mergegate.core.errors import (
    EngineFailed,
    EngineTimeout,
    MergegateError,
    TargetNotAllowed,
    TargetNotAnalysable,
    TargetUnreachable,
    UnsupportedBudgetVersion,
    UsageError,
)
from mergegate.core.plans import Tool
from mergegate.remote.audit import audit_order
from mergegate.remote.client import Clock, ask, backoff_s
from mergegate.remote.exchange import HostClient
from mergegate.remote.host import Host, Order, PollPolicy, ScanProgress
from tests.remote.conftest import Ticking
from tests.remote.stand_in import DROP, KEY, Say, StandIn, problem
from tests.sites.certificate import self_signed

RESULT = b'{"status": "completed", "score": 97}'
REPOSITORY = Order(Tool.REPOSITORY, {"owner": "octo", "repo": "shop"})
AUDIT = audit_order("https://example.org/")


class Talk:
    """What became of an order, and what was said on the way."""

    def __init__(self, host: StandIn, ticking: Ticking, **policy: Any) -> None:
        self.host = Host(host.url, KEY)
        self.policy = PollPolicy(**policy)
        self.clock: Clock = ticking.clock()
        self.said: list[str] = []
        self.progress = ScanProgress(self.said.append)

    def ask(self, order: Order) -> bytes:
        async def asked() -> bytes:
            async with HostClient(self.host) as client:
                return await ask(order, client, self.progress, self.policy, self.clock)

        return asyncio.run(asked())


@pytest.fixture
def talk(stand_in: StandIn, ticking: Ticking) -> Callable[..., Talk]:
    for path in ("/api/repo/scan", "/api/seo-optimizer", "/api/audit"):
        stand_in.results[path] = RESULT
    return lambda **policy: Talk(stand_in, ticking, **policy)


Start = Callable[..., Talk]


def test_an_asynchronous_scan_is_submitted_and_polled(stand_in: StandIn, talk: Start) -> None:
    stand_in.polls = 3
    one = talk()
    assert one.ask(REPOSITORY) == RESULT
    assert [heard.path for heard in stand_in.heard] == ["/api/repo/scan"] + 4 * ["/api/repo/result"]
    assert one.progress.scan_id in stand_in.scans
    assert one.said == [f"{one.host.name} scans: {one.progress.scan_id}"]


def test_a_synchronous_scan_is_answered_at_once(stand_in: StandIn, talk: Start) -> None:
    assert talk().ask(AUDIT) == RESULT
    assert [heard.method for heard in stand_in.heard] == ["POST"]


def test_a_host_that_does_not_hold_the_line_is_polled(stand_in: StandIn, talk: Start) -> None:
    started = json.dumps({"id": "aud_0", "status": "running"}).encode()
    stand_in.scans["aud_0"] = ("/api/audit", "{}")
    stand_in.faults.append(Say(202, started))
    one = talk()
    assert one.ask(AUDIT) == RESULT
    assert one.progress.scan_id == "aud_0"


def test_a_host_whose_patience_is_over_is_asked_for_the_result(
    stand_in: StandIn, talk: Start
) -> None:
    stand_in.scans["aud_7f"] = ("/api/audit", "{}")
    excuse = "The scan is not over yet; ask for its result with the id aud_7f."
    stand_in.faults.append(problem(504, "SCAN_TIMEOUT", excuse))
    assert talk().ask(AUDIT) == RESULT
    assert stand_in.heard[-1].query == {"id": "aud_7f"}


def test_where_a_host_points_to_goes_before_what_it_says(stand_in: StandIn, talk: Start) -> None:
    stand_in.scans["aud_7f"] = ("/api/audit", "{}")
    place = "/api/audit?id=aud_7f"
    stand_in.faults.append(problem(504, "SCAN_TIMEOUT", "Not aud_0 yet.", Location=place))
    assert talk().ask(AUDIT) == RESULT
    assert stand_in.heard[-1].query == {"id": "aud_7f"}


def test_the_nested_shape_is_asked_for_in_the_query(stand_in: StandIn, talk: Start) -> None:
    talk().ask(audit_order("https://example.org/", nested=True))
    assert stand_in.heard[0].query == {"shape": "nested"}


TROUBLE = [
    DROP,
    problem(502, ""),
    problem(503, "OVERLOADED", Retry_After="2"),
    Say(504, b"<html>gateway</html>"),
    Say(500, b"oops"),
    problem(429, "RATE_LIMITED", Retry_After="3"),
]


@pytest.mark.parametrize("trouble", TROUBLE)
@pytest.mark.parametrize("order", [REPOSITORY, AUDIT], ids=["polled", "waited"])
def test_trouble_that_passes_is_waited_out(
    trouble: Say, order: Order, stand_in: StandIn, talk: Start
) -> None:
    stand_in.faults += [trouble, trouble]
    assert talk().ask(order) == RESULT
    assert len(stand_in.scans) == 1


@pytest.mark.parametrize("trouble", TROUBLE)
def test_trouble_while_polling_is_waited_out(trouble: Say, stand_in: StandIn, talk: Start) -> None:
    one = talk()
    stand_in.polls = 2
    sleep = one.clock.sleep

    async def spoiled(seconds: float) -> None:
        stand_in.faults.extend([trouble] if not stand_in.faults and len(stand_in.heard) < 4 else [])
        await sleep(seconds)

    one.clock = replace(one.clock, sleep=spoiled)
    assert one.ask(REPOSITORY) == RESULT
    assert len(stand_in.posts()) == 1


def test_a_post_that_is_said_again_names_the_same_scan(stand_in: StandIn, talk: Start) -> None:
    """Killed between taking the scan and saying so: the key of the request tells."""
    one = talk()
    submit = stand_in._submitted

    def killed(heard: Any) -> Say:
        said = submit(heard)
        stand_in._submitted = submit  # type: ignore[method-assign]
        return replace(said, status=None)

    stand_in._submitted = killed  # type: ignore[method-assign]
    assert one.ask(REPOSITORY) == RESULT
    assert len(stand_in.posts()) == 2
    assert len({post.headers["idempotency-key"] for post in stand_in.posts()}) == 1
    assert list(stand_in.scans) == [one.progress.scan_id]


def test_two_orders_have_two_keys() -> None:
    assert audit_order("https://e.org/").idempotency_key != AUDIT.idempotency_key


def test_a_host_that_restarts_is_waited_for(
    stand_in: StandIn, ticking: Ticking, talk: Start
) -> None:
    one = talk()
    sleep = one.clock.sleep

    async def restarting(seconds: float) -> None:
        await sleep(seconds)
        if len(ticking.slept) == 1:
            stand_in.stop()
        if len(ticking.slept) == 4:
            stand_in.start()

    one.clock = replace(one.clock, sleep=restarting)
    assert one.ask(REPOSITORY) == RESULT
    assert len([line for line in one.said if line.endswith("trying again")]) == 1
    assert len(stand_in.posts()) == 1


def test_a_host_that_was_never_there_is_not_waited_for_long(
    stand_in: StandIn, ticking: Ticking, talk: Start
) -> None:
    stand_in.stop()
    with pytest.raises(
        EngineFailed, match=r"there is no answer from 127\.0\.0\.1:.*cannot be reached"
    ):
        talk().ask(AUDIT)
    assert 45 < ticking.now_s < 61


def test_a_host_that_does_not_come_back_is_given_up(
    stand_in: StandIn, ticking: Ticking, talk: Start
) -> None:
    one = talk(outage_s=100)
    stand_in.polls = 10**6
    sleep = one.clock.sleep

    async def stopping(seconds: float) -> None:
        stand_in.stop()
        await sleep(seconds)

    one.clock = replace(one.clock, sleep=stopping)
    with pytest.raises(EngineFailed, match="cannot be reached"):
        one.ask(REPOSITORY)
    assert 85 < ticking.now_s < 105


def test_a_host_that_makes_mistakes_is_not_asked_for_ever(stand_in: StandIn, talk: Start) -> None:
    stand_in.faults += 9 * [problem(500, "INTERNAL_ERROR", "Something went wrong here.")]
    with pytest.raises(EngineFailed, match="answers 500: Something went wrong here"):
        talk().ask(AUDIT)
    assert len(stand_in.heard) == 3


def test_polls_grow_apart_and_keep_to_retry_after(
    stand_in: StandIn, ticking: Ticking, talk: Start
) -> None:
    stand_in.polls = 12
    talk().ask(REPOSITORY)
    assert ticking.slept[:3] == [1.0, 1.5, 2.25]
    assert ticking.slept[-1] == 15.0
    running = json.dumps({"status": "running"}).encode()
    ticking.slept.clear()
    stand_in.polls = 0
    stand_in.faults += [
        Say(200, b'{"scanId": "rs_9"}'),
        Say(200, running, {"Retry-After": "40"}),
        Say(200, RESULT),
    ]
    talk().ask(REPOSITORY)
    assert ticking.slept == [40.0]


def test_pauses_are_spread_and_bounded() -> None:
    policy = PollPolicy()
    assert [backoff_s(policy, 0, chance) for chance in (0.0, 1.0)] == [0.75, 1.25]
    assert backoff_s(policy, 10**9, 1.0) == 15 * 1.25


def test_time_that_runs_out_ends_the_wait(stand_in: StandIn, ticking: Ticking, talk: Start) -> None:
    stand_in.polls = 10**6
    one = talk(timeout_s=50)
    with pytest.raises(EngineTimeout, match=r"did not finish within 50 s\. Raise --timeout"):
        one.ask(REPOSITORY)
    assert ticking.now_s <= 50


def test_an_answer_that_never_ends_is_cut_off_in_time(stand_in: StandIn) -> None:
    stand_in.faults += 20 * [Say(200, RESULT, after_s=0.2)]
    one = Talk(stand_in, Ticking(), answer_s=0.05, timeout_s=30)
    with pytest.raises(EngineTimeout, match="did not finish within 30 s"):
        one.ask(AUDIT)
    assert "it did not answer in time; trying again" in one.said[0]


def test_a_gateway_before_a_host_that_is_not_there_is_not_waited_for_long(
    stand_in: StandIn, ticking: Ticking, talk: Start
) -> None:
    stand_in.faults += 99 * [Say(504, b"<html>gateway</html>")]
    with pytest.raises(EngineFailed, match="answers 504"):
        talk().ask(AUDIT)
    assert ticking.now_s < 61


def test_a_host_that_is_overloaded_is_waited_for(
    stand_in: StandIn, ticking: Ticking, talk: Start
) -> None:
    stand_in.faults += 20 * [problem(503, "OVERLOADED", Retry_After="10")]
    assert talk().ask(AUDIT) == RESULT
    assert 200 < ticking.now_s < 400


def test_more_than_any_result_is_not_read(stand_in: StandIn, talk: Start) -> None:
    bomb = gzip.compress(b" " * (65 << 20))
    assert len(bomb) < 100_000
    stand_in.faults.append(Say(200, bomb, {"Content-Encoding": "gzip"}))
    with pytest.raises(EngineFailed, match="larger than any result"):
        talk().ask(AUDIT)


def test_a_quota_is_waited_for_and_no_outage(
    stand_in: StandIn, ticking: Ticking, talk: Start
) -> None:
    stand_in.faults += 30 * [problem(429, "RATE_LIMITED", Retry_After="60")]
    assert talk(introduction_s=1, outage_s=1).ask(AUDIT) == RESULT
    assert ticking.now_s == 1800


def test_a_cooldown_is_told_and_not_waited_for(
    stand_in: StandIn, ticking: Ticking, talk: Start
) -> None:
    stand_in.faults.append(problem(429, "SCAN_COOLDOWN", Retry_After="840"))
    with pytest.raises(EngineFailed, match=r"audits this site again in 14 minutes.*Add --wait"):
        talk().ask(AUDIT)
    assert ticking.slept == []


def test_a_cooldown_is_waited_for_when_that_is_wanted(
    stand_in: StandIn, ticking: Ticking, talk: Start
) -> None:
    stand_in.faults.append(problem(429, "SCAN_COOLDOWN", Retry_After="840"))
    one = talk(cooldown=True)
    assert one.ask(AUDIT) == RESULT
    assert ticking.slept == [840.0]
    assert one.said == [f"{one.host.name} audits this site again in 14 minutes"]


def test_a_cooldown_longer_than_the_time_is_not_waited_for(
    stand_in: StandIn, ticking: Ticking, talk: Start
) -> None:
    stand_in.faults.append(problem(429, "SCAN_COOLDOWN", Retry_After="840"))
    with pytest.raises(EngineFailed, match="Raise --timeout"):
        talk(cooldown=True, timeout_s=600).ask(AUDIT)
    assert ticking.slept == []


REFUSALS: list[tuple[Say, type[MergegateError], str]] = [
    (problem(401, "UNAUTHORIZED"), UsageError, "does not accept the key.*MERGEGATE_API_KEY"),
    (problem(403, "FORBIDDEN"), UsageError, "the key may not ask.*scope `repo`"),
    (problem(404, "NOT_FOUND"), UsageError, "no Mergegate API.*without `/api`"),
    (Say(404, b"<html>"), UsageError, "no Mergegate API"),
    (problem(405, "METHOD_NOT_ALLOWED"), UsageError, "no Mergegate API"),
    (problem(409, "PROVIDER_NOT_CONNECTED"), UsageError, "no connection.*Connect it"),
    (problem(409, "IDEMPOTENCY_CONFLICT"), EngineFailed, "repetition of another"),
    (problem(400, "TARGET_NOT_ALLOWED", "It is private."), TargetNotAllowed, "It is private"),
    (problem(400, "UNSUPPORTED_BUDGET_VERSION"), UnsupportedBudgetVersion, "of this version"),
    (problem(413, "PAYLOAD_TOO_LARGE"), UsageError, "so large a request"),
    (
        problem(422, "TARGET_UNREACHABLE", "No DNS."),
        TargetUnreachable,
        "not reach the page: No DNS",
    ),
    (problem(422, "TARGET_NOT_ANALYSABLE"), TargetNotAnalysable, "cannot be analysed"),
    (problem(500, "SCAN_FAILED", "The browser died."), EngineFailed, "failed at .*browser died"),
    (problem(504, "SCAN_TIMEOUT", "It is over."), EngineTimeout, "longer than.*: It is over"),
    (problem(418, "TEAPOT", "Short and stout."), UsageError, "refuses the request .418.: Short"),
    (Say(302, b"", {"Location": "https://evil.example.org/"}), UsageError, "redirects to evil"),
    (Say(307, b""), UsageError, "redirects, and the key goes to no other"),
]


@pytest.mark.parametrize(("said", "kind", "what"), REFUSALS)
def test_a_refusal_says_what_to_do_and_is_not_repeated(
    said: Say, kind: type[MergegateError], what: str, stand_in: StandIn, talk: Start
) -> None:
    stand_in.faults.append(said)
    with pytest.raises(kind, match=what):
        talk().ask(AUDIT)
    assert len(stand_in.heard) == 1


def test_an_invalid_request_names_the_field(stand_in: StandIn, talk: Start) -> None:
    document = {"code": "INVALID_REQUEST", "errors": [{"path": "url", "message": "is no address"}]}
    stand_in.faults.append(Say(400, json.dumps(document).encode()))
    with pytest.raises(UsageError, match="does not take the request: url: is no address"):
        talk().ask(AUDIT)


FAILURES = [
    ("PROVIDER_TOKEN_REVOKED", EngineFailed, "does not accept the token that"),
    ("PROVIDER_ACCESS_DENIED", EngineFailed, "may not read the repository"),
    ("PROVIDER_UNREACHABLE", EngineFailed, "provider does not answer"),
    ("BRANCH_NOT_FOUND", EngineFailed, "does not find the branch.*Push it first"),
    ("COMMIT_NOT_FOUND", EngineFailed, "does not find the commit.*Push it first"),
    ("REPOSITORY_TOO_LARGE", EngineFailed, "larger than .* scans"),
    ("SCAN_TIMEOUT", EngineTimeout, "took longer than"),
    ("TARGET_NOT_ALLOWED", TargetNotAllowed, "does not visit that address"),
    ("CANCELLED", EngineFailed, "was called off at .*who calls an equal scan off"),
    ("WORKER_LOST", EngineFailed, "the scan failed at .*: why"),
    ("weird\n::error::", EngineFailed, "the scan failed at .*: why"),
]


@pytest.mark.parametrize(("code", "kind", "what"), FAILURES)
def test_a_scan_that_failed_there_says_why(
    code: str, kind: type[MergegateError], what: str, stand_in: StandIn, talk: Start
) -> None:
    seen = {"qualityGate": "failed", "score": 0, "issues": [], "engines": []}
    document = {"status": "failed", **seen, "error": {"code": code, "detail": "why"}}
    stand_in.results["/api/repo/scan"] = json.dumps(document).encode()
    with pytest.raises(kind, match=what):
        talk().ask(REPOSITORY)


def test_a_failed_scan_with_a_result_is_a_result(stand_in: StandIn, talk: Start) -> None:
    """An engine that did not run leaves what the others saw (decisions)."""
    content = b'{"status": "failed", "error": {"code": "INCOMPLETE"}, "verdict": {}}'
    stand_in.results["/api/repo/scan"] = content
    assert talk().ask(REPOSITORY) == content


@pytest.mark.parametrize(
    "content", [b"", b"{}", b"[]", b'{"scanId": 7}', b'{"scanId": ""}', b"\xff", b"[" * 90_000]
)
def test_garbage_instead_of_an_identifier_is_said(
    content: bytes, stand_in: StandIn, talk: Start
) -> None:
    stand_in.faults.append(Say(200, content))
    with pytest.raises(EngineFailed, match="does not say which scan it has started"):
        talk().ask(REPOSITORY)


def test_the_key_stands_in_one_header_and_in_no_error(stand_in: StandIn, talk: Start) -> None:
    stand_in.faults.append(problem(418, "TEAPOT", f"I know {KEY}!\n::error::" + "x" * 9_000))
    with pytest.raises(UsageError) as caught:
        talk().ask(AUDIT)
    assert KEY not in str(caught.value)
    assert "I know ***!" in str(caught.value)
    assert len(str(caught.value)) < 700
    heard = stand_in.heard[0]
    assert [name for name, value in heard.headers.items() if KEY in value] == ["x-api-key"]
    assert KEY not in repr(Host("https://h.example.org", KEY))


def test_no_redirect_is_followed_with_the_key(stand_in: StandIn, talk: Start) -> None:
    with StandIn().running() as other:
        stand_in.faults.append(Say(307, b"", {"Location": f"{other.url}/api/audit"}))
        with pytest.raises(UsageError, match="the key goes to no other address"):
            talk().ask(AUDIT)
        assert other.heard == []


def test_a_certificate_must_be_trusted_before_the_key_goes_out(
    tmp_path: Path, ticking: Ticking, monkeypatch: pytest.MonkeyPatch
) -> None:
    known, file = self_signed(), tmp_path / "certificate.pem"
    file.write_text(known.key + known.chain)
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(file)
    with StandIn(tls).running() as host:
        host.results["/api/audit"] = RESULT
        with pytest.raises(EngineFailed, match="its certificate is not trusted here"):
            Talk(host, ticking, introduction_s=1).ask(AUDIT)
        assert host.heard == []
        monkeypatch.setenv("SSL_CERT_FILE", str(file))
        assert Talk(host, ticking).ask(AUDIT) == RESULT


def test_a_proxy_of_the_environment_does_not_get_a_key_that_goes_over_http(
    stand_in: StandIn, talk: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    with StandIn().running() as proxy:
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
            monkeypatch.setenv(name, proxy.url)
        assert talk().ask(AUDIT) == RESULT
        assert proxy.heard == []
