"""Each fixture site is audited by the real Lighthouse in the real Chromium."""

import pytest

from mergegate.core.errors import TargetNotAnalysable, TargetUnreachable
from mergegate.sandbox.browser import Chromium
from mergegate.sandbox.visit import Device, Throttling, Visit
from mergegate.site.audit.budget import (
    Key,
)
from mergegate.site.audit.facts import Area, Mode
from mergegate.site.audit.lighthouse import Lighthouse
from tests.site.audit.lighthouse.conftest import WORDS, Audit, Once
from tests.sites import Sites


def test_a_fast_page_has_four_full_scores_and_every_figure(once: Once) -> None:
    loaded = once("fast")
    run = loaded.run
    assert [run.scores.of(area) for area in Area if area is not Area.PERFORMANCE] == [100] * 3
    assert run.scores.performance  # how much of it is the machine's say
    assert run.measured.figures.request_count == len(run.measured.requests) == 2
    assert run.measured.figures.transfer_bytes == sum(
        one.transfer_bytes for one in run.measured.requests
    )
    assert not run.measured.vendors and not run.vendors
    assert run.filmstrip and all(
        frame.image.startswith("data:image/jpeg;base64,") for frame in run.filmstrip
    )
    assert run.waterfall[0].kind == "document"
    assert loaded.probed == ["ours", "The fast site", None]
    assert loaded.headers["content-type"] == ("text/html; charset=utf-8",)


def test_a_layout_shift_is_laid_to_the_picture_that_came_late(once: Once) -> None:
    measured = once("shifting").run.measured
    assert measured.figures.cls > 0.1
    shares = [one for one in measured.shares if one.key is Key.CLS]
    assert [one.url.rsplit("/", 1)[1] for one in shares] == ["late.svg"]


def test_a_layout_shift_that_no_request_made_is_laid_to_what_moved(
    sites: Sites, browser: Chromium, warm: Lighthouse
) -> None:
    visit = Visit(url=f"{sites.url('shifting')}banner.html")
    measured = warm.measure(visit, browser, timeout_s=90).run.measured
    shares = [one for one in measured.shares if one.key is Key.CLS]
    assert measured.figures.cls > 0.1
    assert [(one.url, one.element) for one in shares] == [("", "body > main > div#text")]


def test_third_parties_are_named_by_entity_with_what_they_weigh(once: Once) -> None:
    run = once("vendors").run
    assert run.measured.vendors == ("Google Tag Manager", "Hotjar", "Segment")
    assert all(one.transfer_bytes > 60_000 and one.main_thread_ms > 0 for one in run.vendors)
    assert {host for one in run.vendors for host in one.hosts} == {
        "www.googletagmanager.com",
        "static.hotjar.com",
        "cdn.segment.com",
    }
    assert {one.vendor for one in run.measured.requests} == {None, *run.measured.vendors}


def test_redirects_to_another_host_end_where_the_page_is(once: Once) -> None:
    run = once("redirecting").run
    assert run.final_url.endswith("/arrived")
    assert "was redirected to" in run.warnings[0]
    assert [load.status for load in run.waterfall][:3] == [302, 301, 200]


def test_http2_over_tls_is_audited_like_any_page(once: Once) -> None:
    run = once("http2").run
    assert {load.protocol for load in run.waterfall} == {"h2"}
    assert run.scores.best_practices == 100


@pytest.mark.parametrize(
    ("site", "says"),
    [
        ("forbidden", "answered 403"),
        pytest.param("failing", "answered 500", marks=pytest.mark.thorough),
        pytest.param("download", r"no HTML page \(application/json\)", marks=pytest.mark.slow),
        pytest.param("empty", "painted nothing", marks=pytest.mark.slow),
    ],
)
def test_what_is_no_page_is_an_error_and_never_a_score_of_zero(
    audit: Audit, site: str, says: str
) -> None:
    with pytest.raises(TargetNotAnalysable, match=says):
        audit(site)


def test_a_site_that_leads_in_a_circle_is_told_so(audit: Audit) -> None:
    with pytest.raises(TargetUnreachable, match="redirects without an end"):
        audit("circling")


@pytest.mark.slow
def test_a_slow_page_names_the_script_that_blocks(once: Once) -> None:
    run = once("slow").run
    blocking = max(
        (one for one in run.measured.shares if one.key is Key.TBT), key=lambda one: one.amount
    )
    assert blocking.url.endswith("/heavy.js")
    assert run.measured.figures.script_bytes > 300_000
    assert run.measured.figures.lcp > 2500


@pytest.mark.slow
def test_a_page_that_scripts_make_is_visited_as_the_device_and_audited_as_it_is_rendered(
    audit: Audit, once: Once, sites: Sites
) -> None:
    assert once("fast").run.device is Device.MOBILE
    assert "Mobile" in visitors(sites, "fast", 0)[0]
    before = len(sites.seen)
    loaded = audit("app", WORDS, device=Device.DESKTOP, throttling=Throttling.DEVTOOLS)
    assert loaded.probed == ["ours", "The app site", "Home"]
    run = loaded.run
    assert (run.device, run.throttling) == (Device.DESKTOP, Throttling.DEVTOOLS)
    assert run.scores.seo == 100
    assert None not in {run.scores.of(area) for area in Area}
    assert "Mac" in visitors(sites, "app", before)[0]


@pytest.mark.thorough
def test_a_page_is_measured_at_the_pace_that_it_has_here(audit: Audit) -> None:
    run = audit("fast", throttling=Throttling.PROVIDED).run
    assert run.throttling is Throttling.PROVIDED
    assert run.scores.performance is not None


def visitors(sites: Sites, site: str, after: int) -> list[str]:
    """Who opened the page, by what each said it was."""
    seen = [one for one in sites.seen[after:] if (one.site, one.path) == (site, "/")]
    return [one.headers["user-agent"] for one in seen]


@pytest.mark.slow
@pytest.mark.thorough
def test_a_huge_page_is_weighed(once: Once) -> None:
    assert once("huge").run.measured.figures.transfer_bytes > 6_000_000


@pytest.mark.slow
def test_a_page_that_never_comes_to_rest_is_judged_with_a_warning(once: Once) -> None:
    run = once("restless").run
    assert run.scores.performance is not None
    assert any("too slowly to finish" in warning for warning in run.warnings)


@pytest.mark.slow
def test_an_audit_that_a_page_made_impossible_says_why(audit: Audit) -> None:
    run = audit("endless").run
    charset = run.audit("charset")
    assert charset and charset.mode is Mode.ERROR and charset.error
    assert run.scores.best_practices is None


@pytest.mark.slow
def test_a_page_whose_script_never_ends_is_given_up_and_leaves_the_worker_usable(
    audit: Audit, warm: Lighthouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(warm, "_patience_s", 3.0)  # more would burn as long, and show no more
    with pytest.raises(TargetNotAnalysable, match="stopped responding"):
        audit("hung")
    with pytest.raises(TargetNotAnalysable, match="answered 403"):
        audit("forbidden")
