"""A stranger's first day: from ``git clone`` in a bare Debian to a red and a green change.

    python -m bench.first_day FOLDER [--advisories FOLDER] [--lend FILE]... [--only NAME]...

Takes root and debootstrap. FOLDER gets the bare Debian, which is made once and stays as it is: a
file system is laid over it that forgets. What the network of this machine takes (the certificate
of a proxy, a setting of pip's) is lent to it, each file at its own path. The steps at the desk are
in ``first_day.toml``; on a forge a fresh project gets what ``mergegate init`` writes, and the
stand-ins of the tests start what stands there. Prints a table; a step that ends otherwise than it
should is a dead end, and told with the end of what was said.
"""

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from tests.ci.jobs.bitbucket_job import pull_request_of
from tests.ci.jobs.clones import cloned
from tests.ci.jobs.conftest import Pull
from tests.ci.jobs.gitlab_job import merge_request_of
from tests.ci.jobs.test_fork import FORK, publish
from tests.conftest import CLEAN, Run
from tests.forges.github.hub import Hub
from tests.forges.github.server import serving
from tests.projects import archive_of, unpack
from tests.sandbox.git.test_repository import commit, git

from mergegate.core.data_table import read_table

ROOT = Path(__file__).parents[1]
PROJECT = "records==0.6.0"
SUITE = "bookworm"
HOME = "/root"
"""Of the user root in the bare root."""
_TABLE = Path(__file__).with_suffix(".toml")
_FIXED = '''\
"""Search people by name."""

import sqlite3

from flask import Flask, request

app = Flask(__name__)


@app.get("/people")
def people() -> list[str]:
    rows = sqlite3.connect("people.db").execute(
        "SELECT name FROM people WHERE name = ?", (request.args["name"],)
    )
    return [name for (name,) in rows]
'''
_WEAK = _FIXED.replace(
    '"SELECT name FROM people WHERE name = ?", (request.args["name"],)',
    "f\"SELECT name FROM people WHERE name = '{request.args['name']}'\"",
)
CHANGES = (
    ("clean", {"sums.py": CLEAN}),
    ("weak", {"search.py": _WEAK}),
    ("fixed", {"search.py": _FIXED}),
)
"""What is pushed to each forge, in turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What is done at the desk."""

    id: str
    does: str
    runs: str
    ends: tuple[int, ...] = (0,)
    says: tuple[str, ...] = ()


def _now() -> tuple[float, float]:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.monotonic(), used.ru_utime + used.ru_stime


@dataclass
class Day:
    """The bare root, what is set in it, and what has been done so far."""

    root: Path
    settings: dict[str, str]
    dead_ends: int = 0
    started: tuple[float, float] = field(default_factory=_now)

    def run(self, *argv: str, folder: str = HOME, **more: str) -> Run:
        """In the root, as its root."""
        path = f"{HOME}/tools/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        given = {"PATH": path, "HOME": HOME, **self.settings, **more}
        words = [f"{name}={value}" for name, value in given.items()]
        done = subprocess.run(
            ["chroot", str(self.root), "env", "-i", f"--chdir={folder}", *words, *argv],
            capture_output=True,
            text=True,
            check=False,
        )
        return Run(done.returncode, done.stdout, done.stderr)

    def told(self, does: str, wrong: str) -> None:
        """A row of the table: minutes, CPU seconds, and why it is a dead end."""
        passed = [now - then for now, then in zip(_now(), self.started, strict=True)]
        self.dead_ends += bool(wrong)
        said = "**dead end**" if wrong else ""
        print(f"| {does} | {passed[0] / 60:.1f} | {passed[1]:.0f} | {said} |", flush=True)
        if wrong:
            print(wrong, file=sys.stderr, flush=True)
        self.started = _now()


def at_the_desk(day: Day, only: list[str]) -> None:
    for step in read_table(_TABLE, Step).values():
        if only and step.id not in only:
            continue
        done = day.run("bash", "-c", step.runs)
        said = done.out + done.err
        missing = [one for one in step.says if one not in said]
        right = done.code in step.ends and not missing
        day.told(
            step.does, "" if right else f"{step.id}: {done.code}, without {missing}\n{said[-3000:]}"
        )


@dataclass(frozen=True)
class Answer:
    """What a forge shows of a change."""

    code: int
    comment: str
    """The one of the change, and those at its lines."""
    state: str
    log: str


def on_the_forges(day: Day, only: list[str]) -> None:
    for forge, pushed in {"github": _github, "gitlab": _gitlab, "bitbucket": _bitbucket}.items():
        if only and forge not in only:
            continue
        tree = day.root / "root" / forge / "repository"
        shutil.copytree(day.root / "srv" / "project", tree)
        git(tree, "init", "-q", "-b", "main")
        done = day.run("mergegate", "init", "--forge", forge, folder=_inside(day, tree))
        for name in git(tree, "ls-files", "--others").splitlines():
            if name.endswith(".yml") and "mergegate" in (text := (tree / name).read_text()):
                (tree / name).write_text(_filled(text))
        commit(tree, "As it was, and what init wrote")
        day.told(f"{forge}: `mergegate init`, words filled in", done.err if done.code else "")
        for (name, _), answer in zip(CHANGES, pushed(day, tree), strict=True):
            day.told(f"{forge}: a {name} change is {answer.state}", _wrong(name, answer))


def _wrong(name: str, answer: Answer) -> str:
    stops = name == "weak"
    wanted = ("Failed", "search.py", "parameter") if stops else ("Passed",)
    states = {"failure", "failed", "FAILED"} if stops else {"success", "SUCCESSFUL"}
    missing = [one for one in wanted if one not in answer.comment]
    if answer.code == int(stops) and not missing and answer.state in states:
        return ""
    return (
        f"{name}: {answer.code}, {answer.state}, without {missing}\n{answer.comment}\n{answer.log}"
    )


def _filled(text: str) -> str:
    words = {"OWNER": "acme", "COMMIT": "c" * 40, "VERSION": "v1.0.0", "DIGEST": "d" * 64}
    for word, value in words.items():
        text = text.replace(word, value)
    return text


def _inside(day: Day, path: Path | str) -> str:
    """The path, or a text with such paths, as it is in the root."""
    return str(path).replace(str(day.root), "")


def _job(day: Day, given: Mapping[str, str], job: Any) -> Run:
    """A job of GitLab or a step of Bitbucket: its script, in the root in place of its image."""
    settings = {name: _inside(day, one) for name, one in given.items() if name != "PATH"}
    folder = settings.get("CI_PROJECT_DIR") or settings["BITBUCKET_CLONE_DIR"]
    script = "\n".join(job["script"])
    more = {**job.get("variables", {}), **settings}
    return day.run("bash", "-ec", script, folder=folder, **more)


def _gitlab(day: Day, tree: Path) -> Iterator[Answer]:
    def mergegate(*_: object, env: Mapping[str, str], **__: object) -> Run:
        return _job(day, env, yaml.safe_load((tree / ".gitlab-ci.yml").read_text())["mergegate"])

    with merge_request_of(cloned(tree), mergegate) as request:
        for _, files in CHANGES:
            request.push(files)
            run = request.ci()
            lines = [one["body"] for one in request.threads]
            said = "\n".join((request.notes[-1], *lines))
            yield Answer(run.code, said, request.statuses[-1][1], run.err)


def _bitbucket(day: Day, tree: Path) -> Iterator[Answer]:
    def mergegate(*_: object, env: Mapping[str, str], **__: object) -> Run:
        file = yaml.safe_load((tree / "bitbucket-pipelines.yml").read_text())
        [step] = file["pipelines"]["pull-requests"]["**"]
        return _job(day, env, step["step"])

    with pull_request_of(cloned(tree), mergegate) as request:
        for _, files in CHANGES:
            request.push(files)
            run = request.ci()
            lines = [one["content"]["raw"] for one in request.threads]
            said = "\n".join((request.comments[-1], *lines))
            yield Answer(run.code, said, request.state, run.err)


def _github(day: Day, tree: Path) -> Iterator[Answer]:
    """The pair, as a fork's change starts it: the first half may only read."""

    def mergegate(verb: str, *rest: str, env: Mapping[str, str], **_: object) -> Run:
        folder = {"ci": ".", "publish": "publish"}[verb]
        action = yaml.safe_load((ROOT / folder / "action.yml").read_text())
        inputs = {name: one["default"] for name, one in action["inputs"].items()}
        for name in ("token", "report", "file", "api-key"):
            inputs.pop(name, None)
        given = {name: _inside(day, one) for name, one in env.items() if name != "PATH"}
        given |= {f"INPUT_{name.upper()}": one for name, one in inputs.items()}
        report = [_inside(day, one) for one in rest if verb == "publish"][:1]
        return day.run("mergegate", verb, *report, folder=given["GITHUB_WORKSPACE"], **given)

    git(tree, "remote", "add", "origin", "https://github.example.org/team/shop.git")
    git(tree, "switch", "-q", "-c", "topic")
    hub = Hub(now=time.monotonic)
    with serving(hub) as api_url:
        hub.base = git(tree, "rev-parse", "main")
        pull = Pull(hub, api_url, tree, mergegate)
        for _, files in CHANGES:
            pull.push(files)
            event = pull.event()["pull_request"]
            event["head"]["repo"]["full_name"] = FORK
            file = tree.parent / "event.json"
            file.write_text(json.dumps(pull.event(pull_request=event)))
            first = pull.run("ci", token="ghs-fork", name="pull_request")
            for left in ("site", "trusted"):
                shutil.rmtree(tree.parent / left, ignore_errors=True)
            second = publish(pull)
            state = hub.runs[-1]["conclusion"] if hub.runs else ""
            said = hub.comments[-1]["body"] if hub.comments else ""
            yield Answer(first.code, said, state, first.err + second.err)


@contextmanager
def bare(folder: Path, lent: list[Path], advisories: Path | None) -> Iterator[Day]:
    """A Debian as debootstrap leaves it, a project and a clone's address in it; gone afterwards."""
    below = folder / SUITE
    if not (below / "etc").exists():
        done = subprocess.run(["debootstrap", "--variant=minbase", SUITE, below], check=False)
        done.check_returncode()
    with tempfile.TemporaryDirectory(dir=folder) as name, ExitStack() as mounted:
        over = {one: Path(name) / one for one in ("upper", "work", "root")}
        for one in over.values():
            one.mkdir()
        root = over["root"]
        layers = f"lowerdir={below},upperdir={over['upper']},workdir={over['work']}"
        _mount(mounted, root, "-t", "overlay", "-o", layers, "overlay")
        _mount(mounted, root / "proc", "-t", "proc", "proc")
        # With what lies below it, as /dev/shm; and what is unmounted here stays there.
        _mount(mounted, root / "dev", "--rbind", "--make-rslave", "/dev")
        for file in (Path("/etc/resolv.conf"), *lent):
            target = root / file.relative_to("/")
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, target)
        subprocess.run(
            ["git", "clone", "-q", "--bare", ROOT, root / "srv" / "mergegate.git"], check=True
        )
        unpack(archive_of("sdist", PROJECT, Path(name) / "archive"), root / "srv" / "project")
        shutil.copytree(root / "srv" / "project", root / "root" / "records")
        (root / "root" / "changes").mkdir()
        for called, text in (("weak", _WEAK), ("fixed", _FIXED)):
            (root / "root" / "changes" / f"{called}.py").write_text(text)
        settings = {"CLONE": "file:///srv/mergegate.git", "ADVISORIES": ""}
        if advisories:
            shutil.copytree(advisories, root / "srv" / "advisories")
            settings |= dict.fromkeys(("ADVISORIES", "MERGEGATE_ADVISORIES"), "/srv/advisories")
        yield Day(root, settings)


def _mount(mounted: ExitStack, at: Path, *words: str) -> None:
    subprocess.run(["mount", *words, at], check=True)
    mounted.callback(lambda: subprocess.run(["umount", "--lazy", at], check=False))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--advisories", type=Path)
    parser.add_argument("--lend", type=Path, action="append", default=[])
    parser.add_argument("--only", action="append", default=[])
    said = parser.parse_args()
    if os.geteuid() != 0:
        parser.error("it takes root: a bare root is entered by chroot")
    said.folder.mkdir(parents=True, exist_ok=True)
    with bare(said.folder.resolve(), said.lend, said.advisories) as day:
        print("| Step | Minutes | CPU s | |\n|---|---|---|---|")
        at_the_desk(day, said.only)
        on_the_forges(day, said.only)
    print(f"\nDead ends: {day.dead_ends}")


if __name__ == "__main__":
    main()
