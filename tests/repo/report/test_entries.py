"""Lines of a list: one a finding, one a package version however many advisories it has."""

from dataclasses import replace

from mergegate.core.finding import Finding, Place
from mergegate.core.severity import Severity
from mergegate.repo.report.entries import entries
from tests.repo.report import changes
from tests.repo.report.shop import AWS, SQL


def advisory(number: int, **more: object) -> Finding:
    found = changes.advisory(number, is_new=True)
    assert found.advisory is not None
    return replace(found, advisory=replace(found.advisory, **more))  # type: ignore[arg-type]


def test_other_findings_have_a_line_each_worst_first() -> None:
    low = replace(SQL, severity=Severity.LOW)
    assert [entry.findings for entry in entries([low, low, AWS])] == [(AWS,), (low,), (low,)]


def test_one_advisory_keeps_its_own_title() -> None:
    (entry,) = entries([advisory(1)])
    assert entry.title == "golang.org/x/net 0.1.0: flaw number 1"


def test_versions_of_a_package_stay_apart() -> None:
    assert len(entries([advisory(1), advisory(2, installed_version="0.2.0")])) == 2


def test_package_without_one_answer_to_all_tells_how_many_have_a_fix() -> None:
    none = advisory(2, upgrade="", fixed_versions=())
    (entry,) = entries([advisory(1, upgrade=""), none])
    assert entry.title.endswith("2 advisories, worst medium, 1 with a fix")


def test_package_without_any_fix_says_so() -> None:
    (entry,) = entries([advisory(n, upgrade="", fixed_versions=()) for n in (1, 2)])
    assert entry.title.endswith("no fix published")


def test_package_in_several_files_is_placed_at_the_worst() -> None:
    elsewhere = replace(advisory(1), place=Place("tools/go.mod", 9, 9))
    (entry,) = entries([elsewhere, advisory(3)])
    assert entry.place == "go.mod:5 and 1 other file"
    assert entry.severity is Severity.HIGH
