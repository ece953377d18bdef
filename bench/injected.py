"""Typical mistakes put one by one into projects that others wrote: which are told and which stop.

    python bench/injected.py [ID...] [--projects FOLDER]

Fetches the projects with pip, npm and apt, or takes them from FOLDER, where each lies unpacked
under its name. Prints JSON: for each mistake whether it is told on its line, whether
``mergegate scan --base main --fail-on new`` stops it by default, and what else that scan calls new;
and the same for its mended twin, of which nothing above info may be new.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.mistakes import MISTAKES, Mistake
from tests.projects import archive_of, unpack

PROJECTS = {
    "apollo-server": ("npm", "@apollo/server@5.5.1"),
    "cobra": ("apt", "golang-github-spf13-cobra"),
    "etherpad": ("npm", "ep_etherpad-lite@1.8.14"),
    "gin": ("apt", "golang-github-gin-gonic-gin"),
    "ihatemoney": ("pip", "ihatemoney==7.2.1"),
    "isso": ("pip", "isso==0.13.0"),
    "webhook": ("apt", "webhook"),
    "zookeeper": ("apt", "zookeeper"),
}
"""Where each project comes from; apt gives the version of this machine's Debian."""


@dataclass(frozen=True)
class Outcome:
    """What one change is told."""

    mistake: str
    told: bool
    stops: bool
    exit_code: int
    others: tuple[str, ...]
    """Whatever else is new above info, as rule, file and line."""
    twin: tuple[str, ...]
    """The same of the mended twin."""


def main(ids: list[str], given: Path | None) -> None:
    wanted = [one for one in MISTAKES if not ids or one.id in ids]
    outcomes: list[Outcome] = []
    with tempfile.TemporaryDirectory() as folder:
        room = Path(folder)
        sources = given or fetched({one.project for one in wanted}, room / "projects")
        for name, mistakes in groupby(sorted(wanted, key=_project), _project):
            outcomes += tried(sources / name, list(mistakes), room / name)
    print(json.dumps({"outcomes": [asdict(one) for one in outcomes], **summed(outcomes)}, indent=2))


def _project(mistake: Mistake) -> str:
    return mistake.project


def summed(outcomes: list[Outcome]) -> dict[str, int]:
    return {
        "injected": len(outcomes),
        "told_on_their_line": sum(one.told for one in outcomes),
        "stop_the_change": sum(one.stops for one in outcomes),
        "others_told": sum(len(one.others) for one in outcomes),
        "told_of_twins": sum(len(one.twin) for one in outcomes),
    }


def tried(source: Path, mistakes: list[Mistake], room: Path) -> Iterator[Outcome]:
    """Each mistake and its twin as a change of its own to the project in ``source``."""
    root = room / "tree"
    shutil.copytree(source, root, symlinks=True)
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-Af")
    git(root, "commit", "-qm", "base")
    for mistake in mistakes:
        text, exit_code, wrong = changed(root, room, mistake, mistake.wrong)
        *_, right = changed(root, room, mistake, mistake.right)
        hits = [one for one in wrong if _is(one, mistake, text)]
        print(mistake.id, [one["ruleId"] for one in (*wrong, *right)], file=sys.stderr)
        yield Outcome(
            mistake=mistake.id,
            told=bool(hits),
            stops=bool(hits) and exit_code == 1,
            exit_code=exit_code,
            others=_named(one for one in wrong if one not in hits),
            twin=_named(right),
        )


Findings = list[dict[str, Any]]


def changed(root: Path, room: Path, mistake: Mistake, lines: str) -> tuple[str, int, Findings]:
    """The file with ``lines`` in it, the exit code, and the new findings above info."""
    git(root, "switch", "-qC", "change", "main")
    file = root / mistake.file
    file.parent.mkdir(parents=True, exist_ok=True)
    text = mistake.put(file.read_text("utf-8") if file.exists() else "", lines)
    file.write_text(text, "utf-8")
    git(root, "add", "-Af")
    git(root, "commit", "-qm", mistake.id)
    report = room / "report.json"
    arguments = ("scan", "--base", "main", "--fail-on", "new", "--only", "code,secrets,iac")
    done = subprocess.run(
        [Path(sys.executable).with_name("mergegate"), *arguments, f"--format=json={report}"],
        cwd=root,
        env={"PATH": os.environ["PATH"], "MERGEGATE_DATA_DIR": str(room / "data")},
        capture_output=True,
        check=False,
    )
    if done.returncode not in {0, 1, 3}:
        raise RuntimeError(done.stderr.decode())
    result = json.loads(report.read_bytes())
    told = [*result["issues"], *result["riskFindings"]]
    new = [one for one in told if one["isNew"] and one["severity"] != "info"]
    return text, done.returncode, new


def _is(finding: dict[str, Any], mistake: Mistake, text: str) -> bool:
    told = finding["ruleId"] in mistake.rules and finding["file"] == mistake.file
    return told and finding["startLine"] <= mistake.line(text) <= finding["endLine"]


def _named(findings: Iterable[dict[str, Any]]) -> tuple[str, ...]:
    return tuple(f"{one['ruleId']} {one['file']}:{one['startLine']}" for one in findings)


def git(root: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    subprocess.run(["git", *identity, *arguments], cwd=root, check=True, capture_output=True)


def fetched(names: set[str], folder: Path) -> Path:
    """The projects by name in ``folder``; nothing of theirs is run."""
    for name in sorted(names):
        client, package = PROJECTS[name]
        unpack(archive_of(client, package, folder / f"{name}-archives"), folder / name)
    return folder


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ids", nargs="*", metavar="ID")
    parser.add_argument("--projects", type=Path)
    given = parser.parse_args()
    main(given.ids, given.projects)
