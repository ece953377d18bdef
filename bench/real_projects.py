"""Scans well-kept projects that others wrote and counts what a maintainer would act on.

    python -m bench.real_projects FOLDER [NAME...] [--write]

Fetches the projects of ``real_projects.toml`` into FOLDER, where they are kept, scans each alone
without dependencies, and holds what is told above info to the judgements in
``real_projects.csv``. Prints the table, and whatever is told and not judged; with ``--write``
these come into the CSV without a verdict, and the severities of now with them.
"""

import argparse
import csv
import json
import os
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path

from tests.projects import archive_of, sha256, unpack

LIST = Path(__file__).with_suffix(".toml")
JUDGEMENTS = Path(__file__).with_suffix(".csv")
ACTED_ON = "act"
RED = ("critical/high", "critical/medium", "high/high", "high/medium")
"""Severity and confidence that stop a merge."""


@dataclass(frozen=True)
class Project:
    name: str
    client: str
    package: str
    language: str
    sha256: str
    unseen: bool = False


@dataclass(frozen=True)
class Judged:
    """One finding, and what its maintainer would make of it."""

    project: str
    rule: str
    place: str
    before: str = ""
    """Severity and confidence when this list was begun; empty if it was not told above info."""
    now: str = ""
    verdict: str = ""
    """``act`` or ``not``."""
    reason: str = ""

    @property
    def key(self) -> tuple[str, str, str]:
        return self.project, self.rule, self.place


def projects() -> list[Project]:
    table = tomllib.loads(LIST.read_text("utf-8"))
    return [Project(name=name, **told) for name, told in table.items()]


def judgements() -> list[Judged]:
    with JUDGEMENTS.open(newline="", encoding="utf-8") as file:
        return [Judged(**row) for row in csv.DictReader(file)]


def write(judged: Iterable[Judged]) -> None:
    with JUDGEMENTS.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, [one.name for one in fields(Judged)], lineterminator="\n")
        writer.writeheader()
        writer.writerows(asdict(one) for one in sorted(judged, key=lambda one: one.key))


def fetched(project: Project, folder: Path) -> Path:
    """The project, unpacked in ``folder``; refused if its archive is another than was judged."""
    tree = folder / project.name
    if not tree.exists():
        archive = archive_of(project.client, project.package, folder / f"{project.name}.archive")
        if project.sha256 != (found := sha256(archive)):
            raise ValueError(f"{project.package} has SHA-256 {found}, not {project.sha256}")
        unpack(archive, tree)
    return tree


def told(project: Project, tree: Path) -> Iterator[Judged]:
    """What a scan tells above info, without a verdict; alike findings of a line are one."""
    done = subprocess.run(
        [
            Path(sys.executable).with_name("mergegate"),
            *("scan", tree, "--offline", "--format", "json"),
            *("--only", "code,secrets,iac,quality"),
        ],
        env={"PATH": os.environ["PATH"], "MERGEGATE_DATA_DIR": str(tree.parent / "data")},
        stdout=subprocess.PIPE,
        check=False,
    )
    if done.returncode not in {0, 1}:
        raise RuntimeError(f"the scan of {project.name} ended with {done.returncode}")
    result = json.loads(done.stdout)
    for one in (*result["issues"], *result["riskFindings"]):
        if one["severity"] != "info":
            yield Judged(
                project=project.name,
                rule=one["ruleId"],
                place=f"{one['file']}:{one['startLine']}",
                now=f"{one['severity']}/{one['confidence']}",
            )


def row(name: str, judged: Sequence[Judged], when: str) -> str:
    """One row of the table, of the severities ``before`` or ``now``."""
    above = [one for one in judged if getattr(one, when)]
    count = Counter(one.verdict == ACTED_ON for one in above)
    red = Counter(one.verdict == ACTED_ON for one in above if getattr(one, when) in RED)
    share = f"{count[True] / len(above):.0%}" if above else "–"
    return f"| {name} | {len(above)} | {count[True]} | {share} | {red.total()} | {red[False]} |"


def table(listed: Sequence[Project], judged: Sequence[Judged], when: str) -> Iterator[str]:
    yield "| Project | Above info | Worth acting on | Share | Red | Unjust red |"
    yield "|---|---|---|---|---|---|"
    for project in listed:
        yield row(project.package, [one for one in judged if one.project == project.name], when)
    for name, unseen in (("**Seen**", False), ("**Unseen**", True)):
        of = {one.name for one in listed if one.unseen is unseen}
        if of:
            yield row(name, [one for one in judged if one.project in of], when)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    listed = [one for one in projects() if not asked.names or one.name in asked.names]
    names = {one.name for one in listed}
    known = {one.key: one for one in judgements()}
    now = {
        one.key: replace(known.get(one.key, one), now=one.now)
        for project in listed
        for one in told(project, fetched(project, asked.folder.resolve()))
    }
    gone = {
        key: replace(one, now="") if one.project in names else one for key, one in known.items()
    }
    judged = list({**gone, **now}.values())
    print("\n".join(table(listed, judged, "now")))
    for one in now.values():
        if not one.verdict:
            print(f"not judged: {one.project} {one.rule} {one.place} {one.now}")
    if asked.write:
        write(judged)


if __name__ == "__main__":
    main()
