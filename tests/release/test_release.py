"""A rehearsed release really builds, and what it makes really works where it is pasted."""

import json
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
from release.image import Instead
from release.recipes import Release
from release.settings import NOBODY, NotReleased, settings

from mergegate import __version__
from release import recipes, version
from tests.recipes.documents import RECIPES, ROOT
from tests.sandbox.git.test_repository import git

WANTED = "987.6.5"


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
        *(f"mergegate-{WANTED}-py3-none-any.whl", f"mergegate-{WANTED}.tar.gz"),
        *(f"mergegate-{WANTED}.cdx.json", "recipes.tar.gz", "notes.md"),
        *("provenance.intoto.json", "SHA256SUMS"),
    }
    with tarfile.open(out / "recipes.tar.gz") as archive:
        packed = {*archive.getnames(), "recipes/README.md"}
        assert packed == {f"recipes/{one.name}" for one in RECIPES.iterdir()}
    statement = json.loads((out / "provenance.intoto.json").read_text())
    assert made - {"provenance.intoto.json", "SHA256SUMS"} < {
        one["name"] for one in statement["subject"]
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


def test_nothing_of_another_folder_is_removed(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("kept")
    command = [sys.executable, "-m", "release", "rehearse", WANTED, "--out", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, (tmp_path / "mine").read_text()) == (1, "kept")
