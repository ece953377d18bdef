"""What becomes of real projects when every fix that was proved is applied.

    python -m bench.fixes FOLDER [NAME...] [--write]

Fetches the projects of ``fixes.toml`` into FOLDER, where they are kept; scans each, applies all
fixes, scans again, parses every changed file, and runs the project's own tests before and after
where ``suite`` says how. Prints a table: findings above info with a proved fix, by kind; the scores
before and after; what each gate refused. ``--write`` puts it into ``fixes.md``.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.projects import archive_of, unpack

from mergegate.repo.fixes.syntax import parses
from mergegate.repo.scan import Request, scan
from mergegate.repo.toolbox import scan_toolbox

LIST = Path(__file__).with_suffix(".toml")
TABLES = Path(__file__).with_suffix(".md")
KINDS = {"code": "Code", "iac": "Infrastructure", "dependency": "Dependencies"}


@dataclass(frozen=True)
class Project:
    """What is fetched, and how its own tests run."""

    name: str
    client: str
    package: str
    kind: str
    """``ordinary`` or ``vulnerable`` by design."""
    suite: str = ""
    """A command of the shell that runs in its folder; empty for none."""


@dataclass
class Outcome:
    """What came of one project."""

    name: str
    before: int = 0
    after: int = 0
    """Scores."""
    found: Counter[str] = field(default_factory=Counter)
    """Findings above info by kind; of dependencies those that a version mends."""
    fixed: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    """What was proposed and not offered, by gate."""
    broken: list[str] = field(default_factory=list)
    """Changed files that no longer parse."""
    suite: str = ""
    """What its own tests say before and after."""


def projects() -> list[Project]:
    """The list, in its order."""
    table = tomllib.loads(LIST.read_text("utf-8"))
    return [Project(name=name, **told) for name, told in table.items()]


def tried(project: Project, folder: Path) -> Outcome:
    """Scans, fixes, scans again."""
    kept, root = folder / project.name, folder / f"{project.name}-fixed"
    if not kept.is_dir():
        archives = folder / f"{project.name}-archive"
        shutil.rmtree(archives, ignore_errors=True)
        unpack(archive_of(project.client, project.package, archives), kept)
    shutil.rmtree(root, ignore_errors=True)
    shutil.copytree(kept, root, symlinks=True)
    _commit(root)
    outcome = Outcome(project.name)
    suite_before = _suite(project, root)
    report = scan(Request(root, fixes_of=lambda _: True), scan_toolbox(fetch=False, cached=False))
    _count(report, outcome)
    for one in report.mended:
        file = root / one.path
        file.write_text(one.after, "utf-8", newline="")
        if parses(one.after, None, file.suffix) is False:
            outcome.broken.append(one.path)
    outcome.after = scan(Request(root), scan_toolbox(fetch=False, cached=False)).ledger.score
    if project.suite:
        outcome.suite = f"{suite_before} → {_suite(project, root)}"
    return outcome


def _commit(root: Path) -> None:
    named = ("-c", "user.name=bench", "-c", "user.email=bench@example.org")
    for command in (("init", "-q"), ("add", "-A", "-f"), (*named, "commit", "-qm", "as it is")):
        subprocess.run(["git", *command], cwd=root, check=True)


def _count(report: Any, outcome: Outcome) -> None:
    outcome.before = report.ledger.score
    for one in report.findings:
        if one.severity.label == "info" or one.kind.value not in KINDS:
            continue
        if one.advisory is not None and not one.advisory.fixed_versions:
            continue
        outcome.found[one.kind.value] += 1
        outcome.fixed[one.kind.value] += bool(one.fix_id)
    outcome.refused.update(one.gate for one in report.refused_fixes)


def _suite(project: Project, root: Path) -> str:
    """The last line of what its tests print."""
    if not project.suite:
        return ""
    done = subprocess.run(
        ["sh", "-c", project.suite],
        cwd=root,
        capture_output=True,
        text=True,
        timeout=1800,
        check=False,
    )
    lines = (done.stdout + done.stderr).strip().splitlines()
    return lines[-1].strip("= ") if lines else f"ended with {done.returncode}"


def table(outcomes: Iterable[Outcome], known: Sequence[Project]) -> str:
    """Markdown."""
    told = {one.name: one for one in outcomes}
    head = ["Project", "Kind", "Score before", "after", *KINDS.values(), "Refused", "Own tests"]
    rows = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    for project in known:
        if one := told.get(project.name):
            shares = (_share(one.fixed[kind], one.found[kind]) for kind in KINDS)
            gates = ", ".join(f"{gate} {times}" for gate, times in one.refused.most_common())
            cells = [project.package, project.kind, str(one.before), str(one.after), *shares]
            rows.append(f"| {' | '.join([*cells, gates or '–', one.suite or '–'])} |")
    for kind in ("ordinary", "vulnerable"):
        names = {one.name for one in known if one.kind == kind}
        some = [one for one in told.values() if one.name in names]
        sums = [
            _share(sum(one.fixed[each] for one in some), sum(one.found[each] for one in some))
            for each in KINDS
        ]
        rows.append(f"| **all {kind}** | | | | {' | '.join(sums)} | | |")
    return "\n".join(rows) + "\n"


def _share(fixed: int, found: int) -> str:
    return f"{fixed} of {found} ({100 * fixed // found}%)" if found else "–"


def main(folder: Path, names: Sequence[str], *, write: bool) -> None:
    """Prints, and writes where that is wanted."""
    known = [one for one in projects() if not names or one.name in names]
    folder.mkdir(parents=True, exist_ok=True)
    outcomes = [tried(one, folder) for one in known]
    for one in outcomes:
        if one.broken:
            print(f"{one.name}: no longer parse: {', '.join(one.broken)}", file=sys.stderr)
    made = table(outcomes, known)
    print(made)
    print(json.dumps({one.name: dict(one.refused) for one in outcomes}))
    if write:
        head = "# Fixes of real projects\n\nWritten by `python -m bench.fixes FOLDER --write`.\n\n"
        TABLES.write_text(head + made, "utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    main(given.folder, given.names, write=given.write)
