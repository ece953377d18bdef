"""A rehearsed release really builds, and what it makes really works where it is pasted."""

import json
import re
import subprocess
import sys
import tarfile
import tomllib
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from release.image import Instead
from release.recipes import Release
from release.settings import NOBODY, NotReleased, settings

from mergegate import __version__
from release import package, recipes, rehearsal, seal, version
from tests.recipes.documents import RECIPES, ROOT
from tests.sandbox.git.test_repository import git

WANTED = "987.6.5"
NAMED = str(tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["name"])
FILE = NAMED.replace("-", "_")


@pytest.mark.slow
@pytest.mark.thorough
def test_a_rehearsal_builds_and_tries_all_that_users_paste(tmp_path: Path) -> None:
    """Of the last commit, in a clone of its own; the images take minutes and are left out."""
    out = tmp_path / "released"
    command = [sys.executable, "-m", "release", "rehearse", WANTED, "--out", str(out)]
    done = subprocess.run(
        [*command, "--images", "no", "--quick", "yes"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    for tried in ("action", "hook"):
        assert f"{tried}: stops a weak change, as released" in done.stdout, done.stdout
    assert "component: " in done.stdout

    made = {one.name for one in out.iterdir() if one.is_file()}
    assert made == {
        *(f"{FILE}-{WANTED}-py3-none-any.whl", f"{FILE}-{WANTED}.tar.gz"),
        *(f"mergegate-{WANTED}.cdx.json", "recipes.tar.gz", "notes.md"),
        *("provenance.intoto.json", "SHA256SUMS"),
    }
    with tarfile.open(out / "recipes.tar.gz") as archive:
        packed = {*archive.getnames(), "recipes/README.md"}
        assert packed == {f"recipes/{one.name}" for one in RECIPES.iterdir()}
    sealed = json.loads((out / "provenance.intoto.json").read_text())
    assert made - {"provenance.intoto.json", "SHA256SUMS"} == {
        one["name"] for one in sealed["subject"]
    }
    assert "node_modules" not in git(ROOT, "status", "--porcelain"), "the work tree is as it was"
    assert version.stated(ROOT) == __version__


def test_no_word_is_left_to_fill_in_and_each_image_has_its_digest() -> None:
    release = Release(settings(rehearsed=True), "1.2.3", "c" * 40, "a" * 64, "b" * 64)
    texts = recipes.recipes(ROOT, release)
    for name, text in texts.items():
        assert recipes.filled(text, dict.fromkeys(release.words, "")) == text, name
    assert f"{NOBODY}/mergegate@sha256:{'b' * 64}" in texts["github-site.yml"]
    assert f"{NOBODY}/mergegate@sha256:{'a' * 64}" in texts["gitlab-image.yml"]


def test_the_archive_of_recipes_is_the_same_bytes_again() -> None:
    assert recipes.packed({"a": "1", "b": "2"}, 7) == recipes.packed({"a": "1", "b": "2"}, 7)


def statement(folder: Path, release: Release) -> Any:
    folder.joinpath("one.whl").write_bytes(b"wheel")
    seal.seal(folder, ROOT, release, "d" * 40)
    return json.loads(folder.joinpath("provenance.intoto.json").read_text())


def test_what_a_release_was_made_of_is_named_as_the_specification_has_it(tmp_path: Path) -> None:
    """A URI is absolute; a file of the source has a name and a digest."""
    release = Release(settings(rehearsed=True), "1.2.3", "c" * 40, "a" * 64, "b" * 64)
    said = statement(tmp_path, release)
    [source, *files] = said["predicate"]["buildDefinition"]["resolvedDependencies"]
    assert (source["uri"][:12], source["digest"]) == ("git+https://", {"gitCommit": "d" * 40})
    assert {"Dockerfile", "requirements.txt"} < {one["name"] for one in files}
    assert all("uri" not in one and len(one["digest"]["sha256"]) == 64 for one in files)
    digests = {one["digest"]["sha256"] for one in said["subject"]}
    assert digests == {sha256(b"wheel").hexdigest(), "a" * 64, "b" * 64}


def test_of_an_image_that_was_not_built_nothing_is_stated(tmp_path: Path) -> None:
    none = recipes.UNBUILT
    release = Release(settings(rehearsed=True), "1.2.3", "c" * 40, none, none)
    assert [one["name"] for one in statement(tmp_path, release)["subject"]] == ["one.whl"]


def test_the_bill_of_materials_is_valid_and_lists_no_thing_as_a_part_of_itself() -> None:
    command = [sys.executable, "-I", str(ROOT / "container" / "sbom.py"), "package"]
    bill = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(bill) is None
    said = json.loads(bill)
    assert said["metadata"]["component"]["name"] == "mergegate"
    named = [one["purl"].partition("@")[0] for one in said["components"] if "group" not in one]
    assert "pkg:pypi/semgrep" in named
    assert f"pkg:pypi/{NAMED}" not in named


@pytest.mark.slow
@pytest.mark.thorough
def test_a_package_of_another_name_has_its_bill_too(tmp_path: Path) -> None:
    """Where an index has given the name to somebody else, two lines change, and not one alone."""
    source, environment = tmp_path / "source", tmp_path / "environment"
    git(ROOT, "clone", "--quiet", str(ROOT), str(source))
    project = source / "pyproject.toml"
    text = project.read_text()
    assert text.count(f'\nname = "{NAMED}"\n') == 1
    project.write_text(text := text.replace(f'\nname = "{NAMED}"\n', '\nname = "other-name"\n'))
    package.lend(ROOT, source)
    with pytest.raises(NotReleased, match=re.escape(f"needs {NAMED}[site]")):
        package.package(source, tmp_path / "halfway")
    project.write_text(text.replace(f'"{NAMED}[site]"', '"other-name[site]"'))
    wheel = package.package(source, tmp_path)
    assert wheel.name == f"other_name-{__version__}-py3-none-any.whl"
    assert package.install(wheel, source, environment) == __version__
    said = json.loads(package.bill(source, environment))
    assert said["metadata"]["component"]["version"] == __version__
    assert "pkg:pypi/other-name" not in {
        one["purl"].partition("@")[0] for one in said["components"]
    }


def test_an_image_is_rehearsed_from_what_can_be_had(tmp_path: Path) -> None:
    assert Instead().arguments(tmp_path) == {}
    assert not Instead().said
    advisories = tmp_path / "osv"
    advisories.mkdir()
    (advisories / "PyPI.zip").write_bytes(b"")
    other = Instead("localhost/python:3.13", advisories)
    given = other.arguments(tmp_path)
    for name, value in given.items():
        assert f"ARG {name}=" in (ROOT / "Dockerfile").read_text(), name
        assert value in {"localhost/python:3.13", "advisories"}
    assert (tmp_path / "advisories" / "PyPI.zip").is_file()
    assert "!advisories" in (ROOT / ".dockerignore").read_text().split()
    assert other.said == f"localhost/python:3.13, {advisories}"


def tree(tmp_path: Path, changelog: str) -> Path:
    package = tmp_path / "src" / "mergegate"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text('"""Ours."""\n\n__version__ = "0.1.0"\n')
    (package / "repo" / "rules").mkdir(parents=True)
    (package / "repo" / "rules" / "history.toml").write_text(
        'a = { since = "0.1.0", changed = "next", meaning = "next" }\n'
        'b = { since = "next", meaning = "1" }\n'
    )
    (tmp_path / "CHANGELOG.md").write_text(changelog)
    return tmp_path


def test_a_cut_leaves_an_empty_section_above_what_it_releases(tmp_path: Path) -> None:
    root = tree(tmp_path, "# Changelog\n\n## [Unreleased]\n\n- news\n\n## [0.1.0] - 2026-01-01\n")
    assert version.cut(root, "0.2.0", "2027-01-02")
    assert (root / "CHANGELOG.md").read_text() == (
        "# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2027-01-02\n\n- news\n"
        "\n## [0.1.0] - 2026-01-01\n"
    )
    assert version.stated(root) == "0.2.0"
    assert (root / "src" / "mergegate" / "repo" / "rules" / "history.toml").read_text() == (
        'a = { since = "0.1.0", changed = "0.2.0", meaning = "next" }\n'
        'b = { since = "0.2.0", meaning = "1" }\n'
    )
    assert version.notes(root, "0.2.0") == "- news\n"
    assert not version.cut(root, "0.2.0", "2027-01-03"), "what is cut stays as it is"


@pytest.mark.parametrize(
    ("wanted", "changelog"),
    [
        ("", "## [Unreleased]\n- news\n"),
        ("v1.0.0", "## [Unreleased]\n- news\n"),
        ("1.0", "## [Unreleased]\n- news\n"),
        ("1.0.0; id", "## [Unreleased]\n- news\n"),
        ("1.0.0\n", "## [Unreleased]\n- news\n"),
        ("1.0.0", "## [Unreleased]\n\n## [0.1.0]\n- old\n"),
        ("1.0.0", "## [Unreleased]\n- news\n\n## [1.0.0]\n- old\n"),
    ],
)
def test_what_cannot_be_cut_is_left_alone(tmp_path: Path, wanted: str, changelog: str) -> None:
    root = tree(tmp_path, f"# Changelog\n\n{changelog}")
    with pytest.raises(NotReleased):
        version.cut(root, wanted, "2027-01-02")
    assert (root / "CHANGELOG.md").read_text() == f"# Changelog\n\n{changelog}"
    assert version.stated(root) == "0.1.0"


def test_make_rehearses_unless_it_is_told_otherwise() -> None:
    said = subprocess.run(
        ["make", "-n", "release", "VERSION=1.2.3"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert './run release "1.2.3" --dry-run "yes" --images "yes"' in said


def test_a_rehearsal_that_stopped_halfway_is_not_in_the_way_of_the_next(tmp_path: Path) -> None:
    out = tmp_path / "released"
    for _ in range(2):
        with pytest.raises(NotReleased, match="is no version"):
            rehearsal.rehearse("v1", out, "2027-01-02", images=None, quick=True)
        assert not out.exists()


def test_nothing_of_another_folder_is_removed(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("kept")
    command = [sys.executable, "-m", "release", "rehearse", WANTED, "--out", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, (tmp_path / "mine").read_text()) == (1, "kept")
