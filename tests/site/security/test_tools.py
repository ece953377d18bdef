"""The security scan as a whole: real servers, a real certificate, every part as delivered."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from mergegate.core.errors import TargetNotAllowed
from mergegate.sandbox.visit import NONE, Credentials, Visit
from mergegate.site.address import policy_for
from mergegate.site.security import tools
from mergegate.site.security.facts import PolicyTrial
from mergegate.site.security.report import SecurityReport
from mergegate.site.security.run import SecurityRequest, secure
from mergegate.site.security.tools import security_toolbox
from tests.site.browser_test.journey.pages import Answer, Site, html, moved, pages
from tests.site.rendering.secured import secured


def scan(
    url: str, *also: tuple[str, int], credentials: Credentials = NONE, render_js: bool = False
) -> SecurityReport:
    visit = Visit(url=url, credentials=credentials)
    reach = policy_for(url, also=also)
    with security_toolbox(reach, visit, render_js=render_js) as toolbox:
        return secure(SecurityRequest(visit=visit, render_js=render_js), toolbox)


def rules(report: SecurityReport) -> set[str]:
    return {one.rule for one in report.flaws}


def test_a_certificate_that_nobody_vouches_for_is_no_reason_not_to_look(tmp_path: Path) -> None:
    with secured({"/": html("<p>x</p>")}, tmp_path) as origin:
        report = scan(f"{origin}/", credentials=Credentials(headers=(("X-Pass", "geheim"),)))
        open_to_all = scan(f"{origin}/")
    assert report.tls
    assert any("what opens the site was not sent" in one for one in report.gaps)
    assert open_to_all.gaps == ()
    assert (report.tls.trusted, report.tls.protocol) == (False, "TLSv1.3")
    assert "csp-missing" in rules(report)


def test_a_browser_that_refuses_the_certificate_is_told_as_broken(tmp_path: Path) -> None:
    with secured({"/": html("<p>x</p>")}, tmp_path) as origin:
        report = scan(f"{origin}/", render_js=True)
    [browser] = [one for one in report.engines if one.name == "chromium"]
    assert browser.status.value == "failed"
    assert browser.reason.startswith("its certificate is not valid")
    assert report.trial
    assert not report.trial.proved
    assert any("could not be opened in a browser" in one for one in report.gaps)


@dataclass
class _Looks:
    """A page as it is sent, and as it is once its scripts ran, where a header opens it."""

    raw: SecurityReport
    rendered: SecurityReport
    site: Site
    other: Site
    """Whose script the page loads."""


@pytest.fixture(scope="module")
def looks() -> Iterator[_Looks]:
    load = "const s = document.createElement('script'); s.src = '/late.js'"
    cookie = "document.cookie = 'sessionid=geheim'"
    opened = Credentials(
        headers=(("X-Pass", "geheim-geheim"),), cookies=(("pass", "secret-secret"),)
    )
    with pages() as site, pages() as other:
        foreign = f'<script src="{other.url("/lib@1.2.3/a.js")}"></script>'
        site.pages = {
            "/": html(f"{foreign}<script>{load}; document.head.append(s); {cookie}</script>"),
            "/late.js": Answer("/*! jQuery v1.8.1 */", kind="text/javascript"),
        }
        raw = scan(site.url())
        site.asked.clear()
        also = ("127.0.0.1", other.port)
        rendered = scan(site.url(), also, credentials=opened, render_js=True)
        yield _Looks(raw, rendered, site, other)


def test_what_a_script_loads_and_sets_is_seen_in_a_browser_alone(looks: _Looks) -> None:
    assert "session-cookie-by-script" in rules(looks.rendered) - rules(looks.raw)
    assert looks.raw.libraries == ()
    assert ("jquery", "1.8.1") in looks.rendered.libraries


def test_what_opens_the_site_goes_nowhere_else(looks: _Looks) -> None:
    sent = {sent.get("x-pass") for _, path, sent in looks.site.asked if path == "/"}
    assert sent == {"geheim-geheim"}
    assert looks.other.asked
    assert not any("x-pass" in sent for *_, sent in looks.other.asked)
    assert "geheim" not in repr(looks.rendered)
    assert "secret-secret" not in repr(looks.rendered)


def test_a_page_that_cannot_be_tried_gets_a_policy_from_its_markup(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    left = PolicyTrial(policy="", failure="The page was not loaded: it went away.")
    monkeypatch.setattr(tools, "try_policy", lambda *_: left)
    with pages() as site:
        site.pages["/"] = html("<p>x</p>")
        report = scan(site.url(), render_js=True)
    assert report.trial
    assert report.trial.policy.startswith("default-src 'self'")
    assert not report.trial.proved
    assert report.trial.failure.startswith("The page was not loaded: it went away. It was not tri")


def test_an_address_that_leads_inward_is_refused() -> None:
    with pages() as site:
        site.pages["/"] = moved("http://169.254.169.254/latest/")
        with pytest.raises(TargetNotAllowed, match="may not be visited"):
            scan(site.url())


def test_the_receipt_counts_the_hosts() -> None:
    with pages() as site:
        site.pages["/"] = html("")
        report = scan(site.url())
    assert [(one.name, one.reason) for one in report.engines] == [
        ("web", ""),
        ("egress", "hosts contacted: 1"),
    ]
