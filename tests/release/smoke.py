"""A release as users paste it: ``python -m tests.release.smoke FOLDER --forge BARE …``.

The recipes come from the release, what they refer to from a bare repository that stands in for the
forge under its address, and the wheel from an environment that holds nothing else. Where the action
names the image, what it starts there is started from that environment.
"""

import argparse
import json
import os
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.ci.jobs.clones import WEAK
from tests.ci.jobs.conftest import Pull
from tests.conftest import CLEAN, Run
from tests.forges.github.hub import REPOSITORY, Hub
from tests.forges.github.server import serving
from tests.recipes.gitlab_ci_local import pipeline
from tests.sandbox.git.test_repository import commit, git

HUB, LAB = "https://github.com", "https://gitlab.example.org"
LITTLE = {"only": "code,secrets", "offline": "true"}


@dataclass(frozen=True)
class Released:
    """What a release made, and where it can be had."""

    folder: Path
    forge: Path
    environment: Path
    slug: str
    quick: bool

    def recipe(self, name: str) -> Any:
        return yaml.safe_load((self.folder / "recipes" / name).read_text())

    def file(self, revision: str, path: str) -> str:
        """``path`` as whoever refers to ``revision`` gets it."""
        return git(self.forge, "show", f"{revision}:{path}")


def sealed(released: Released) -> None:
    """Every file of the release is in the list, and is what the list says."""
    lines = (released.folder / "SHA256SUMS").read_text().splitlines()
    listed = dict(line.split("  ")[::-1] for line in lines)
    files = {one for one in released.folder.iterdir() if one.is_file()}
    files.remove(released.folder / "SHA256SUMS")
    assert listed == {one.name: sha256(one.read_bytes()).hexdigest() for one in files}


def action(released: Released, room: Path) -> None:
    """A pull request with the workflow of the recipe: comment, check, and a job that fails."""
    workflow = released.recipe("github-pull-request.yml")
    [job] = workflow["jobs"].values()
    [step] = [one for one in job["steps"] if one["uses"].startswith(f"{released.slug}@")]
    stated = yaml.safe_load(released.file(step["uses"].partition("@")[2], "action.yml"))
    image = stated["runs"]["image"]
    assert image.startswith(f"docker://ghcr.io/{released.slug}@sha256:"), image
    inputs = {name: one["default"] for name, one in stated["inputs"].items()}
    inputs |= step["with"] | LITTLE
    del inputs["token"], inputs["report"]
    with _pull(released, room) as pull:
        pull.environment = {f"INPUT_{name.upper()}": one for name, one in inputs.items()}
        pull.push({"app.py": WEAK})
        (pull.root.parent / "event.json").write_text(json.dumps(pull.event()))
        run = pull.run(*stated["runs"]["args"], token="ghs-usual", name="pull_request")
        assert run.code == 1, run.err
        [comment], [check] = pull.hub.comments, pull.hub.runs
        assert "Failed" in comment["body"].splitlines()[0]
        assert (check["name"], check["conclusion"]) == ("Mergegate", "failure")
        assert check["name"] != job["name"]


def component(released: Released, room: Path) -> None:
    """A merge request that includes the component of the recipe: the job fails with its reports."""
    root = _repository(room)
    git(root, "remote", "add", "origin", f"{LAB}/acme/shop.git")
    text = released.recipe("gitlab.yml")
    text["include"][0]["inputs"] |= LITTLE | {"offline": True}
    (root / ".gitlab-ci.yml").write_text(yaml.safe_dump(text))
    base = commit(root, "include the component")
    (root / "app.py").write_text(WEAK)
    commit(root, "weak")
    lab = pipeline(root)
    programs = f"{released.environment / 'bin'}:/usr/local/bin:/usr/bin:/bin"
    done = lab.run(
        "mergegate",
        path=programs,
        GITLAB_CI="true",
        CI_SERVER_FQDN=LAB.partition("//")[2],
        CI_PROJECT_DIR=str(root / ".gitlab-ci-local" / "builds" / "mergegate"),
        CI_MERGE_REQUEST_PROJECT_PATH="acme/shop",
        CI_MERGE_REQUEST_SOURCE_PROJECT_PATH="acme/shop",
        CI_MERGE_REQUEST_SOURCE_BRANCH_NAME="change",
        CI_MERGE_REQUEST_TARGET_BRANCH_NAME="main",
        CI_MERGE_REQUEST_DIFF_BASE_SHA=base,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    kept = root / ".gitlab-ci-local" / "artifacts" / "mergegate" / "mergegate-report"
    assert (kept / "gl-sast-report.json").is_file(), done.stdout + done.stderr


def hook(released: Released, room: Path) -> None:
    """A commit with the hook of the recipe: pre-commit installs it, and it stops what is weak."""
    root = _repository(room)
    config = (released.folder / "recipes" / "pre-commit.yml").read_text()
    (root / ".pre-commit-config.yaml").write_text(config)
    commit(root, "the hook")
    _pre_commit(released, room, root, "install-hooks", **_borrowed(released, room))
    (root / "app.py").write_text(WEAK)
    git(root, "add", "app.py")
    done = _pre_commit(released, room, root, "run")
    assert done.returncode == 1, done.stdout
    assert "app.py:5" in done.stdout, "it stopped for another reason: " + done.stdout


def _borrowed(released: Released, room: Path) -> Mapping[str, str]:
    """Quickly: built with the packages that are here, and without those that it stands on."""
    if not released.quick:
        return {}
    here = sysconfig.get_path("purelib")
    return {"PIP_NO_DEPS": "1", "PIP_NO_BUILD_ISOLATION": "0", "PYTHONPATH": here}


def _pre_commit(
    released: Released, room: Path, root: Path, *verb: str, **more: str
) -> "subprocess.CompletedProcess[str]":
    kept = room / "pre-commit"
    if verb == ("run",) and released.quick:
        [packages] = released.environment.glob("lib/*/site-packages")
        for borrower in kept.glob("*/py_env-*/lib/*/site-packages"):
            (borrower / "borrowed.pth").write_text(f"{packages}\n")
    program = Path(sys.executable).with_name("pre-commit")
    settings = {"HOME": str(room), "PRE_COMMIT_HOME": str(kept), "MERGEGATE_DATA_DIR": str(room)}
    done = subprocess.run(
        [program, *verb],
        cwd=root,
        env=_outside() | settings | more,
        capture_output=True,
        text=True,
        check=False,
    )
    assert verb == ("run",) or done.returncode == 0, done.stdout + done.stderr
    return done


def _outside() -> dict[str, str]:
    """What tells a program how to reach an index from here; nothing else of ours."""
    chosen = ("PATH", "PIP_", "UV_", "SSL_", "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "TMPDIR")
    return {name: one for name, one in os.environ.items() if name.upper().startswith(chosen)}


@contextmanager
def _pull(released: Released, room: Path) -> Iterator[Pull]:
    root = _repository(room)
    git(root, "remote", "add", "origin", f"{HUB}/{REPOSITORY}.git")
    git(root, "switch", "-q", "-c", "topic")

    def mergegate(*arguments: str, env: Mapping[str, str], cwd: Path) -> Run:
        given = {"PATH": os.defpath, "HOME": str(room), "MERGEGATE_DATA_DIR": str(room / "data")}
        done = subprocess.run(
            [released.environment / "bin" / "mergegate", *arguments],
            cwd=cwd,
            env=given | dict(env),
            capture_output=True,
            text=True,
            check=False,
        )
        return Run(done.returncode, done.stdout, done.stderr)

    hub = Hub(now=time.monotonic)
    with serving(hub) as api_url:
        hub.base = git(root, "rev-parse", "main")
        yield Pull(hub, api_url, root, mergegate)


def _repository(room: Path) -> Path:
    root = room / "repository"
    root.mkdir(parents=True)
    git(root, "init", "-q", "-b", "main")
    (root / "clean.py").write_text(CLEAN)
    commit(root, "clean")
    return root


def _stand_in(released: Released, home: Path) -> None:
    """Git, in ``home``, finds the released repository under the forges' addresses."""
    there = released.forge.as_uri()
    asked = [f"{forge}/{released.slug}" for forge in (HUB, LAB, f"{LAB}:443")]
    lines = [f"insteadOf = {one}{end}" for one in asked for end in (".git", "")]
    (home / ".gitconfig").write_text("\n\t".join((f'[url "{there}"]', *lines)) + "\n")


def _main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    for name in ("forge", "environment"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--slug", required=True)
    parser.add_argument("--quick", action="store_true")
    released = Released(**vars(parser.parse_args()))
    sealed(released)
    for attempt in (action, component, hook):
        with tempfile.TemporaryDirectory() as name:
            room = Path(name)
            _stand_in(released, room)
            try:
                attempt(released, room)
                print(f"{attempt.__name__}: stops a weak change, as released")
            except pytest.skip.Exception as skipped:
                print(f"{attempt.__name__}: {skipped}")


if __name__ == "__main__":
    _main()
