"""Forks and the pair of workflows: what goes wrong, and the near-misses."""

from dataclasses import replace

from tests.doctor.predict.github_cases.parts import DEEP, GATE, OPEN, UPLOAD, command
from tests.doctor.predict.scenes import ANSWER, COMMIT, LONE_TEXT, SCAN, Case, at, lone, pair

HITS = (
    Case("github-fork-comment", lone(settings=OPEN), outcome="warns", line=f"mergegate@{COMMIT}"),
    Case(
        "github-dependabot-comment",
        replace(
            lone(
                at(
                    SCAN,
                    (GATE, f"{GATE}        with:\n          token: ${{{{ secrets.BOT }}}}\n"),
                )
            ),
            files={
                SCAN: LONE_TEXT.replace(
                    GATE, f"{GATE}        with:\n          token: ${{{{ secrets.BOT }}}}\n"
                ),
                ".github/dependabot.yml": "version: 2\n",
            },
        ),
        outcome="warns",
        line="acme/mergegate",
    ),
    Case(
        "github-target-checks-out-head",
        lone(
            at(
                SCAN,
                ("  pull_request:\n", "  pull_request_target:\n"),
                (DEEP, f"{DEEP}          ref: ${{{{ github.event.pull_request.head.sha }}}}\n"),
            )
        ),
        line="actions/checkout",
    ),
    Case(
        "github-target-scans-base",
        lone(at(SCAN, ("  pull_request:\n", "  pull_request_target:\n"))),
        line="pull_request_target",
    ),
    Case(
        "github-second-half-unheard",
        pair(at(ANSWER, ("[Mergegate]", "[Mergegat]"))),
        line="workflows: [Mergegat]",
        also=frozenset({"github-fork-comment", "github-permission-pull-requests"})
        | {"github-permission-checks"},
    ),
    Case(
        "github-second-half-empty",
        pair(at(ANSWER, ("          run-id: ${{ github.event.workflow_run.id }}\n", ""))),
        line="download-artifact",
    ),
    Case("github-second-half-empty", pair(at(SCAN, (UPLOAD, ""))), line="acme/mergegate"),
    Case(
        "github-report-lost-on-failure",
        pair(at(SCAN, ("        if: always()\n", ""))),
        line="upload-artifact",
    ),
    Case(
        "github-second-half-success-only",
        pair(
            at(
                ANSWER,
                (
                    "github.event.workflow_run.event == 'pull_request'",
                    "github.event.workflow_run.conclusion == 'success'",
                ),
            )
        ),
        line="conclusion",
    ),
)

NEAR_MISSES = (
    ("github-fork-comment", lone()),
    ("github-fork-comment", pair(settings=OPEN)),
    (
        "github-fork-comment",
        lone(at(SCAN, (GATE, f"{GATE}        with: {{comment: false}}\n")), settings=OPEN),
    ),
    ("github-fork-comment", lone(at(SCAN, command("mergegate scan")), settings=OPEN)),
    (
        "github-dependabot-comment",
        replace(lone(), files={SCAN: LONE_TEXT, ".github/dependabot.yml": "version: 2\n"}),
    ),
    ("github-second-half-unheard", pair(at(ANSWER, ("[Mergegate]", "[Gone, Mergegate]")))),
    (
        "github-report-lost-on-failure",
        pair(at(SCAN, ("if: always()", "if: ${{ !cancelled() }}"))),
    ),
)
