"""Every spelling of the corpus, from every client that a scan lets loose: none is let through."""

import contextlib
from collections.abc import Iterator

import httpx
import pytest

from mergegate.sandbox.egress.policy import Policy
from mergegate.sandbox.egress.server import Egress, egress
from mergegate.sandbox.visit import Visit
from mergegate.site.browser_test.facts import LinkState
from mergegate.site.browser_test.run import BrowserRequest, browse
from mergegate.site.browser_test.tools import browser_toolbox
from mergegate.site.links.bounds import Bounds
from mergegate.site.links.check import check_links
from tests.sandbox.browser.stands import needs_chromium
from tests.sandbox.egress.attack import chromium_at, visit
from tests.sandbox.egress.corpus import (
    AT_HOME,
    KINDS,
    LAVISH,
    Ways,
    by_all,
    by_turns,
    dialled,
    refusals,
    spread,
)
from tests.sandbox.egress.sites import Secret, Site, nothing, secret, site
from tests.sandbox.egress.spellings import ALL, LOOPBACK

FEW = ("127.0.0.1", "localhost", "2130706433", "0x7f.1", "[::1]", "[::ffff:7f00:1]")
"""What every system's own resolver, or every browser, takes for this machine."""

SAMPLE = (*AT_HOME[::20], *FEW)
"""For what asks slowly, and thrice."""


@pytest.fixture
def hidden() -> Iterator[Secret]:
    with secret() as there:
        yield there


@pytest.fixture
def there() -> Iterator[Site]:
    with site() as one:
        yield one


def policy(there: Site, hidden: Secret) -> Policy:
    """The site by its owner's word, and the internet, on the secret's port too."""
    return Policy(
        ports=frozenset({80, 443, hidden.port}), allowed=frozenset({("127.0.0.1", there.port)})
    )


@contextlib.contextmanager
def way_past(there: Site, hidden: Secret) -> Iterator[Egress]:
    """A way out whose dials went to the site alone."""
    with egress(policy(there, hidden), LAVISH, nothing) as way:
        yield way
        assert dialled(way) <= {("127.0.0.1", there.port)}
    assert way.faults == ()


@needs_chromium
@pytest.mark.slow
@pytest.mark.usefixtures("without_a_proxy")
def test_the_page_reaches_the_secret_in_each_way_where_nothing_stands_between(
    there: Site, hidden: Secret
) -> None:
    spread(there, hidden, by_all(FEW))
    with way_past(there, hidden) as way, chromium_at(way) as browser:
        visit(browser, there)
    paths = {hit.split(b" ")[1].decode() for hit in hidden.hits if hit.count(b" ") > 1}
    assert paths >= {f"/{kind}" for kind in KINDS}


@needs_chromium
@pytest.mark.slow
@pytest.mark.usefixtures("without_its_own_guard")
@pytest.mark.parametrize(
    "ways",
    [
        pytest.param(by_turns(), id="by turns"),
        pytest.param(by_all(), id="by all", marks=pytest.mark.thorough),
    ],
)
def test_no_spelling_reaches_the_secret_from_a_page_in_chromium(
    there: Site, hidden: Secret, ways: Ways
) -> None:
    spread(there, hidden, ways)
    with way_past(there, hidden) as way, chromium_at(way) as browser:
        visit(browser, there, patience_s=240)
        asked = refusals(way)
    assert hidden.hits == []
    assert asked >= 300 * len(ways[FEW[0]])


def test_no_redirect_to_any_spelling_leads_httpx_to_the_secret(there: Site, hidden: Secret) -> None:
    spread(there, hidden, by_all(ALL))
    with way_past(there, hidden) as way, following(way) as client:
        for place in range(len(ALL)):
            with contextlib.suppress(httpx.HTTPError, httpx.InvalidURL, UnicodeError):
                answer = client.get(f"http://127.0.0.1:{there.port}/inward/{place}")
                assert answer.status_code in {400, 403, 502}
        asked = refusals(way)
    assert hidden.hits == []
    assert len(there.asked) == len(ALL)
    assert asked >= len(LOOPBACK)


def following(way: Egress) -> httpx.Client:
    return httpx.Client(proxy=way.url, trust_env=False, verify=False, follow_redirects=True)


def test_httpx_reaches_the_secret_where_nothing_stands_between(there: Site, hidden: Secret) -> None:
    spread(there, hidden, by_all(FEW))
    with httpx.Client(trust_env=False, verify=False, follow_redirects=True) as client:
        answer = client.get(f"http://127.0.0.1:{there.port}/inward/0")
    assert answer.text == "secret"
    assert len(hidden.hits) == 1


def test_the_check_of_links_asks_no_spelling(there: Site, hidden: Secret) -> None:
    spread(there, hidden, by_all(ALL))
    own = f"http://127.0.0.1:{there.port}"
    addresses = [
        *(f"http://{host}:{hidden.port}/" for host in ALL),
        *(f"https://{host}:{hidden.port}/" for host in ALL[::4]),
        *(f"{own}/inward/{place}" for place in range(len(ALL))),
    ]
    with way_past(there, hidden) as way:
        answers = check_links(
            addresses, proxy=way.url, own=Visit(url=f"{own}/"), bounds=Bounds(attempts=1)
        ).answers
        asked = refusals(way)
    assert hidden.hits == []
    assert len(answers) == len(dict.fromkeys(addresses))
    assert LinkState.ALIVE not in {one.state for one in answers}
    assert asked >= len(LOOPBACK)


@needs_chromium
@pytest.mark.slow
def test_a_browser_test_of_a_page_that_links_them_all_reaches_nothing(
    there: Site, hidden: Secret
) -> None:
    spread(there, hidden, by_all(SAMPLE))
    start = Visit(url=f"http://127.0.0.1:{there.port}/links")
    with browser_toolbox(policy(there, hidden), lookup=nothing) as toolbox:
        report = browse(BrowserRequest(visit=start), toolbox)
    assert (hidden.hits, hidden.datagrams) == ([], [])
    assert report.links[LinkState.ALIVE] == 0
    assert sum(report.links.values()) >= 50
