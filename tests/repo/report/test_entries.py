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


def test_other_findings_have_a_row_each_worst_first() -> None:
    high = replace(SQL, severity=Severity.HIGH)
    assert [entry.findings for entry in entries([high, high, AWS])] == [(AWS,), (high,), (high,)]


def test_a_habit_is_one_row_with_its_places() -> None:
    low = [replace(SQL, severity=Severity.LOW, place=Place("a.py", n, n)) for n in (3, 1, 2)]
    (entry,) = entries([*low, low[0]])
    assert entry.title == f"{SQL.title}, 4 times"
    assert [place.start_line for place in entry.places] == [1, 2, 3]
    assert entry.place == "a.py:1 and 2 other places"


def test_a_habit_is_one_of_one_rule_and_severity() -> None:
    low = replace(SQL, severity=Severity.LOW)
    others = (replace(low, rule_id="another"), replace(low, severity=Severity.INFO))
    assert len(entries([low, low, *others])) == 3


def test_places_of_a_habit_with_titles_of_their_own_have_the_rule_s() -> None:
    low = [
        replace(
            SQL, rule_id="missing-lock-file", severity=Severity.LOW, title=f"No lock for {name}"
        )
        for name in "ab"
    ]
    assert entries(low)[0].title == "No lock file, 2 times"


def test_a_secret_is_one_row_wherever_it_stands() -> None:
    there = replace(AWS, place=Place("z.py", 7, 7), group_key="one")
    copies = [there, replace(there, place=Place("deploy/a.py", 2, 2))]
    other = replace(there, group_key="another")
    told = entries([*copies, other])
    assert sorted(len(entry.findings) for entry in told) == [1, 2]
    (entry,) = entries(copies)
    assert (entry.title, entry.place) == (
        f"{AWS.title}, 2 times",
        "deploy/a.py:2 and 1 other place",
    )


def test_row_says_how_many_of_it_block() -> None:
    (entry,) = entries([replace(advisory(n), id=str(n)) for n in (1, 2, 3)])
    assert entry.blocking({"1", "2", "3"}) == "blocks"
    assert entry.blocking({"2"}) == "1 of 3 block"
    assert entry.blocking(()) == ""


def test_step_is_the_upgrade_that_answers_all() -> None:
    (entry,) = entries([advisory(1), advisory(2)])
    assert entry.step == "Upgrade golang.org/x/net 0.1.0 to v0.38.0"
    (open_one,) = entries([advisory(1, upgrade=""), advisory(2, upgrade="")])
    assert open_one.step == open_one.title


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
