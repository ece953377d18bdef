"""Which licences go together, and what is said where they do not."""

from dataclasses import replace

import pytest

from mergegate.core.severity import Category, Kind, Severity
from mergegate.core.tree import Role
from mergegate.packages.dependencies import Dependencies, Manifest, Package
from mergegate.repo.checks.advisories.lock_files import demands, licence_conflict

PACKAGE = Package(
    ecosystem="npm",
    name="chart",
    written="chart",
    version="2.0.0",
    file="web/package-lock.json",
    line=7,
    licence="GPL-3.0-only",
    path=("ui", "chart"),
)
PROJECT = Manifest(
    file="web/package.json", kind="package.json", ecosystem="npm", has_lock=True, licence="MIT"
)


def severities(project: str, package: str, **more: object) -> list[Severity]:
    there = replace(PACKAGE, licence=package, **more)  # type: ignore[arg-type]
    facts = Dependencies((there,), (), (replace(PROJECT, licence=project),))
    return [finding.severity for finding in licence_conflict(facts)]


@pytest.mark.parametrize(
    ("project", "package", "expected"),
    [
        ("MIT", "GPL-3.0-only", [Severity.LOW]),
        ("Apache-2.0", "GPL-2.0+", [Severity.LOW]),
        ("UNLICENSED", "AGPL-3.0-or-later", [Severity.MEDIUM]),
        ("MIT", "SSPL-1.0", [Severity.MEDIUM]),
        ("MIT", "CC-BY-NC-4.0", [Severity.MEDIUM]),
        ("MIT", "MIT AND GPL-2.0-only", [Severity.LOW]),
        ("MIT", "(GPL-2.0-only OR GPL-3.0-only)", [Severity.LOW]),
        ("MIT", "(MIT OR GPL-3.0-or-later)", []),
        ("MIT", "GPL-2.0-only WITH Classpath-exception-2.0", []),
        ("MIT", "LGPL-3.0-only", []),
        ("MIT", "MPL-2.0", []),
        ("MIT", "BSD-3-Clause", []),
        ("MIT", "SEE LICENSE IN LICENSE.md", []),
        ("MIT", "", []),
        ("", "GPL-3.0-only", []),
        ("GPL-3.0-or-later", "GPL-3.0-only", []),
        ("AGPL-3.0-only", "GPL-3.0-only", []),
    ],
)
def test_a_conflict_is_told_where_both_licences_are_known(
    project: str, package: str, expected: list[Severity]
) -> None:
    assert severities(project, package) == expected


def test_what_only_development_needs_is_not_passed_on() -> None:
    assert severities("MIT", "GPL-3.0-only", dev=True) == []
    assert severities("MIT", "GPL-3.0-only", role=Role.EXAMPLE) == []


def test_the_finding_names_both_licences_and_the_way() -> None:
    (found,) = licence_conflict(Dependencies((PACKAGE,), (), (PROJECT,)))
    assert (found.category, found.kind) == (Category.DEPENDENCY, Kind.RISK)
    assert found.title == "chart 2.0.0 is under GPL-3.0-only"
    assert "ui → chart" in found.message
    assert "the project states MIT" in found.message


def test_another_projects_licence_says_nothing() -> None:
    elsewhere = replace(PROJECT, file="package.json")
    assert list(licence_conflict(Dependencies((PACKAGE,), (), (elsewhere,)))) == []


@pytest.mark.parametrize("text", ["(" * 5000, "MIT OR", "MIT " * 5000, "\x00", "😀", "A" * 100_000])
def test_hostile_text_demands_nothing(text: str) -> None:
    assert demands(text, ("GPL-",)) is False
