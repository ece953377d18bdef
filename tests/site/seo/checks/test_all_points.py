"""What holds for every rule: one id, a source, a fixture; and for every page: no exception."""

import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from mergegate.site.document import read
from mergegate.site.seo import checks
from mergegate.site.seo.checks.point import RULES
from mergegate.site.seo.facts import SearchFacts
from mergegate.site.seo.report import Ground
from tests.site.seo.checks.well_made import HTML, URL, fetched, found, site

KEBAB = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
HOSTILE = (
    "<title>" * 5_000,
    "<a href=http://[>x</a><img src=http://[::1>",
    '<link rel=canonical href="http://[">' + '<link rel=alternate hreflang="" href="\x00">' * 50,
    '<meta name=robots content="' + ",unavailable_after:" * 2_000 + '">',
    '<meta http-equiv=refresh content="' + " " * 100_000 + '">',
    f'<script type="application/ld+json">{"[" * 60}{"]" * 60}</script>',
    '<script type="application/ld+json">{"@context":{"a":{"b":[1,null]}},"@type":[1,{}]}</script>',
    '<script type="application/ld+json">{"@graph":{"@graph":[{"@type":{}}]}}</script>',
    '<script type="application/ld+json">{"@context":"https://schema.org","@type":"event"}</script>',
    (
        '<script type="application/ld+json">{"@context":"schema.org","@type":"Event","location":'
        '[[["x"]]],"startDate":["\\ud800",null,true,{"@value":[]},1e308],"name":{}}</script>'
    ),
    "<h1>" + "\u202e\u0000\U0001f600" * 500 + "</h1>",
    '<html lang="' + "a-" * 5_000 + '">',
    "<p>" + "a\u0301" * 20_000,
)


def test_every_rule_is_declared_under_its_theme_and_used_once() -> None:
    folder = Path(checks.__file__).parents[1]
    for file in (folder / "rules").glob("*.toml"):
        assert {one["theme"] for one in tomllib.loads(file.read_text()).values()} == {file.stem}
    assert all(map(KEBAB.fullmatch, RULES))
    code = "".join(path.read_text("utf-8") for path in folder.rglob("*.py"))
    assert [name for name in RULES if code.count(f'RULES["{name}"]') != 1] == []


def test_every_rule_says_what_to_do_and_what_it_rests_on() -> None:
    for rule in RULES.values():
        assert rule.source.startswith("https://"), rule.id
        assert rule.remedy.endswith("."), rule.id
        assert rule.title and not rule.title.endswith("."), rule.id


def test_every_rule_is_expected_by_a_fixture() -> None:
    tables = "".join(path.read_text() for path in Path(__file__).parent.glob("test_*.py"))
    unseen = [rule.id for rule in RULES.values() if f'"{rule.id}"' not in tables]
    assert unseen == []


def test_a_well_made_page_has_no_points_at_all() -> None:
    assert checks.points(site()) == ()


def test_points_come_worst_first_and_each_once() -> None:
    facts = site("<p>Tea", nonsense=fetched("Welcome"))
    points = checks.points(facts)
    severities = [one.severity for one in points]
    assert severities == sorted(severities, reverse=True)
    assert len({one.id for one in points}) == len(points) > 5


def test_the_same_facts_give_the_same_points() -> None:
    assert checks.points(site("<p>Tea")) == checks.points(site("<p>Tea"))


def test_of_a_page_that_fails_nothing_else_is_told() -> None:
    failing = site("<p>Tea", page=fetched("<p>Tea", status=500))
    assert [one.rule for one in checks.points(failing)] == ["status-not-ok"]


def test_what_experience_says_is_never_worse_than_medium() -> None:
    guesses = [one for one in RULES.values() if one.ground is Ground.HEURISTIC]
    assert [one.id for one in guesses if one.severity.label in {"high", "critical"}] == []


@pytest.mark.parametrize("html", HOSTILE)
def test_a_hostile_page_is_judged_like_any_other(html: str) -> None:
    for facts in (site(html), site(HTML.replace("<h1>", html + "<h1>"))):
        for point in found(facts):
            assert f"{point.message}{point.evidence}{point.snippet}".encode()


@settings(max_examples=150, deadline=None)
@given(
    some.lists(
        some.sampled_from(re.findall(r"<[^>]+>|[^<]+", HTML)) | some.text(max_size=20), max_size=40
    ),
    some.text(max_size=30),
)
def test_no_page_and_no_header_makes_a_check_fail(pieces: list[str], value: str) -> None:
    html = "".join(pieces)
    headers = [("x-robots-tag", value), ("link", value), ("refresh", value)]
    facts = SearchFacts(page=fetched(html, headers=headers), document=read(html, URL), now="")
    for point in found(facts):
        assert point.message
        assert len(point.evidence) <= 300
