"""Runs the four site tools over well-kept sites that others wrote, and counts what is worth it.

    python -m bench.real_sites FOLDER [NAME...] [--write]

Fetches the sites of ``real_sites.toml`` into FOLDER, where they are kept, serves each on loopback
(``tests/sites/folder.py``), asks `mergegate audit`, `browser-test`, `security-scan` and `seo` about
its first page, and holds what they tell above info to the judgements in ``real_sites.csv``. Two
judges wrote these, the second without sight of the first's verdicts or of the checks. Prints the
table, and what is told and lacks a verdict; the tools' answers are left in FOLDER. ``--write`` puts
the severities of now into the CSV, where what is new waits for its verdicts, and the tables into
``real_sites.md``.
"""

import argparse
import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.judgement import ACTED_ON, Judged, Ledger, head, merged
from tests.projects import archive_of, sha256, unpack
from tests.sites.folder import served

LIST = Path(__file__).with_suffix(".toml")
TABLES = Path(__file__).with_suffix(".md")
LEDGER = Ledger(
    path=Path(__file__).with_suffix(".csv"), subject="site", red={"critical", "high", "error"}
)
SETUP = "setup"
"""The verdict on what this bench brings and not the site: a server that has not read the pages, a
machine without the Internet or with too much to do. It is told, and counted nowhere unless the
second judge, who has no such verdict, would act on it."""
TOOLS = ("audit", "browser-test", "security-scan", "seo")
LISTS = {
    "audit": ("issues",),
    "browser-test": (
        *("jsErrors", "brokenLinks", "formIssues", "imageIssues", "accessibilityIssues"),
    ),
    "security-scan": ("findings",),
    "seo": ("findings",),
}
ROUNDS = {1: "Seen from the start", 2: "Unseen at first"}
MOST_PLACE = 100
"""Letters."""


@dataclass(frozen=True)
class Site:
    """What is fetched, and where in it the site lies."""

    name: str
    client: str
    generator: str
    """What made its pages."""
    packages: Mapping[str, str]
    """SHA-256 of each archive by what the client calls it; the site's own first, then what it
    links into."""
    folder: str
    """What is served, within the unpacked packages."""
    start: str
    """The first page, within the folder."""
    round: int = 1
    """1: seen from the start. 2: unseen until what those had led to was done."""

    @property
    def package(self) -> str:
        """The site's own."""
        return next(iter(self.packages))


def sites() -> list[Site]:
    """The list, in its order."""
    table = tomllib.loads(LIST.read_text("utf-8"))
    return [Site(name=name, **told) for name, told in table.items()]


def judgements() -> list[Judged]:
    """All that was ever judged."""
    return LEDGER.read()


def fetched(site: Site, folder: Path) -> Path:
    """The site, unpacked in ``folder``; refused if an archive is another than was judged."""
    tree = folder / site.name
    if tree.exists():
        return tree
    archives = []
    for number, (package, digest) in enumerate(site.packages.items()):
        into = folder / f"{site.name}.archive" / str(number)
        archive = archive_of(site.client, package, into)
        if digest != (found := sha256(archive)):
            raise ValueError(f"{package} has SHA-256 {found}, not {digest}")
        archives.append(archive)
    for archive in archives:
        unpack(archive, tree)
    return tree


def told(site: Site, folder: Path) -> Iterator[Judged]:
    """What the tools tell above info of its first page, without a verdict."""
    tree = fetched(site, folder)
    with served(tree, tree / site.folder) as address:
        for tool in TOOLS:
            answer = asked(tool, f"{address}{site.start}", folder / f"{site.name}.{tool}.json")
            yield from findings(site.name, tool, answer)


def asked(tool: str, url: str, answer: Path) -> Mapping[str, Any]:
    """What ``tool`` says of ``url``, left in ``answer``; a busy machine is asked again."""
    once = ["--runs", "1"] if tool == "audit" else []
    mergegate = str(Path(sys.executable).with_name("mergegate"))
    command = [mergegate, tool, url, "--json", "--output", str(answer), *once]
    environment = {
        "PATH": os.environ["PATH"],
        "MERGEGATE_DATA_DIR": str(answer.parent / "data"),
    }
    for _ in range(2):
        done = subprocess.run(
            command, env=environment, stderr=subprocess.PIPE, text=True, check=False
        )
        if done.returncode == 0:
            said: Mapping[str, Any] = json.loads(answer.read_text("utf-8"))
            return said
    raise RuntimeError(f"{tool} of {url} ended with {done.returncode}: {done.stderr}")


def findings(site: str, tool: str, answer: Mapping[str, Any]) -> Iterator[Judged]:
    """Those above info; what breaks a rule alike at many elements is one, as its row is."""
    rows: dict[tuple[str, str, str], Judged] = {}
    for entry in (one for name in LISTS[tool] for one in answer[name]):
        if entry["severity"] != "info":
            found = Judged(site, f"{tool}/{entry['ruleId']}", place(entry), now=entry["severity"])
            rows.setdefault(found.key, found)
    yield from rows.values()


def place(entry: Mapping[str, Any]) -> str:
    """What tells findings of one rule apart: the page that a link leads to."""
    return local(entry["url"]) if entry.get("linkState") else ""


def local(url: str) -> str:
    """``url`` without its fragment and its own origin, whose port is another each time."""
    parts = urlsplit(url)._replace(fragment="")
    own = parts.hostname == "127.0.0.1"
    return (parts._replace(scheme="", netloc="").geturl() if own else url)[:MOST_PLACE]


def table(listed: Sequence[Site], everything: Sequence[Judged], when: str) -> Iterator[str]:
    """All sites and their sums, those seen and those unseen apart, then by tool."""
    judged = [one for one in everything if one.verdict != SETUP or one.second == ACTED_ON]
    yield from head("Site")
    for site in listed:
        of_site = [one for one in judged if one.subject == site.name]
        yield LEDGER.row(f"{site.package} ({site.generator})", of_site, when)
    for number, title in ROUNDS.items():
        names = {one.name for one in listed if one.round == number}
        of = [one for one in judged if one.subject in names]
        if names:
            yield LEDGER.row(f"**{title}, {len(names)} sites**", of, when)
            yield from by_tool(title, of, when)


def by_tool(title: str, judged: Iterable[Judged], when: str) -> Iterator[str]:
    """The sums of each tool."""
    every = list(judged)
    for tool in TOOLS:
        of = [one for one in every if one.rule.startswith(f"{tool}/")]
        yield LEDGER.row(f"{title}, {tool}", of, when)


def page(listed: Sequence[Site], judged: Sequence[Judged]) -> str:
    """What ``real_sites.md`` says."""
    return "\n".join(
        [
            "# What the site tools tell of well-kept sites",
            "",
            "Written by `python -m bench.real_sites FOLDER --write`; `real_sites.csv` has every",
            "finding above info with the verdicts and reasons of two judges; the second saw",
            "neither the first's nor the checks. Worth acting on is what both would act on;",
            "disputed, and so unjust, is where they disagree. What breaks a rule alike at many",
            "elements is one finding, and unjust if any of them is. Red is an error of an audit or",
            "a browser test, and critical or high of the others. What the bench brings and not the",
            "site has the first's verdict `setup` and is not counted unless the second would act",
            "on it: the policy of its server, a machine without the Internet, times on a machine",
            "that had other work.",
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
    """Fetch, serve, ask, compare, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    everything = sites()
    listed = [one for one in everything if not asked.names or one.name in asked.names]
    folder = asked.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    told_now = (one for site in listed for one in told(site, folder))
    judged, unjudged = merged(judgements(), told_now, {one.name for one in listed})
    print("\n".join(table(listed, judged, "now")))
    for one in unjudged:
        print(f"not judged by both: {one.subject} {one.rule} {one.place} {one.now}")
    if asked.write:
        LEDGER.write(judged)
        TABLES.write_text(page(everything, judged), "utf-8")


if __name__ == "__main__":
    main()
