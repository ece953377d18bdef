"""The CI files that corrected repositories get, written as ``*.yml`` beside this module.

``<name>`` in them is filled in.
"""

import re
from pathlib import Path

import yaml

from mergegate.doctor.predict.yaml.render import PINS, Value, flow

_HERE = Path(__file__).parent
_CHECKOUT, _UPLOAD, _DOWNLOAD = PINS
"""In the order in which they are declared."""
_ACTION_STEP = "      - uses: {action}/publish@{commit}"
_COMMAND_STEP = """\
      - run: pipx run mergegate=={version} publish mergegate-report/mergegate.json
        env:
          GITHUB_TOKEN: ${{{{ github.token }}}}"""
_PINNED = re.compile(r"^(?P<action>[\w./-]+)@(?P<commit>[0-9a-f]{40})$")

SCAN_FILE = ".github/workflows/mergegate.yml"
PUBLISH_FILE = ".github/workflows/mergegate-publish.yml"


def scan(version: str) -> str:
    """GitHub's first half: scans, writes nothing."""
    return _filled(
        "github-scan",
        checkout=_with_release(_CHECKOUT),
        upload=_with_release(_UPLOAD),
        version=version,
    )


def publish(name: str, version: str, reference: str = "") -> str:
    """GitHub's second half, which may write, for the workflow called ``name``.

    It uses the same commit of the action as the first half where that is pinned by ``reference``,
    else the package.
    """
    pinned = _PINNED.match(reference)
    step = (
        _ACTION_STEP.format(**pinned.groupdict())
        if pinned
        else _COMMAND_STEP.format(version=version)
    )
    return _filled("github-publish", name=flow(name), download=_with_release(_DOWNLOAD), step=step)


def pipeline(provider: str, version: str) -> str:
    """GitLab's or Bitbucket's file, with one job or step that runs on every change."""
    return _filled(provider, version=version)


def job(provider: str, version: str, path: tuple[str, ...]) -> Value:
    """What stands at ``path`` of it."""
    value = yaml.safe_load(pipeline(provider, version))
    for key in path:
        value = value[key]
    job: Value = value
    return job


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


def _filled(file: str, /, **values: str) -> str:
    text = (_HERE / f"{file}.yml").read_text("utf-8")
    return re.sub(r"<(\w+)>", lambda found: values[found[1]], text)


def _with_release(pinned: str) -> str:
    return f"{pinned} # {PINS[pinned]}"
