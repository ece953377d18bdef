"""The receipt of a scan, and the report that is made of a head and its base."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from mergegate.core.check import Unrun
from mergegate.core.finding import Advisory, Edit, Finding, Place
from mergegate.core.plans import REPOSITORY
from mergegate.core.report import EngineRun, Gate, Report, Target
from mergegate.core.severity import Aspect, Category, Kind, Severity
from mergegate.core.tree import Link, Role, Skipped, SourceFile, Tree
from mergegate.packages.dependencies import (
    AdvisorySource,
    Dependencies,
    Package,
    Unresolved,
    Vulnerabilities,
    Why,
)
from mergegate.repo.assemble import INLINE_SUPPRESSION, Assembly, stamp
from mergegate.repo.coverage import coverage, in_line, inventory
from mergegate.repo.examine import Examined, Examiner
from mergegate.repo.facts.code import FileMarkers, MarkedFile, Marker, MarkerKind, Markers
from mergegate.repo.fixes.mending import repairs
from mergegate.repo.policy_file import parse_policy
from mergegate.repo.search_map import SearchMap
from mergegate.repo.settings import Policy
from mergegate.sandbox.engines.engine import Gathered
from mergegate.sandbox.engines.runner import Gatherings, Source
from mergegate.sandbox.files.stage import Stage

TODAY = dt.date(2026, 5, 31)
ALL = frozenset(Aspect)
SEEN = SearchMap({aspect: {"a.py": ("e",), "b.py": ("e",)} for aspect in Aspect})
STARTED = dt.datetime(2026, 5, 31, 12, tzinfo=dt.UTC)
TARGET = Target(repo="shop", base="b" * 40)


def file(path: str = "a.py", digest: str = "d1", size: int = 10) -> SourceFile:
    return SourceFile(path=path, location=Path("/nowhere"), size=size, digest=digest)


def finding(key: str, **known: Any) -> Finding:
    given: dict[str, Any] = {
        "rule_id": "r",
        "title": "Title",
        "message": "Message.",
        "severity": Severity.MEDIUM,
        "category": Category.SECURITY,
        "kind": Kind.CODE,
        "place": Place("a.py", 3, 4),
        "id": f"{key:0<20}",
        "group_key": key,
    }
    return Finding(**{**given, **known})


def examined(
    *findings: Finding, facts: tuple[Any, ...] = (), unrun: tuple[Unrun, ...] = ()
) -> Examined:
    gathered = Gatherings(
        {type(fact): fact for fact in facts}, (EngineRun(name="e"),), (Skipped("a.py", "deep"),)
    )
    return Examined(Tree((file(),)), findings, unrun, gathered, SEEN)


def vulnerabilities(*newest: str) -> Vulnerabilities:
    sources = [AdvisorySource(f"eco{n}", 1, date, "") for n, date in enumerate(newest)]
    return Vulnerabilities(sources=tuple(sources))


def test_the_receipt_counts_what_was_seen_and_what_was_scanned() -> None:
    tree = Tree(
        (file(size=10), file("b.py", size=5)),
        (Skipped("big.bin", "too large"),),
        (Link("l", "a.py", False),),
        ("too many files",),
    )
    receipt = coverage(replace(examined(), tree=tree), ALL, TODAY)
    assert (receipt.files_seen, receipt.files_scanned, receipt.bytes_scanned) == (4, 2, 15)
    assert receipt.skipped == (Skipped("big.bin", "too large"),)
    assert receipt.limited == (Skipped("a.py", "deep"),)
    assert receipt.limits == ("too many files",)


def test_the_receipt_dates_the_stalest_advisories() -> None:
    asked = vulnerabilities("2026-05-30T10:00:00Z", "2026-05-21T10:00:00Z")
    receipt = coverage(examined(facts=(asked,)), ALL, TODAY)
    assert (receipt.advisories_date, receipt.advisories_age_days) == ("2026-05-21", 10)


def test_each_ecosystem_whose_advisories_are_older_than_two_weeks_is_a_limit() -> None:
    asked = vulnerabilities("2026-05-17", "2026-05-16", "2026-06-02", "")
    old, unknown = coverage(examined(facts=(asked,)), ALL, TODAY).limits
    assert old.startswith("advisories on eco1 are 15 days old: newer vulnerabilities are not known")
    assert unknown == "how old the advisories on eco3 are is not known"


def test_no_date_to_come_makes_advisories_younger_than_today() -> None:
    receipt = coverage(examined(facts=(vulnerabilities("2026-06-02"),)), ALL, TODAY)
    assert (receipt.advisories_age_days, receipt.limits) == (0, ())


def test_without_an_advisory_store_no_age_is_told() -> None:
    receipt = coverage(examined(), ALL, TODAY)
    assert (receipt.advisories_date, receipt.advisories_age_days) == (None, None)
    assert receipt.limits == ()


def test_the_receipt_names_requirements_without_a_version() -> None:
    loose = (
        Unresolved("r.txt", 3, "six>1", Why.RANGE),
        Unresolved("setup.py", 0, "setup", Why.CODE),
    )
    assert coverage(examined(facts=(Dependencies(unresolved=loose),)), ALL, TODAY).unresolved == (
        Skipped("r.txt", "line 3: six>1 (no exact version)"),
        Skipped("setup.py", "setup (requirements stand in code, which is not run)"),
    )


@pytest.mark.parametrize(
    ("role", "dev", "shipped"),
    [
        (Role.SOURCE, False, True),
        (Role.GENERATED, False, True),
        (Role.TEST, False, False),
        (Role.SOURCE, True, False),
    ],
)
def test_only_what_production_needs_is_shipped(role: Role, dev: bool, shipped: bool) -> None:
    package = Package(
        ecosystem="PyPI", name="six", written="Six", version="1", file="l", role=role, dev=dev
    )
    (one,) = inventory(examined(facts=(Dependencies((package,)),)))
    assert (one.name, one.version, one.shipped) == ("Six", "1", shipped)


def marked(*markers: Marker) -> Markers:
    return Markers((MarkedFile("a.py", Role.SOURCE, "python", FileMarkers(markers)),))


def test_only_suppressions_silence_a_line() -> None:
    nosec = Marker(3, MarkerKind.SUPPRESSION, "nosec")
    silent = examined(facts=(marked(nosec, Marker(9, MarkerKind.DEBUGGER, "print")),))
    assert in_line(silent) == {"a.py": (nosec,)}
    assert coverage(silent, ALL, TODAY).inline_suppressions == 1


@pytest.fixture
def examiner() -> Iterator[Examiner]:
    with Stage() as stage:
        yield Examiner([], [], frozenset(Aspect), Policy(), stage)


def assembly(examiner: Examiner, head: Examined, before: Examined | None = None) -> Assembly:
    target = TARGET if before else replace(TARGET, base=None)
    folder = examiner.stage.room("fixes")
    fixes = repairs(head.tree, folder, examiner.examine_again)
    return Assembly(
        target, head, before, examiner.aspects, examiner.policy, REPOSITORY, TODAY, fixes
    )


def report(examiner: Examiner, head: Examined, before: Examined | None = None) -> Report:
    return assembly(examiner, head, before).report(stamp(STARTED))


def policy(examiner: Examiner, text: str) -> Examiner:
    return replace(examiner, policy=parse_policy(text.encode(), ".mergegate.yml"))


ADVISORY = Advisory(
    package="six", ecosystem="PyPI", installed_version="1", published="2026-05-20T00:00:00Z"
)


def test_issues_risks_and_vulnerabilities_stand_apart(examiner: Examiner) -> None:
    issue, risk = finding("i"), finding("r", kind=Kind.RISK)
    known = finding("v", kind=Kind.DEPENDENCY, advisory=ADVISORY)
    made = report(examiner, examined(issue, risk, known))
    assert (made.issues, made.risks, made.vulnerabilities) == ((issue,), (risk,), (known,))
    assert made.comparison is None
    assert [run.name for run in made.engines] == ["e"]


def test_a_change_is_charged_with_what_its_base_has_not(examiner: Examiner) -> None:
    old, new, gone = finding("old"), finding("new"), finding("gone")
    made = report(examiner, examined(old, new), examined(old, gone))
    assert {one.group_key: one.is_new for one in made.findings} == {"old": False, "new": True}
    compared = made.comparison
    assert compared is not None
    assert (compared.base, compared.new, compared.existing) == (TARGET.base, 1, 1)
    assert compared.fixed == (gone,)
    assert (made.ledger.score, compared.ledger.score) == (92, 96)


def test_a_suppressed_finding_counts_neither_as_found_nor_as_fixed(examiner: Examiner) -> None:
    strict = policy(examiner, "severity-threshold: high")
    made = report(strict, examined(finding("new")), examined(finding("gone")))
    assert made.findings == ()
    assert [one.finding.group_key for one in made.suppressed] == ["new"]
    assert made.comparison is not None
    assert made.comparison.fixed == ()


_NOSEC = marked(Marker(3, MarkerKind.SUPPRESSION, "# nosec", "bandit", "ours alone"))


def test_a_comment_that_stands_in_the_base_sets_aside_and_one_that_is_added_does_not(
    examiner: Examiner,
) -> None:
    one = examined(finding("n"), facts=(_NOSEC,))
    alone, stands = report(examiner, one), report(examiner, one, one)
    for made in (alone, stands):
        assert [each.reason for each in made.suppressed] == ["ours alone (# nosec, line 3)"]
        assert made.findings == ()
        assert made.policy is not None
        (note,) = made.policy.notes
        assert note.startswith("comments in the code set 1 finding aside")
    for before in (examined(), examined(finding("n")), examined(finding("n"), facts=(marked(),))):
        assert len(report(examiner, one, before).findings) == 1


def test_what_a_comment_of_the_base_set_aside_is_not_told_as_fixed(examiner: Examiner) -> None:
    made = report(examiner, examined(), examined(finding("n"), facts=(_NOSEC,)))
    assert made.comparison is not None
    assert made.comparison.fixed == ()


def test_a_comment_with_its_reason_is_told_by_the_change_that_adds_it_alone(
    examiner: Examiner,
) -> None:
    told = examined(replace(finding("s"), rule_id=INLINE_SUPPRESSION), facts=(_NOSEC,))
    bare = marked(Marker(3, MarkerKind.SUPPRESSION, "# nosec", "bandit"))
    silent = replace(
        told, gathered=replace(told.gathered, facts=examined(facts=(bare,)).gathered.facts)
    )
    assert len(report(examiner, told, examined()).findings) == 1
    assert report(examiner, told, told).findings == report(examiner, told).findings == ()
    assert len(report(examiner, silent).findings) == 1


def test_a_gap_in_the_base_leaves_open_what_is_new(examiner: Examiner) -> None:
    made = report(examiner, examined(), examined(unrun=(Unrun("c", "no engine"),)))
    assert made.comparison is not None
    assert (made.verdict.gate, made.comparison.verdict.gate) == (Gate.PASSED, Gate.INCOMPLETE)


def test_a_gap_in_the_head_makes_both_verdicts_incomplete(examiner: Examiner) -> None:
    made = report(examiner, examined(unrun=(Unrun("c", "no engine"),)), examined())
    assert made.comparison is not None
    assert {made.verdict.gate, made.comparison.verdict.gate} == {Gate.INCOMPLETE}


@pytest.mark.parametrize(
    ("committed", "drifted"),
    [("2026-05-19T00:00:00Z", 1), ("2026-05-20T00:00:00+00:00", 0), ("2026-05-21", 0), ("", 0)],
)
def test_an_advisory_published_after_the_base_has_drifted(
    examiner: Examiner, committed: str, drifted: int
) -> None:
    known, plain = finding("v", kind=Kind.DEPENDENCY, advisory=ADVISORY), finding("p")
    new = finding("n", kind=Kind.DEPENDENCY, advisory=ADVISORY)
    made = assembly(examiner, examined(known, plain, new), examined(known, plain))
    compared = replace(made, base_date=committed).report(stamp(STARTED)).comparison
    assert compared is not None
    assert compared.drifted == (known.id,) * drifted


def test_equal_input_has_an_equal_id(examiner: Examiner) -> None:
    first, again = (report(examiner, examined(finding("i"))) for _ in range(2))
    assert first.id == again.id
    assert first.id.startswith("rs_")
    assert first.created_at == "2026-05-31T12:00:00.000Z"


def test_bytes_path_base_policy_and_aspects_change_the_id(examiner: Examiner) -> None:
    head = examined()
    bytes_ = replace(head, tree=Tree((file(digest="d2"),)))
    path = replace(head, tree=Tree((file("b.py"),)))
    ids = {
        report(examiner, head).id,
        report(examiner, bytes_).id,
        report(examiner, path).id,
        report(examiner, head, examined()).id,
        report(policy(examiner, "severity-threshold: high"), head).id,
        report(replace(examiner, aspects=frozenset({Aspect.CODE})), head).id,
    }
    assert len(ids) == 6


@pytest.fixture
def repairable(tmp_path: Path) -> Examined:
    """One finding whose repair passes every gate, in a file of two lines."""
    (tmp_path / "a.py").write_text("a = eval(b)\nc = 1\n")
    source = SourceFile(
        path="a.py", location=tmp_path / "a.py", size=18, digest="d", language="python"
    )
    edit = Edit("a.py", 1, 1, "a = int(b)")
    found = finding("i", place=Place("a.py", 1, 1), repair=edit)
    return replace(examined(found), tree=Tree((source,)))


def test_a_repair_that_holds_is_a_fix_and_its_finding_knows_it(
    examiner: Examiner, repairable: Examined
) -> None:
    made = report(examiner, repairable)
    assert [fix.finding_ids for fix in made.fixes] == [(made.issues[0].id,)]
    assert made.issues[0].fix_id == made.fixes[0].id


def test_a_repair_beside_a_secret_is_not_shown(examiner: Examiner, repairable: Examined) -> None:
    secret = finding("s", kind=Kind.SECRET, rule_id="key", place=Place("a.py", 1, 1))
    head = replace(repairable, findings=(*repairable.findings, secret))
    assert report(examiner, head).fixes == ()
    elsewhere = replace(secret, place=Place("a.py", 2, 2))
    assert report(examiner, replace(head, findings=(*repairable.findings, elsewhere))).fixes


def test_a_repair_that_holds_a_secret_is_not_shown(
    examiner: Examiner, repairable: Examined
) -> None:
    edit = Edit("a.py", 1, 1, 'password = "hunter2-Kx93mfQz"')
    (found,) = repairable.findings
    head = replace(repairable, findings=(replace(found, repair=edit),))
    assert report(examiner, head).fixes == ()


def test_only_sources_that_prove_are_asked_about_a_fix(
    examiner: Examiner, repairable: Examined
) -> None:
    asked: list[str] = []

    def gather(name: str, tree: Tree, *_: object) -> Gathered:
        asked.append(name)
        return Gathered((len(tree.files),), EngineRun(name=name))

    def source(name: str, *, proves: bool) -> Source:
        gathered = partial(gather, name)
        return Source(name, frozenset(Aspect), (int,), gathered, proves=proves)

    sources = [source("yes", proves=True), source("no", proves=False)]
    report(replace(examiner, sources=sources), repairable)
    assert asked == ["yes"]
