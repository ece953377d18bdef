"""Lighthouse behind the way out: an audit reaches the page's own site and nothing else."""

import contextlib
from collections.abc import Iterator

import pytest

from mergegate.core.errors import EngineMissing, MergegateError
from mergegate.sandbox.egress.destination import Verdict
from mergegate.sandbox.egress.policy import Policy
from mergegate.sandbox.egress.server import Egress, egress
from mergegate.sandbox.process import node
from mergegate.sandbox.visit import Visit
from mergegate.site.audit.lighthouse import Lighthouse
from tests.sandbox.browser.stands import needs_chromium
from tests.sandbox.egress.attack import HOSTS, REACHED_FIRST, chromium_at, stage
from tests.sandbox.egress.corpus import LAVISH, dialled
from tests.sandbox.egress.sites import Secret, Site, secret, site

OWN = "page.example.org"
TURNING = "turn.example.org"
LINGER = b"""<script>
const lingering = setInterval(() => {
  const asked = performance.getEntriesByType("resource");
  if (asked.some(({name}) => name.endsWith("/done"))) clearInterval(lingering);
  else fetch("/tick");  // Lighthouse leaves a silent page
}, 300);
</script>"""


def is_here() -> bool:
    try:
        return node.packages("lighthouse").is_dir()
    except EngineMissing:
        return False


pytestmark = [
    needs_chromium,
    pytest.mark.slow,
    pytest.mark.skipif(not is_here(), reason="NOT CHECKED: no Lighthouse; `npm ci` installs it"),
]


@pytest.fixture(scope="module")
def warm() -> Iterator[Lighthouse]:
    with Lighthouse(patience_s=12) as lighthouse:
        yield lighthouse


@pytest.fixture
def hidden() -> Iterator[Secret]:
    with secret() as there:
        yield there


@pytest.fixture
def there() -> Iterator[Site]:
    with site() as one:
        yield one


class Names:
    """A resolver that the page's owner holds: each name leads somewhere else the second time."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, name: str) -> tuple[str, ...]:
        self.asked.append(name)
        if name not in {OWN, TURNING}:
            raise OSError(name)
        return ("127.0.0.1",) if self.asked.count(name) == 1 else ("127.0.0.2", "::1")


@contextlib.contextmanager
def way_past(there: Site, hidden: Secret, names: Names, *more: tuple[str, int]) -> Iterator[Egress]:
    """The site and ``more`` by their owner's word, and the internet, on the secret's port too."""
    policy = Policy(
        ports=frozenset({80, 443, hidden.port}),
        allowed=frozenset({("127.0.0.1", there.port), (OWN, there.port), *more}),
    )
    with egress(policy, LAVISH, names) as way:
        yield way
        assert dialled(way) <= {("127.0.0.1", there.port)}
    assert way.faults == ()


def tried(way: Egress, hidden: Secret) -> list[Verdict]:
    """How the requests for the secret's port ended."""
    return [one.verdict for one in way.contacted if one.port == hidden.port]


def linger(there: Site) -> None:
    """The page stays until all that it tries has been tried."""
    kind, page = there.pages["/"]
    there.pages["/"] = (kind, page + LINGER)


@pytest.mark.thorough  # the same page proves itself beside a bare Chromium
@pytest.mark.usefixtures("without_a_proxy")
def test_an_audit_of_the_attack_page_reaches_the_secret_where_nothing_stands_between(
    there: Site, hidden: Secret, warm: Lighthouse
) -> None:
    stage(there, hidden, "127.0.0.1")
    linger(there)
    with way_past(there, hidden, Names()) as way, chromium_at(way) as browser:
        warm.measure(Visit(url=f"http://127.0.0.1:{there.port}/"), browser)
    paths = {hit.split(b" ")[1] for hit in hidden.hits if hit.count(b" ") > 1}
    assert paths >= REACHED_FIRST
    assert hidden.datagrams


@pytest.mark.usefixtures("without_its_own_guard")
@pytest.mark.parametrize("host", [HOSTS[0], pytest.param(HOSTS[2], marks=pytest.mark.thorough)])
def test_an_audit_of_the_attack_page_reaches_nothing(
    there: Site, hidden: Secret, warm: Lighthouse, host: str
) -> None:
    stage(there, hidden, host)
    linger(there)
    with way_past(there, hidden, Names()) as way, chromium_at(way) as browser:
        warm.measure(Visit(url=f"http://127.0.0.1:{there.port}/"), browser)
        assert len(tried(way, hidden)) >= 10
        assert set(tried(way, hidden)) == {Verdict.REFUSED}
    assert any("/done" in asked.line for asked in there.asked)
    assert (hidden.hits, hidden.datagrams) == ([], [])


LEAVING = {
    "script": b"<script>location.href = '%s'</script>",
    "refresh": b"<meta http-equiv=refresh content='0; url=%s'>",
    "form": b"<form method=post action='%s'></form><script>document.forms[0].submit()</script>",
}


@pytest.mark.usefixtures("without_its_own_guard")
@pytest.mark.parametrize(
    "how",
    [
        "redirect",
        "script",
        pytest.param("refresh", marks=pytest.mark.thorough),
        pytest.param("form", marks=pytest.mark.thorough),
    ],
)
def test_a_page_that_becomes_the_secret_is_refused(
    there: Site, hidden: Secret, warm: Lighthouse, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(warm, "_patience_s", 7.0)  # one that is refreshed in vain uses it up
    target = f"http://127.0.0.1:{hidden.port}/"
    if how == "redirect":
        there.moved = {"/": "/again", "/again": target}
    else:
        there.pages["/"] = ("text/html", b"<title>x</title>" + LEAVING[how] % target.encode())
    with way_past(there, hidden, Names()) as way, chromium_at(way) as browser:
        with pytest.raises(MergegateError):
            warm.measure(Visit(url=f"http://127.0.0.1:{there.port}/"), browser)
        assert tried(way, hidden)
        assert set(tried(way, hidden)) == {Verdict.REFUSED}
    assert hidden.hits == []


REBINDING = """<!doctype html><title>rebinding</title><p>Text.</p><script>
const lingering = setInterval(() => fetch("/tick"), 300);  // Lighthouse leaves a silent page
const ask = (url) => fetch(url, {mode: "no-cors"}).catch(() => 0);
(async () => {
  await ask("http://TURNING:CLOSED/");  // nobody listens: the name is looked up again
  for (const host of ["OWN", "TURNING", "OWN", "TURNING"]) await ask(`http://${host}:SECRET/`);
  await ask("/done");
  clearInterval(lingering);
})();
</script>"""
LONGEST_S = 60
"""For the page to be done, on a busy machine."""


@pytest.mark.usefixtures("without_its_own_guard")
def test_a_name_that_turns_inward_while_the_page_is_audited_is_refused(
    there: Site, hidden: Secret, warm: Lighthouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(warm, "_patience_s", LONGEST_S)
    with site() as gone:
        closed = gone.port
    page = REBINDING.replace("OWN", OWN).replace("TURNING", TURNING)
    page = page.replace("CLOSED", str(closed)).replace("SECRET", str(hidden.port))
    there.pages["/"] = ("text/html", page.encode())
    names = Names()
    with way_past(there, hidden, names, (TURNING, closed)) as way, chromium_at(way) as browser:
        warm.measure(Visit(url=f"http://{OWN}:{there.port}/"), browser)
        assert set(tried(way, hidden)) == {Verdict.REFUSED}
        assert len(tried(way, hidden)) >= 4
    assert any("/done" in asked.line for asked in there.asked)
    assert (names.asked.count(OWN), names.asked.count(TURNING)) == (1, 2)
    assert hidden.hits == []


def test_a_page_whose_own_name_turns_inward_is_refused_each_time(
    there: Site, hidden: Secret, warm: Lighthouse
) -> None:
    names = Names()
    own = Visit(url=f"http://{TURNING}:{hidden.port}/")
    with way_past(there, hidden, names) as way, chromium_at(way) as browser:
        for _ in range(2):
            with pytest.raises(MergegateError):
                warm.measure(own, browser)
        assert set(tried(way, hidden)) == {Verdict.REFUSED}
    assert hidden.hits == []
