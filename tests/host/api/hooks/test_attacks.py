"""What strangers, and forges that stammer, send to a host that serves: over a real connection."""

import datetime as dt
import gzip
import json
import secrets
import socket
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import pytest
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from mergegate.core.change import Provider
from mergegate.forges.deliveries import Credentials
from mergegate.host.store import hooks
from mergegate.host.store.hooks import Hook
from mergegate.host.store.sealing import Sealer
from mergegate.host.store.tables import scans
from tests.forges.hooks import saying
from tests.forges.hooks.saying import SECRET, hub
from tests.host.api.conftest import SEAL, Host

pytestmark = pytest.mark.parametrize("host", ["sqlite"], indirect=True)
OTHER = b"another secret altogether"
BODY = json.dumps(saying.pull_request()).encode()
SIGNED = f"X-Hub-Signature-256: {hub(BODY)}"
EVENT = "X-GitHub-Event: pull_request"
LAST = "Host: host.example.org\r\nConnection: close"
Answer = tuple[int, dict[str, Any]]


@dataclass
class Ear:
    """A hook of an account of its own on a host that serves."""

    host: Host
    account: str
    path: str

    def hears(self, *head: str, body: bytes = BODY, length: int | None = None) -> Answer:
        """The answer to a delivery with these lines for its head."""
        told = f"Content-Length: {len(body) if length is None else length}"
        lines = (f"POST {self.path} HTTP/1.1", LAST, *head, told)
        return self.answers("\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body)

    def answers(self, sent: bytes) -> Answer:
        """The first answer to raw bytes."""
        parts = urlsplit(self.host.url)
        with socket.create_connection((parts.hostname, parts.port), timeout=60) as line:
            line.sendall(sent)
            received = b"".join(iter(partial(line.recv, 65536), b""))
        head, _, rest = received.partition(b"\r\n\r\n")
        found, _ = json.JSONDecoder().raw_decode(rest.decode())
        return int(head.split()[1]), found

    @property
    def scans(self) -> int:
        asked = sa.select(sa.func.count()).where(scans.c.account_id == self.account)
        return self.host.change(lambda conn: conn.scalar(asked)) or 0


def hook(host: Host, account: str, secret: bytes = SECRET) -> str:
    """The path of a new one."""
    made = Hook(f"hook_{secrets.token_hex(8)}", account, Provider.GITHUB, dt.datetime.now(dt.UTC))
    sealed = Sealer([SEAL]).seal(Credentials(secret=secret.decode()).text(), made.place)

    async def add(conn: AsyncConnection) -> None:
        await hooks.add(conn, made, sealed)

    host.change(add)
    return f"/hooks/github/{made.id}"


@pytest.fixture
def ear(host: Host) -> Ear:
    account = host.account().id
    return Ear(host, account, hook(host, account))


def queued(answer: Answer) -> bool:
    return answer[0] == 202 and answer[1]["status"] == "queued"


UPPER = f"X-Hub-Signature-256: sha256={hub(BODY).removeprefix('sha256=').upper()}"
NOTHING = f"X-Hub-Signature-256: {hub(BODY, b'')}"
TEN = json.dumps(json.loads(BODY), indent=1).encode()
UNSIGNED: dict[str, Callable[[Ear], Answer]] = {
    "signed with an empty secret": lambda ear: ear.hears(EVENT, NOTHING),
    "in capitals": lambda ear: ear.hears(EVENT, UPPER),
    "signed twice": lambda ear: ear.hears(EVENT, "X-Hub-Signature-256: sha256=0", SIGNED),
    "signed twice, rightly first": lambda ear: ear.hears(EVENT, SIGNED, "X-Hub-Signature-256: x"),
    "the same JSON in other bytes": lambda ear: ear.hears(EVENT, SIGNED, body=TEN),
    "shorter than was signed": lambda ear: ear.hears(EVENT, SIGNED, length=len(BODY) - 1),
    "no letters of ours": lambda ear: ear.hears(EVENT, "X-Hub-Signature-256: sha256=\xff\xfe"),
    "a megabyte of signature": lambda ear: ear.hears(EVENT, f"{SIGNED}{'0' * (1 << 20)}"),
    "packed after it was signed": lambda ear: ear.hears(
        EVENT, SIGNED, "Content-Encoding: gzip", body=gzip.compress(BODY)
    ),
}


@pytest.mark.parametrize("attack", UNSIGNED)
def test_what_is_not_signed_as_it_stands_is_refused(ear: Ear, attack: str) -> None:
    status, problem = UNSIGNED[attack](ear)
    assert (status, problem["code"]) == (401, "UNAUTHORIZED")
    assert ear.scans == 0


CHUNKED = "Transfer-Encoding: chunked"


def chunks(ear: Ear, *head: str, more: bytes = b"") -> Answer:
    """The body in two pieces, with an extension and a trailer as nobody sends them."""
    lines = (f"POST {ear.path} HTTP/1.1", LAST, EVENT, SIGNED, *head, CHUNKED)
    pieces = b"".join(
        b"%x;name=value\r\n%s\r\n" % (len(one), one) for one in (BODY[:100], BODY[100:])
    )
    return ear.answers("\r\n".join(lines).encode() + b"\r\n\r\n" + pieces + b"0\r\n" + more)


ODD: dict[str, Callable[[Ear], Answer]] = {
    "in pieces": lambda ear: chunks(ear, more=b"X-GitHub-Event: ping\r\n\r\n"),
    "a megabyte of name": lambda ear: ear.hears(
        EVENT, SIGNED, f"X-GitHub-Delivery: {'d' * (1 << 20)}"
    ),
    "a name in no alphabet": lambda ear: ear.hears(EVENT, SIGNED, "X-GitHub-Delivery: \xff\x80"),
    "two names": lambda ear: ear.hears(
        EVENT, SIGNED, "X-GitHub-Delivery: 1", "X-GitHub-Delivery: 2"
    ),
    "another media type": lambda ear: ear.hears(EVENT, SIGNED, "Content-Type: text/plain"),
}


@pytest.mark.parametrize("oddity", ODD)
def test_what_is_signed_is_heard_once_however_odd_the_rest(ear: Ear, oddity: str) -> None:
    assert queued(ODD[oddity](ear))
    assert ODD[oddity](ear) == (202, {"status": "duplicate"})
    assert ear.scans == 1


def test_two_events_are_none(ear: Ear) -> None:
    status, answer = ear.hears("X-GitHub-Event: issue_comment", EVENT, SIGNED)
    assert (status, answer["status"], ear.scans) == (202, "ignored", 0)


def test_a_form_and_a_packed_body_that_are_signed_ask_for_nothing(ear: Ear) -> None:
    for body in (b"payload=" + BODY, gzip.compress(BODY)):
        signed = f"X-Hub-Signature-256: {hub(body)}"
        status, answer = ear.hears(EVENT, signed, "Content-Encoding: gzip", body=body)
        assert (status, answer["status"]) == (202, "ignored")
        assert "JSON" in answer["reason"]
    assert ear.scans == 0


def test_a_length_beside_pieces_is_no_http(ear: Ear) -> None:
    status, problem = chunks(ear, f"Content-Length: {len(BODY)}", more=b"\r\n")
    assert (status, problem["code"], ear.scans) == (400, "INVALID_REQUEST", 0)


def test_while_a_secret_is_changed_both_hooks_hear_and_each_its_own(ear: Ear) -> None:
    """As the guide says: a second hook first, then the forge, then the first one goes."""
    new = Ear(ear.host, ear.account, hook(ear.host, ear.account, OTHER))
    by_other = f"X-Hub-Signature-256: {hub(BODY, OTHER)}"
    assert queued(ear.hears(EVENT, SIGNED))
    assert new.hears(EVENT, by_other)[0] == 202
    assert [new.hears(EVENT, SIGNED)[0], ear.hears(EVENT, by_other)[0]] == [401, 401]
    id = ear.path.rpartition("/")[2]
    assert ear.host.change(lambda conn: hooks.remove(conn, ear.account, id))
    assert (ear.hears(EVENT, SIGNED)[0], new.hears(EVENT, by_other)[0]) == (401, 202)
