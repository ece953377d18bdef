"""The one comment on a change: read as prose, inert, within its limit, and its memory kept."""

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mergegate.ci.comment import SMALLEST_LIMIT, render
from mergegate.core.finding import Finding, Place
from mergegate.core.plans import REPOSITORY
from mergegate.core.report import Gate, Report, Unassessed, Verdict
from mergegate.core.score import held_to
from mergegate.core.severity import Category, Kind, Severity
from mergegate.forges.marker import MOST_PUSHES, Hiding, Push, State, Waiver, recall
from mergegate.forges.publication import BITBUCKET, GITHUB, GITLAB, Dialect
from tests.repo.report import changes, samples
from tests.repo.report.golden import expected
from tests.repo.report.inert import PARSER, harm
from tests.repo.report.shop import AWS, SQL, identified
from tests.site.deployment.samples import SILENT_SITE, SLOW_SITE

CHANGES = [
    changes.clean,
    changes.failing,
    changes.incomplete,
    changes.crowded,
    changes.drifted,
    changes.raised,
    changes.slow_site,
]
Sample = Callable[[], Report]


def page(
    report: Report, dialect: Dialect = GITHUB, previous: State | None = None, fail_on: str = "new"
) -> str:
    return render(report, changes.framing(report, dialect, fail_on), previous)


def plain(text: str) -> list[str]:
    """The lines a reader sees before opening anything, the marker aside."""
    unfolded = re.sub(r"(?s)(<summary>.*?</summary>).*?</details>", r"\1", text)
    lines = [line for line in unfolded.splitlines() if line.strip()]
    return [line for line in lines if "mergegate:state" not in line]


@pytest.mark.parametrize("forge", ["github", "bitbucket"])
@pytest.mark.parametrize("sample", CHANGES, ids=lambda one: str(one.__name__))
def test_comment_reads_as_reviewed(sample: Sample, forge: str) -> None:
    text = page(sample(), changes.FORGES[forge])
    assert text == expected(f"comment-{sample.__name__}-{forge}.md", text)


@pytest.mark.parametrize("forge", ["github", "bitbucket"])
def test_second_push_reads_as_reviewed(forge: str) -> None:
    text = page(changes.failing(), changes.FORGES[forge], changes.earlier())
    assert text == expected(f"comment-second-push-{forge}.md", text)


@pytest.mark.parametrize("sample", CHANGES, ids=lambda one: str(one.__name__))
def test_gitlab_reads_what_github_reads(sample: Sample) -> None:
    assert page(sample(), GITLAB) == page(sample(), GITHUB)


@pytest.mark.parametrize(
    ("sample", "lines"),
    [
        (
            changes.clean,
            [
                "## ✅ Passed: 100/100 for this change",
                "**Found:** No new findings.",
                "**Next:** Nothing has to be done before the merge.",
            ],
        ),
        (
            changes.failing,
            [
                "## ❌ Failed: 31/100 for this change",
                (
                    "**Why:** 2 critical findings: the gate allows none. 1 new high finding: a "
                    "change may bring none (`fail-change-on: high`). Score 31 is below 60. "
                    "6 new findings (2 critical, 1 high, 2 medium, 1 low), 1 fixed, 17 existing."
                ),
                (
                    "**Next:** Fix these 3 and the check passes: AWS access key in the source "
                    "(`deploy/settings.py:8`); SQL built from a request parameter "
                    "(`shop/db/orders.py:42`); pillow 9.0.0: heap overflow in a decoder "
                    "(`requirements.txt:4`)."
                ),
            ],
        ),
    ],
)
def test_verdict_reason_and_next_step_are_the_first_three_lines(
    sample: Sample, lines: list[str]
) -> None:
    assert plain(page(sample()))[:3] == lines


@pytest.mark.parametrize("dialect", [GITHUB, BITBUCKET])
def test_clean_change_gets_five_quiet_lines(dialect: Dialect) -> None:
    assert len(plain(page(changes.clean(), dialect))) == 5


def test_what_is_missing_stands_right_below_an_incomplete_verdict() -> None:
    lines = plain(page(changes.incomplete()))
    assert lines[0] == "## ⚠️ Incomplete: at most 100/100 for this change"
    assert lines[3:5] == [
        "**Not searched:** 1 file left out; parts of 1 file.",
        "### What is missing",
    ]
    assert "Run `mergegate advisories update`" in lines[6]


def test_check_that_rests_on_the_whole_repository_says_what_the_change_alone_does() -> None:
    report = changes.against_base(replace(samples.failed(), comparison=None))
    old = replace(report, issues=tuple(replace(one, is_new=False) for one in report.issues))
    change = held_to(changes.against_base(old), Severity.CRITICAL, REPOSITORY)
    text = page(change, fail_on="gate")
    assert text.startswith("## ❌ Failed: 7/100\n")
    assert "This change alone: passed, 89/100." in text


def test_check_that_never_blocks_says_so() -> None:
    report = changes.failing()
    text = render(
        report,
        replace(changes.framing(report, fail_on="never"), verdict=Verdict(Gate.PASSED, ())),
        None,
    )
    assert text.startswith("## ✅ Passed: 7/100\n")
    assert "Nothing blocks (`fail-on: never`); by the gate it would have failed." in text
    assert "<b>blocks</b>" not in text


def test_way_out_that_is_not_among_the_new_findings_gets_a_list_of_its_own() -> None:
    text = page(changes.failing(), fail_on="gate")
    start = text.index("### The way out")
    assert "`shop/cart/session.py:27` Unpickling data from the network" in text[start:]
    assert "**Next:** Fix these 5 and the check passes: AWS access key" in text
    assert "; and 2 more, listed below." in text
    assert start < text.index("### New in this change")


def test_findings_stand_worst_first_and_are_cut_with_a_count() -> None:
    text = page(changes.crowded())
    assert "**Shown 25 of 380, worst first; the full report is the job's artifact.**" in text
    assert "those shown here are marked “blocks” and the full report lists all." in text
    levels = re.findall(r"<b>(Critical|High|Medium|Low)</b>", text)
    assert levels == sorted(levels, key=["Critical", "High", "Medium", "Low"].index)


def test_advisories_of_one_package_version_are_one_line() -> None:
    text = page(changes.raised())
    line = "golang.org/x/net 0.1.0: 7 advisories, worst high, fixed in v0.38.0"
    assert len([one for one in plain(text) if line in one]) == 1
    assert text.count("https://osv.dev/vulnerability/GO-2024-1004") == 1
    assert not [one for one in plain(text) if "flaw number" in one]


def test_drift_has_a_section_of_its_own_and_is_not_called_new() -> None:
    lines = plain(page(changes.drifted()))
    assert lines[0].startswith("## ✅ Passed: 100/100")
    assert lines[1] == "**Found:** No new findings, 1 fixed, 7 published since the base."
    assert "### Published since the base, not by this change (7)" in lines
    assert "### New in this change" not in "\n".join(lines)


def test_existing_findings_are_counted_not_listed() -> None:
    text = page(changes.failing())
    assert "<summary>17 existing findings: 2 high, 6 medium, 5 low, 4 info</summary>" in text
    assert "Unpickling data" not in text


def test_dismissals_are_told_with_owner_and_end() -> None:
    for dialect in (GITHUB, BITBUCKET):
        text = page(changes.failing(), dialect)
        assert "`dana@example.org`" in text
        assert "2027-03-01" in text


def test_without_a_base_the_whole_repository_is_shown() -> None:
    text = page(replace(samples.failed(), comparison=None), fail_on="gate")
    assert text.startswith("## ❌ Failed: 7/100\n")
    assert "### Findings (19, in 17 rows)" in text
    assert "existing" not in text


def test_footer_names_the_commit_the_run_and_the_version() -> None:
    text = page(changes.clean())
    assert "Commit `4f0c2d9be1` · [run and full report](https://ci.example.org/" in text
    assert "Mergegate 0.1.0" in text
    assert "`/mergegate help`" in text


@pytest.mark.parametrize(
    "url",
    ["http://ci.example.org/1", "javascript:alert(1)", "https://a.example.org/)![x](https://b", ""],
)
def test_run_that_is_no_plain_https_address_is_not_linked(url: str) -> None:
    framing = replace(changes.framing(changes.clean()), run_url=url, commands=False)
    text = render(changes.clean(), framing, None)
    assert "run and full report" not in text
    assert "/mergegate" not in text


# What the comment remembers.


def test_state_is_handed_on_with_this_push_at_the_end() -> None:
    state = recall(page(changes.failing(), previous=changes.earlier()))
    assert state is not None
    assert (state.head, state.sequence) == (changes.HEAD, 7)
    assert [push.head for push in state.pushes] == ["0b" * 20, changes.EARLIER, changes.HEAD]
    assert state.pushes[-1] == Push(
        head=changes.HEAD, gate="failed", score=31, new=6, at="2026-11-20T09:14:13.204Z"
    )
    assert state.waivers == changes.earlier().waivers


def test_second_answer_to_the_same_commit_replaces_the_first() -> None:
    first = recall(page(changes.failing(), previous=changes.earlier()))
    again = recall(page(changes.clean(), previous=first))
    assert again is not None
    assert [push.gate for push in again.pushes] == ["failed", "incomplete", "passed"]


def test_history_is_bounded_and_told_newest_first() -> None:
    pushes = tuple(
        Push(head=f"{n:040x}", gate="failed", score=n, new=n, at="2026-11-19T16:40:02Z")
        for n in range(MOST_PUSHES + 5)
    )
    text = page(changes.clean(), previous=replace(changes.earlier(), pushes=pushes))
    state = recall(text)
    assert state is not None
    assert len(state.pushes) == MOST_PUSHES
    rows = re.findall(r"^- `0{10}` failed, (\d+)/100, ", text, re.MULTILINE)
    assert [int(row) for row in rows] == list(range(MOST_PUSHES + 4, 5, -1))


@pytest.mark.parametrize("hiding", list(Hiding))
def test_dismissals_that_do_not_fit_are_lost_last_and_said(hiding: Hiding) -> None:
    waivers = tuple(
        Waiver(id=f"{n:020x}", reason=_noise(n), owner="dana", expires="2027-01-01")
        for n in range(400)
    )
    before = replace(changes.earlier(), waivers=waivers)
    text = page(changes.failing(), replace(GITHUB, hiding=hiding), before)
    state = recall(text)
    assert state is not None
    assert len(text) <= GITHUB.limit
    assert 0 < len(state.waivers) < 400
    assert state.waivers == waivers[-len(state.waivers) :]
    assert len(state.pushes) == 1
    lost = 400 - len(state.waivers)
    assert f"{lost} dismissals given by comment no longer fit here and ended" in text


def _noise(number: int) -> str:
    """Text that does not shrink when packed."""
    return "".join(chr(0x4E00 + (number * 7919 + n * 104729) % 20000) for n in range(160))


# Hostile text: threats 20 to 26 and 29.


@pytest.mark.parametrize("forge", ["github", "gitlab", "bitbucket"])
@pytest.mark.parametrize("base", [True, False])
def test_no_text_of_the_repository_does_anything(forge: str, base: bool) -> None:
    report = samples.hostile()
    if base:
        new = tuple(replace(one, is_new=True) for one in report.issues)
        old = tuple(replace(one, is_new=False) for one in report.vulnerabilities)
        report = replace(report, issues=new, vulnerabilities=old)
        report = changes.against_base(report, new, old)
    text = page(report, changes.FORGES[forge], _hostile_state())
    assert samples.HOSTILE[:8] in text
    assert harm(text) == []


def _hostile_state() -> State:
    bad = samples.HOSTILE
    push = Push(head=bad, gate=bad, score=1, new=2, at=bad)
    waiver = Waiver(id=bad, reason=bad, owner=bad, expires=bad)
    return State(head=bad, sequence=1, pushes=(push,), waivers=(waiver,))


@pytest.mark.parametrize("dialect", [GITHUB, GITLAB, BITBUCKET])
def test_state_in_a_finding_is_never_taken_for_ours(dialect: Dialect) -> None:
    stolen = "<!-- mergegate:state eNqrVkrOT0lVsjLQUSpLLSrOzM9TsjKsBQBDCwZH -->"
    forged = f"{stolen}\n[//]: # (mergegate:state eNqrVkrOT0lVsjLQ)\n"
    bad = replace(SQL, title=forged, message=forged, snippet=forged, is_new=True)
    text = page(changes.against_base(samples.report([bad])), dialect)
    state = recall(text)
    assert state is not None
    assert state.head == changes.HEAD
    assert len(re.findall(r"^(?:<!-- |\[//\]: # \()mergegate:", text, re.MULTILINE)) == 1


def test_bitbucket_gets_no_html() -> None:
    text = page(samples.hostile(), BITBUCKET)
    kinds = {token.type for token in PARSER.parse(text)}
    assert "html_block" not in kinds
    assert not re.search(r"(?<!\\)<(?![^`]*`)", text)


def test_secrets_are_shown_masked_only() -> None:
    text = page(changes.against_base(samples.report([AWS])))
    assert "AKIA****************" in text
    assert not re.search(r"AKIA[A-Z0-9]{4}", text)


# Limits: threat 26.

TEXT = st.text(max_size=400) | st.sampled_from([samples.HOSTILE, "&" * 900, "@ " * 300, "`" * 200])
SMALL = st.integers(min_value=SMALLEST_LIMIT, max_value=65_000)


@st.composite
def reports(draw: st.DrawFn) -> Report:
    """Any number of findings with any texts, against a base or not."""
    texts = draw(st.lists(TEXT, min_size=1, max_size=4))
    count = draw(st.integers(min_value=0, max_value=60))
    findings = [_finding(number, texts, draw(st.booleans())) for number in range(count)]
    report = samples.report(findings)
    gate = draw(st.sampled_from(Gate))
    verdict = replace(report.verdict, gate=gate, reasons=tuple(texts))
    report = replace(report, verdict=verdict, tool_version=texts[0], suppressed=())
    if draw(st.booleans()):
        return replace(report, engines=samples.hostile().engines * 9)
    return changes.against_base(report, findings[:20], findings[:5])


def _finding(number: int, texts: list[str], is_new: bool) -> Finding:
    return identified(
        Finding(
            rule_id=texts[number % len(texts)] or "rule",
            title=texts[(number + 1) % len(texts)],
            message="\n".join(texts * 3),
            severity=Severity(number % 5),
            category=Category.SECURITY,
            kind=Kind.CODE,
            place=Place(texts[(number + 2) % len(texts)], number, number + 1),
            snippet=texts[0],
            evidence=str(number),
            is_new=is_new,
        )
    )


WAIVERS = st.lists(
    st.builds(Waiver, id=TEXT, reason=TEXT, owner=TEXT, expires=TEXT),
    max_size=40,
)


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    report=reports(),
    dialect=st.sampled_from([GITHUB, GITLAB, BITBUCKET]),
    limit=SMALL,
    waivers=WAIVERS,
    fail_on=st.sampled_from(["gate", "new", "never"]),
)
def test_comment_is_never_too_long_and_its_state_is_always_readable(
    report: Report, dialect: Dialect, limit: int, waivers: list[Waiver], fail_on: str
) -> None:
    before = replace(changes.earlier(), waivers=tuple(waivers))
    narrow = replace(dialect, limit=limit)
    text = render(report, changes.framing(report, narrow, fail_on), before)
    assert len(text) <= limit
    state = recall(text)
    assert state is not None
    assert state.head == changes.HEAD
    assert harm(text) == []


def test_too_small_a_limit_is_refused() -> None:
    with pytest.raises(ValueError, match="20000"):
        page(changes.clean(), replace(GITHUB, limit=500))


def test_a_site_that_fails_is_part_of_the_next_step() -> None:
    both = replace(changes.failing(), site=SLOW_SITE)
    step = "**Next:** Fix these 3 and what is marked “blocks” in the section on the site, and the"
    assert step in page(both)
    alone = page(changes.slow_site())
    assert "**Next:** Fix what is marked “blocks” in the section on the site, and the" in alone


def test_reasons_of_a_site_are_told_in_full() -> None:
    why = plain(page(changes.slow_site()))[1]
    assert why.count("Site:") == 1
    assert "2 errors in the browser, allowed: 0" in why


def test_nothing_of_a_site_is_marked_where_nothing_blocks() -> None:
    report = changes.slow_site()
    framing = replace(changes.framing(report, fail_on="never"), verdict=Verdict(Gate.PASSED, ()))
    text = render(report, framing, None)
    assert "### The site: failed" in text
    assert "blocks**" not in text


def test_a_site_that_was_not_seen_takes_no_points_and_was_loaded_as_nothing() -> None:
    text = page(replace(changes.clean(), site=SILENT_SITE))
    assert text.startswith("## ⚠️ Incomplete: 100/100 for this change, and the site was not checked")
    assert "Mend what kept the site from being checked, then scan again." in text
    assert "mobile" not in text


def test_missing_engines_and_a_silent_site_are_both_to_be_mended() -> None:
    text = page(replace(changes.incomplete(), site=SILENT_SITE))
    assert re.search(r"missing \(\d+\) and what kept the site from being checked, then", text)


def test_a_category_that_was_not_assessed_has_not_been_found_free_of_points() -> None:
    report = changes.crowded()
    gap = Unassessed(category=Category.DEPENDENCY, reason="no lock file was read")
    blind = replace(report, coverage=replace(report.coverage, unassessed=(gap,)))
    assert "- Dependency: not assessed" in page(blind)
    assert "- Dependency: 0 points, 0 of at most 30 counted" in page(report)
