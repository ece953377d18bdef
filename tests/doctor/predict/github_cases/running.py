"""Exit codes, checkouts, and what ages or collides: what goes wrong, and the near-misses."""

from dataclasses import replace

from mergegate.doctor.predict.settings import Settings
from tests.doctor.predict.github_cases.parts import CHECKOUT, DEEP, GATE, OPEN, command, script
from tests.doctor.predict.scenes import COMMIT, HOME, PULL, SCAN, Case, at, lone, pair

HITS = (
    Case(
        "github-continue-on-error",
        pair(at(SCAN, (GATE, f"{GATE}        continue-on-error: true\n"))),
        line="continue-on-error",
    ),
    Case(
        "github-continue-on-error",
        pair(at(SCAN, ("    runs-on", "    continue-on-error: true\n    runs-on"))),
        outcome="warns",
        line="continue-on-error",
    ),
    Case(
        "github-exit-code-ignored",
        pair(at(SCAN, command("mergegate ci || true # lenient"))),
        line="|| true",
    ),
    Case(
        "github-exit-code-ignored",
        pair(at(SCAN, script("echo scanning", "mergegate ci | tee log.txt"))),
        line="tee",
    ),
    Case(
        "github-exit-code-ignored",
        pair(at(SCAN, script("mergegate scan || true", "mergegate ci || :"))),
        line="|| true",
    ),
    Case(
        "github-exit-code-ignored",
        pair(at(SCAN, script("mergegate ci | tee log.txt || true"))),
        corrected=False,
        line="|| true",
    ),
    Case(
        "github-exit-code-ignored",
        pair(at(SCAN, script("set +e", "mergegate ci", "echo done"))),
        corrected=False,
        line="mergegate ci",
    ),
    Case("github-no-checkout", pair(at(SCAN, (CHECKOUT, ""))), line="acme/mergegate"),
    Case(
        "github-history-unreachable",
        lone(at(SCAN, (DEEP, ""), command("mergegate scan --base origin/main"))),
        line="actions/checkout",
    ),
    Case(
        "github-history-unreachable",
        pair(
            at(SCAN, (DEEP, "          fetch-depth: 1\n"), script("mergegate ci")),
            settings=HOME,
        ),
        line="actions/checkout",
    ),
    Case(
        "github-partial-clone",
        pair(at(SCAN, (DEEP, f"{DEEP}          filter: blob:none\n"))),
        line="filter:",
    ),
    Case(
        "github-sparse-checkout",
        pair(at(SCAN, (DEEP, f"{DEEP}          sparse-checkout: src\n"))),
        outcome="warns",
        line="sparse-checkout",
    ),
    Case(
        "github-unpinned",
        pair(at(SCAN, (f"acme/mergegate@{COMMIT}", "acme/mergegate@v1"))),
        corrected=False,
        outcome="warns",
        line="mergegate@v1",
    ),
    Case(
        "github-unpinned",
        pair(at(SCAN, script("pip install mergegate", "mergegate ci"))),
        corrected=False,
        outcome="warns",
        line="- run:",
    ),
    Case(
        "github-runs-cancel-each-other",
        pair(at(SCAN, ("mergegate-${{ github.ref }}", "mergegate"))),
        line="group:",
    ),
    Case(
        "github-runs-cancel-each-other",
        pair(at(SCAN, ("github.ref }}", "github.head_ref }}"))),
        line="group:",
    ),
    Case(
        "github-no-timeout",
        pair(at(SCAN, ("    timeout-minutes: 30\n", ""))),
        outcome="notes",
        line="name: Scan",
    ),
    Case(
        "github-schedule-sleeps",
        pair(
            at(
                SCAN,
                ("  merge_group:\n", "  merge_group:\n  schedule: [{cron: '5 4 * * *'}]\n"),
                (
                    "      contents: read # the code\n",
                    "      contents: read\n      issues: write\n",
                ),
            )
        ),
        corrected=False,
        outcome="notes",
        line="schedule",
    ),
    Case(
        "github-default-branch-only",
        replace(pair(settings=Settings(default_branch="main")), branch="feature"),
        corrected=False,
        outcome="notes",
        line="workflow_run",
    ),
    Case(
        "github-every-comment-runs",
        lone(at(SCAN, (f"{PULL}  merge_group:\n", "  issue_comment:\n"))),
        outcome="warns",
        line="name: Scan",
        also=frozenset({"github-pull-requests-unscanned"}),
    ),
    Case(
        "github-runner-not-linux",
        pair(at(SCAN, ("ubuntu-24.04", "macos-15"))),
        line="macos-15",
    ),
)

NEAR_MISSES = (
    (
        "github-continue-on-error",
        pair(at(SCAN, (GATE, f"{GATE}        continue-on-error: false\n"))),
    ),
    (
        "github-exit-code-ignored",
        pair(at(SCAN, script("mergegate ci | tee log.txt", extra="        shell: bash\n"))),
    ),
    (
        "github-exit-code-ignored",
        pair(at(SCAN, script("set -euo pipefail", "mergegate ci | tee log.txt"))),
    ),
    ("github-exit-code-ignored", pair(at(SCAN, script("mergegate ci || exit 1")))),
    ("github-exit-code-ignored", pair(at(SCAN, script("mergegate ci; true")))),
    ("github-exit-code-ignored", pair(at(SCAN, script("make lint || true", "mergegate ci")))),
    ("github-no-checkout", pair()),
    (
        "github-history-unreachable",
        pair(at(SCAN, (DEEP, "          fetch-depth: 1\n")), settings=HOME),
    ),
    (
        "github-history-unreachable",
        pair(at(SCAN, (DEEP, ""), script("mergegate ci")), settings=OPEN),
    ),
    (
        "github-history-unreachable",
        lone(
            at(
                SCAN,
                (DEEP, ""),
                script("git fetch origin main", "mergegate scan --base FETCH_HEAD"),
            )
        ),
    ),
    ("github-unpinned", pair(at(SCAN, script("pip install mergegate==1.0.0", "mergegate ci")))),
    (
        "github-runs-cancel-each-other",
        pair(
            at(
                SCAN,
                ("github.ref }}", "github.event.pull_request.number || github.run_id }}"),
            )
        ),
    ),
    (
        "github-schedule-sleeps",
        lone(at(SCAN, ("  merge_group:\n", "  merge_group:\n  schedule: [{cron: '5 4 * * *'}]\n"))),
    ),
    (
        "github-default-branch-only",
        replace(pair(settings=Settings(default_branch="main")), branch="main"),
    ),
    (
        "github-every-comment-runs",
        lone(
            at(
                SCAN,
                (f"{PULL}  merge_group:\n", "  issue_comment:\n"),
                (
                    "    runs-on",
                    (
                        "    if: github.event.issue.pull_request && "
                        "contains(github.event.comment.body, '/mergegate')\n    runs-on"
                    ),
                ),
            )
        ),
    ),
    (
        "github-runner-not-linux",
        lone(at(SCAN, ("ubuntu-24.04", "macos-15"), command("mergegate ci"))),
    ),
)
