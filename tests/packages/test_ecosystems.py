"""Every ecosystem is whole: what its files hold is ordered, named, looked up and upgraded."""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path, PurePosixPath

import pytest

from mergegate.packages import known_flaw
from mergegate.packages.advisories import DEFAULT_ECOSYSTEMS
from mergegate.packages.advisories.dumps import label_of
from mergegate.packages.dependencies import (
    AdvisoryRecord,
    AdvisorySource,
    AffectedRange,
    Package,
    Vulnerabilities,
)
from mergegate.packages.ecosystems import (
    ECOSYSTEMS,
    Ecosystem,
    LockFormat,
    lock_format,
    manifest_format,
)
from mergegate.packages.match import match
from mergegate.packages.versions import Incomparable
from mergegate.repo.checks.advisories.vulnerable import vulnerable_dependency
from tests.packages.dependency_tree import FIXTURES, fact_of, tree_of, written

ALL = pytest.mark.parametrize("ecosystem", ECOSYSTEMS.values(), ids=lambda one: str(one.name))
LOCKS = [(one, form) for one in ECOSYSTEMS.values() for form in one.locks]
RISING = ("1.0.0", "1.0.1", "1.2.0", "1.10.0", "2.0.0", "10.0.0")


def fixture_of(form: LockFormat) -> Path:
    """A file that the format's reader reads."""
    for path in sorted(FIXTURES.rglob("*")):
        found = lock_format(path.relative_to(FIXTURES).as_posix())
        if found and found[1].read == form.read:
            return path
    pytest.fail(f"tests/fixtures/dependencies has no {form.names[0]}")


class Flawed:
    """An index in which every package has a flaw that version 999.0.0 mends."""

    def sources(self) -> tuple[AdvisorySource, ...]:
        return ()

    def exploitation(self, name: str, cves: Sequence[str]) -> float | None:
        del name, cves
        return None

    def lookup(self, ecosystem: str, name: str) -> Sequence[AdvisoryRecord]:
        del ecosystem, name
        flaw = AffectedRange("ECOSYSTEM", (("introduced", "0"), ("fixed", "999.0.0")))
        return (AdvisoryRecord(id="GHSA-2222-3333-4444", severity="high", ranges=(flaw,)),)


@pytest.mark.parametrize(
    ("ecosystem", "form"), LOCKS, ids=[f"{one.name} {form.names[0]}" for one, form in LOCKS]
)
def test_every_lock_file_is_read_up_to_the_advice(ecosystem: Ecosystem, form: LockFormat) -> None:
    package = first_package(fixture_of(form))
    assert package.ecosystem == ecosystem.name
    matched = match([package], Flawed())
    assert matched.doubts == ()
    (told,) = vulnerable_dependency(Vulnerabilities(matched.matches))
    version = ecosystem.spelled("999.0.0")
    assert f"Upgrade to {version}" in told.message
    if form.upgrade:
        assert package.written in form.upgrade.format(name=package.written, version=version)


@pytest.mark.parametrize(
    ("ecosystem", "form"), LOCKS, ids=[f"{one.name} {form.names[0]}" for one, form in LOCKS]
)
def test_every_reader_finds_our_own_package(
    ecosystem: Ecosystem, form: LockFormat, tmp_path: Path
) -> None:
    (tmp_path / form.names[0]).write_text(form.known)
    (found,) = fact_of(tree_of(tmp_path)).packages
    assert (found.ecosystem, found.name) == (ecosystem.name, form.known_name)
    assert ecosystem.order(found.version) == ecosystem.order(known_flaw.AFFECTED)


def first_package(path: Path) -> Package:
    packages = fact_of(tree_of(path.parent)).packages
    return next(one for one in packages if one.file == path.name)


@ALL
def test_versions_are_ordered_and_what_is_none_is_refused(ecosystem: Ecosystem) -> None:
    keys = [ecosystem.order(version) for version in RISING]
    assert all(low < high for low, high in pairwise(keys))
    assert ecosystem.order(ecosystem.spelled("1.2.0")) == ecosystem.order("1.2.0")
    for nonsense in ("", "latest", "1.0.0 || 2.0.0", "9" * 300):
        with pytest.raises(Incomparable):
            ecosystem.order(nonsense)


@ALL
def test_a_new_major_version_is_no_small_upgrade(ecosystem: Ecosystem) -> None:
    assert ecosystem.line("1.0.1") == ecosystem.line("1.0.2") != ecosystem.line("2.0.0")


@ALL
def test_advisories_are_downloaded_and_recognised(ecosystem: Ecosystem) -> None:
    assert ecosystem.name in DEFAULT_ECOSYSTEMS
    assert label_of(PurePosixPath(ecosystem.name, "all.zip")) == ecosystem.name


@ALL
def test_names_have_one_spelling(ecosystem: Ecosystem) -> None:
    name = ecosystem.key("Some_Name.of-it")
    assert ecosystem.key(name) == name


@ALL
def test_reports_can_name_it(ecosystem: Ecosystem) -> None:
    assert ecosystem.purl_type.isalnum()
    assert ecosystem.manager


def test_no_two_formats_share_a_name() -> None:
    names = [name for _, form in LOCKS for name in form.names]
    names += [n for one in ECOSYSTEMS.values() for form in one.manifests for n in form.names]
    assert len(set(names)) == len(names)
    for name in names:
        assert bool(lock_format(name)) != bool(manifest_format(name))


GO_MOD = "module example.org/a\n\ngo 1.22\n\nrequire example.org/b v1.0.0\n"


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ({"go__mod": GO_MOD}, [("go.mod", False, False)]),
        ({"go__mod": GO_MOD, "go__sum": ""}, [("go.mod", True, False)]),
        ({"requirements_DASH_dev__txt": "a\n"}, [("requirements.txt", False, True)]),
        (
            {"requirements__in": "a\n", "requirements__txt": "a==1.0\n"},
            [("requirements.in", True, False), ("requirements.txt", True, False)],
        ),
    ],
)
def test_a_manifest_knows_what_fixes_it(
    tmp_path: Path, texts: dict[str, str], expected: list[tuple[str, bool, bool]]
) -> None:
    manifests = fact_of(written(tmp_path, **texts)).manifests
    assert [(one.kind, one.has_lock, one.dev) for one in manifests] == expected


def test_versions_are_spelled_as_the_tools_want_them() -> None:
    assert ECOSYSTEMS["crates.io"].spelled("1.0.0-0") == "1.0.0"
    assert ECOSYSTEMS["Go"].spelled("1.2.3") == ECOSYSTEMS["Go"].spelled("v1.2.3") == "v1.2.3"
