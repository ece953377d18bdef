"""Repositories for the tests: sound ones, and what a sentence changes in them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from mergegate.doctor.predict import predict
from mergegate.doctor.predict.prediction import Prediction, Scene
from mergegate.doctor.predict.settings import Settings

COMMIT = "0123456789abcdef0123456789abcdef01234567"
DIGEST = "sha256:" + "ab" * 32
SCAN, ANSWER = ".github/workflows/mergegate.yml", ".github/workflows/answer.yml"
LAB, BUCKET = ".gitlab-ci.yml", "bitbucket-pipelines.yml"

PULL = "  pull_request:\n    types: [opened, synchronize, reopened, edited]\n"
SCAN_TEXT = f"""\
name: Mergegate

on:
  pull_request:
    types: [opened, synchronize, reopened, edited]
  merge_group:

permissions: {{}}

concurrency:
  group: mergegate-${{{{ github.ref }}}}
  cancel-in-progress: true

jobs:
  scan:
    name: Scan
    runs-on: ubuntu-24.04
    timeout-minutes: 30
    permissions:
      contents: read # the code
    steps:
      - uses: actions/checkout@de0fac2e4500dabe0009e67214ff5f5447ce83dd # v6.0.2
        with:
          fetch-depth: 0
          persist-credentials: false
      - uses: acme/mergegate@{COMMIT} # v1.0.0
      - uses: actions/upload-artifact@bbbca2ddaa5d8feaa63e36b76fdaad77386f024f # v7.0.0
        if: always()
        with:
          name: mergegate-report
          path: mergegate-report/
"""
"""The sound first half."""

ANSWER_TEXT = f"""\
name: Answer

on:
  workflow_run:
    workflows: [Mergegate]
    types: [completed]

permissions: {{}}

jobs:
  publish:
    if: github.event.workflow_run.event == 'pull_request'
    runs-on: ubuntu-24.04
    timeout-minutes: 10
    permissions:
      actions: read
      checks: write
      contents: read
      pull-requests: write
    steps:
      - uses: actions/download-artifact@70fc10c6e5e1ce46ad2ea6f2b72d43f7d47b13c3 # v8.0.0
        with:
          name: mergegate-report
          path: mergegate-report
          run-id: ${{{{ github.event.workflow_run.id }}}}
          github-token: ${{{{ github.token }}}}
      - uses: acme/mergegate/publish@{COMMIT} # v1.0.0
"""
"""The sound second half."""

LONE_TEXT = SCAN_TEXT.replace(
    "      contents: read # the code\n",
    "      contents: read # the code\n      checks: write\n      pull-requests: write\n",
)
"""A single workflow that comments by itself; sound where nothing is forked."""

LAB_TEXT = f"""\
# our pipeline
workflow:
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH

mergegate:
  image:
    name: registry.example.org/acme/mergegate@{DIGEST}
    entrypoint: [""]
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
  script:
    - mergegate ci --formats json,html,gitlab # the gate
  artifacts:
    when: always
    paths: [mergegate-report/]
    reports:
      codequality: mergegate-report/gl-code-quality-report.json
"""

BUCKET_TEXT = f"""\
# our pipelines
definitions:
  services:
    database:
      image: postgres:17
      memory: 512
pipelines:
  pull-requests:
    "**":
      - step:
          name: Mergegate
          image: registry.example.org/acme/mergegate@{DIGEST}
          clone:
            depth: full
          script:
            - mergegate ci # the gate
          artifacts:
            - mergegate-report/**
"""

HOME = Settings(private=True, forks=False)
"""Nothing is forked."""
LAB_HOME = Settings(private=True, forks=False)


@dataclass(frozen=True, slots=True)
class Change:
    """Pieces of a file, replaced; each must be there."""

    path: str
    pieces: tuple[tuple[str, str], ...]


def at(path: str, *pieces: tuple[str, str]) -> Change:
    """``pieces`` of ``path``: old and new, in turn."""
    return Change(path, pieces)


def pair(*changes: Change, settings: Settings = Settings(), **more: str) -> Scene:
    """The sound pair, changed. ``more`` are further files, by path with ``__`` for ``/``."""
    return scene({SCAN: SCAN_TEXT, ANSWER: ANSWER_TEXT}, changes, settings, more)


def lone(*changes: Change, settings: Settings = HOME) -> Scene:
    """The single workflow, changed."""
    return scene({SCAN: LONE_TEXT}, changes, settings)


def lab(*pieces: tuple[str, str], settings: Settings = LAB_HOME) -> Scene:
    """The sound GitLab pipeline, changed."""
    return scene({LAB: LAB_TEXT}, [at(LAB, *pieces)], settings)


def bucket(*pieces: tuple[str, str], settings: Settings = LAB_HOME) -> Scene:
    """The sound Bitbucket pipelines, changed."""
    return scene({BUCKET: BUCKET_TEXT}, [at(BUCKET, *pieces)], settings)


def scene(
    files: Mapping[str, str],
    changes: Iterable[Change] = (),
    settings: Settings = Settings(),
    more: Mapping[str, str] | None = None,
) -> Scene:
    """``files`` after ``changes``; a piece that is not there once fails the test."""
    texts = dict(files) | dict(more or {})
    for change in changes:
        for old, new in change.pieces:
            assert texts[change.path].count(old) == 1, f"{old!r} is not once in {change.path}"
            texts[change.path] = texts[change.path].replace(old, new)
    return Scene(files=texts, settings=settings)


def ids(found: Iterable[Prediction]) -> set[str]:
    """The ids of predictions."""
    return {one.kind.id for one in found}


def told(scene: Scene) -> set[str]:
    """What breaks or warns in ``scene``; notes that only settings can answer aside."""
    return ids(one for one in predict(scene) if one.outcome != "notes")


@dataclass(frozen=True, slots=True)
class Case:
    """A repository in which one thing goes wrong, and what it prints as its place."""

    id: str
    scene: Scene
    corrected: bool = True
    """Whether a correction is offered."""
    outcome: str = "breaks"
    line: str = ""
    """A piece of the line that is pointed to."""
    also: frozenset[str] = field(default_factory=frozenset)
    """What else goes wrong there."""
