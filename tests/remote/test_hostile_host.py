"""Whatever a host answers, the client ends in time, with an error of ours, and the key unsaid."""

import asyncio
import gzip
import json
import tracemalloc
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mergegate.core.errors import EngineError, EngineFailed, MergegateError, UsageError
from mergegate.core.plans import Tool
from mergegate.core.strict_json import LARGEST_BYTES
from mergegate.remote.audit import audit_order
from mergegate.remote.client import ask
from mergegate.remote.exchange import HostClient
from mergegate.remote.host import Host, Order, PollPolicy, ScanProgress
from tests.remote.conftest import Ticking

KEY = "mg_" + "Kk" * 21
HOST = Host("https://host.example.org", KEY)
REPOSITORY = Order(Tool.REPOSITORY, {"owner": "octo", "repo": "shop"})
AUDIT = audit_order("https://example.org/")
DONE = b'{"id": "rs_1", "status": "completed"}'
Answering = Callable[[httpx.Request], httpx.Response]


class Talk:
    """An order to a host that answers as it is told."""

    def __init__(self, answer: Answering) -> None:
        self.ticking = Ticking()
        self.said: list[str] = []
        self._answer = answer

    def ask(self, order: Order = REPOSITORY) -> bytes:
        async def asked() -> bytes:
            client = HostClient(HOST)
            headers, own = client._client.headers, client._client
            client._client = httpx.AsyncClient(
                transport=httpx.MockTransport(self._answer), headers=headers
            )
            await own.aclose()
            async with client:
                progress, policy = ScanProgress(self.said.append), PollPolicy(timeout_s=3600)
                return await ask(order, client, progress, policy, self.ticking.clock())

        return asyncio.run(asked())


def always(status: int, content: bytes = b"", **headers: str) -> Talk:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Talk(lambda _: raw(status, content, named))


def raw(status: int, content: bytes, headers: dict[str, str]) -> httpx.Response:
    """As it comes from the wire, packed or not."""
    return httpx.Response(status, headers=headers, stream=httpx.ByteStream(content))


def polled(*answers: httpx.Response) -> Talk:
    """To a scan that is called ``rs_1``."""
    waiting = iter(answers)

    def answer(request: httpx.Request) -> httpx.Response:
        started = raw(200, b'{"scanId": "rs_1"}', {})
        return started if request.method == "POST" else next(waiting)

    return Talk(answer)


@pytest.mark.parametrize("coding", ["gzip, gzip", "br", "zstd", "compress", "x" * 500])
def test_a_packing_that_nobody_asked_for_is_not_unpacked(coding: str) -> None:
    """Packed twice, a kilobyte is a gigabyte."""
    bomb = gzip.compress(gzip.compress(bytes(1 << 20)))
    with pytest.raises(EngineFailed, match="cannot be unpacked"):
        always(200, bomb, Content_Encoding=coding).ask(AUDIT)


def test_a_small_answer_that_is_a_large_one_takes_little_memory() -> None:
    bomb = gzip.compress(bytes(4 * LARGEST_BYTES), 9)
    talk = always(200, bomb, Content_Encoding="gzip")
    tracemalloc.start()
    with pytest.raises(EngineFailed, match="larger than any result"):
        talk.ask(AUDIT)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 4 * LARGEST_BYTES


def test_an_answer_that_is_cut_off_is_none() -> None:
    cut = gzip.compress(DONE)[:-6]
    with pytest.raises(EngineFailed, match="cannot be unpacked"):
        always(200, cut, Content_Encoding="gzip").ask(AUDIT)
    assert always(200, gzip.compress(DONE), Content_Encoding="gzip").ask(AUDIT) == DONE


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
@pytest.mark.parametrize("hint", ["", "0", "999999999", "Fri, 31 Dec 9999 23:59:59 GMT", "soon"])
def test_trouble_for_ever_ends(status: int, hint: str) -> None:
    problem = json.dumps({"code": "OVERLOADED", "detail": "later"}).encode()
    talk = always(status, problem, **({"Retry_After": hint} if hint else {}))
    with pytest.raises(EngineError) as caught:
        talk.ask()
    assert KEY not in str(caught.value)
    assert talk.ticking.now_s <= 3600
    assert len(talk.said) <= 2


@pytest.mark.parametrize("hint", ["999999999", "Fri, 31 Dec 9999 23:59:59 GMT", "3599"])
def test_a_scan_that_runs_is_looked_at_however_long_the_host_wants_to_be_left_alone(
    hint: str,
) -> None:
    running = raw(200, b'{"status": "running"}', {"Retry-After": hint})
    talk = polled(running, raw(200, DONE, {}))
    assert talk.ask() == DONE
    assert talk.ticking.now_s <= 60


def test_the_result_of_another_scan_is_none() -> None:
    with pytest.raises(EngineFailed, match="about another scan"):
        polled(raw(200, DONE.replace(b"rs_1", b"rs_2"), {})).ask()


def test_an_answer_that_holds_the_key_is_shown_nowhere() -> None:
    with pytest.raises(EngineFailed, match="answers with the key") as caught:
        always(200, json.dumps({"aiSummary": f"It is {KEY}."}).encode()).ask(AUDIT)
    assert KEY not in str(caught.value)


@pytest.mark.parametrize(
    "place",
    [
        f"https://{KEY}.evil.example.org/",
        f"https://evil.example.org/{KEY}",
        "https://evil.example.org:99999/",
        "https://[::1",
        "//[",
        "\x7f",
        "",
    ],
)
def test_no_redirect_is_followed_and_none_tells_the_key(place: str) -> None:
    asked: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        return raw(307, b"", {"Location": place})

    with pytest.raises((UsageError, EngineError)) as caught:
        Talk(answer).ask()
    assert KEY.lower() not in str(caught.value).lower()
    assert {one.url.host for one in asked} == {"host.example.org"}


def test_a_cookie_is_kept_from_nobody_else_and_changes_nothing() -> None:
    talk = always(200, DONE, Set_Cookie="a=b; Domain=example.org")
    assert talk.ask(AUDIT) == DONE


TEXT = st.text(max_size=40) | st.just(KEY) | st.just("\x1b[31m\n::error::x")
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                ["id", "scanId", "status", "error", "code", "detail", "errors", "path"]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=8,
)
BODY = st.binary(max_size=60) | JSON.map(lambda one: json.dumps(one).encode())
HEADERS = st.dictionaries(
    st.sampled_from(["Retry-After", "Location", "Content-Encoding", "Content-Type"]),
    st.sampled_from(["", "7", "-1", "1e9", "gzip", "//", f"https://{KEY}/", "text/html", "\xff"]),
    max_size=3,
)
ANSWER = st.tuples(st.integers(200, 599), BODY, HEADERS)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(ANSWER, min_size=1, max_size=4), st.sampled_from([REPOSITORY, AUDIT]))
def test_nothing_that_a_host_says_is_a_mistake_of_ours(answers: list[Any], order: Order) -> None:
    left = list(answers)

    def answer(_: httpx.Request) -> httpx.Response:
        status, content, headers = left.pop(0) if len(left) > 1 else left[0]
        return raw(status, content, {name: it.encode("latin-1") for name, it in headers.items()})

    talk = Talk(answer)
    assert KEY not in told(talk, order)
    assert talk.ticking.now_s <= 3600


def told(talk: Talk, order: Order) -> str:
    """The result, or the error that stands for it."""
    try:
        return talk.ask(order).decode("utf-8", "replace")
    except MergegateError as error:
        return str(error)
