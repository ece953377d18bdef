"""No spelling, redirect or answer of a resolver leads a scan to a port that is not its own."""

import contextlib
from collections.abc import Callable, Iterator, Sequence

import httpx
import pytest

from mergegate.sandbox.egress.destination import Verdict
from mergegate.sandbox.egress.policy import Policy
from mergegate.sandbox.egress.server import Egress, egress
from tests.sandbox.egress.sites import (
    Secret,
    Site,
    connect,
    get,
    last,
    nothing,
    say,
    secret,
    site,
    status,
    tunnel,
    way_to,
)
from tests.sandbox.egress.spellings import ALL

NOT_SENT = (httpx.ProxyError, httpx.UnsupportedProtocol, httpx.InvalidURL, UnicodeError)
INNER = {"127.0.0.1", "::1", "0.0.0.0", "::"}


@pytest.fixture
def hidden() -> Iterator[Secret]:
    with secret() as there:
        yield there


@pytest.fixture
def there() -> Iterator[Site]:
    with site() as one:
        yield one


@contextlib.contextmanager
def public(port: int, lookup: Callable[[str], Sequence[str]] = nothing) -> Iterator[Egress]:
    """The public internet, on the secret's port too: the port alone must not save it."""
    with egress(Policy(ports=frozenset({80, 443, port})), lookup=lookup) as way:
        yield way
    assert way.faults == ()


def test_the_table_is_as_long_as_promised() -> None:
    assert len(ALL) >= 300


def test_the_secret_counts_who_reaches_it(hidden: Secret) -> None:
    with way_to(hidden.port) as way:
        assert say(way, get(f"127.0.0.1:{hidden.port}")).endswith(b"secret")
    assert len(hidden.hits) == 1


@pytest.mark.parametrize("ask", [get, connect])
def test_no_spelling_reaches_the_secret_from_a_raw_socket(
    hidden: Secret, ask: Callable[[str], bytes]
) -> None:
    with public(hidden.port) as way:
        answers = {host: say(way, ask_for(ask, host, hidden.port)) for host in ALL}
        wrong = {host: answer for host, answer in answers.items() if not refused(answer)}
        assert wrong == {}
        assert {contact.address for contact in way.contacted} == {""}
    assert hidden.hits == []


def ask_for(ask: Callable[[str], bytes], host: str, port: int) -> bytes:
    return ask(f"{host}:{port}")


def refused(answer: bytes) -> bool:
    return status(answer) in {400, 403, 502} and answer.count(b"Not let through: ") == 1


@pytest.mark.parametrize(
    "scheme", ["http", "https", pytest.param("HTTP", marks=pytest.mark.thorough)]
)
def test_no_spelling_reaches_the_secret_from_httpx(hidden: Secret, scheme: str) -> None:
    asked = 0
    with (
        public(hidden.port) as way,
        httpx.Client(proxy=way.url, trust_env=False, verify=False) as client,
    ):
        for host in ALL:
            with contextlib.suppress(*NOT_SENT):
                answer = client.get(f"{scheme}://{host}:{hidden.port}/")
                assert answer.status_code in {400, 403, 502}
            asked += 1
        assert {contact.address for contact in way.contacted} == {""}
        assert len(way.contacted) >= 300
    assert asked == len(ALL)
    assert hidden.hits == []


def test_names_that_hide_an_inner_address_are_refused(hidden: Secret) -> None:
    answers = [*INNER, "10.0.0.1", "169.254.169.254", "fe80::1%lo", "::ffff:127.0.0.1", "x", ""]
    answers += ["64:ff9b::127.0.0.1", "fd00:ec2::254", "100.64.0.1", "2002:7f00:1::"]
    names = {f"name{place}.example.org": (answer,) for place, answer in enumerate(answers)}
    with public(hidden.port, names.__getitem__) as way:
        for name in names:
            assert status(say(way, get(f"{name}:{hidden.port}"))) == 403
            assert status(say(way, connect(f"{name}:{hidden.port}"))) == 403
        assert {contact.verdict for contact in way.contacted} == {Verdict.REFUSED}
    assert hidden.hits == []


@pytest.mark.parametrize("inner", sorted(INNER))
def test_one_inner_answer_among_public_ones_refuses_them_all(hidden: Secret, inner: str) -> None:
    for answers in ((inner, "8.8.8.8"), ("8.8.8.8", inner), ("8.8.8.8", "2606:4700::1", inner)):
        with public(hidden.port, {"mixed.example.org": answers}.__getitem__) as way:
            assert status(say(way, get(f"mixed.example.org:{hidden.port}"))) == 403
            assert last(way).address == ""
    assert hidden.hits == []


def test_a_name_is_looked_up_once_and_what_was_checked_is_dialled(
    hidden: Secret, there: Site
) -> None:
    asked: list[str] = []

    def rebinding(host: str) -> tuple[str, ...]:
        asked.append(host)
        return ("127.0.0.1",) if len(asked) == 1 else ("127.0.0.2",)

    policy = Policy(allowed=frozenset({("preview.example.org", there.port)}))
    with egress(policy, lookup=rebinding) as way:
        assert status(say(way, get(f"preview.example.org:{there.port}"))) == 200
        for _ in range(2):  # a tunnel is never a kept connection
            with tunnel(way, there.port, "preview.example.org"):
                pass
        assert {contact.address for contact in way.contacted} == {"127.0.0.1"}
    assert asked == ["preview.example.org"]


def test_a_name_that_turns_inward_between_two_lookups_is_refused(hidden: Secret) -> None:
    """The first answer cannot be reached, so the name is looked up again, and judged again."""
    answers = iter([("240.0.0.1",), ("127.0.0.1",), ("169.254.169.254", "8.8.8.8")])
    with public(hidden.port, lambda _: next(answers)) as way:
        for _ in range(2):
            assert status(say(way, get(f"turn.example.org:{hidden.port}"))) == 403
    assert hidden.hits == []


def test_a_failed_connection_forgets_the_name_and_the_next_answer_is_judged(
    hidden: Secret,
) -> None:
    answers = iter([("127.0.0.9",), ("169.254.169.254",)])
    name = ("preview.example.org", hidden.port)
    with egress(Policy(allowed=frozenset({name})), lookup=lambda _: next(answers)) as way:
        ask = get(f"{name[0]}:{name[1]}")
        assert [status(say(way, ask)) for _ in range(2)] == [502, 403]
        assert last(way).reason == "it is a link-local address, where clouds keep metadata"
    assert hidden.hits == []


@pytest.mark.parametrize(
    "target",
    [
        *("http://127.0.0.1:{}/", "http://localhost:{}/", "http://[::1]:{}/", "//2130706433:{}/"),
        *("http://0x7f.1:{}/", "http://[::ffff:127.0.0.1]:{}/", "https://127.0.0.1:{}/"),
        *("http://169.254.169.254/latest/meta-data/", "http://x@127.0.0.1:{}/"),
    ],
)
def test_each_hop_of_a_redirect_is_judged(hidden: Secret, there: Site, target: str) -> None:
    there.moved = {f"/{hop}": f"/{hop + 1}" for hop in range(3)}
    there.moved["/3"] = target.format(hidden.port)
    with (
        way_to(there.port) as way,
        httpx.Client(proxy=way.url, trust_env=False, verify=False, follow_redirects=True) as client,
        contextlib.suppress(httpx.ProxyError),  # how httpx puts a refused tunnel
    ):
        answer = client.get(f"http://127.0.0.1:{there.port}/0")
        assert answer.status_code in {400, 403}  # httpx writes IPv6 addresses without brackets
    assert len(there.asked) == 4
    assert way.contacted[-1].verdict is Verdict.REFUSED
    assert hidden.hits == []


@pytest.mark.parametrize("ask", [get, connect])
def test_an_allowed_destination_opens_no_other_host_or_port(
    hidden: Secret, there: Site, ask: Callable[[str], bytes]
) -> None:
    with way_to(there.port) as way:
        others = (
            f"127.0.0.1:{hidden.port}",
            f"localhost:{there.port}",
            f"127.0.0.2:{there.port}",
            f"[::ffff:127.0.0.1]:{there.port}",
            f"[::1]:{there.port}",
            f"127.0.0.1:{way.port}",
            "127.0.0.1:80",
        )
        assert {status(say(way, ask(other))) for other in others} == {403}
    assert (there.asked, hidden.hits) == ([], [])


def test_ports_other_than_those_of_sites_are_refused_before_a_lookup() -> None:
    asked: list[str] = []

    def lookup(host: str) -> tuple[str, ...]:
        asked.append(host)
        return ("8.8.8.8",)

    with egress(Policy(), lookup=lookup) as way:
        for port in (1, 21, 22, 25, 79, 81, 444, 3306, 6379, 8080, 9222, 65535):
            assert status(say(way, connect(f"example.org:{port}"))) == 403
            assert last(way).reason == "this port is not open to scans"
    assert asked == []


@pytest.mark.parametrize("other", ["127.0.0.1:8443", "10.0.0.1:8443", "git.lan:8443"])
def test_who_named_a_host_with_other_ports_is_told_which(other: str) -> None:
    """A name without a port means two, which is easily forgotten."""
    host = other.partition(":")[0]
    with egress(Policy(allowed=frozenset({(host, 80), (host, 443)}))) as way:
        assert status(say(way, connect(other))) == 403
        assert last(way).reason.endswith("; of this host 80 and 443 alone are allowed")
        assert status(say(way, connect("10.0.0.2:8443"))) == 403
        assert "of this host" not in last(way).reason


def test_a_refusal_repeats_nothing_that_was_asked(hidden: Secret) -> None:
    with public(hidden.port) as way:
        answer = say(way, get(f"metadata:{hidden.port}", "/<script>alert(1)</script>"))
        assert b"script" not in answer
        assert b"metadata:" not in answer
        assert b"text/plain" in answer
