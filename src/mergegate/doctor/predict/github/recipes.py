"""The workflows that corrected repositories get: the scan, and the half that may write."""

import re

from mergegate.doctor.predict.yaml.render import PINS, Value, flow

_CHECKOUT, _UPLOAD, _DOWNLOAD = PINS
"""In the order in which they are declared."""

SCAN = """\
name: Mergegate

on:
  pull_request:
  merge_group:

permissions: {{}}

concurrency:
  group: mergegate-${{{{ github.ref }}}}
  cancel-in-progress: true

jobs:
  mergegate:
    name: Mergegate
    runs-on: ubuntu-24.04
    timeout-minutes: 30
    permissions:
      contents: read
    steps:
      - uses: {checkout}
        with:
          fetch-depth: 0
          persist-credentials: false
      - run: pipx run mergegate=={version} ci
      - uses: {upload}
        if: ${{{{ !cancelled() }}}}
        with:
          name: mergegate-report
          path: mergegate-report/
"""

PUBLISH = """\
# Runs after the scan, with a token that may write. It never checks out or runs the change's code.
name: Mergegate answer

on: # zizmor: ignore[dangerous-triggers]
  workflow_run:
    workflows: [{name}]
    types: [completed]

permissions: {{}}

concurrency:
  group: mergegate-answer-${{{{ github.event.workflow_run.head_sha }}}}
  cancel-in-progress: false

jobs:
  publish:
    name: Publish
    if: github.event.workflow_run.event == 'pull_request'
    runs-on: ubuntu-24.04
    timeout-minutes: 10
    permissions:
      actions: read # the report of the other run
      checks: write # the check with its annotations
      pull-requests: write # the comment and the reviews
    steps:
      - uses: {download}
        with:
          name: mergegate-report
          path: mergegate-report
          run-id: ${{{{ github.event.workflow_run.id }}}}
          github-token: ${{{{ github.token }}}}
{step}
"""
_ACTION_STEP = """\
      - uses: {action}/publish@{commit}"""
_COMMAND_STEP = """\
      - run: pipx run mergegate=={version} publish mergegate-report/mergegate.json
        env:
          GITHUB_TOKEN: ${{{{ github.token }}}}"""
_PINNED = re.compile(r"^(?P<action>[\w./-]+)@(?P<commit>[0-9a-f]{40})$")

SCAN_FILE = ".github/workflows/mergegate.yml"
PUBLISH_FILE = ".github/workflows/mergegate-publish.yml"


def scan(version: str) -> str:
    """The first half: scans, writes nothing."""
    return SCAN.format(
        checkout=_with_release(_CHECKOUT), upload=_with_release(_UPLOAD), version=version
    )


def publish(name: str, version: str, reference: str = "") -> str:
    """The second half, for the workflow called ``name``.

    It uses the same commit of the action as the first half where that is pinned by ``reference``,
    else the package.
    """
    pinned = _PINNED.match(reference)
    step = _ACTION_STEP.format(**pinned.groupdict()) if pinned else _COMMAND_STEP
    return PUBLISH.format(
        name=flow(name),
        download=_with_release(_DOWNLOAD),
        step=step if pinned else step.format(version=version),
    )


def upload_step(folder: str) -> Value:
    """The step that hands the report over."""
    return {
        "uses": _UPLOAD,
        "if": "${{ !cancelled() }}",
        "with": {"name": "mergegate-report", "path": f"{folder.rstrip('/')}/"},
    }


def checkout_step() -> Value:
    """The step that fetches what is to be scanned."""
    return {"uses": _CHECKOUT, "with": {"fetch-depth": 0, "persist-credentials": False}}


def _with_release(pinned: str) -> str:
    return f"{pinned} # {PINS[pinned]}"
