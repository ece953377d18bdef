"""Of the hundred secrets none is in what the job of a change prints, keeps or tells a forge."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from mergegate.repo.report.formats import FORMATS
from tests.canaries.flock import branch, contents, environment, messages, names, needles
from tests.canaries.leaks import files
from tests.ci.jobs.conftest import (  # noqa: F401 - the fixtures that the scene is asked for
    first_pull,
    first_topic,
    merge_request,
    mergegate,
    pull,
    pull_request,
    topic,
)
from tests.ci.jobs.scenes import OnBitbucket, OnGitHub, OnGitLab, Scene
from tests.forges.gitlab_stand_in import BOT_TOKEN, JOB_TOKEN
from tests.sandbox.git.test_repository import git

FORGES = (
    "github",
    *(pytest.param(one, marks=pytest.mark.thorough) for one in ("gitlab", "bitbucket")),
)
TOKENS = ("ghs-usual", "bot-secret", BOT_TOKEN, JOB_TOKEN)
"""Of the forges that stand in; made of words, so that only a whole one tells."""
_WEAK = "from flask import request\nimport os\n\ndef f():\n    os.system(request.args['x'])\n"


@pytest.fixture(params=FORGES)
def scene(request: pytest.FixtureRequest) -> Scene:
    if request.param == "github":
        return OnGitHub(request.getfixturevalue("pull"))
    if request.param == "gitlab":
        return OnGitLab(request.getfixturevalue("merge_request"))
    return OnBitbucket(request.getfixturevalue("pull_request"))


def test_no_secret_leaves_the_job_of_a_change(scene: Scene, tmp_path: Path) -> None:
    for message in messages():
        git(scene.root, "commit", "-q", "--allow-empty", "-m", message)
    scene.push(dict(contents()) | dict.fromkeys(names(), _WEAK))
    scene.call(branch(), title=next(messages()).splitlines()[0])
    cache, formats = tmp_path / "kept", ",".join(FORMATS)
    given = ("--only", "all", "--offline", "true", "--sarif", "true", "--formats", formats)
    run = scene.ci(*given, "--cache", str(cache), **environment("ci"))
    assert run.code in {1, 3}, run.err
    assert scene.comments
    assert scene.remarks
    told = {
        "log": run.out + run.err,
        "comments": json.dumps([*scene.comments, *scene.remarks]),
        "checks": scene.plain,
        "summary": "".join(_read(scene.root.parent, "summary.md", "output.txt")),
    }
    left = dict(files(scene.root.parent / "report", cache))
    left |= {name: text.encode() for name, text in told.items()}
    assert any(name.endswith("mergegate.html") for name in left)
    assert any(name.endswith("answers.sqlite") for name in left)
    found = {name: _found(data) for name, data in left.items()}
    assert {name: secrets for name, secrets in found.items() if secrets} == {}


def _found(data: bytes) -> list[str]:
    return sorted([*needles().within(data), *(one for one in TOKENS if one.encode() in data)])


def _read(folder: Path, *names: str) -> Iterator[str]:
    yield from ((folder / one).read_text() for one in names if (folder / one).is_file())
