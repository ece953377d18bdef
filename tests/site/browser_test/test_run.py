"""The line of a browser test, on journeys made by hand."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest

from mergegate.core.errors import (
    EngineFailed,
    TargetError,
    TargetNotAllowed,
    TargetNotAnalysable,
    TargetUnreachable,
)
from mergegate.core.report import EngineRun
from mergegate.sandbox.visit import NONE, Credentials, Visit
from mergegate.site.browser_test.facts import (
    Fault,
    Journey,
    LinkAnswer,
    LinkAnswers,
    LinkState,
    PageVisit,
    Screenshot,
    Vitals,
)
from mergegate.site.browser_test.report import Kind
from mergegate.site.browser_test.run import Anchors, BrowserRequest, BrowserToolbox, Ending, browse
from tests.site.browser_test.checks.journeys import (
    HOME,
    broken_rule,
    journey,
    linked,
    thrown,
    visit,
)
from tests.site.opened import ECHO, OPENED, QUERY, SHOWN, told

_ABOUT = f"{HOME}about#team"
_ELSEWHERE = "https://elsewhere.example/"
_REQUEST = BrowserRequest(visit=Visit(url=HOME))
_START = visit(links=(linked(_ABOUT), linked(_ELSEWHERE), linked(_ABOUT)))
_NOON = dt.datetime(2026, 1, 31, 12, tzinfo=dt.UTC)


@dataclass
class _Checked:
    """What the check of links was given."""

    links: tuple[str, ...] = ()
    own: Visit | None = None
    anchors: Anchors = field(default_factory=dict)

    def __call__(self, links: Sequence[str], own: Visit, anchors: Anchors) -> LinkAnswers:
        self.links, self.own, self.anchors = tuple(links), own, anchors
        return LinkAnswers(
            tuple(LinkAnswer(url=url, state=LinkState.DEAD, status=404) for url in sorted(links))
        )


def _toolbox(met: Journey, checked: _Checked | None = None) -> BrowserToolbox:
    ticks = iter(_NOON + dt.timedelta(seconds=second) for second in range(9))
    return BrowserToolbox(
        travel=lambda _: met,
        check_links=checked or _Checked(),
        engines=lambda: (EngineRun(name="chromium", version="156"),),
        now=lambda: next(ticks),
        random=lambda: b"\0" * 16,
    )


def test_each_address_is_asked_about_once_in_the_order_of_the_pages() -> None:
    checked = _Checked()
    browse(_REQUEST, _toolbox(journey(_START), checked))
    assert checked.links == (_ABOUT, _ELSEWHERE)


def test_links_to_other_sites_can_be_left_alone() -> None:
    checked = _Checked()
    browse(replace(_REQUEST, external_links=False), _toolbox(journey(_START), checked))
    assert checked.links == (_ABOUT,)


def test_the_anchors_of_seen_pages_are_handed_over_without_their_fragments() -> None:
    checked = _Checked()
    pages = journey(
        visit("/", final_url=f"{HOME}start#top", anchors=frozenset({"top"})),
        visit("/b", failure="it hung", anchors=frozenset({"lost"})),
    )
    browse(_REQUEST, _toolbox(pages, checked))
    assert checked.anchors == {
        HOME: frozenset({"top"}),
        f"{HOME}start": frozenset({"top"}),
    }


@pytest.mark.parametrize(
    ("final", "credentials", "own"),
    [
        (f"{HOME}start", NONE, HOME),
        ("https://www.shop.example/#top", NONE, "https://www.shop.example/"),
        ("https://www.shop.example/", Credentials(cookies=(("session", "1"),)), HOME),
    ],
)
def test_the_site_is_where_it_leads_but_credentials_stay(
    final: str, credentials: Credentials, own: str
) -> None:
    checked = _Checked()
    request = BrowserRequest(visit=Visit(url=HOME, credentials=credentials))
    browse(request, _toolbox(journey(visit(final_url=final)), checked))
    assert checked.own == Visit(url=own, credentials=credentials)


def test_routes_of_one_address_share_their_anchors() -> None:
    checked = _Checked()
    pages = journey(
        visit("/#/a", anchors=frozenset({"one"})), visit("/#/b", anchors=frozenset({"two"}))
    )
    browse(_REQUEST, _toolbox(pages, checked))
    assert checked.anchors == {HOME: frozenset({"one", "two"})}


def test_the_report_holds_what_was_seen() -> None:
    met = journey(replace(_START, vitals=Vitals(lcp=900)), visit("/b"))
    pages = replace(met, found=7, notes=("no time",))
    report = browse(_REQUEST, _toolbox(pages))
    assert (report.url, len(report.visits), report.found) == (HOME, 2, 7)
    assert report.vitals == Vitals(lcp=900)
    assert report.notes == ("no time",)
    assert {one.rule for one in report.problems} == {"dead-link"}
    assert report.links[LinkState.DEAD] == 2
    assert [step.title for step in report.suggestions] == ["Mend the links that lead nowhere"]
    assert report.gaps == ("no time",)
    assert report.summary.startswith(
        "Incomplete, not all was judged: no time. 2 pages visited of 7 that the site links."
    )
    assert [run.name for run in report.engines] == ["chromium"]
    assert report.created_at == "2026-01-31T12:00:00.000Z"
    assert report.completed_at == "2026-01-31T12:00:01.000Z"


def test_the_id_is_of_a_browser_test_and_begins_with_its_time() -> None:
    report = browse(_REQUEST, _toolbox(journey(_START)))
    assert report.id == f"bt_{int(_NOON.timestamp() * 1000):012x}{'00' * 16}"


def test_the_same_facts_give_the_same_report() -> None:
    pages = journey(_START, visit("/b", faults=(thrown(),)))
    assert browse(_REQUEST, _toolbox(pages)) == browse(_REQUEST, _toolbox(pages))


def test_screenshots_can_be_left_out() -> None:
    shot = Screenshot(HOME, "desktop", b"jpeg")
    pages = journey(visit(screenshots=(shot,)))
    assert browse(_REQUEST, _toolbox(pages)).screenshots == (shot,)
    assert browse(replace(_REQUEST, screenshots=False), _toolbox(pages)).screenshots == ()


_CRASH = (thrown("the renderer is gone", fault=Fault.CRASH, script=""),)


@pytest.mark.parametrize(
    ("first", "error", "says"),
    [
        (
            visit(status=None, failure="net::ERR_CONNECTION_REFUSED"),
            TargetUnreachable,
            "https://shop.example/ cannot be reached: net::ERR_CONNECTION_REFUSED",
        ),
        (
            visit(status=None, failure="it crashed", faults=_CRASH),
            TargetNotAnalysable,
            "https://shop.example/ cannot be tested: it crashed",
        ),
        (visit(status=200, failure="it is no page"), TargetNotAnalysable, "it is no page"),
        (visit(status=404), TargetNotAnalysable, "it answers 404"),
        (visit(status=401), TargetNotAnalysable, "Send what opens it by --header or --cookie."),
        (visit(status=500, failure="\x1b[2J"), TargetNotAnalysable, r"\x1b[2J"),
    ],
)
def test_a_first_page_that_fails_ends_the_test(
    first: PageVisit, error: type[TargetError], says: str
) -> None:
    with pytest.raises(error) as raised:
        browse(_REQUEST, _toolbox(journey(first)))
    assert says in str(raised.value)


def test_a_journey_without_pages_is_no_test() -> None:
    with pytest.raises(TargetUnreachable):
        browse(_REQUEST, _toolbox(Journey(start=HOME, visits=())))


def test_a_first_page_that_the_way_out_refuses_is_not_allowed() -> None:
    toolbox = _toolbox(journey(visit(status=None, failure="net::ERR_TUNNEL_CONNECTION_FAILED")))
    refusing = replace(toolbox, ending=lambda _: Ending("it is a private address"))
    with pytest.raises(TargetNotAllowed, match="it is a private address"):
        browse(_REQUEST, refusing)


def test_what_the_way_out_knows_of_a_server_that_is_not_there_is_told() -> None:
    toolbox = _toolbox(journey(visit(status=None, failure="the server cannot be reached")))
    knowing = replace(toolbox, ending=lambda _: Ending(failure="there is no such name"))
    with pytest.raises(TargetUnreachable, match="there is no such name"):
        browse(_REQUEST, knowing)


def test_a_server_that_answers_with_no_page_is_not_unreachable() -> None:
    toolbox = _toolbox(journey(visit(status=None, failure="it is no page but a file to save")))
    with pytest.raises(TargetNotAnalysable):
        browse(_REQUEST, replace(toolbox, ending=lambda _: Ending(answered=True)))


def test_a_later_page_that_fails_is_a_problem_of_the_report() -> None:
    pages = journey(visit(), visit("/b", status=None, failure="it hung"))
    report = browse(_REQUEST, _toolbox(pages))
    assert [one.rule for one in report.problems] == ["page-not-tested"]
    assert "2 pages visited; 1 could not be tested." in report.summary


def test_a_check_of_links_that_fails_is_no_clean_result() -> None:
    def failing(*_: object) -> LinkAnswers:
        raise EngineFailed("the way out is closed")

    with pytest.raises(EngineFailed):
        browse(_REQUEST, replace(_toolbox(journey(_START)), check_links=failing))


def test_progress_is_told() -> None:
    told: list[tuple[str, str]] = []
    toolbox = _toolbox(journey(_START))
    browse(_REQUEST, replace(toolbox, progress=lambda *one: told.append(one)))
    assert told == [
        ("pages", "started"),
        ("pages", "1 visited"),
        ("links", "started"),
        ("links", "2 checked"),
    ]


def test_what_opened_the_site_is_in_no_report() -> None:
    echoing = visit(
        title=ECHO,
        final_url=f"{HOME}{QUERY}",
        faults=(thrown(ECHO, script=f"{HOME}app.js{QUERY}"),),
        links=(linked(f"{HOME}gone{QUERY}", label=ECHO),),
        violations=(broken_rule("color-contrast", "serious", f"[title='{ECHO}']"),),
        notes=(ECHO,),
    )
    request = BrowserRequest(visit=Visit(url=HOME, credentials=OPENED))
    report = browse(request, _toolbox(journey(echoing)))
    assert told(report) == []
    assert (report.visits[0].title, report.visits[0].final_url) == (
        SHOWN,
        f"{HOME}?t=********&s=********",
    )
    assert report.visits[0].links[0].element.label == SHOWN
    script, *_ = report.of(Kind.SCRIPT)
    assert SHOWN in script.message
    contrast, *_ = report.of(Kind.ACCESSIBILITY)
    assert (contrast.selector, SHOWN in contrast.evidence) == (f"[title='{SHOWN}']", True)
