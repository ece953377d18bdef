"""Cut a version: in the package, its rules' history and the changelog; see that all agree on it."""

import re
import subprocess
from pathlib import Path

from release.settings import NotReleased

_VERSION = re.compile(r"(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:rc(?:0|[1-9]\d*))?")
"""What PyPI, Git's tags and GitLab's catalogue read alike."""
_STATED = re.compile(r'^__version__ = "([^"]+)"$', re.MULTILINE)
_UNRELEASED = "## [Unreleased]"
_NEXT = re.compile(r'\b((?:since|changed) = )"next"')


def stated(root: Path) -> str:
    """The version that the package gives itself."""
    [version] = _STATED.findall(_package(root).read_text(encoding="utf-8"))
    return str(version)


def cut(root: Path, version: str, day: str) -> bool:
    """Give package and changelog the ``version`` of ``day``; False where both have it already.

    Raises NotReleased for what is no version, and where there is nothing to tell of it.
    """
    if not _VERSION.fullmatch(version):
        raise NotReleased(f"{version!r} is no version: it takes X.Y.Z, or X.Y.ZrcN")
    changelog = root / "CHANGELOG.md"
    text = changelog.read_text(encoding="utf-8")
    if stated(root) == version and f"## [{version}]" in text:
        return False
    before, found, after = text.partition(f"{_UNRELEASED}\n")
    if f"## [{version}]" in text:
        raise NotReleased(f"CHANGELOG.md has {version} already, and the package has not")
    if not found or not after.partition("\n## [")[0].strip():
        raise NotReleased(f"CHANGELOG.md tells of nothing below {_UNRELEASED}")
    changelog.write_text(f"{before}{found}\n## [{version}] - {day}\n{after}", encoding="utf-8")
    package = _package(root)
    named = _STATED.sub(f'__version__ = "{version}"', package.read_text(encoding="utf-8"))
    package.write_text(named, encoding="utf-8")
    history = root / "src" / "mergegate" / "repo" / "rules" / "history.toml"
    rules = history.read_text(encoding="utf-8")
    history.write_text(_NEXT.sub(f'\\1"{version}"', rules), encoding="utf-8")
    return True


def agreed(root: Path, tag: str, main: str = "origin/main") -> str:
    """The version that ``tag`` and all else in ``root`` mean; ``main`` holds its commit.

    Raises NotReleased where one of them says something else.
    """
    version = stated(root)
    if tag != f"release/v{version}" or not _VERSION.fullmatch(version):
        raise NotReleased(f"the tag is {tag}, and the package says {version}")
    notes(root, version)
    command = ("git", "merge-base", "--is-ancestor", "HEAD", main)
    if subprocess.run(command, cwd=root, check=False).returncode:
        raise NotReleased(f"{main} does not hold this commit: merge it first")
    return version


def notes(root: Path, version: str) -> str:
    """What the changelog says of ``version``; raises NotReleased where it says nothing."""
    text = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    section = text.partition(f"\n## [{version}]")[2].partition("\n## [")[0].partition("\n")[2]
    if not section.strip():
        raise NotReleased(f"CHANGELOG.md has no section ## [{version}]")
    return section.strip() + "\n"


def _package(root: Path) -> Path:
    return root / "src" / "mergegate" / "__init__.py"
