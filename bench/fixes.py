"""What becomes of real projects when every fix that was proved is applied.

    python -m bench.fixes FOLDER [NAME...] [--write]

Fetches the projects of ``fixes.toml`` into FOLDER, where they are kept; scans each, applies all
fixes, scans again, parses every changed file, and runs the project's own tests before and after
where ``suite`` says how. Prints findings above info with a proved fix, by kind; the scores before
and after; what each gate refused; and what a fix would have to know where there is none. What came
of each project is kept in FOLDER too; ``--write`` puts all that is kept into ``fixes.md``.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.projects import archive_of, sha256, unpack

from mergegate.core.finding import Finding
from mergegate.core.report import Report
from mergegate.repo.fixes import proof
from mergegate.repo.fixes.syntax import parses
from mergegate.repo.scan import Request, scan
from mergegate.repo.toolbox import scan_toolbox

LIST = Path(__file__).with_suffix(".toml")
TABLES = Path(__file__).with_suffix(".md")
KINDS = {"code": "Code", "iac": "Infrastructure", "dependency": "Dependencies"}
ALL = 10_000
"""Proofs and megabytes: a scan tries the worst hundred, and the next one goes on."""
_OFFLINE = ("unshare", "--map-root-user", "--net", "sh", "-c")
_FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+)", re.MULTILINE)
_COUNTED = re.compile(r"(\d+) (passed|failed|errors?)\b")


@dataclass(frozen=True, kw_only=True)
class Project:
    """What is fetched, and how its own tests run."""

    name: str
    client: str
    package: str
    kind: str
    """``ordinary`` or ``vulnerable`` by design."""
    what: str
    sha256: str = ""
    """Of its archive; empty for what has no fixed version."""
    part: str = ""
    """The folder of the archive that is looked at; empty for all of it."""
    setup: str = ""
    """A command of the shell that makes in $TOOLS what the tests need."""
    suite: str = ""
    """One that runs the tests in the project's folder; empty for none."""


@dataclass(frozen=True, kw_only=True)
class Unknown:
    """What a fix of a rule would have to know."""

    fact: str
    unless: str = ""
    """What tells it where the file says it, as a regular expression."""


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
    unknown: Counter[str] = field(default_factory=Counter)
    """Those without a fix, by kind, of which no file tells what it would have to know."""
    facts: Counter[str] = field(default_factory=Counter)
    """The same by what that is."""
    unfixed: Counter[str] = field(default_factory=Counter)
    """The others without a fix, by rule."""
    offered: int = 0
    """Fixes, those of findings for information included."""
    applied: int = 0
    """Those of them that were applied together."""
    refused: Counter[str] = field(default_factory=Counter)
    """What was proposed and not offered, by gate."""
    broken: list[str] = field(default_factory=list)
    """Changed files that no longer parse."""
    suite: str = ""
    """What its own tests say before and after."""


def projects() -> Sequence[Project]:
    """The list, in its order."""
    return [Project(name=name, **told) for name, told in _table()["projects"].items()]


def unknown() -> Mapping[str, Unknown]:
    """What fixes would have to know, by rule."""
    return {rule: Unknown(**told) for rule, told in _table()["unknown"].items()}


def _table() -> dict[str, Any]:
    return tomllib.loads(LIST.read_text("utf-8"))


def tried(project: Project, folder: Path) -> Outcome:
    """Scans, fixes, scans again."""
    kept, root = _fetched(project, folder), folder / f"{project.name}-fixed"
    shutil.rmtree(root, ignore_errors=True)
    shutil.copytree(kept, root, symlinks=True)
    _commit(root)
    outcome = Outcome(project.name)
    proof.MOST_PROOFS, proof.MOST_PROOF_BYTES = ALL, ALL << 20
    report = scan(Request(root, fixes_of=lambda _: True), scan_toolbox(fetch=False, cached=False))
    _count(report, outcome, lambda path: (root / path).read_text("utf-8", "replace"))
    before = _suite(project, folder, root)
    subprocess.run(["git", "clean", "-qfdx"], cwd=root, check=True)
    subprocess.run(["git", "checkout", "-q", "."], cwd=root, check=True)
    for one in report.mended:
        file = root / one.path
        file.write_text(one.after, "utf-8", newline="")
        if parses(one.after, None, file.suffix) is False:
            outcome.broken.append(one.path)
    outcome.after = scan(Request(root), scan_toolbox(fetch=False, cached=False)).ledger.score
    if project.suite:
        outcome.suite = _compared(before, _suite(project, folder, root))
    return outcome


def _fetched(project: Project, folder: Path) -> Path:
    kept = folder / project.name
    if not kept.is_dir():
        archives, whole = folder / f"{project.name}-archive", folder / f"{project.name}-whole"
        shutil.rmtree(archives, ignore_errors=True)
        archive = archive_of(project.client, project.package, archives)
        if project.sha256 and sha256(archive) != project.sha256:
            raise SystemExit(f"{project.name}: {archive.name} is not what it was")
        unpack(archive, whole)
        shutil.copytree(whole / project.part, kept, symlinks=True)
        shutil.rmtree(whole)
    return kept


def _commit(root: Path) -> None:
    named = ("-c", "user.name=bench", "-c", "user.email=bench@example.org")
    for command in (("init", "-q"), ("add", "-A", "-f"), (*named, "commit", "-qm", "as it is")):
        subprocess.run(["git", *command], cwd=root, check=True)


def _count(report: Report, outcome: Outcome, read: Callable[[str], str]) -> None:
    outcome.before = report.ledger.score
    outcome.offered = len(report.fixes)
    outcome.applied = sum(len(one.fix_ids) for one in report.mended)
    for one in report.findings:
        if one.severity.label == "info" or one.kind.value not in KINDS:
            continue
        if one.advisory is not None and not one.advisory.fixed_versions:
            continue
        outcome.found[one.kind.value] += 1
        outcome.fixed[one.kind.value] += bool(one.fix_id)
        if one.fix_id:
            continue
        if fact := _missing(one, read):
            outcome.unknown[one.kind.value] += 1
            outcome.facts[fact] += 1
        else:
            outcome.unfixed[one.rule_id] += 1
    outcome.refused.update(one.gate for one in report.refused_fixes)


def _missing(finding: Finding, read: Callable[[str], str]) -> str:
    """What a fix would have to know and the file does not tell; empty where that is nothing."""
    told = unknown().get(finding.rule_id)
    if told is None or (told.unless and re.search(told.unless, read(finding.place.file))):
        return ""
    return told.fact


@dataclass(frozen=True)
class _Tests:
    """What a project's own tests said."""

    passed: int
    failed: int
    names: frozenset[str]
    """Of those that failed."""


def _suite(project: Project, folder: Path, root: Path) -> _Tests:
    """Runs the tests without a network."""
    if not project.suite:
        return _Tests(0, 0, frozenset())
    tools = folder / f"{project.name}-tools"
    environment = {**os.environ, "TOOLS": str(tools.resolve())}
    if not tools.is_dir():
        subprocess.run(["sh", "-c", project.setup], cwd=root, env=environment, check=True)
    done = subprocess.run(
        [*_OFFLINE, f"ip link set lo up\n{project.suite}"],
        cwd=root,
        env=environment,
        capture_output=True,
        text=True,
        timeout=1800,
        check=False,
    )
    counted: Counter[str] = Counter()
    for times, what in _COUNTED.findall(done.stdout):
        counted["passed" if what == "passed" else "failed"] += int(times)
    return _Tests(counted["passed"], counted["failed"], frozenset(_FAILED.findall(done.stdout)))


def _compared(before: _Tests, after: _Tests) -> str:
    new = sorted(after.names - before.names)
    said = f"{before.passed} passed, {before.failed} failed → {after.passed}, {after.failed}"
    return f"{said}; new: {', '.join(new)}" if new else said


def table(outcomes: Iterable[Outcome], known: Sequence[Project]) -> str:
    """Markdown: the projects, their sums, and what is left."""
    told = {one.name: one for one in outcomes}
    head = [
        "Project",
        "Score",
        *KINDS.values(),
        "Fixes applied, of offered",
        "Refused",
        "Own tests",
    ]
    rows = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    for project in known:
        if one := told.get(project.name):
            shares = (_share(one.fixed[kind], one.found[kind]) for kind in KINDS)
            gates = ", ".join(f"{gate} {times}" for gate, times in one.refused.most_common())
            cells = [project.package, f"{one.before} → {one.after}", *shares]
            cells += [f"{one.applied} of {one.offered}", gates or "–", one.suite or "–"]
            rows.append(f"| {' | '.join(cells)} |")
    for kind in ("vulnerable", "ordinary", ""):
        names = {one.name for one in known if kind in {"", one.kind}}
        some = [one for one in told.values() if one.name in names]
        cells = [f"**all {kind}**".replace(" *", "*"), "", *_sums(some, of_known=False), "", "", ""]
        rows.append(f"| {' | '.join(cells)} |")
        cells = ["of what can be known", "", *_sums(some, of_known=True), "", "", ""]
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join((*rows, "", *_left(told.values()), ""))


def _sums(some: Sequence[Outcome], *, of_known: bool) -> Sequence[str]:
    return [
        _share(
            sum(one.fixed[kind] for one in some),
            sum(one.found[kind] - one.unknown[kind] * of_known for one in some),
        )
        for kind in KINDS
    ]


def _left(outcomes: Iterable[Outcome]) -> Sequence[str]:
    facts: Counter[str] = Counter()
    rules: Counter[str] = Counter()
    for one in outcomes:
        facts.update(one.facts)
        rules.update(one.unfixed)
    return [
        "What a fix would have to know where there is none:",
        "",
        *(f"- {fact}: {times}" for fact, times in facts.most_common()),
        "",
        "The others without one, by rule:",
        "",
        *(f"- `{rule}`: {times}" for rule, times in rules.most_common()),
    ]


def _share(fixed: int, found: int) -> str:
    return f"{fixed} of {found} ({100 * fixed // found} %)" if found else "–"


def _kept(folder: Path, name: str) -> Path:
    return folder / f"{name}.json"


def _read(folder: Path, name: str) -> Outcome:
    outcome = Outcome(name)
    for key, said in json.loads(_kept(folder, name).read_text("utf-8")).items():
        is_counted = isinstance(getattr(outcome, key), Counter)
        setattr(outcome, key, Counter(said) if is_counted else said)
    return outcome


HEAD = """\
# Fixes of real projects

Written by `python -m bench.fixes FOLDER --write`. The shares are of findings above info; of
dependencies, of those that a version mends. All fixes of a project were applied at once, and every
changed file parses{}. Tests of the projects ran without a network.

{}
"""


def main(folder: Path, names: Sequence[str], *, write: bool) -> None:
    """Prints, and writes where that is wanted."""
    known = projects()
    folder = folder.resolve()  # apt takes no other
    folder.mkdir(parents=True, exist_ok=True)
    for one in known:
        if one.name in names or not names:
            print(one.name, file=sys.stderr, flush=True)
            told = json.dumps(vars(tried(one, folder)), indent=1)
            _kept(folder, one.name).write_text(told, "utf-8")
    outcomes = [_read(folder, one.name) for one in known if _kept(folder, one.name).is_file()]
    made = table(outcomes, known)
    print(made)
    if write:
        broken = ", ".join(f"{one.name}/{path}" for one in outcomes for path in one.broken)
        listed = "\n".join(f"- {one.package} ({one.kind}): {one.what}" for one in known)
        text = HEAD.format(f" but {broken}" if broken else "", listed)
        TABLES.write_text(f"{text}\n{made}", "utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    main(given.folder, given.names, write=given.write)
