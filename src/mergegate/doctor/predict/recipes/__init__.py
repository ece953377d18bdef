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
_STEP = "      - uses: {action}/publish@{commit}{release}"
_OURS = {"action": "OWNER/mergegate", "commit": "COMMIT", "release": " # VERSION"}
"""What only the publisher of Mergegate can fill in. No name on an index of packages stands here:
a stranger who takes that name would get the token of the job."""
_FILL = "Fill in the words in capitals; the page of a release prints them (docs/ci/README.md)."
_PINNED = re.compile(r"^(?P<action>[\w./-]+)@(?P<commit>[0-9a-f]{40})$")

UNFILLED = re.compile(
    r"^[^#\n]*?(\bOWNER/mergegate\b|\bmergegate(?:/publish)?@(?:COMMIT|sha256:DIGEST)\b)",
    re.MULTILINE,
)
"""What is left to fill in, where it is still there."""
JENKINS_FILE = "Jenkinsfile"
SCAN_FILE = ".github/workflows/mergegate.yml"
PUBLISH_FILE = ".github/workflows/mergegate-publish.yml"


def scan() -> str:
    """GitHub's first half: scans, writes nothing."""
    return _filled("github-scan", checkout=_with_release(_CHECKOUT), upload=_with_release(_UPLOAD))


def publish(name: str, reference: str = "") -> str:
    """GitHub's second half, which may write, for the workflow called ``name``.

    It uses the same commit of the action as the first half where that is pinned by ``reference``.
    """
    pinned = _PINNED.match(reference)
    step = _STEP.format(**{"release": "", **pinned.groupdict()} if pinned else _OURS)
    return _filled("github-publish", name=flow(name), download=_with_release(_DOWNLOAD), step=step)


def pipeline(provider: str) -> str:
    """GitLab's or Bitbucket's file, with one job or step that runs on every change."""
    return _filled(provider)


def jenkins() -> str:
    """Jenkins' file, with one stage; the same as the recipe in docs/ci."""
    return f"// {_FILL}\n{(_HERE / JENKINS_FILE).read_text('utf-8')}"


def job(provider: str, path: tuple[str, ...]) -> Value:
    """What stands at ``path`` of it."""
    value = yaml.safe_load(pipeline(provider))
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
    values["fill"] = _FILL
    return re.sub(r"<(\w+)>", lambda found: values[found[1]], text)


def _with_release(pinned: str) -> str:
    return f"{pinned} # {PINS[pinned]}"
