"""The HTML reports: one file, nothing from outside, pictures of one kind, links of one kind."""

import base64
import hashlib
import re
from collections.abc import Callable
from functools import cache

import pytest

from mergegate.site.audit import layout as audit
from mergegate.site.browser_test import layout as browser_test
from mergegate.site.render import html
from tests.repo.report.test_html import OURS, Page
from tests.site.render import samples
from tests.site.render.drawing import drawn

AUDITS = [samples.quick, samples.shop, samples.hostile]
TESTS = [samples.clean, samples.broken, samples.hostile_test]
ALL = [(drawn(audit, html), one) for one in AUDITS] + [
    (drawn(browser_test, html), one) for one in TESTS
]
Drawn = tuple[Callable[..., str], Callable[[], object]]


class Sheet(Page):
    """A page with pictures, which have no end tag."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        super().handle_starttag(tag, attrs)
        if tag == "img":
            self.open.pop()


@cache
def text(drawn: Drawn) -> str:
    render, sample = drawn
    return render(sample())


@cache
def page(drawn: Drawn) -> Sheet:
    return Sheet(text(drawn))


def words(drawn: Drawn) -> str:
    return re.sub(r"\s+", " ", "".join(page(drawn).words))


SHOP = (drawn(audit, html), samples.shop)
QUICK = (drawn(audit, html), samples.quick)
HOSTILE = (drawn(audit, html), samples.hostile)
BROKEN = (drawn(browser_test, html), samples.broken)
all_pages = pytest.mark.parametrize("drawn", ALL, ids=lambda one: one[1].__name__)


@all_pages
def test_elements_are_ours_and_balanced(drawn: Drawn) -> None:
    assert {tag for tag, _ in page(drawn).tags} <= OURS | {"img"}
    assert page(drawn).open == []


@all_pages
def test_nothing_comes_from_outside(drawn: Drawn) -> None:
    assert all(src.startswith("data:image/jpeg;base64,/9j/") for src in page(drawn).values("src"))
    assert not re.search(r"url\(|@import", "".join(page(drawn).styles))
    for tag, attributes in page(drawn).tags:
        href = attributes.get("href", "#")
        if not href.startswith("#") and tag != "link":
            assert href.startswith("https://")
            assert attributes["rel"] == "noopener noreferrer"


@all_pages
def test_no_attribute_runs_or_styles_anything(drawn: Drawn) -> None:
    names = {name for _, attributes in page(drawn).tags for name in attributes}
    assert not [name for name in names if name.startswith("on") or name in {"style", "srcdoc"}]


@all_pages
def test_policy_allows_our_script_and_style_by_hash(drawn: Drawn) -> None:
    policy = next(a["content"] for _, a in page(drawn).tags if "http-equiv" in a)
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    for source in (page(drawn).styles[0], page(drawn).scripts[-1]):
        digest = base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy


@all_pages
def test_no_hidden_character_reaches_the_page(drawn: Drawn) -> None:
    # A tab may stand in the code for the clipboard.
    assert text(drawn).translate({ord("\n"): "", ord("\t"): ""}).isprintable()


@all_pages
def test_ids_are_unique_and_lead_somewhere(drawn: Drawn) -> None:
    ids = page(drawn).values("id")
    assert len(ids) == len(set(ids))
    inside = {href[1:] for href in page(drawn).values("href") if href.startswith("#")}
    assert inside | set(page(drawn).values("aria-labelledby")) <= set(ids)


def test_hostile_text_is_shown_as_text() -> None:
    assert "<script>alert(1)</script>" in words(HOSTILE)
    assert "\\u202egnp.exe" in words(HOSTILE)


def test_only_a_jpeg_of_the_filmstrip_is_shown() -> None:
    assert page(HOSTILE).values("src") == []
    assert len(page(SHOP).values("src")) == 2


def test_only_a_jpeg_of_the_screenshots_is_shown() -> None:
    hostile = (drawn(browser_test, html), samples.hostile_test)
    assert len(page(hostile).values("src")) == 1
    assert "1 more screenshot left out for size or kind." in words(hostile)


def test_every_score_stands_in_its_ring() -> None:
    labels = page(QUICK).values("aria-label")
    assert "Performance 98, good" in labels
    assert "Accessibility –, unknown" in labels


def test_the_budget_tells_cause_and_doubt() -> None:
    said = words(SHOP)
    assert "3 violations" in said
    assert "Largest Contentful Paint 3.1 s, allowed 2.5 s" in said
    assert "Total Blocking Time 410 ms, allowed 400 ms perhaps by chance" in said
    assert "A budget would allow" in words(QUICK)


def test_the_change_is_told_figure_by_figure() -> None:
    said = words(SHOP)
    assert "worse 99% sure" in said
    assert "unsure 61% sure" in said
    assert "1 new issue, 1 issue put right" in said
    assert "What the change does" not in words(QUICK)


def test_issue_and_fix_lead_to_each_other() -> None:
    assert "#f-459ac28dcf49f6e5" in page(SHOP).values("href")
    assert "and 13 more" in words(SHOP)


def test_a_fix_is_offered_to_the_clipboard_as_it_would_be_typed() -> None:
    code = samples.shop().fixes[0].code
    assert code in page(SHOP).values("data-copy")


def test_the_waterfall_names_vendor_and_failure() -> None:
    said = words(SHOP)
    assert "tag.js?id=7 Ads Inc." in said
    assert "no answer" in said


def test_a_problem_tells_evidence_place_and_remedy() -> None:
    said = words(BROKEN)
    assert "at https://shop.example.org/app.js:8:153" in said
    assert "3 times on 2 pages: /, /about" in said
    assert "if (cart) cart.total()" in said


def test_vitals_have_their_bands() -> None:
    said = words(BROKEN)
    assert "LCP660 msgood" in said
    assert "INP240 msneeds improvement" in said
    assert "CLS0.3poor" in said


def test_a_page_that_could_not_be_tested_says_why() -> None:
    assert "it answers 404" in words(BROKEN)


def test_a_clean_site_has_nothing_to_put_right() -> None:
    assert "Nothing to put right." in words((drawn(browser_test, html), samples.clean))
