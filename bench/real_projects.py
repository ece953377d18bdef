"""Scans well-kept projects that others wrote and counts what a maintainer would act on.

    python -m bench.real_projects FOLDER [NAME...] [--write]

Fetches the projects of ``real_projects.toml`` into FOLDER, where they are kept, scans each alone
without dependencies, and holds what is told above info to the judgements in
``real_projects.csv``. Two judges wrote these, the second without sight of the first's verdicts or
of the rules. Prints the table, and what is told and lacks a verdict. ``--write`` puts the
severities of now into the CSV, where what is new waits for its verdicts, and the tables into
``real_projects.md``.
"""

import argparse
import csv
import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path

from tests.projects import archive_of, sha256, unpack

LIST = Path(__file__).with_suffix(".toml")
JUDGEMENTS = Path(__file__).with_suffix(".csv")
TABLES = Path(__file__).with_suffix(".md")
ACTED_ON = "act"
RED = frozenset({"critical/high", "critical/medium", "high/high", "high/medium"})
"""Severity and confidence that stop a merge."""
ROUNDS = {
    1: "Seen from the start",
    2: "Unseen at first",
    3: "Unseen at first, the second ten",
}
HABIT = "workflow-unpinned-action"
"""What most projects do and few change; the share is told without it too."""


@dataclass(frozen=True)
class Project:
    """What is fetched, and how."""

    name: str
    client: str
    package: str
    language: str
    sha256: str
    round: int = 1
    """1: seen from the start. 2 and 3: unseen until what those before had led to was done."""


@dataclass(frozen=True)
class Judged:
    """One finding, and what its maintainer would make of it."""

    project: str
    rule: str
    place: str
    before: str = ""
    """Severity and confidence when this list was begun, of an unseen project at its first scan;
    empty if it was not told above info."""
    now: str = ""
    verdict: str = ""
    """``act`` or ``not``."""
    reason: str = ""
    second: str = ""
    """The second judge's verdict; empty of what was no longer told when it was written."""
    second_reason: str = ""

    @property
    def acted_on(self) -> bool:
        """Whether all who judged it would act; what they disagree on is unjust."""
        return {self.verdict, self.second or self.verdict} == {ACTED_ON}

    @property
    def is_disputed(self) -> bool:
        """Whether two judged it and disagree."""
        return bool(self.second) and self.second != self.verdict

    @property
    def key(self) -> tuple[str, str, str]:
        """What tells it from others."""
        return self.project, self.rule, self.place

    def severity(self, when: str) -> str:
        """Severity and confidence ``before`` or ``now``."""
        return self.before if when == "before" else self.now


def projects() -> list[Project]:
    """The list, in its order."""
    table = tomllib.loads(LIST.read_text("utf-8"))
    return [Project(name=name, **told) for name, told in table.items()]


def judgements() -> list[Judged]:
    """All that was ever judged."""
    with JUDGEMENTS.open(newline="", encoding="utf-8") as file:
        return [Judged(**row) for row in csv.DictReader(file)]


def write(judged: Iterable[Judged]) -> None:
    """The judgements, in order of project, rule and place."""
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
    if done.returncode not in {0, 1, 3}:  # 3: most of it is in a language without rules
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
    above = [one for one in judged if one.severity(when)]
    acted = sum(one.acted_on for one in above)
    disputed = sum(one.is_disputed for one in above)
    red = [one for one in above if one.severity(when) in RED]
    unjust = sum(not one.acted_on for one in red)
    share = f"{acted / len(above):.0%}" if above else "–"
    counts = (len(above), acted, share, len(above) - acted, disputed, len(red), unjust)
    return f"| {name} | {' | '.join(map(str, counts))} |"


def table(listed: Sequence[Project], judged: Sequence[Judged], when: str) -> Iterator[str]:
    """All projects and their sums, those seen and those unseen apart."""
    heads = ("Project", "Above info", "Worth acting on", "Share", "Unjust", "Disputed")
    yield f"| {' | '.join((*heads, 'Red', 'Unjust red'))} |"
    yield "|---|---|---|---|---|---|---|---|"
    for project in listed:
        of_project = [one for one in judged if one.project == project.name]
        yield row(f"{project.package} ({project.language})", of_project, when)
    for number, title in ROUNDS.items():
        names = {one.name for one in listed if one.round == number}
        if names:
            of = [one for one in judged if one.project in names]
            yield row(f"**{title}, {len(names)} projects**", of, when)
            others = [one for one in of if one.rule != HABIT]
            yield row(f"{title}, without {HABIT}", others, when)


def page(listed: Sequence[Project], judged: Sequence[Judged]) -> str:
    """What ``real_projects.md`` says."""
    return "\n".join(
        [
            "# What a scan tells of well-kept projects",
            "",
            "Written by `python -m bench.real_projects FOLDER --write`; `real_projects.csv` has",
            "every finding above info with the verdicts and reasons of two judges; the second",
            "saw neither the first's nor the rules. Worth acting on is what both would act on;",
            "disputed, and so unjust, is where they disagree.",
            *("", "## Now", "", *table(listed, judged, "now")),
            *("", "## Before", ""),
            "Those seen from the start when the list was begun; the others at their first scan,",
            "with all that those before had led to and nothing that they did. What was no longer",
            "told when the second judged has the first's verdict alone.",
            *("", *table(listed, judged, "before")),
            "",
        ]
    )


def main() -> None:
    """Fetch, scan, compare, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    everything = projects()
    listed = [one for one in everything if not asked.names or one.name in asked.names]
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
        if not (one.verdict and one.second):
            print(f"not judged by both: {one.project} {one.rule} {one.place} {one.now}")
    if asked.write:
        write(judged)
        TABLES.write_text(page(everything, judged), "utf-8")


if __name__ == "__main__":
    main()
