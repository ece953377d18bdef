"""Hashes of other hosts' files."""

from collections.abc import Iterator

import pytest

from mergegate.sandbox.egress.policy import Policy
from mergegate.sandbox.egress.server import egress
from mergegate.sandbox.visit import Credentials, Visit
from mergegate.sandbox.web import Client, client
from mergegate.site.security.tools import hashes
from tests.site.browser_test.journey.pages import Answer, Site, pages

PAGE = "https://shop.example.org/path"
OPEN = (("Access-Control-Allow-Origin", "*"),)
HASH = "sha384-HT2E9NfWiuQ/w1PRai+hTyqW16NIoCGA/m8VQDUopfAtcz6YQjtsMmQd5uRbVDpW"
"""Of ``alert(1)``."""


@pytest.fixture
def cdn() -> Iterator[Site]:
    with pages() as site:
        yield site


@pytest.fixture
def web(cdn: Site) -> Iterator[Client]:
    visit = Visit(url=PAGE, credentials=Credentials(headers=(("X-Pass", "geheim"),)))
    reach = Policy(allowed=frozenset({("127.0.0.1", cdn.port)}))
    with egress(reach) as way, client(way.url, visit) as held:
        yield held


def test_a_file_that_its_host_shares_has_a_hash(cdn: Site, web: Client) -> None:
    cdn.pages["/a.js"] = Answer("alert(1)", headers=OPEN)
    assert hashes([cdn.url("/a.js")], PAGE, web) == {cdn.url("/a.js"): HASH}
    [(_, _, sent)] = cdn.asked
    assert sent["origin"] == "https://shop.example.org"
    assert "x-pass" not in sent


@pytest.mark.parametrize(
    "answer",
    [
        Answer("alert(1)"),
        Answer("alert(1)", headers=(("Access-Control-Allow-Origin", "https://a.example.org"),)),
        Answer("alert(1)", 404, headers=OPEN),
        Answer("", headers=OPEN),
        Answer("x" * (5 * 1024 * 1024 + 1), headers=OPEN),
    ],
    ids=["not shared", "shared with another", "gone", "empty", "too large"],
)
def test_what_a_browser_could_not_check_has_none(cdn: Site, web: Client, answer: Answer) -> None:
    cdn.pages["/a.js"] = answer
    assert hashes([cdn.url("/a.js")], PAGE, web) == {}


def test_no_more_than_a_few_are_asked_for(cdn: Site, web: Client) -> None:
    hashes([cdn.url(f"/{n}.js") for n in range(50)], PAGE, web)
    assert len(cdn.asked) == 20
