"""Pieces of workflows that the cases are made of."""

from mergegate.doctor.predict.prediction import Scene
from mergegate.doctor.predict.settings import Settings
from tests.doctor.predict.scenes import COMMIT, HOME, LONE_TEXT, PULL, SCAN_TEXT, scene

REQUIRED = Settings(required=("Scan",), queue=False, protected_branches=("main",))
QUEUE = Settings(required=("Scan",), queue=True)
OPEN = Settings(private=False)
GATE = f"      - uses: acme/mergegate@{COMMIT} # v1.0.0\n"
CHECKOUT = (
    "      - uses: actions/checkout@de0fac2e4500dabe0009e67214ff5f5447ce83dd # v6.0.2\n"
    "        with:\n          fetch-depth: 0\n          persist-credentials: false\n"
)
UPLOAD = SCAN_TEXT[SCAN_TEXT.index("      - uses: actions/upload") :]
DEEP = "          fetch-depth: 0\n"
SAME_NAME = "jobs: {x: {name: Scan, runs-on: y, steps: []}}\n"
CALLED = ".github/workflows/called.yml"
CALLED_TEXT = LONE_TEXT.replace(f"{PULL}  merge_group:\n", "  workflow_call:\n")
CALLER_TEXT = """\
name: CI
on: [pull_request, merge_group]
permissions:
  contents: read
jobs:
  gate:
    uses: ./.github/workflows/called.yml
    permissions:
      contents: read
      checks: write
      pull-requests: write
"""


def command(text: str, extra: str = "") -> tuple[str, str]:
    """The gate as a command instead of the action, given the job's token."""
    env = "        env:\n          GITHUB_TOKEN: ${{ github.token }}\n"
    return GATE, f"      - run: {text}\n{extra}{env}"


def script(*lines: str, extra: str = "") -> tuple[str, str]:
    """The gate as a script of several lines."""
    body = "".join(f"          {line}\n" for line in lines)
    return GATE, f"      - run: |\n{body}{extra}"


def calling(caller: str = CALLER_TEXT, called: str = CALLED_TEXT) -> Scene:
    """A workflow that calls the one with the gate."""
    return scene({".github/workflows/ci.yml": caller, CALLED: called}, settings=HOME)
