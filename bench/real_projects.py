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
import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.judgement import Judged, Ledger, head, merged
from tests.projects import archive_of, sha256, unpack

LIST = Path(__file__).with_suffix(".toml")
TABLES = Path(__file__).with_suffix(".md")
LEDGER = Ledger(
    path=Path(__file__).with_suffix(".csv"),
    subject="project",
    red={"critical/high", "critical/medium", "high/high", "high/medium"},
)
"""Its severities are severity and confidence."""
ROUNDS = {
    1: "Seen from the start",
    2: "Unseen at first",
    3: "Unseen at first, the second ten",
    4: "Unseen at first, the third ten",
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
    remote: str = ""
    """Where the project lives, as a clone of it would say; empty where that changes nothing."""
    round: int = 1
    """1: seen from the start. 2 to 4: unseen until what those before had led to was done."""


def projects() -> list[Project]:
    """The list, in its order."""
    table = tomllib.loads(LIST.read_text("utf-8"))
    return [Project(name=name, **told) for name, told in table.items()]


def judgements() -> list[Judged]:
    """All that was ever judged."""
    return LEDGER.read()


def fetched(project: Project, folder: Path) -> Path:
    """The project, unpacked in ``folder``; refused if its archive is another than was judged."""
    tree = folder / project.name
    if not tree.exists():
        archive = archive_of(project.client, project.package, folder / f"{project.name}.archive")
        if project.sha256 != (found := sha256(archive)):
            raise ValueError(f"{project.package} has SHA-256 {found}, not {project.sha256}")
        unpack(archive, tree)
    if project.remote and not (tree / ".git").exists():
        remote = ("remote", "add", "origin", project.remote)
        for command in (("init", "-q"), remote, ("add", "--force", "--all")):
            subprocess.run(["git", *command], cwd=tree, check=True)
    return tree


def told(project: Project, tree: Path) -> Iterator[Judged]:
    """What a scan tells above info, without a verdict.

    Alike findings of a line are one, and so is a key store that lies at several places byte for
    byte, as every report shows it.
    """
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
    stores: set[tuple[str, bytes]] = set()
    for one in (*result["issues"], *result["riskFindings"]):
        if one["severity"] != "info":
            if one["kind"] == "secret" and not one["startLine"]:
                store = (one["ruleId"], (tree / one["file"]).read_bytes())
                if store in stores:
                    continue
                stores.add(store)
            yield Judged(
                subject=project.name,
                rule=one["ruleId"],
                place=f"{one['file']}:{one['startLine']}",
                now=f"{one['severity']}/{one['confidence']}",
            )


def table(listed: Sequence[Project], judged: Sequence[Judged], when: str) -> Iterator[str]:
    """All projects and their sums, those seen and those unseen apart."""
    yield from head("Project")
    for project in listed:
        of_project = [one for one in judged if one.subject == project.name]
        yield LEDGER.row(f"{project.package} ({project.language})", of_project, when)
    for number, title in ROUNDS.items():
        names = {one.name for one in listed if one.round == number}
        if names:
            of = [one for one in judged if one.subject in names]
            yield LEDGER.row(f"**{title}, {len(names)} projects**", of, when)
            others = [one for one in of if one.rule != HABIT]
            yield LEDGER.row(f"{title}, without {HABIT}", others, when)


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
    told_now = (
        one for project in listed for one in told(project, fetched(project, asked.folder.resolve()))
    )
    judged, unjudged = merged(judgements(), told_now, names)
    print("\n".join(table(listed, judged, "now")))
    for one in unjudged:
        print(f"not judged by both: {one.subject} {one.rule} {one.place} {one.now}")
    if asked.write:
        LEDGER.write(judged)
        TABLES.write_text(page(everything, judged), "utf-8")


if __name__ == "__main__":
    main()
