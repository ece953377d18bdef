"""What the token may do: what goes wrong, and the near-misses."""

from dataclasses import replace

from tests.doctor.predict.github_cases.parts import CALLER_TEXT, GATE, OPEN, calling
from tests.doctor.predict.scenes import ANSWER, HOME, PULL, SCAN, Case, at, lone, pair

WATCH = lone(
    at(
        SCAN,
        ("  merge_group:\n", "  merge_group:\n  schedule: [{cron: '5 4 * * *'}]\n"),
        ("      checks: write\n", "      checks: write\n      issues: write\n"),
    )
)
ORDERS = lone(
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
)

HITS = (
    Case(
        "github-permission-contents",
        pair(at(SCAN, ("      contents: read # the code\n", "      issues: read\n"))),
        line="permissions:",
    ),
    Case(
        "github-permission-pull-requests",
        lone(at(SCAN, ("      pull-requests: write\n", ""))),
        line="permissions:",
    ),
    Case(
        "github-permission-pull-requests",
        lone(
            at(
                SCAN,
                (
                    (
                        "    permissions:\n      contents: read # the code\n      checks: write\n"
                        "      pull-requests: write\n"
                    ),
                    "",
                ),
                ("permissions: {}\n", "permissions:\n  contents: read\n  checks: write\n"),
            )
        ),
        line="permissions:",
    ),
    Case(
        "github-permission-checks",
        lone(at(SCAN, ("      checks: write\n", ""))),
        outcome="warns",
        line="permissions:",
    ),
    Case(
        "github-permission-security-events",
        lone(at(SCAN, (GATE, f"{GATE}        with: {{sarif: true}}\n"))),
        line="permissions:",
    ),
    Case(
        "github-permission-issues",
        lone(at(SCAN, ("  merge_group:\n", "  merge_group:\n  schedule: [{cron: '5 4 * * *'}]\n"))),
        line="permissions:",
    ),
    Case(
        "github-permission-contents-write",
        replace(WATCH, proposes_upgrades=True),
        outcome="warns",
        line="permissions:",
    ),
    Case(
        "github-permission-contents-write",
        replace(ORDERS, commits_fixes=True),
        outcome="warns",
        line="permissions:",
        also=frozenset({"github-pull-requests-unscanned"}),
    ),
    Case(
        "github-permission-contents",
        pair(at(ANSWER, ("      contents: read\n", ""))),
        line="permissions:",
    ),
    Case(
        "github-permission-actions",
        pair(at(ANSWER, ("      actions: read\n", ""))),
        line="permissions:",
    ),
    Case(
        "github-permissions-unstated",
        lone(
            at(
                SCAN,
                (
                    (
                        "    permissions:\n      contents: read # the code\n      checks: write\n"
                        "      pull-requests: write\n"
                    ),
                    "",
                ),
                ("permissions: {}\n\n", ""),
            )
        ),
        outcome="warns",
        line="name: Scan",
    ),
    Case(
        "github-permissions-too-wide",
        lone(
            at(
                SCAN,
                (
                    (
                        "    permissions:\n      contents: read # the code\n      checks: write\n"
                        "      pull-requests: write\n"
                    ),
                    "    permissions: write-all\n",
                ),
            )
        ),
        outcome="warns",
        line="write-all",
    ),
    Case(
        "github-called-workflow-asks-more",
        calling(caller=CALLER_TEXT.replace("      checks: write\n", "")),
        line="permissions:",
        also=frozenset({"github-permission-checks"}),
    ),
)

NEAR_MISSES = (
    (
        "github-permission-contents",
        pair(
            at(SCAN, ("      contents: read # the code\n", "      issues: read\n")), settings=OPEN
        ),
    ),
    ("github-permission-pull-requests", pair()),
    ("github-permission-contents-write", replace(WATCH, commits_fixes=True)),
    ("github-permission-contents-write", replace(ORDERS, proposes_upgrades=True)),
    (
        "github-permission-pull-requests",
        lone(
            at(
                SCAN,
                ("      pull-requests: write\n", ""),
                (GATE, f"{GATE}        with:\n          token: ${{{{ secrets.BOT }}}}\n"),
            )
        ),
    ),
    (
        "github-permissions-unstated",
        lone(
            at(
                SCAN,
                (
                    (
                        "    permissions:\n      contents: read # the code\n      checks: write\n"
                        "      pull-requests: write\n"
                    ),
                    "",
                ),
                ("permissions: {}\n\n", ""),
            ),
            settings=replace(HOME, default_permissions="write"),
        ),
    ),
    ("github-called-workflow-asks-more", calling()),
)
