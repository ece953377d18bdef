"""An SEO analysis as prose, as a page, as data: kept, inert, accessible, of bounded size."""

import json
import re
import struct
from collections.abc import Callable
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

from mergegate.core.render import escape
from mergegate.core.render.screen import Screen
from mergegate.core.report import EngineRun, EngineStatus
from mergegate.sandbox.fetched import Answer, Fetched
from mergegate.site.level import Level
from mergegate.site.render import console, junit, markdown, sarif
from mergegate.site.render.images import LARGEST, embedded, raster
from mergegate.site.seo import layout as seo
from mergegate.site.seo import layout_page as seo_page
from mergegate.site.seo.report import Ground, SeoReport
from tests.repo.report.golden import expected
from tests.repo.report.inert import harm
from tests.repo.report.samples import HOSTILE
from tests.site.render.drawing import FORMS, SIZES, drawn
from tests.site.render.samples import JPEG
from tests.site.render.seo_samples import POINTS, hidden, hostile, huge, png, tea, well_made

SAMPLES: list[Callable[[], SeoReport]] = [tea, well_made, hidden, hostile]


@pytest.mark.parametrize("sample", [tea, well_made, hidden])
def test_it_reads_well(sample: Callable[[], SeoReport]) -> None:
    report, name = sample(), sample.__name__.replace("_", "-")
    terminal, comment = drawn(seo, console)(report), drawn(seo, markdown)(report)
    assert terminal == expected(f"site/seo-{name}.txt", terminal)
    assert comment == expected(f"site/seo-{name}.md", comment)


def test_the_machine_form_is_kept() -> None:
    suites = drawn(seo, junit)(tea())
    assert suites == expected("site/seo-tea.junit.xml", suites)


def test_the_console_tells_of_all_when_asked() -> None:
    short, whole = drawn(seo, console)(tea()), drawn(seo, console)(tea(), verbose=True)
    assert "Crawlers for training" not in short
    assert "Full list: --format html" in short
    assert "Crawlers for training" in whole
    assert "Full list" not in whole


@pytest.mark.parametrize("sample", SAMPLES)
def test_markdown_does_nothing_but_show(sample: Callable[[], SeoReport]) -> None:
    assert harm(drawn(seo, markdown)(sample())) == []


@pytest.mark.parametrize("sample", SAMPLES)
@pytest.mark.parametrize("width", [40, 80, 120])
def test_console_keeps_to_the_width_and_moves_nothing(
    sample: Callable[[], SeoReport], width: int
) -> None:
    page = drawn(seo, console)(sample(), Screen(width=width), verbose=True)
    assert page.replace("\n", "").isprintable()
    assert max(map(len, page.splitlines())) <= width
    assert not re.search(r"^\s*::|##\[", page, re.MULTILINE)


@pytest.mark.parametrize("sample", SAMPLES)
def test_console_for_plain_terminals_is_ascii(sample: Callable[[], SeoReport]) -> None:
    assert drawn(seo, console)(sample(), Screen(ascii_only=True)).isascii()


@pytest.mark.parametrize("form", SIZES)
def test_no_report_outgrows_its_size(form: str) -> None:
    assert len(drawn(seo, FORMS[form])(huge())) <= SIZES[form]


def test_markdown_keeps_to_a_limit_and_says_what_it_leaves_out() -> None:
    page = drawn(seo, markdown)(huge(), limit=10_000)
    assert len(page) <= 10_000
    assert re.search(r"and \d[\d,]* more", page)
    assert len(drawn(seo, markdown)(hostile(), limit=10_000)) <= 10_000


def test_xml_and_json_hold_what_they_say() -> None:
    said = "".join(ET.fromstring(drawn(seo, junit)(hostile())).itertext())
    assert escape.visible(HOSTILE) in said
    results = json.loads(drawn(seo, sarif)(hostile()))["runs"][0]["results"]
    assert "alert(1)" in json.dumps(results[0])


def test_what_is_high_fails_and_what_is_a_hint_does_not() -> None:
    root = ET.fromstring(drawn(seo, junit)(tea()))
    assert (root.get("failures"), root.get("errors")) == ("1", "0")
    assert sum(1 for _ in root.iter("skipped")) == 5
    severe_hint = replace(POINTS[0], ground=Ground.HEURISTIC)
    assert [seo.level(one) for one in (POINTS[0], severe_hint, POINTS[1])] == [
        Level.ERROR,
        Level.WARNING,
        Level.WARNING,
    ]


def test_sarif_points_to_the_page_and_its_element() -> None:
    run = json.loads(drawn(seo, sarif)(tea()))["runs"][0]
    assert run["automationDetails"] == {"id": "mergegate/seo/"}
    assert run["properties"] == {"score": 63}
    alt = next(one for one in run["results"] if one["ruleId"] == "image-alt-missing")
    (place,) = alt["locations"]
    assert place["physicalLocation"]["artifactLocation"]["uri"].endswith("/guides/green-tea")
    assert place["logicalLocations"][0]["kind"] == "element"
    assert alt["properties"]["ground"] == "documented"


def test_an_engine_that_failed_is_an_error_of_the_suite() -> None:
    broken = EngineRun(name="chromium", status=EngineStatus.FAILED, reason="the page hangs")
    report = replace(tea(), engines=(broken,))
    assert ET.fromstring(drawn(seo, junit)(report)).get("errors") == "1"
    assert "chromium: the page hangs." in drawn(seo, console)(report)


def test_the_score_adds_up_and_says_where_it_was_bounded() -> None:
    assert seo.sum_line(tea()) == "100 − 15 − 12 − 10 = 63"
    assert seo.sum_line(hidden()) == "100 − 15 − 12 − 10 = 63, bounded to 30"
    assert seo.sum_line(well_made()) == "100: nothing was deducted"


def test_every_theme_has_its_row_and_caps_are_marked() -> None:
    found = {one.name: (one.counted, one.points > one.counted) for one in seo.themes(tea())}
    assert len(found) == 9
    assert (found["Images"], found["Page"], found["Links"]) == (
        (10, True),
        (12, False),
        (0, False),
    )


@pytest.mark.parametrize(
    ("closed", "line"),
    [
        ("", "open to a, b and c"),
        ("a", "open to b and c, closed to a"),
        ("abc", "closed to a, b and c"),
    ],
)
def test_crawlers_are_told_by_who_is_kept_out(closed: str, line: str) -> None:
    group = [seo_page.Crawler(one, "", "", "", is_closed=one in closed) for one in "abc"]
    assert seo_page.crawler_line(group) == line


def test_many_open_crawlers_are_counted() -> None:
    group = [seo_page.Crawler(one, "", "", "", is_closed=one == "a") for one in "abcdef"]
    assert seo_page.crawler_line(group) == "open to 5 crawlers, closed to a"


def test_only_what_scripts_change_is_told() -> None:
    found = [what for what, _, _ in _differences(tea())]
    assert found == ["Main heading", "Words", "Headings", "Images", "Structured data"]
    assert _differences(well_made()) == []


def _differences(report: SeoReport) -> list[tuple[str, str, str]]:
    return seo.differences(report.sent_page, report.page) if report.sent_page else []


PICTURES = {
    "png": png(12, 8),
    "gif": b"GIF89a" + struct.pack("<HH", 12, 8) + b"\0" * 20,
    "jpeg": b"\xff\xd8\xff\xe0\0\x04ab\xff\xc0\0\x0b\x08\0\x08\0\x0c" + b"\0" * 20,
    "webp": b"RIFF\0\0\0\0WEBPVP8X\0\0\0\0\0\0\0\0" + b"\x0b\0\0\x07\0\0" + b"\0" * 9,
}


@pytest.mark.parametrize("kind", PICTURES)
def test_pictures_of_the_web_are_embedded(kind: str) -> None:
    assert raster(PICTURES[kind]).startswith(f"data:image/{kind};base64,")


@pytest.mark.parametrize(
    "image",
    [
        b"",
        b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>",
        b"<script>alert(1)</script>",
        b"\x89PNG\r\n\x1a\n",
        PICTURES["png"][:12] + b"IDAT" + PICTURES["png"][16:],
        b"GIF89a",
        b"\xff\xd8\xff\xe0\0\x04ab",
        JPEG[:4] + b"\xff" * 2_000,
        PICTURES["webp"][:12] + b"WHAT" + PICTURES["webp"][16:],
        png(12, 8).replace(struct.pack(">II", 12, 8), struct.pack(">II", 30_000, 30_000)),
        png(12, 8).replace(struct.pack(">II", 12, 8), struct.pack(">II", 0, 8)),
        b"GIF89a" + struct.pack("<HH", 65_535, 65_535),
        png(12, 8) + b"\0" * LARGEST,
    ],
    ids=range(13),
)
def test_what_is_no_picture_or_too_large_is_left_out(image: bytes) -> None:
    assert raster(image) == ""


@pytest.mark.parametrize(
    ("status", "whole", "there"), [(200, True, True), (404, True, False), (200, False, False)]
)
def test_only_a_whole_answer_is_embedded(status: int, whole: bool, there: bool) -> None:
    answers = (Answer(url="https://tea.example.org/t.png", status=status),)
    fetched = Fetched(url="", answers=answers, body=png(12, 8), whole=whole)
    assert bool(embedded(fetched)) is there
    assert embedded(None) == ""


def test_only_what_is_a_sitemap_is_counted_as_one() -> None:
    (sitemap,) = tea().facts.sitemaps
    for kind, told in (("urlset", "1 sitemap, 1,204 addresses"), ("", "none found")):
        assert _crawl_fact("Sitemaps", sitemaps=(replace(sitemap, kind=kind),)) == told


def test_of_many_sitemaps_it_is_told_how_many_were_read() -> None:
    (one,) = tea().facts.sitemaps
    children = tuple(f"https://tea.example.org/{number}.xml" for number in range(39))
    index = replace(
        one,
        fetched=replace(one.fetched, url="https://tea.example.org/index.xml"),
        kind="index",
        entries=39,
        children=children,
    )
    told = _crawl_fact("Sitemaps", sitemaps=(one, index))
    assert told == "2 sitemaps of 41 that are named, 1,204 addresses"


@pytest.mark.parametrize(
    ("status", "kind", "told"),
    [
        (200, "text/plain", "present"),
        (200, "text/markdown", "present"),
        (200, "text/html; charset=utf-8", "absent"),
        (404, "text/plain", "absent"),
    ],
)
def test_a_page_in_place_of_llms_txt_is_none(status: int, kind: str, told: str) -> None:
    url = "https://tea.example.org/llms.txt"
    answer = Answer(url=url, status=status, headers=(("content-type", kind),))
    assert _crawl_fact("llms.txt", llms=Fetched(url=url, answers=(answer,))) == told


def _crawl_fact(name: str, **changed: object) -> str:
    """What is told of how crawlers get to a page of these facts."""
    facts = replace(tea().facts, **changed)  # type: ignore[arg-type]
    told = seo_page.crawl_facts(replace(tea(), facts=facts))
    return next(one.text for one in told if one.name == name)
