"""GitLab: one repository for each way to go wrong, and the near-misses."""

from mergegate.doctor.predict.settings import Settings, Variable
from tests.doctor.predict.scenes import DIGEST, LAB, LAB_TEXT, Case, lab, scene

_WORKFLOW = LAB_TEXT[LAB_TEXT.index("workflow:") : LAB_TEXT.index("mergegate:\n")]
_RULES = LAB_TEXT[LAB_TEXT.index("  rules:\n    - if", LAB_TEXT.index("mergegate:")) :]
_RULES = _RULES[: _RULES.index("  script:")]
_SCRIPT = "    - mergegate ci --formats json,html,gitlab # the gate\n"
_ARTIFACTS = LAB_TEXT[LAB_TEXT.index("  artifacts:") :]
_JOB_RULES = '    entrypoint: [""]\n' + _RULES
_NO_RULES = '    entrypoint: [""]\n'


def hidden(text: str) -> str:
    """The job's text behind a hidden job that it extends."""
    return f".strict:\n  allow_failure: true\n\n{text}".replace(
        "mergegate:\n", "mergegate:\n  extends: .strict\n"
    )


HITS = (
    Case(
        "gitlab-no-merge-request-pipeline",
        lab((_WORKFLOW, ""), (_JOB_RULES, _NO_RULES)),
        line="image:",
    ),
    Case(
        "gitlab-no-merge-request-pipeline",
        lab((_WORKFLOW, ""), (_JOB_RULES, f"{_NO_RULES}  only: [main]\n")),
        line="image:",
    ),
    Case(
        "gitlab-no-merge-request-pipeline",
        lab(
            (
                _JOB_RULES,
                f"{_NO_RULES}  rules:\n    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH\n",
            )
        ),
        line="rules:",
    ),
    Case(
        "gitlab-no-merge-request-pipeline",
        lab(
            (
                _WORKFLOW,
                "workflow:\n  rules:\n    # branches\n    - if: $CI_COMMIT_BRANCH\n\n",
            )
        ),
        line="rules:",
    ),
    Case(
        "gitlab-duplicate-pipelines",
        lab((_WORKFLOW, "stages: [test]\n\ntest:\n  script: make\n\n")),
        outcome="warns",
        line="image:",
    ),
    Case(
        "gitlab-changes-skip-gate",
        lab(
            (
                _JOB_RULES,
                (
                    f'{_NO_RULES}  rules:\n    - if: $CI_PIPELINE_SOURCE == "merge_request_event"\n'
                    "      changes: [src/**]\n"
                ),
            )
        ),
        outcome="warns",
        line="changes:",
    ),
    Case(
        "gitlab-changes-skip-gate",
        lab((_JOB_RULES, f"{_NO_RULES}  rules:\n    - changes: [src/**]\n")),
        outcome="warns",
        line="changes:",
    ),
    Case(
        "gitlab-allow-failure",
        lab((_SCRIPT, f"{_SCRIPT}  allow_failure: true # for now\n")),
        line="allow_failure",
    ),
    Case(
        "gitlab-allow-failure",
        scene({LAB: hidden(LAB_TEXT)}, settings=Settings(private=True)),
        line="extends:",
    ),
    Case(
        "gitlab-allow-failure",
        lab((_SCRIPT, f"{_SCRIPT}  allow_failure:\n    exit_codes: [1, 3]\n")),
        line="allow_failure",
    ),
    Case(
        "gitlab-manual-gate",
        lab((_SCRIPT, f"{_SCRIPT}  when: manual\n")),
        line="when: manual",
    ),
    Case(
        "gitlab-exit-code-ignored",
        lab((_SCRIPT, "    - mergegate ci --formats gitlab || true # the gate\n")),
        line="|| true",
    ),
    Case(
        "gitlab-exit-code-ignored",
        lab((_SCRIPT, f"{_SCRIPT}  after_script: [mergegate scan]\n")),
        corrected=False,
        line="after_script",
    ),
    Case(
        "gitlab-image-entrypoint",
        lab(
            (
                (
                    f"  image:\n    name: registry.example.org/acme/mergegate@{DIGEST}\n"
                    '    entrypoint: [""]\n'
                ),
                f"  image: registry.example.org/acme/mergegate@{DIGEST}\n",
            )
        ),
        line="image:",
    ),
    Case(
        "gitlab-nothing-cloned",
        lab((_SCRIPT, f"{_SCRIPT}  variables: {{GIT_STRATEGY: none, A: b}}\n")),
        line="GIT_STRATEGY",
    ),
    Case(
        "gitlab-history-unreachable",
        lab((_SCRIPT, "    - mergegate scan --base origin/main\n")),
        line="image:",
    ),
    Case(
        "gitlab-unpinned",
        lab((f"mergegate@{DIGEST}", "mergegate:1.0")),
        corrected=False,
        outcome="warns",
        line="name:",
    ),
    Case(
        "gitlab-unpinned",
        scene({LAB: "include:\n  - component: $CI_SERVER_FQDN/acme/mergegate/mergegate@main\n"}),
        corrected=False,
        outcome="warns",
        line="component:",
    ),
    Case(
        "gitlab-reports-missing",
        lab((_ARTIFACTS, "")),
        outcome="warns",
        line="image:",
    ),
    Case(
        "gitlab-reports-missing",
        lab(
            (
                "      codequality: mergegate-report/gl-code-quality-report.json",
                "      junit: a.xml",
            )
        ),
        outcome="warns",
        line="artifacts:",
    ),
    Case(
        "gitlab-reports-unwritten",
        lab((_SCRIPT, "    - mergegate ci\n")),
        outcome="warns",
        line="artifacts:",
    ),
    Case(
        "gitlab-reports-unwritten",
        lab((" --formats json,html,gitlab", " --formats json,sarif")),
        corrected=False,
        outcome="warns",
        line="artifacts:",
    ),
    Case(
        "gitlab-report-lost-on-failure",
        lab(("    when: always\n", "")),
        outcome="warns",
        line="artifacts:",
    ),
    Case(
        "gitlab-job-token-cannot-comment",
        lab((_SCRIPT, f"{_SCRIPT}  variables:\n    MERGEGATE_TOKEN: $CI_JOB_TOKEN\n")),
        line="image:",
    ),
    Case(
        "gitlab-job-token-cannot-comment",
        lab(settings=Settings(private=True, variables=())),
        corrected=False,
        line="image:",
    ),
    Case("gitlab-token-needed", lab(), corrected=False, outcome="notes", line="image:"),
    Case(
        "gitlab-protected-variable",
        lab(
            settings=Settings(
                private=True, variables=(Variable(name="MERGEGATE_TOKEN", protected=True),)
            )
        ),
        corrected=False,
        line="image:",
    ),
    Case(
        "gitlab-fork-merge-request",
        lab(settings=Settings(private=False)),
        corrected=False,
        outcome="notes",
        line="image:",
    ),
    Case(
        "gitlab-pipeline-not-required",
        lab(settings=Settings(private=True, pipeline_must_pass=False)),
        corrected=False,
        outcome="warns",
        line="image:",
    ),
    Case(
        "gitlab-pipeline-not-required",
        lab(settings=Settings(private=True, pipeline_must_pass=True, skipped_passes=True)),
        corrected=False,
        outcome="warns",
        line="image:",
    ),
)

NEAR_MISSES = (
    ("gitlab-no-merge-request-pipeline", lab((_JOB_RULES, _NO_RULES))),
    (
        "gitlab-no-merge-request-pipeline",
        lab((_WORKFLOW, ""), (_JOB_RULES, f"{_NO_RULES}  only: [merge_requests]\n")),
    ),
    (
        "gitlab-no-merge-request-pipeline",
        lab((_JOB_RULES, f"{_NO_RULES}  rules:\n    - if: $RUN_IT\n")),
    ),
    (
        "gitlab-no-merge-request-pipeline",
        lab((_JOB_RULES, f"{_NO_RULES}  rules:\n    - !reference [.rules, rules]\n")),
    ),
    ("gitlab-duplicate-pipelines", lab((_WORKFLOW, ""))),
    ("gitlab-allow-failure", lab((_SCRIPT, f"{_SCRIPT}  allow_failure: false\n"))),
    (
        "gitlab-allow-failure",
        lab((_SCRIPT, f"{_SCRIPT}  allow_failure:\n    exit_codes: 3\n")),
    ),
    ("gitlab-exit-code-ignored", lab((_SCRIPT, "    - mergegate ci | tee log.txt\n"))),
    ("gitlab-image-entrypoint", lab()),
    (
        "gitlab-history-unreachable",
        lab(
            (
                _SCRIPT,
                '    - mergegate scan --base origin/main\n  variables: {GIT_DEPTH: "0"}\n',
            )
        ),
    ),
    (
        "gitlab-unpinned",
        scene({LAB: "include:\n  - component: $CI_SERVER_FQDN/acme/mergegate/mergegate@1.0.0\n"}),
    ),
    (
        "gitlab-job-token-cannot-comment",
        lab(settings=Settings(private=True, variables=(Variable(name="MERGEGATE_TOKEN"),))),
    ),
    (
        "gitlab-job-token-cannot-comment",
        lab((_SCRIPT, f'{_SCRIPT}  variables: {{MERGEGATE_COMMENT: "false"}}\n')),
    ),
    (
        "gitlab-protected-variable",
        lab(settings=Settings(private=True, variables=(Variable(name="MERGEGATE_TOKEN"),))),
    ),
    ("gitlab-pipeline-not-required", lab(settings=Settings(pipeline_must_pass=True))),
)
