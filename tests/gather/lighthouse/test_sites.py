"""Each fixture site is audited by the real Lighthouse in the real Chromium."""

import pytest

from mergegate.errors import TargetNotAnalysable
from mergegate.gather.lighthouse import Probe
from mergegate.model.budget import Device, Key, Throttling
from mergegate.model.facts.lighthouse import Area, Mode
from tests.gather.lighthouse.conftest import Audit
from tests.sites import Sites


def test_a_fast_page_has_four_full_scores_and_every_figure(audit: Audit) -> None:
    loaded = audit("fast", Probe("(given) => [given.is, document.title]", {"is": "ours"}))
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
    assert loaded.probed == ["ours", "The fast site"]
    assert loaded.headers["content-type"] == ("text/html; charset=utf-8",)


def test_a_layout_shift_is_laid_to_the_picture_that_came_late(audit: Audit) -> None:
    measured = audit("shifting").run.measured
    assert measured.figures.cls > 0.1
    shares = [one for one in measured.shares if one.key is Key.CLS]
    assert [one.url.rsplit("/", 1)[1] for one in shares] == ["late.svg"]


def test_third_parties_are_named_by_entity_with_what_they_weigh(audit: Audit) -> None:
    run = audit("vendors").run
    assert run.measured.vendors == ("Google Tag Manager", "Hotjar", "Segment")
    assert all(one.transfer_bytes > 60_000 and one.main_thread_ms > 0 for one in run.vendors)
    assert {host for one in run.vendors for host in one.hosts} == {
        "www.googletagmanager.com",
        "static.hotjar.com",
        "cdn.segment.com",
    }
    assert {one.vendor for one in run.measured.requests} == {None, *run.measured.vendors}


def test_redirects_to_another_host_end_where_the_page_is(audit: Audit) -> None:
    run = audit("redirecting").run
    assert run.final_url.endswith("/arrived")
    assert "was redirected to" in run.warnings[0]
    assert [load.status for load in run.waterfall][:3] == [302, 301, 200]


def test_http2_over_tls_is_audited_like_any_page(audit: Audit) -> None:
    run = audit("http2").run
    assert {load.protocol for load in run.waterfall} == {"h2"}
    assert run.scores.best_practices == 100


@pytest.mark.parametrize(
    ("site", "says"),
    [
        ("forbidden", "answered 403"),
        pytest.param("failing", "answered 500", marks=pytest.mark.slow),
        pytest.param("protected", "answered 401", marks=pytest.mark.slow),
        pytest.param("download", r"no HTML page \(application/json\)", marks=pytest.mark.slow),
        pytest.param("empty", "painted nothing", marks=pytest.mark.slow),
    ],
)
def test_what_is_no_page_is_an_error_and_never_a_score_of_zero(
    audit: Audit, site: str, says: str
) -> None:
    with pytest.raises(TargetNotAnalysable, match=says):
        audit(site)


@pytest.mark.slow
def test_a_slow_page_names_the_script_that_blocks(audit: Audit) -> None:
    run = audit("slow").run
    blocking = max(
        (one for one in run.measured.shares if one.key is Key.TBT), key=lambda one: one.amount
    )
    assert blocking.url.endswith("/heavy.js")
    assert run.measured.figures.script_bytes > 300_000
    assert run.measured.figures.lcp > 2500


@pytest.mark.slow
def test_a_page_that_scripts_make_is_audited_as_it_is_rendered(audit: Audit) -> None:
    loaded = audit("app", Probe("() => document.querySelector('h2').textContent", None))
    assert loaded.probed == "Home"
    assert loaded.run.scores.seo == 100


@pytest.mark.slow
@pytest.mark.parametrize(("device", "says"), [(Device.DESKTOP, "Mac"), (Device.MOBILE, "Mobile")])
def test_a_page_is_visited_as_the_device_that_was_asked_for(
    audit: Audit, sites: Sites, device: Device, says: str
) -> None:
    sites.seen.clear()
    assert audit("fast", device=device).run.device is device
    assert says in sites.requests("fast")[0].headers["user-agent"]


@pytest.mark.slow
@pytest.mark.parametrize("throttling", [Throttling.DEVTOOLS, Throttling.PROVIDED])
def test_other_ways_of_throttling_give_scores_too(audit: Audit, throttling: Throttling) -> None:
    run = audit("fast", throttling=throttling).run
    assert run.throttling is throttling
    assert None not in {run.scores.of(area) for area in Area}


@pytest.mark.slow
def test_a_huge_page_is_weighed(audit: Audit) -> None:
    assert audit("huge").run.measured.figures.transfer_bytes > 12_000_000


@pytest.mark.slow
@pytest.mark.parametrize("site", ["restless"])
def test_a_page_that_never_comes_to_rest_is_judged_with_a_warning(audit: Audit, site: str) -> None:
    run = audit(site).run
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
    audit: Audit,
) -> None:
    with pytest.raises(TargetNotAnalysable, match="stopped responding"):
        audit("hung")
    assert audit("fast").run.scores.seo == 100
