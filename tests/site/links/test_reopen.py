"""What is in doubt is opened in a browser, and the browser is believed."""

import json
from collections.abc import Mapping, Sequence

import pytest

from mergegate.sandbox.browser import chromium
from mergegate.sandbox.egress.policy import Policy
from mergegate.sandbox.egress.server import egress
from mergegate.sandbox.files.stage import Stage
from mergegate.sandbox.visit import Credentials, Visit
from mergegate.site.browser_test.facts import LinkState
from mergegate.site.links.bounds import Bounds, Reopened
from mergegate.site.links.check import check_links
from mergegate.site.links.reopen import browser_reopen
from tests.site.links.places import LeapingClock, Place, Say, check, place

ALIVE, DEAD, BLOCKED = LinkState.ALIVE, LinkState.DEAD, LinkState.BLOCKED
FLAKY, SOFT, UNCHECKED = LinkState.FLAKY, LinkState.SOFT_404, LinkState.UNCHECKED


class Browser:
    """Says the same of each address."""

    def __init__(self, seen: Reopened | None) -> None:
        self.seen = seen
        self.asked: list[str] = []

    def __call__(self, urls: Sequence[str]) -> Mapping[str, Reopened]:
        self.asked += urls
        return dict.fromkeys(urls, self.seen) if self.seen else {}


@pytest.mark.parametrize(
    ("answer", "fragment", "seen", "state"),
    [
        (Say(403, ""), "", Reopened(status=200, final_url="", title="Shop"), ALIVE),
        (Say(403, ""), "", Reopened(status=403, final_url="", title="Denied"), BLOCKED),
        (Say(403, ""), "", Reopened(status=200, final_url="", title="Just a moment..."), BLOCKED),
        (Say(403, ""), "", Reopened(status=404, final_url=""), DEAD),
        (Say(403, ""), "", None, BLOCKED),
        (Say(405, ""), "", Reopened(status=405, final_url=""), DEAD),
        (Say(500, ""), "", Reopened(status=200, final_url="", title="Shop"), ALIVE),
        (Say(500, ""), "", Reopened(status=500, final_url=""), FLAKY),
        (Say(500, ""), "", Reopened(status=None, final_url="", error="net::ERR_FAILED"), FLAKY),
        (
            Say(500, ""),
            "",
            Reopened(status=None, final_url="", error="net::ERR_TOO_MANY_REDIRECTS"),
            DEAD,
        ),
        (Say(body="<title>404"), "", Reopened(status=200, final_url="", title="404"), SOFT),
        (Say(body="<title>404"), "", Reopened(status=200, final_url="", title="A shop"), ALIVE),
        (
            Say(body="<script></script>"),
            "#made",
            Reopened(status=200, final_url="", anchors=frozenset({"made"})),
            ALIVE,
        ),
        (Say(body="<script></script>"), "#made", Reopened(status=200, final_url=""), DEAD),
        (
            Say(body="<script></script>"),
            "#made",
            Reopened(status=200, final_url="", whole=False),
            UNCHECKED,
        ),
        (Say(body="<script></script>"), "#made", None, UNCHECKED),
    ],
)
def test_a_browser_settles_a_doubt(
    answer: Say, fragment: str, seen: Reopened | None, state: LinkState
) -> None:
    with place(**{"/x": answer}) as own:
        link = own.at(f"/x{fragment}")
        browser = Browser(seen)
        assert check(own, [link], reopen=browser)[link].state is state
        assert browser.asked == [own.at("/x")]


@pytest.mark.parametrize("status", [200, 401, 404, 410])
def test_what_is_clear_is_not_opened(status: int) -> None:
    with place(**{"/x": Say(status)}) as own:
        browser = Browser(None)
        check(own, [own.at("/x"), own.at("/logout"), "mailto:a@b.example"], reopen=browser)
        assert browser.asked == []


def test_the_own_site_is_opened_first_and_no_more_than_agreed() -> None:
    with place() as own, place() as other:
        own.otherwise = other.otherwise = Say(403, "")
        links = [there.at(f"/{n}") for n in range(4) for there in (other, own)]
        browser = Browser(None)
        check(own, links, other, reopen=browser, bounds=Bounds(reopened=5))
        assert browser.asked[:4] == [own.at(f"/{n}") for n in range(4)]
        assert len(browser.asked) == 5


def _for_browsers_alone(body: str) -> object:
    def answer(asked: object) -> Say:
        agent = getattr(asked, "headers", {}).get("User-Agent", "")
        return Say(403, "") if "Mergegate" in agent else Say(body=body)

    return answer


def _with_chromium(
    own: Place, links: Sequence[str], credentials: Credentials
) -> dict[str, LinkState]:
    policy = Policy(allowed=frozenset({("127.0.0.1", own.port)}))
    visit = Visit(url=own.at(), credentials=credentials)
    with Stage() as stage, egress(policy) as way:
        room = stage.room("browser")
        with chromium(way.url, room) as browser:
            answers = check_links(
                links,
                proxy=way.url,
                own=visit,
                reopen=browser_reopen(browser, visit, load_s=4),
                clock=LeapingClock(),
            ).answers
    return {answer.url: answer.state for answer in answers}


def test_a_real_browser_settles_what_a_machine_cannot() -> None:
    maker = "<body><script>document.body.innerHTML = '<p id=made>x</p>'</script>"
    with place() as own:
        own.routes |= {
            "/wall": _for_browsers_alone("<title>Welcome</title><h1>Hello</h1>"),
            "/made": Say(body=maker),
            "/circle": Say(302, "", [("Location", "/circle")]),
            "/alert": Say(body="<script>while (true) alert(1)</script>"),
            "/down": Say(500, ""),
            "/kept": lambda asked: Say(200 if asked.headers.get("X-Key") == "k" else 403),
        }
        links = ["/wall", "/made#made", "/made#gone", "/circle", "/alert#x", "/down", "/kept"]
        found = _with_chromium(
            own, [own.at(link) for link in links], Credentials(headers=(("X-Key", "k"),))
        )
        states = {link: found[own.at(link)] for link in links}
    assert states == {
        "/wall": ALIVE,
        "/made#made": ALIVE,
        "/made#gone": DEAD,
        "/circle": DEAD,
        "/alert#x": UNCHECKED,
        "/down": FLAKY,
        "/kept": ALIVE,
    }, json.dumps(states)
