"""Review comments: where they stand, what they say, and that their suggestions are the fix."""

import re
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from mergegate.ci.publication import remarks
from mergegate.core.finding import Edit, Finding, Place
from mergegate.core.report import Fix, Report, Suppression
from mergegate.core.severity import Kind, Severity
from mergegate.forges.marker import mark, marked
from mergegate.forges.publication import BITBUCKET, GITHUB, GITLAB, Dialect, Remark
from mergegate.repo.fixes.edits import apply
from mergegate.repo.fixes.gates import NAMES
from tests.repo.report import changes, samples
from tests.repo.report.golden import expected
from tests.repo.report.inert import harm
from tests.repo.report.shop import AWS, COMPLEX, SQL, identified

DIALECTS = [GITHUB, GITLAB, BITBUCKET]
PATH = SQL.place.file
TEXT = """import sys

def total(rows):
\tsum = 0
    for row in rows :
        sum += row
    return sum"""
CHANGE_HEADING = re.compile(r"suggestion(?::-(\d+)\+(\d+))?")


def new(*findings: Finding, fixes: Sequence[Fix] = (), waived: Sequence[Finding] = ()) -> Report:
    told = [replace(one, is_new=True) for one in findings]
    suppressed = tuple(Suppression(finding=one, reason="known") for one in waived)
    report = changes.against_base(samples.report(told))
    return replace(report, fixes=tuple(fixes), suppressed=suppressed)


def at(start: int, end: int, **more: object) -> Finding:
    return identified(replace(SQL, place=Place(PATH, start, end), fix_id=None, **more))  # type: ignore[arg-type]


def fixed(finding: Finding, *edits: Edit, verified: tuple[str, ...] = tuple(NAMES)) -> Fix:
    return Fix(
        id=f"fix-{finding.id}",
        finding_ids=(finding.id,),
        title="Do it right",
        explanation="",
        edits=edits,
        source="rule",
        verified=verified,
    )


def one(report: Report, dialect: Dialect = GITHUB, shown: tuple[int, int] = (1, 400)) -> Remark:
    (remark,) = remarks(report, {PATH: (shown,)}, dialect)
    return remark


def suggestion(body: str) -> tuple[str, str] | None:
    """Heading and content of the block, as CommonMark reads it."""
    blocks = [
        (token.info, token.content)
        for token in MarkdownIt("commonmark").parse(body)
        if token.type == "fence" and token.info.startswith("suggestion")
    ]
    assert len(blocks) <= 1
    return blocks[0] if blocks else None


def clicked(text: str, remark: Remark, dialect: Dialect) -> str | None:
    """What a forge makes of ``text`` when the suggestion is accepted; None without one."""
    block = suggestion(remark.body)
    if block is None:
        return None
    heading = CHANGE_HEADING.fullmatch(block[0])
    assert heading is not None
    first, last = remark.start_line, remark.end_line
    if dialect is GITLAB:
        assert heading[1] is not None
        first, last = last - int(heading[1]), last + int(heading[2])
    if dialect is BITBUCKET:
        assert first == last
    lines = text.split("\n")
    return "\n".join([*lines[: first - 1], *block[1].split("\n")[:-1], *lines[last:]])


# Which findings, and where.


def test_finding_on_shown_lines_gets_a_remark_there() -> None:
    remark = one(new(at(40, 42)), shown=(38, 44))
    assert (remark.path, remark.start_line, remark.end_line) == (PATH, 40, 42)


@pytest.mark.parametrize("lines", [(36, 40), (43, 46), (45, 45), (39, 51)])
def test_finding_that_leaves_the_shown_range_gets_none(lines: tuple[int, int]) -> None:
    shown = {PATH: ((38, 44), (50, 60))}
    assert remarks(new(at(*lines)), shown, GITHUB) == ()


def test_only_new_findings_above_info_get_remarks() -> None:
    old = replace(at(5, 5), is_new=False)
    note = at(6, 6, severity=Severity.INFO, is_new=True)
    report = changes.against_base(samples.report([old, note]))
    assert remarks(report, {PATH: ((1, 9),)}, GITHUB) == ()


def test_drifted_advisories_get_none() -> None:
    assert remarks(changes.drifted(), {"go.mod": ((1, 9),)}, GITHUB) == ()


def test_without_a_base_there_are_none() -> None:
    assert remarks(samples.report([at(5, 5)]), {PATH: ((1, 9),)}, GITHUB) == ()


def test_whole_files_get_none() -> None:
    finding = replace(SQL, place=Place(PATH))
    assert remarks(new(finding), {PATH: ((1, 400),)}, GITHUB) == ()


@pytest.mark.parametrize(("most", "count"), [(0, 0), (-1, 0), (3, 3), (10, 6)])
def test_worst_come_first_and_no_more_than_wanted(most: int, count: int) -> None:
    found = [at(n, n, severity=Severity(1 + n % 4), title=f"T{n}") for n in range(1, 7)]
    told = remarks(new(*found), {PATH: ((1, 9),)}, GITHUB, most)
    assert len(told) == count
    levels = [Severity.named(re.findall(r"\*\*(\w+):", t.body)[0]) for t in told]
    assert levels == sorted(levels, reverse=True)


def test_advisories_of_one_package_share_a_remark() -> None:
    remark = remarks(changes.raised(), {"go.mod": ((1, 9),)}, GITHUB)
    assert len(remark) == 1
    assert "7 advisories, worst high, fixed in v0.38.0" in remark[0].body
    assert remark[0].body.count("](https://osv.dev/vulnerability/GO-2024-") == 8  # and its own


def test_long_finding_stands_at_its_first_line() -> None:
    place = COMPLEX.place
    (remark,) = remarks(new(COMPLEX), {place.file: ((1, 400),)}, GITHUB)
    assert (remark.start_line, remark.end_line) == (place.start_line, place.start_line)


# What they say.


@pytest.mark.parametrize("forge", ["github", "gitlab", "bitbucket"])
def test_remarks_read_as_reviewed(forge: str) -> None:
    shown = dict.fromkeys((PATH, "infra/storage.tf", "requirements.txt"), ((1, 400),))
    told = remarks(changes.failing(), shown, changes.FORGES[forge])
    text = "\n\n".join(f"{r.path}:{r.start_line}-{r.end_line}\n\n{r.body}" for r in told)
    assert text == expected(f"remarks-{forge}.md", text)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_remark_ends_with_the_mark_of_its_finding(dialect: Dialect) -> None:
    remark = one(new(at(5, 5)), dialect)
    assert remark.body.rstrip().split("\n")[-1] == mark(remark.finding_id, dialect.hiding)
    assert marked(remark.body) == remark.finding_id


def test_verified_fix_says_what_it_passed() -> None:
    finding = at(5, 5)
    remark = one(new(finding, fixes=[fixed(finding, Edit(PATH, 5, 5, "x"))]))
    assert f"**Fix, verified** ({', '.join(NAMES)}): Do it" in remark.body


# Suggestions.


def test_remark_stands_on_exactly_the_lines_that_its_suggestion_replaces() -> None:
    finding = at(5, 7)
    remark = one(new(finding, fixes=[fixed(finding, Edit(PATH, 6, 6, "x = 1"))]))
    assert (remark.start_line, remark.end_line) == (6, 6)
    assert suggestion(remark.body) == ("suggestion", "x = 1\n")


def test_gitlab_counts_up_from_the_last_line() -> None:
    finding = at(5, 7)
    remark = one(new(finding, fixes=[fixed(finding, Edit(PATH, 5, 7, "x"))]), GITLAB)
    assert suggestion(remark.body) == ("suggestion:-2+0", "x\n")


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(
    ("start", "end", "replacement"),
    [
        (4, 4, "\tsum = 1"),
        (5, 5, "    for row in rows:  "),
        (5, 5, ""),
        (5, 5, "\n"),
        (6, 6, "        # one\n\n        sum += row"),
        (3, 7, "def total(rows):\n\treturn sum(rows)"),
        (1, 2, ""),
        (6, 6, "    ````\n    ```suggestion\n``````"),
        (6, 6, "~~~"),
        (7, 7, "<!-- note --> @dana closes #1 [x](https://a.example.org)"),
    ],
)
def test_accepted_suggestion_is_the_fix(
    dialect: Dialect, start: int, end: int, replacement: str
) -> None:
    edit = Edit(PATH, start, end, replacement)
    finding = at(start, end)
    remark = one(new(finding, fixes=[fixed(finding, edit)]), dialect)
    result = clicked(TEXT, remark, dialect)
    if dialect is BITBUCKET and (start != end or "```" in replacement or "~~~" in replacement):
        assert result is None
    else:
        assert result == apply(TEXT, edit)


LINE = st.text(
    alphabet=st.characters(min_codepoint=32, max_codepoint=0x2FF) | st.sampled_from("\t`~/"),
    max_size=30,
)


@settings(max_examples=150, deadline=None)
@given(
    old=st.lists(LINE, min_size=1, max_size=12),
    fresh=st.lists(LINE, max_size=5),
    where=st.tuples(st.integers(1, 12), st.integers(1, 12)),
    dialect=st.sampled_from(DIALECTS),
)
def test_any_accepted_suggestion_is_the_fix(
    old: list[str], fresh: list[str], where: tuple[int, int], dialect: Dialect
) -> None:
    start, end = (min(line, len(old)) for line in sorted(where))
    text, edit = "\n".join(old), Edit(PATH, start, end, "\n".join(fresh))
    finding = at(start, end)
    remark = one(new(finding, fixes=[fixed(finding, edit)]), dialect)
    result = clicked(text, remark, dialect)
    assert result is None or result == apply(text, edit)
    assert marked(remark.body) == finding.id


@pytest.mark.parametrize(
    "replacement",
    [
        "a = 1\r",
        "a = 1\u202e # right to left",
        "a\u200b = 1",
        "a\x00",
        "a\x1b[31m",
        "a\u00a0= 1",
        "\ud800",
        "/approve",
        "x = 1\n  /merge",
        "<!-- mergegate:finding 0123456789abcdef -->",
        "[//]: # (mergegate:state abc)",
        "x" * 7_000,
    ],
)
@pytest.mark.parametrize("dialect", DIALECTS)
def test_replacement_that_hides_orders_or_forges_is_not_offered(
    replacement: str, dialect: Dialect
) -> None:
    finding = at(5, 5)
    remark = one(new(finding, fixes=[fixed(finding, Edit(PATH, 5, 5, replacement))]), dialect)
    assert suggestion(remark.body) is None
    assert marked(remark.body) == finding.id
    assert harm(remark.body) == []


def test_fix_that_was_not_proved_is_not_offered() -> None:
    finding = at(5, 5)
    remark = one(new(finding, fixes=[fixed(finding, Edit(PATH, 5, 5, "x"), verified=())]))
    assert suggestion(remark.body) is None
    assert "verified" not in remark.body


@pytest.mark.parametrize(
    "edits",
    [
        (Edit(PATH, 5, 5, "x"), Edit(PATH, 9, 9, "y")),
        (Edit("other.py", 5, 5, "x"),),
        (Edit(PATH, 1, 1, "import x"),),
        (Edit(PATH, 5, 12, "x"),),
    ],
    ids=["two edits", "other file", "elsewhere", "beyond the shown lines"],
)
def test_fix_that_a_click_cannot_apply_is_shown_as_a_diff(edits: tuple[Edit, ...]) -> None:
    finding = at(5, 5)
    remark = one(new(finding, fixes=[fixed(finding, *edits)]), shown=(1, 10))
    assert suggestion(remark.body) is None
    assert "```diff" in remark.body
    assert (remark.start_line, remark.end_line) == (5, 5)


@pytest.mark.parametrize("dismissed", [True, False])
def test_line_with_a_secret_is_never_repeated_in_a_suggestion(dismissed: bool) -> None:
    finding = at(5, 5)
    secret = replace(AWS, place=Place(PATH, 5, 5), kind=Kind.SECRET, is_new=True)
    fix = fixed(finding, Edit(PATH, 5, 5, 'call("AKIAREALREALREALREAL")'))
    report = (
        new(finding, fixes=[fix], waived=[secret])
        if dismissed
        else new(finding, secret, fixes=[fix])
    )
    bodies = "".join(r.body for r in remarks(report, {PATH: ((1, 9),)}, GITHUB))
    assert "AKIAREAL" not in bodies


# Hostile text.


@pytest.mark.parametrize("dialect", DIALECTS)
def test_no_text_of_the_repository_does_anything(dialect: Dialect) -> None:
    base = samples.hostile()
    bad = replace(base.issues[0], is_new=True)
    fix = replace(base.fixes[0], title=f"Fix {samples.HOSTILE}", explanation=samples.HOSTILE * 2)
    report = new(bad, fixes=[fix])
    (remark,) = remarks(report, {bad.place.file: ((1, 20),)}, dialect)
    assert harm(remark.body) == []
    assert marked(remark.body) == bad.id


@pytest.mark.parametrize("dialect", DIALECTS)
def test_remark_is_never_too_long(dialect: Dialect) -> None:
    words = "\n".join(["&" * 5_000] * 200)
    bad = at(5, 5, title=words, message=words, snippet=words, rule_id=words)
    fix = replace(fixed(bad, Edit(PATH, 5, 5, words)), title=words, explanation=words)
    remark = one(new(bad, fixes=[fix]), dialect)
    assert len(remark.body) <= dialect.limit
    assert marked(remark.body) == bad.id
