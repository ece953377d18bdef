"""Required checks, filters and skipped gates: what goes wrong, and the near-misses."""

from dataclasses import replace

from mergegate.doctor.predict.settings import Settings
from tests.doctor.predict.github_cases.parts import GATE, QUEUE, REQUIRED, SAME_NAME
from tests.doctor.predict.scenes import (
    ANSWER,
    ANSWER_TEXT,
    PULL,
    SCAN,
    SCAN_TEXT,
    Case,
    at,
    lone,
    pair,
)

_BY_EVENT = "    name: ${{ github.event_name == 'merge_group' && 'Scan' || 'Other' }}\n"
HITS = (
    Case(
        "github-queue-pending",
        pair(at(SCAN, ("  merge_group:\n", "")), settings=QUEUE),
        line="on:",
    ),
    Case(
        "github-queue-pending",
        pair(
            at(SCAN, (f"on:\n{PULL}  merge_group:\n", "on: pull_request\n")),
            settings=QUEUE,
        ),
        line="on:",
    ),
    Case(
        "github-queue-pending",
        pair(
            at(
                SCAN,
                (f"on:\n{PULL}  merge_group:\n", "on: [pull_request, push] # both\n"),
            ),
            settings=QUEUE,
        ),
        line="on:",
    ),
    Case(
        "github-queue-pending",
        pair(
            at(
                SCAN,
                (f"on:\n{PULL}  merge_group:\n", "on: # when\n  - pull_request\n"),
            ),
            settings=QUEUE,
        ),
        line="on:",
    ),
    Case(
        "github-check-name-never-reported",
        pair(settings=replace(REQUIRED, required=("scan",))),
        line="name: Scan",
    ),
    Case(
        "github-check-name-never-reported",
        pair(settings=replace(REQUIRED, required=("Mergegate / Scan",))),
        corrected=False,
        line="name: Scan",
    ),
    Case(
        "github-check-name-varies",
        lone(
            at(
                SCAN,
                (
                    "    timeout-minutes: 30\n",
                    (
                        "    timeout-minutes: 30\n    strategy:\n      matrix:\n"
                        "        part: [code, iac]\n"
                    ),
                ),
            )
        ),
        corrected=False,
        outcome="warns",
        line="strategy:",
    ),
    Case(
        "github-check-name-varies",
        lone(at(SCAN, ("name: Scan\n", "name: Scan on ${{ github.event_name }}\n"))),
        corrected=False,
        outcome="warns",
        line="github.event_name",
    ),
    Case(
        "github-required-check-posted",
        lone(settings=Settings(required=("Mergegate",))),
        corrected=False,
        line="acme/mergegate",
        also=frozenset({"github-fork-comment"}),
    ),
    Case(
        "github-check-not-required",
        pair(settings=Settings(required=("Tests",))),
        corrected=False,
        outcome="warns",
        line="name: Scan",
    ),
    Case(
        "github-path-filter-pending",
        pair(
            at(SCAN, ("  pull_request:\n", "  pull_request:\n    paths: [src/**] # code\n")),
            settings=REQUIRED,
        ),
        line="paths:",
    ),
    Case(
        "github-path-filter-pending",
        pair(at(SCAN, (PULL, "  pull_request: {paths-ignore: ['docs/**']}\n"))),
        outcome="warns",
        line="paths-ignore",
    ),
    Case(
        "github-branch-filter-pending",
        pair(
            at(SCAN, ("  pull_request:\n", "  pull_request:\n    branches: ['release/*']\n")),
            settings=REQUIRED,
        ),
        line="branches:",
    ),
    Case(
        "github-types-filter-pending",
        pair(
            at(SCAN, ("[opened, synchronize, reopened, edited]", "[opened, labeled]")),
            settings=REQUIRED,
        ),
        line="types:",
    ),
    Case(
        "github-retarget-unscanned",
        pair(at(SCAN, ("    types: [opened, synchronize, reopened, edited]\n", ""))),
        outcome="notes",
        line="on:",
    ),
    Case(
        "github-retarget-unscanned",
        pair(at(SCAN, (", edited]", ", labeled]"))),
        outcome="notes",
        line="on:",
    ),
    Case(
        "github-pull-requests-unscanned",
        lone(at(SCAN, (f"{PULL}  merge_group:\n", "  push:\n"))),
        outcome="warns",
        line="on:",
    ),
    Case(
        "github-skipped-counts-as-passed",
        pair(
            at(
                SCAN,
                (
                    "    runs-on",
                    "    if: github.event.pull_request.draft == false\n    runs-on",
                ),
            ),
            settings=REQUIRED,
        ),
        line="draft",
    ),
    Case(
        "github-skipped-counts-as-passed",
        pair(at(SCAN, (GATE, f"{GATE}        if: github.actor != 'dependabot[bot]'\n"))),
        outcome="warns",
        line="dependabot",
    ),
    Case(
        "github-needs-skip-gate",
        pair(
            at(
                SCAN,
                ("    runs-on", "    needs: [build]\n    runs-on"),
                (
                    "jobs:\n",
                    "jobs:\n  build:\n    runs-on: ubuntu-24.04\n    steps:\n      - run: make\n",
                ),
            )
        ),
        outcome="warns",
        line="needs:",
    ),
)

NEAR_MISSES = (
    ("github-queue-pending", pair(settings=QUEUE)),
    ("github-queue-pending", pair(at(SCAN, ("  merge_group:\n", "")), settings=REQUIRED)),
    ("github-queue-pending", pair(at(SCAN, ("  merge_group:\n", "")))),
    (
        "github-queue-pending",
        replace(
            pair(at(SCAN, ("  merge_group:\n", "")), settings=QUEUE),
            files={
                SCAN: SCAN_TEXT.replace("  merge_group:\n", ""),
                ANSWER: ANSWER_TEXT,
                ".github/workflows/queue.yml": f"on: merge_group\n{SAME_NAME}",
            },
        ),
    ),
    ("github-check-name-never-reported", pair(settings=REQUIRED)),
    ("github-check-name-never-reported", pair(settings=Settings(required=("Tests",)))),
    ("github-check-name-never-reported", pair(settings=Settings(required=("Mergegate",)))),
    ("github-required-check-posted", pair(settings=Settings(required=("Mergegate",)))),
    ("github-check-not-required", pair(settings=REQUIRED)),
    (
        "github-path-filter-pending",
        pair(
            at(SCAN, ("  pull_request:\n", "  pull_request:\n    paths: [src/**]\n")),
            settings=Settings(required=("Tests",)),
        ),
    ),
    (
        "github-path-filter-pending",
        replace(
            pair(settings=REQUIRED),
            files={
                SCAN: SCAN_TEXT.replace("  pull_request:\n", "  pull_request:\n    paths: [a]\n"),
                ANSWER: ANSWER_TEXT,
                ".github/workflows/other.yml": f"on: pull_request\n{SAME_NAME}",
            },
        ),
    ),
    (
        "github-branch-filter-pending",
        pair(
            at(SCAN, ("  pull_request:\n", "  pull_request:\n    branches: [main]\n")),
            settings=REQUIRED,
        ),
    ),
    (
        "github-check-name-varies",
        pair(at(SCAN, ("    name: Scan\n", _BY_EVENT))),
    ),
    (
        "github-types-filter-pending",
        pair(
            at(
                SCAN,
                (
                    "reopened, edited]",
                    "reopened, labeled]",
                ),
            )
        ),
    ),
    (
        "github-skipped-counts-as-passed",
        pair(at(SCAN, ("    runs-on", "    if: github.repository == 'acme/shop'\n    runs-on"))),
    ),
    (
        "github-skipped-counts-as-passed",
        pair(
            at(
                SCAN,
                (
                    "    runs-on",
                    (
                        "    if: github.event_name == 'pull_request' || "
                        "github.event_name == 'merge_group'\n    runs-on"
                    ),
                ),
            )
        ),
    ),
    (
        "github-skipped-counts-as-passed",
        pair(at(SCAN, ("    runs-on", "    if: ${{ !cancelled() }}\n    runs-on"))),
    ),
    (
        "github-needs-skip-gate",
        pair(
            at(
                SCAN,
                ("    runs-on", "    needs: build\n    if: ${{ !cancelled() }}\n    runs-on"),
            )
        ),
    ),
    (
        "github-skipped-counts-as-passed",
        pair(
            at(SCAN, ("    runs-on", "    if: github.actor != 'x'\n    runs-on")),
            settings=Settings(required=("Tests",)),
        ),
    ),
)
