"""The small parts of the site reports: pictures, bands, phrases, lengths, charts."""

import base64
from dataclasses import replace

import pytest

from mergegate.sandbox.visit import Device, Throttling
from mergegate.site.audit import layout as audit
from mergegate.site.audit.budget import Key
from mergegate.site.audit.facts import Load
from mergegate.site.audit.report import AuditReport, Difference, Range
from mergegate.site.browser_test import layout as browser_test
from mergegate.site.browser_test.checks.suggest import VITALS
from mergegate.site.browser_test.facts import LinkState
from mergegate.site.browser_test.report import Kind
from mergegate.site.render import charts, figures, images
from mergegate.site.render.layout import (
    Bullets,
    Listing,
    Medium,
    Most,
    Plot,
    Section,
    Waterfall,
    first,
    fitting,
    said,
)
from tests.site.render import samples


def test_a_jpeg_becomes_a_data_uri() -> None:
    assert images.jpeg(samples.JPEG) == samples.FRAME


@pytest.mark.parametrize("image", [b"", b"<svg onload=alert(1)>", b"\x89PNG\r\n", b"GIF89a"])
def test_what_is_no_jpeg_is_not_shown(image: bytes) -> None:
    assert images.jpeg(image) == ""


@pytest.mark.parametrize(
    "uri",
    [
        "",
        "https://evil.example.org/x.jpg",
        "data:image/svg+xml;base64,/9j/AAAA",
        "data:image/jpeg,/9j/AAAA",
        "data:image/jpeg;base64,/9j/AA\n",
        'data:image/jpeg;base64,/9j/AA" onerror="x',
        "data:image/jpeg;base64,iVBORw0K",
        "DATA:image/jpeg;base64,/9j/AAAA",
        f"data:image/jpeg;base64,/9j/{'A' * images.LARGEST}",
    ],
)
def test_what_is_no_data_uri_of_a_small_jpeg_is_refused(uri: str) -> None:
    assert images.safe(uri) == ""


def test_pictures_beyond_the_room_are_left_out_and_smaller_ones_still_fit() -> None:
    large = f"data:image/jpeg;base64,/9j/{base64.b64encode(b'x' * 300).decode()}"
    kept = images.within([samples.FRAME, large, samples.FRAME], most=2 * len(samples.FRAME))
    assert kept == (samples.FRAME, "", samples.FRAME)


@pytest.mark.parametrize(
    ("key", "value", "device", "band"),
    [
        (Key.LCP, 2500, Device.MOBILE, "good"),
        (Key.LCP, 2501, Device.MOBILE, "needs improvement"),
        (Key.LCP, 2500, Device.DESKTOP, "poor"),
        (Key.TBT, 601, Device.MOBILE, "poor"),
        (Key.CLS, 0.1, Device.DESKTOP, "good"),
        (Key.TRANSFER_BYTES, 1, Device.MOBILE, "unknown"),
    ],
)
def test_bands_of_a_metric(key: str, value: float, device: Device, band: str) -> None:
    assert figures.metric(key, value, device) == band


@pytest.mark.parametrize(
    ("name", "value", "band"),
    [
        ("inp", 200, "good"),
        ("inp", 501, "poor"),
        ("ttfb", 1800, "needs improvement"),
        ("cls", None, "unknown"),
    ],
)
def test_bands_of_a_vital(name: str, value: float | None, band: str) -> None:
    known = VITALS[name]
    assert figures.band_of((known.good, known.poor), value) == band


@pytest.mark.parametrize(
    ("url", "short"),
    [
        ("https://shop.example.org/a?b=1", "/a?b=1"),
        ("https://shop.example.org", "/"),
        ("https://cdn.example.net/x.js", "cdn.example.net/x.js"),
        ("data:text/html,x", "data:text/html,x"),
        ("http://[broken/x", "http://[broken/x"),
        ("Unattributable", "Unattributable"),
    ],
)
def test_an_address_is_told_apart_on_its_site(url: str, short: str) -> None:
    assert figures.short_address(url, samples.URL) == short


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://cdn.example.net/npm/x.js?v=1", "x.js?v=1"),
        ("https://cdn.example.net/", "cdn.example.net"),
        ("http://[broken/x", "http://[broken/x"),
    ],
)
def test_a_file_name_is_the_end_of_the_path(url: str, name: str) -> None:
    assert figures.file_name(url) == name


def test_what_is_rounded_up_to_a_unit_is_told_in_it() -> None:
    assert figures.figure(Key.LCP, 999.7) == "1.0 s"
    assert figures.figure(Key.SCRIPT_BYTES, 999_700) == "1.0 MB"


def test_user_info_of_an_address_is_no_host() -> None:
    assert figures.host("https://bank.example:pw@evil.example:81/") == "evil.example:81"


def test_an_opening_is_whole_sentences() -> None:
    long, rest = f"It took 1.4 s. Then {'word ' * 70}ended.", f"More {'words ' * 40}followed."
    assert figures.opening(f"{long} {rest}") == (long, rest)


def test_one_endless_sentence_is_all_opening() -> None:
    assert figures.opening("word " * 400) == ("word " * 400, "")


def test_savings_have_their_units() -> None:
    assert figures.savings({"LCP": 1700.0, "CLS": 0.12, "TBT": 0}, 120_000) == (
        "LCP 1.7 s, CLS 0.12, 120 kB"
    )
    assert figures.savings({}) == ""


def test_a_list_knows_what_it_leaves_out() -> None:
    most = Most(1, 2, 5)
    assert first("abc", most, Medium.COMMENT) == ("ab", 1)
    assert first("abc", most, Medium.COMMENT, 1) == ("a", 2)
    assert first("abc", most, Medium.PAGE) == ("abc", 0)
    assert first("abc", None, Medium.TERMINAL) == ("abc", 0)
    listing = Listing((("a",), ("b",), ("c",)), most)
    assert said((listing, "."), Medium.COMMENT) == "a, b and 1 more."


def test_lists_grow_shorter_until_the_page_fits() -> None:
    assert fitting(lambda most: "x" * most, (9, 5, 2), limit=5) == "xxxxx"
    assert fitting(lambda most: "x" * most, (9, 5, 2), limit=1) == "xx"


def test_every_list_and_state_has_its_words() -> None:
    assert set(browser_test.KINDS) == set(Kind)
    assert set(browser_test.STATES) == set(LinkState)


def named(part: object) -> str:
    return getattr(part, "id", "")


def loaded(report: AuditReport) -> Waterfall:
    """The waterfall of an audit's layout."""
    (load,) = (one for one in audit.layout(report).parts if named(one) == "load")
    assert isinstance(load, Section)
    return next(one for one in load.blocks if isinstance(one, Waterfall))


def plotted(one: Difference) -> Plot:
    return Plot(
        said="",
        before=one.before,
        after=one.after,
        before_range=(one.before_range.lowest, one.before_range.highest),
        after_range=(one.after_range.lowest, one.after_range.highest),
    )


def test_paints_are_marked_only_where_they_were_timed_in_this_load() -> None:
    simulated = replace(samples.quick(), waterfall=samples.WATERFALL)
    timed = replace(simulated, throttling=Throttling.DEVTOOLS)
    assert loaded(simulated).marks == ()
    assert [name for name, _ in loaded(timed).marks] == ["FCP", "LCP"]
    assert loaded(replace(timed, runs=3)).marks == ()


def test_bars_of_the_waterfall_lie_within_the_chart() -> None:
    odd = Load(
        url="https://a.example.org/",
        kind="<b>",
        status=200,
        start_ms=-5.0,
        end_ms=float("inf"),
        transfer_bytes=0,
        resource_bytes=0,
    )
    late = replace(odd, start_ms=900.0, end_ms=100.0)
    loads = (*samples.WATERFALL, odd, late)
    waterfall = loaded(replace(samples.shop(), waterfall=loads))
    drawn = charts.waterfall(waterfall, len(waterfall.requests) - 1)
    assert all(0 <= bar.start <= 100 and 0 < bar.width <= 100 for bar in drawn.bars)
    assert charts.waterfall(waterfall, 9).bars[-1].kind == charts.OTHER
    assert len(waterfall.requests) == len(samples.WATERFALL) + 1
    assert drawn.more == 1


def test_an_empty_waterfall_is_no_error() -> None:
    assert charts.waterfall(Waterfall(()), 9).bars == ()
    assert not [one for one in audit.layout(samples.quick()).parts if named(one) == "load"]


def test_the_filmstrip_is_thinned_evenly_and_keeps_its_ends() -> None:
    shots = charts.filmstrip([(number * 100, samples.FRAME) for number in range(40)])
    assert len(shots) == 10
    assert (shots[0][0], shots[-1][0]) == ("0 ms", "3.9 s")


def test_a_plot_keeps_the_order_of_its_figures() -> None:
    worse = plotted(samples.DUEL.differences[1])
    at = charts.plot(worse).at
    earlier = (*worse.before_range[:1], worse.before, worse.before_range[1])
    later = (worse.after_range[0], worse.after, worse.after_range[1])
    places = [at(one) for one in (*earlier, *later)]
    assert places == sorted(set(places))
    assert places[-1] <= 100


def test_what_differs_by_little_looks_it() -> None:
    near = replace(
        samples.DUEL.differences[1],
        before=100.0,
        after=101.0,
        before_range=Range(100, 100),
        after_range=Range(101, 101),
    )
    scale = charts.plot(plotted(near))
    assert scale.at(near.after) - scale.at(near.before) < 10


def test_rows_that_say_nothing_are_not_counted() -> None:
    issue = samples.IMAGE_ALT
    empty = replace(issue, details=(*issue.details, type(issue.details[0])()))
    report = replace(samples.quick(), issues=(empty,))
    (found,) = audit.layout(report).findings
    (places,) = (one for one in found.body if isinstance(one, Bullets))
    assert (len(places.entries), places.left_out) == (len(issue.details), 12)
