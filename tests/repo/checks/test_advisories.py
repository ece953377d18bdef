"""What matches and open manifests weigh, and what is advised."""

from dataclasses import replace
from typing import Any

import pytest

from mergegate.core.finding import Edit, Finding
from mergegate.core.severity import Category, Confidence, Kind, Severity
from mergegate.core.tree import Role
from mergegate.packages.dependencies import (
    Dependencies,
    Manifest,
    Package,
    Pin,
    Unresolved,
    Vulnerabilities,
    VulnerablePackage,
    Why,
)
from mergegate.repo.checks.advisories.lock_files import missing_lock_file, unversioned_dependency
from mergegate.repo.checks.advisories.vulnerable import (
    command,
    exploited_dependency,
    malicious_dependency,
    severity_of,
    vulnerable_dependency,
)

PACKAGE = Package(
    ecosystem="npm",
    name="qs",
    written="qs",
    version="6.7.0",
    file="package-lock.json",
    line=27,
    direct=True,
    path=("qs",),
)
MATCH = VulnerablePackage(
    package=PACKAGE,
    id="GHSA-aaaa-bbbb-cccc",
    aliases=("CVE-2099-1",),
    summary="A query string poisons the prototype",
    severity="high",
    cvss=7.5,
    cwe=("CWE-1321",),
    references=("https://advisories.example.org/1",),
    fixed=("6.7.3", "7.0.0"),
    upgrade="6.7.3",
    same_major=True,
)


def of(match: VulnerablePackage, **package: Any) -> VulnerablePackage:
    return replace(match, package=replace(match.package, **package))


def flaw(*matches: VulnerablePackage) -> Finding:
    (found,) = vulnerable_dependency(Vulnerabilities(matches))
    return found


def test_a_match_is_a_finding_with_all_that_a_reader_needs() -> None:
    found = flaw(MATCH)
    assert found.title == "qs 6.7.0: A query string poisons the prototype"
    assert found.message == (
        "qs 6.7.0 has a known vulnerability (CVE-2099-1, CVSS 7.5). "
        "Upgrade to 6.7.3: run `npm install qs@6.7.3`."
    )
    assert (found.severity, found.category, found.kind) == (
        Severity.HIGH,
        Category.DEPENDENCY,
        Kind.DEPENDENCY,
    )
    assert (found.place.file, found.place.start_line) == ("package-lock.json", 27)
    assert found.evidence == "npm:qs:CVE-2099-1"


def test_the_advisory_is_filled() -> None:
    advisory = flaw(MATCH).advisory
    assert advisory is not None
    assert advisory.fixed_versions == ("6.7.3", "7.0.0")
    assert (advisory.advisory_id, advisory.aliases) == ("GHSA-aaaa-bbbb-cccc", ("CVE-2099-1",))
    assert (advisory.cvss, advisory.direct, advisory.path) == (7.5, True, ("qs",))


def test_identity_outlives_an_upgrade_that_does_not_help() -> None:
    assert flaw(MATCH).evidence == flaw(of(MATCH, version="6.7.1")).evidence


SEVERITIES = [
    ({"severity": "critical"}, {}, Severity.CRITICAL),
    ({"severity": "critical"}, {"direct": None}, Severity.CRITICAL),
    ({"severity": "critical"}, {"direct": False}, Severity.HIGH),
    ({"severity": "critical"}, {"dev": True}, Severity.HIGH),
    ({"severity": "critical"}, {"direct": False, "dev": True}, Severity.MEDIUM),
    ({"severity": "medium"}, {"direct": False, "dev": True}, Severity.LOW),
    ({"severity": "low"}, {"direct": False, "dev": True}, Severity.LOW),
    ({"severity": ""}, {}, Severity.MEDIUM),
    ({"severity": "critical"}, {"role": Role.TEST}, Severity.INFO),
    ({"severity": "critical"}, {"role": Role.EXAMPLE}, Severity.INFO),
    ({"severity": "critical"}, {"role": Role.DOCS}, Severity.INFO),
    ({"severity": "critical"}, {"role": Role.VENDORED}, Severity.INFO),
    ({"severity": "critical"}, {"role": Role.GENERATED}, Severity.CRITICAL),
    ({"severity": "medium", "known_exploited": True}, {"direct": False}, Severity.HIGH),
    ({"severity": "critical", "known_exploited": True}, {"direct": False}, Severity.CRITICAL),
    ({"severity": "critical", "known_exploited": True}, {"dev": True}, Severity.HIGH),
    ({"severity": "critical", "imprecise": True}, {}, Severity.LOW),
    ({"severity": "", "informational": "unmaintained"}, {}, Severity.INFO),
    ({"severity": "", "informational": "unsound"}, {}, Severity.LOW),
    ({"severity": "", "informational": "notice"}, {}, Severity.INFO),
]


@pytest.mark.parametrize(("match", "package", "expected"), SEVERITIES)
def test_severity_follows_the_written_rules(
    match: dict[str, Any], package: dict[str, Any], expected: Severity
) -> None:
    changed = replace(MATCH, **match)
    assert severity_of(of(changed, **package)) is expected


COMMANDS = [
    ({"file": "yarn.lock"}, "run `yarn add qs@6.7.3`"),
    ({"file": "a/pnpm-lock.yaml"}, "run `pnpm add qs@6.7.3`"),
    ({"file": "uv.lock"}, "run `uv lock --upgrade-package qs==6.7.3`"),
    ({"file": "poetry.lock"}, "run `poetry update qs`"),
    ({"file": "Cargo.lock"}, "run `cargo update -p qs --precise 6.7.3`"),
    ({"file": "go.mod"}, "run `go get qs@6.7.3` and `go mod tidy`"),
    ({"file": "requirements/base.txt"}, "write `qs==6.7.3`"),
    ({"file": "pylock.toml"}, "Upgrade to 6.7.3."),
    ({"direct": False}, "run `npm update qs`"),
    ({"file": "yarn.lock", "direct": False}, "under `resolutions`"),
    ({"file": "pom.xml", "written": "g:qs"}, "set the version of `g:qs` to `6.7.3`"),
    ({"file": "Gemfile.lock"}, "run `bundle update --conservative qs`"),
    ({"file": "composer.lock"}, "run `composer update qs --with-all-dependencies`"),
    ({"written": "qs`; curl example.org"}, "Upgrade to 6.7.3."),
]


@pytest.mark.parametrize(("package", "expected"), COMMANDS)
def test_the_message_says_what_to_run(package: dict[str, Any], expected: str) -> None:
    assert expected in flaw(of(MATCH, **package)).message


def test_a_larger_step_is_said_to_be_one() -> None:
    assert "new major version" in flaw(replace(MATCH, upgrade="7.0.0", same_major=False)).message


def test_without_a_fix_nothing_is_promised() -> None:
    assert "No fixed version" in flaw(replace(MATCH, fixed=(), upgrade="")).message


def test_a_fix_that_leaves_others_open_is_called_that() -> None:
    assert "other advisories remain open" in flaw(replace(MATCH, upgrade="")).message


def test_an_upgrade_names_the_advisories_that_it_leaves_open() -> None:
    left = ("CVE-2099-2", "CVE-2099-3", "CVE-2099-4", "CVE-2099-5")
    told = flaw(replace(MATCH, left_open=left)).message
    assert told.endswith("CVE-2099-2, CVE-2099-3, CVE-2099-4 and 1 more: no version repairs them.")


def test_an_upgrade_that_leaves_this_advisory_open_is_not_advised_for_it() -> None:
    found = flaw(of(replace(MATCH, fixed=(), left_open=("CVE-2099-1",)), pin=PIN))
    assert "No version repairs CVE-2099-1" in found.message
    assert "Upgrade to" not in found.message
    assert found.repair is None


def test_what_development_alone_needs_is_called_that() -> None:
    assert "CVSS 7.5). Only development needs it." in flaw(of(MATCH, dev=True)).message
    assert "development" not in flaw(MATCH).message


def test_the_way_in_is_told() -> None:
    assert "reached through express → qs" in flaw(of(MATCH, path=("express", "qs"))).message


PIN = Pin("package.json", 6, '    "qs": "6.7.0",')


def test_an_exact_pin_gets_an_edit() -> None:
    assert flaw(of(MATCH, pin=PIN)).repair == Edit("package.json", 6, 6, '    "qs": "6.7.3",')


RANGE = Pin("package.json", 6, '    "qs": "^6.5.0",', floor="6.5.0", range="^6.5.0")


def test_a_range_gets_a_higher_floor_and_is_tried_at_that_version() -> None:
    found = flaw(of(MATCH, pin=RANGE))
    assert found.repair == Edit("package.json", 6, 6, '    "qs": "^6.7.3",')
    assert found.trial == Edit("package.json", 6, 6, '    "qs": "6.7.3",')


def test_a_new_major_version_is_called_that() -> None:
    found = flaw(of(replace(MATCH, same_major=False, upgrade="7.0.0"), pin=PIN))
    assert found.repair == Edit("package.json", 6, 6, '    "qs": "7.0.0",')
    assert "a new major version" in found.message


@pytest.mark.parametrize(
    "match",
    [
        MATCH,
        of(MATCH, pin=replace(RANGE, text='"qs": "^6.9.0"', floor="6.9.0", range="^6.9.0")),
        of(replace(MATCH, upgrade=""), pin=PIN),
        of(MATCH, pin=replace(PIN, text='"qs": "6.7.0" # 6.7.0')),
        of(replace(MATCH, upgrade='1"; evil'), pin=PIN),
    ],
    ids=["no pin", "above it", "no fix", "twice", "odd version"],
)
def test_otherwise_there_is_no_edit(match: VulnerablePackage) -> None:
    assert flaw(match).repair is None


def test_lock_files_side_by_side_say_it_once() -> None:
    found = flaw(of(MATCH, file="package-lock.json"), of(MATCH, file="yarn.lock"))
    assert found.place.file == "package-lock.json"
    assert "(also in yarn.lock)" in found.message


def test_lock_files_of_two_projects_say_it_twice() -> None:
    matches = (of(MATCH, file="a/yarn.lock"), of(MATCH, file="b/yarn.lock"))
    assert len(list(vulnerable_dependency(Vulnerabilities(matches)))) == 2


@pytest.mark.parametrize(
    ("match", "expected"),
    [
        (MATCH, Confidence.HIGH),
        (of(MATCH, ecosystem="Go", direct=True), Confidence.HIGH),
        (of(MATCH, ecosystem="Go", direct=False), Confidence.MEDIUM),
        (replace(MATCH, imprecise=True), Confidence.LOW),
    ],
)
def test_confidence_falls_where_the_package_may_not_be_built_in(
    match: VulnerablePackage, expected: Confidence
) -> None:
    assert flaw(match).confidence is expected


def test_a_malicious_package_is_a_critical_risk_and_no_vulnerability() -> None:
    facts = Vulnerabilities((of(replace(MATCH, malicious=True), dev=True),))
    (found,) = malicious_dependency(facts)
    assert (found.severity, found.kind) == (Severity.CRITICAL, Kind.RISK)
    assert list(vulnerable_dependency(facts)) == []


def test_a_release_that_is_free_of_the_malice_is_named() -> None:
    (found,) = malicious_dependency(Vulnerabilities((replace(MATCH, malicious=True),)))
    assert "Remove it" in found.message
    assert found.message.endswith("Version 6.7.3 is not affected.")


def test_a_malicious_package_of_a_test_fixture_does_not_fail_the_gate() -> None:
    facts = Vulnerabilities((of(replace(MATCH, malicious=True), role=Role.TEST),))
    assert [found.severity for found in malicious_dependency(facts)] == [Severity.LOW]


def test_an_exploited_flaw_is_a_risk_as_well() -> None:
    facts = Vulnerabilities((replace(MATCH, known_exploited=True), of(MATCH, name="other")))
    assert [(f.severity, f.kind, f.advisory) for f in exploited_dependency(facts)] == [
        (Severity.HIGH, Kind.RISK, None)
    ]


def manifest(file: str = "package.json", **more: Any) -> Manifest:
    fields: dict[str, Any] = {
        "kind": file,
        "ecosystem": "npm",
        "has_lock": False,
        "floating": 3,
        **more,
    }
    return Manifest(file=file, **fields)


LOCKS = [
    (manifest(), [Severity.LOW]),
    (manifest(library=True), [Severity.INFO]),
    (manifest(dev=True), [Severity.INFO]),
    (manifest(has_lock=True), []),
    (manifest(floating=0), []),
    (manifest(role=Role.TEST), []),
    (manifest(role=Role.EXAMPLE), []),
    (manifest(role=Role.VENDORED), []),
    (manifest("go.mod", ecosystem="Go"), [Severity.LOW]),
]


@pytest.mark.parametrize(("given", "expected"), LOCKS)
def test_an_open_manifest_without_a_lock_is_a_risk(
    given: Manifest, expected: list[Severity]
) -> None:
    found = list(missing_lock_file(Dependencies(manifests=(given,))))
    assert [one.severity for one in found] == expected
    assert {one.category for one in found} <= {Category.DEPENDENCY}


@pytest.mark.parametrize(
    ("publishes", "path", "severity"),
    [
        (True, "create/template-react/package.json", Severity.INFO),
        (True, "create/templates/basic/package.json", Severity.INFO),
        (True, "create/react/package.json", Severity.LOW),
        (True, "other/template-react/package.json", Severity.LOW),
        (False, "create/template-react/package.json", Severity.LOW),
    ],
)
def test_who_starts_from_a_published_template_locks_it(
    publishes: bool, path: str, severity: Severity
) -> None:
    above = manifest("create/package.json", floating=0, library=publishes)
    (found,) = missing_lock_file(Dependencies(manifests=(above, manifest(path))))
    assert (found.place.file, found.severity) == (path, severity)


def test_manifests_of_one_project_are_one_finding() -> None:
    files = ("setup.cfg", "pyproject.toml")
    manifests = tuple(manifest(file, ecosystem="PyPI") for file in files)
    (found,) = missing_lock_file(Dependencies(manifests=manifests))
    assert found.message.startswith("pyproject.toml, setup.cfg leave the version of 6 requirements")


@pytest.mark.parametrize(
    ("why", "role", "count"),
    [
        (Why.GIT, Role.SOURCE, 1),
        (Why.URL, Role.SOURCE, 1),
        (Why.RANGE, Role.SOURCE, 0),
        (Why.INDEX, Role.SOURCE, 0),
        (Why.GIT, Role.TEST, 0),
    ],
)
def test_what_comes_from_elsewhere_is_mentioned(why: Why, role: Role, count: int) -> None:
    entry = Unresolved("go.mod", 3, "own git+https://git.example.org/own", why, "PyPI", "own", role)
    found = list(unversioned_dependency(Dependencies(unresolved=(entry,))))
    assert [one.severity for one in found] == [Severity.INFO] * count


def test_what_attackers_exploit_is_told_from_the_vulnerability_itself() -> None:
    found = Vulnerabilities((replace(MATCH, known_exploited=True),))
    (exploited,), (vulnerable,) = exploited_dependency(found), vulnerable_dependency(found)
    assert exploited.title == f"qs 6.7.0, exploited by attackers: {MATCH.summary}"
    assert vulnerable.title == f"qs 6.7.0: {MATCH.summary}"


@pytest.mark.parametrize("name", ["qs\n", "--registry", "~root", "../qs", "qs;id", "$(id)", ""])
def test_what_a_shell_or_a_manager_takes_for_something_else_is_in_no_command(name: str) -> None:
    assert command("package-lock.json", name, "1.0.0", is_indirect=False) == ""
    assert command("package-lock.json", "qs", name, is_indirect=False) == ""
    assert "@acme/qs@1.0.0" in command("package-lock.json", "@acme/qs", "1.0.0", is_indirect=False)
