"""The line of a security scan, its parts handed in."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from mergegate.core.errors import (
    MergegateError,
    TargetNotAllowed,
    TargetNotAnalysable,
    TargetUnreachable,
)
from mergegate.core.report import EngineRun
from mergegate.sandbox.fetched import Answer, Fetched
from mergegate.sandbox.visit import Visit
from mergegate.site.facts.document import Document, Script
from mergegate.site.facts.stack import Stack, Technology
from mergegate.site.security.facts import PolicyBreach, PolicyTrial, RenderedPage, SecurityFacts
from mergegate.site.security.report import SecurityReport
from mergegate.site.security.run import SecurityRequest, SecurityToolbox, secure
from tests.secrets.mint import minted
from tests.site.opened import ECHO, OPENED, QUERY, SHOWN, told

URL = "https://shop.example.org/"
START = dt.datetime(2026, 11, 20, 9, 14, tzinfo=dt.UTC)
PROPOSED = PolicyTrial(policy="default-src 'self'", failure="It was not tried.")
PROVED = PolicyTrial(policy="default-src 'none'", proved=True)
LIB = "https://cdn.example.com/lib@1.2.3/lib.js"


def page(*, status: int = 200, kind: str = "text/html", url: str = URL, **other: Any) -> Fetched:
    other.setdefault("text", "<title>Shop</title>")
    headers = (("content-type", kind), *other.pop("headers", ()))
    return Fetched(url=URL, answers=(Answer(url=url, status=status, headers=headers),), **other)


@dataclass
class Parts:
    """What a scan is given, and what it asked for."""

    facts: SecurityFacts = field(
        default_factory=lambda: SecurityFacts(page=page(), document=Document(url=URL))
    )
    rendered: RenderedPage | None = None
    tried: PolicyTrial = PROVED
    asked: list[str] = field(default_factory=list)
    seen: list[RenderedPage | None] = field(default_factory=list)

    def toolbox(self) -> SecurityToolbox:
        return SecurityToolbox(
            gather=self._gather,
            propose=self._propose,
            render=self._render if self.rendered else None,
            try_policy=self._try if self.rendered else None,
            hashes=self._hashes,
            engines=lambda: (EngineRun(name="web"),),
            now=lambda: START,
            random=lambda: bytes(16),
        )

    def _gather(self, _: Visit, rendered: RenderedPage | None, now: dt.datetime) -> SecurityFacts:
        assert now == START
        self.seen.append(rendered)
        return self.facts

    def _propose(self, _: SecurityFacts) -> PolicyTrial:
        self.asked.append("propose")
        return PROPOSED

    def _render(self, _: Visit) -> RenderedPage:
        self.asked.append("render")
        assert self.rendered
        return self.rendered

    def _try(self, _: Visit, __: SecurityFacts) -> PolicyTrial:
        self.asked.append("try")
        return self.tried

    def _hashes(self, urls: Sequence[str], where: str) -> Mapping[str, str]:
        self.asked += urls
        return dict.fromkeys(urls, "sha384-AAA")


def scan(parts: Parts, *, render_js: bool = False, **visit: Any) -> SecurityReport:
    request = SecurityRequest(visit=Visit(url=URL, **visit), render_js=render_js)
    return secure(request, parts.toolbox())


def test_a_report_says_what_it_is_about_and_when() -> None:
    report = scan(Parts())
    assert report.id == f"sec_{int(START.timestamp() * 1000):012x}{'00' * 16}"
    assert (report.url, report.final_url) == (URL, URL)
    assert report.created_at == report.completed_at == "2026-11-20T09:14:00.000Z"
    assert [one.name for one in report.engines] == ["web"]
    assert report.summary.startswith(f"{report.score} of 100, grade {report.grade}.")


def test_the_score_is_that_of_the_flaws_and_the_headers_stand_in_a_table() -> None:
    report = scan(Parts())
    assert {one.rule for one in report.flaws} >= {"csp-missing", "framing-missing"}
    assert (report.score, report.grade) == (80, "A")
    assert next(one for one in report.headers if one.name == "X-Frame-Options").verdict == "missing"


def test_remedies_are_written_for_what_was_recognised() -> None:
    facts = SecurityFacts(
        page=page(), document=Document(url=URL), stack=Stack((Technology("nginx"),))
    )
    report = scan(Parts(facts))
    framing = next(one for one in report.flaws if one.rule == "framing-missing")
    assert [one.product for one in framing.patches] == ["nginx", "HTTP"]
    [headers] = [one for one in report.advice if one.title == "Send the security headers"]
    assert headers.points == 20
    assert "add_header Content-Security-Policy" in headers.patches[0].code


def test_a_proposed_policy_is_the_remedy_of_a_missing_one() -> None:
    report = scan(Parts())
    missing = next(one for one in report.flaws if one.rule == "csp-missing")
    assert missing.patches[-1].code == f"Content-Security-Policy: {PROPOSED.policy}"
    assert report.trial == PROPOSED


def test_only_a_browser_proves_a_policy() -> None:
    parts = Parts(rendered=RenderedPage(document=Document(url=URL)))
    assert scan(parts).trial == PROPOSED
    assert parts.seen == [None]
    assert scan(parts, render_js=True).trial == PROVED
    assert parts.seen[1:] == [parts.rendered]
    assert parts.asked == ["propose", "render", "try"]


def test_what_a_trial_quotes_of_scripts_holds_no_key() -> None:
    key = minted("ghp_<alnum:30><crc62>")
    breach = PolicyBreach(directive="connect-src", blocked=f"https://a.example/{key}", sample=key)
    parts = Parts(rendered=RenderedPage(document=Document(url=URL)))
    parts.tried = replace(PROVED, breaches=(breach,), errors=(f"Error: {key} is wrong",))
    trial = scan(parts, render_js=True).trial
    assert trial
    assert trial.breaches[0].blocked == "https://a.example/ghp_********"
    assert trial.breaches[0].sample == "ghp_********"
    assert trial.errors == ("Error: ghp_******** is wrong",)


def test_a_site_with_a_good_policy_of_its_own_is_left_alone() -> None:
    good = (
        "default-src 'self'; script-src 'self'; object-src 'none'; base-uri 'none'; "
        "form-action 'self'; frame-ancestors 'self'"
    )
    facts = SecurityFacts(
        page=page(headers=(("content-security-policy", good),)), document=Document(url=URL)
    )
    parts = Parts(facts)
    assert scan(parts).trial is None
    assert parts.asked == []


def test_files_of_other_hosts_come_with_their_hash() -> None:
    script = Script(src=LIB, selector="script")
    parts = Parts(SecurityFacts(page=page(), document=Document(url=URL, scripts=(script,))))
    [flaw] = [one for one in scan(parts).flaws if one.rule == "sri-missing"]
    assert parts.asked == ["propose", LIB]
    assert flaw.patches[0].code == (
        f'<script src="{LIB}" integrity="sha384-AAA" crossorigin="anonymous"></script>'
    )


def test_what_was_not_judged_is_said() -> None:
    facts = SecurityFacts(
        page=page(), document=Document(url=URL), local=True, notes=("One script is missing.",)
    )
    local, browser, script = scan(Parts(facts)).skipped
    assert "https, HSTS" in local
    assert "--render-js" in browser
    assert script == "One script is missing."


def test_a_browser_that_failed_is_told() -> None:
    broken = RenderedPage(document=Document(url=URL), failure="the page hangs")
    facts = SecurityFacts(page=page(), document=Document(url=URL), rendered=broken)
    [said] = scan(Parts(facts, rendered=broken), render_js=True).skipped
    assert said == "The page could not be opened in a browser: the page hangs."


def test_what_opened_the_site_is_in_no_report() -> None:
    script = Script(src=f"{LIB}{QUERY}", selector=f"script[title='{ECHO}']")
    facts = SecurityFacts(
        page=page(url=f"{URL}{QUERY}", headers=(("server", ECHO),)),
        document=Document(url=URL, scripts=(script,)),
        notes=(ECHO,),
    )
    report = scan(Parts(facts), credentials=OPENED)
    assert told(report) == []
    assert report.final_url == f"{URL}?t=********&s=********"
    assert SHOWN in report.skipped
    [flaw] = [one for one in report.flaws if one.rule == "sri-missing"]
    assert "?t=********&amp;s=********" in flaw.patches[0].code


DEBUG = "You're seeing this error because you have <code>DEBUG = True</code>"
TRACE = 'Traceback (most recent call last):\n  File "/srv/shop/app.py", line 3, in pay'
GONE: list[tuple[Fetched, type[MergegateError], str]] = [
    (
        Fetched(url=URL, failure="a scan may not go there", refused=True),
        TargetNotAllowed,
        "may not be visited: a scan may not go there",
    ),
    (
        Fetched(url=URL, failure="there is no host with this name"),
        TargetUnreachable,
        "cannot be reached: there is no host with this name",
    ),
    (
        Fetched(url=URL, failure="it answers with more than is read", too_large=True),
        TargetNotAnalysable,
        "cannot be scanned: it answers with more than is read",
    ),
    (page(failure="it redirects without end"), TargetNotAnalysable, "redirects without end"),
    (page(status=404), TargetNotAnalysable, "it answers 404"),
    (page(status=500), TargetNotAnalysable, "it answers 500"),
    (page(status=500, text=DEBUG), TargetNotAnalysable, "500, and it shows the debug page of D"),
    (page(status=500, text=TRACE), TargetNotAnalysable, "500, and it shows an error of Python"),
    (page(kind="application/pdf"), TargetNotAnalysable, "it is no HTML page"),
    (page(text=" \n"), TargetNotAnalysable, "it answers 200 with an empty page"),
]


@pytest.mark.parametrize(("fetched", "error", "words"), GONE)
def test_without_a_page_there_is_no_report(
    fetched: Fetched, error: type[MergegateError], words: str
) -> None:
    facts = SecurityFacts(page=fetched, document=Document(url=URL))
    with pytest.raises(error, match=words):
        scan(Parts(facts))


def test_a_door_that_is_shut_asks_for_a_key() -> None:
    facts = SecurityFacts(page=page(status=401), document=Document(url=URL))
    with pytest.raises(TargetNotAnalysable) as raised:
        scan(Parts(facts))
    assert raised.value.remedy == "Send what opens it by --header or --cookie."
