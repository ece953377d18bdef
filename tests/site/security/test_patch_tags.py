"""Elements with their integrity, ready to paste."""

from mergegate.site.facts.document import Document, Link, Script
from mergegate.site.security import patches
from mergegate.site.security.checks import integrity
from tests.site.security.checks.seen import PAGE, facts

PINNED = "https://cdn.example.com/lib@1.2.3/lib.js?a=1&b=2"
FLOATING = "https://cdn.example.com/lib/latest.js"
STYLE = "https://cdn.example.com/3.4/site.css"
DOCUMENT = Document(
    url=PAGE,
    scripts=(
        Script(src=PINNED, type="module", selector="head > script:nth-of-type(1)"),
        Script(src=FLOATING, selector="head > script:nth-of-type(2)"),
    ),
    links=(Link(rels=frozenset({"stylesheet"}), href=STYLE, selector="head > link"),),
)
FLAWS = tuple(integrity.flaws(facts(document=DOCUMENT)))


def test_a_file_that_may_change_is_not_pinned() -> None:
    assert patches.wanted(FLAWS, DOCUMENT) == (PINNED, STYLE)


def test_the_element_is_whole_and_its_address_escaped() -> None:
    made = patches.tags(FLAWS, DOCUMENT, {PINNED: "sha384-AAA", STYLE: "sha384-BBB"})
    assert sorted(made.values()) == [
        f'<link rel="stylesheet" href="{STYLE}" integrity="sha384-BBB" crossorigin="anonymous">',
        f'<script type="module" src="{PINNED.replace("&", "&amp;")}" '  # noqa: ISC004
        'integrity="sha384-AAA" crossorigin="anonymous"></script>',
    ]


def test_without_a_hash_there_is_no_element() -> None:
    assert patches.tags(FLAWS, DOCUMENT, {}) == {}


def test_other_flaws_have_none() -> None:
    assert patches.wanted((), DOCUMENT) == ()
