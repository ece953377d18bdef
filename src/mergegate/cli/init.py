"""``mergegate init``: the first two files of a repository that Mergegate shall judge."""

import difflib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import click

from mergegate.core.errors import TargetError
from mergegate.core.render.escape import terminal
from mergegate.core.tree import Tree
from mergegate.doctor.files import Checkout
from mergegate.doctor.predict import pipeline_files, platform, recipes
from mergegate.doctor.predict.prediction import Scene
from mergegate.repo.coverage import without_rules
from mergegate.repo.settings import POLICY_FILE
from mergegate.sandbox.files.checkout import Bounds, read_tree
from mergegate.sandbox.files.roles import with_roles
from mergegate.terminal.output import say

_JENKINS, _NONE = "jenkins", "none"
_FORGES = ("github", "gitlab", "bitbucket", _JENKINS, _NONE)
_POLICY = """\
# What this team decided about its own repository. `mergegate policy` checks this file, and
# `mergegate policy --schema` prints all that it may hold. A change is judged by its base's.
version: 1

# A change may bring no finding of this severity or above: critical, high or medium.
fail-change-on: high

# Files that are not yours to mend:
# paths:
#   exclude: ["third-party/**"]

# Rules that are off, or have another severity here; `mergegate rules` lists them:
# rules:
#   python-flask-debug: low
"""
_ANSWERS = {
    "github": (
        "merge both files into the default branch",
        "the half that comments starts from there alone",
    ),
    "gitlab": (
        "put a project access token (scope api, role Developer) into the variable MERGEGATE_TOKEN",
        "masked, not protected: the job's own token cannot comment",
    ),
    "bitbucket": (
        "put an access token that may write to pull requests into the variable MERGEGATE_TOKEN",
        "secured; without it there is a report and no comment",
    ),
}
"""What it takes for a comment on the change, and why."""
_UNSEARCHED = """
# {blind:,} of {lines:,} source lines are in languages that no rule is for, and a scan is incomplete
# (exit code 3) until the team accepts that they go unsearched:
# accept-unsearched: [{names}]
"""


@dataclass(frozen=True, slots=True)
class _Files:
    """Path → text."""

    fresh: Mapping[str, str]
    """The texts of files that are not there yet, by name."""
    kept: Mapping[str, str]
    """The texts that files which are there would have to have, by name."""


@click.command()
@click.argument("path", default=".", type=click.Path(path_type=Path))
@click.option(
    "--forge",
    type=click.Choice(_FORGES),
    help="Whose pipeline file is written; by default the origin's host or the CI files tell.",
)
@click.option("--dry-run", is_flag=True, help="Print the files and write none.")
def init(path: Path, forge: str | None, dry_run: bool) -> None:
    """Give the repository at PATH a policy, and the pipeline file that its forge runs.

    No file that is there is touched: what would be added to it is printed.

    \b
    Examples:
      mergegate init
      mergegate init --dry-run
      mergegate init --forge gitlab
    """
    if not path.is_dir():
        raise TargetError(f"{path} is not a folder", remedy="Give the path of a repository.")
    checkout = Checkout.at(path)
    if checkout.repository and checkout.repository.top() != checkout.root:
        checkout = Checkout.at(checkout.repository.top())
    scene = Scene(files=checkout.ci_files(), provider=checkout.provider, branch=checkout.branch)
    forge = forge or _forge(scene, checkout.root)
    wanted = {POLICY_FILE: _policy(checkout), **_pipeline(scene, forge)}
    files = _parted(wanted, checkout.root)
    if not dry_run:
        checkout.write(files.fresh, {})
    for line in (*_told(files, scene, dry_run=dry_run), *_next(files, forge)):
        say(f"{terminal(line)}\n")


def _forge(scene: Scene, root: Path) -> str:
    known = platform(scene)
    if known in _FORGES:
        return known
    return _JENKINS if os.path.lexists(root / recipes.JENKINS_FILE) else _NONE


def _pipeline(scene: Scene, forge: str) -> Mapping[str, str]:
    if forge == _JENKINS:
        return {recipes.JENKINS_FILE: recipes.jenkins()}
    return {} if forge == _NONE else pipeline_files(replace(scene, provider=forge))


def _policy(checkout: Checkout) -> str:
    lines, blind = without_rules(_tree(checkout))
    if 3 * blind.total() <= lines:
        return _POLICY
    names = ", ".join(name for name, count in blind.most_common() if count)
    return _POLICY + _UNSEARCHED.format(blind=blind.total(), lines=lines, names=names)


def _tree(checkout: Checkout) -> Tree:
    return with_roles(read_tree(checkout.root, Bounds(), checkout.repository))


def _parted(wanted: Mapping[str, str], root: Path) -> _Files:
    there = {path for path in wanted if os.path.lexists(root / path)}
    return _Files(
        {path: text for path, text in wanted.items() if path not in there},
        {path: text for path, text in wanted.items() if path in there},
    )


def _told(files: _Files, scene: Scene, *, dry_run: bool) -> Iterator[str]:
    for path, text in files.fresh.items():
        yield f"{'would write' if dry_run else 'wrote'} {path}"
        if dry_run:
            yield from (f"  {line}".rstrip() for line in text.splitlines())
    for path, text in files.kept.items():
        if path == POLICY_FILE:
            yield f"kept {path}: it is there"
            continue
        yield f"kept {path}: it is there, and would need"
        yield from (f"  {line}".rstrip() for line in _added(scene.files.get(path, ""), text))


def _added(before: str, after: str) -> Iterator[str]:
    """The lines of ``after`` that ``before`` has not."""
    for line in difflib.ndiff(before.splitlines(), after.splitlines()):
        if line.startswith("+ "):
            yield line.removeprefix("+ ")


def _next(files: _Files, forge: str) -> Iterator[str]:
    pipelines = [path for path in files.fresh if path != POLICY_FILE]
    kept = [path for path in files.kept if path != POLICY_FILE]
    yield ""
    yield "Next:"
    yield "  mergegate scan       what it says of the repository as it is"
    if pipelines:
        yield f"  fill in the words in capitals in {', '.join(pipelines)}:"
        yield "                       the page of the release that you use prints them"
        for line, indent in zip(_ANSWERS.get(forge, ()), (2, 23), strict=False):
            yield f"{' ' * indent}{line}"
    elif kept and forge != _JENKINS:
        yield "  mergegate doctor --fix-ci"
        yield f"                       adds the above to {', '.join(kept)}"
    elif forge != _NONE and not kept:
        yield "  no pipeline file was needed: one runs Mergegate already, or is not valid:"
    elif forge == _NONE:
        yield f"  mergegate init --forge {{{','.join(_FORGES[:-1])}}}"
        yield "                       no forge was recognised, so there is no pipeline file yet"
    yield "  mergegate doctor     what will go wrong in CI, before it does"
