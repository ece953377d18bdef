"""Bitbucket: one repository for each way to go wrong, and the near-misses."""

from mergegate.doctor.predict.settings import Settings, Variable
from tests.doctor.predict.scenes import DIGEST, Case, bucket

_START = '  pull-requests:\n    "**":\n      - step:\n'
_NAME = "          name: Mergegate\n"
_SCRIPT = "            - mergegate ci # the gate\n"
_CLONE = "          clone:\n            depth: full\n"
_ARTIFACTS = "          artifacts:\n            - mergegate-report/**\n"

HITS = (
    Case(
        "bitbucket-no-pull-request-pipeline",
        bucket(('  pull-requests:\n    "**":\n', "  branches:\n    main:\n")),
        line="name:",
    ),
    Case(
        "bitbucket-shallow-clone",
        bucket((_CLONE, "")),
        outcome="warns",
        line="name:",
    ),
    Case(
        "bitbucket-nothing-cloned",
        bucket((_CLONE, f"{_CLONE}            enabled: false\n")),
        line="name:",
    ),
    Case(
        "bitbucket-memory",
        bucket((_NAME, f"{_NAME}          services: [docker, database]\n")),
        outcome="warns",
        line="services:",
    ),
    Case(
        "bitbucket-token-missing",
        bucket(settings=Settings(private=True, variables=())),
        corrected=False,
        line="name:",
    ),
    Case(
        "bitbucket-proxy-unreachable",
        bucket((_SCRIPT, f"            - docker run --rm acme/mergegate@{DIGEST} ci\n")),
        corrected=False,
        outcome="warns",
        line="name:",
    ),
    Case(
        "bitbucket-proxy-unreachable",
        bucket((_SCRIPT, f"            - pipe: docker://acme/mergegate@{DIGEST}\n")),
        corrected=False,
        outcome="warns",
        line="name:",
    ),
    Case("bitbucket-token-needed", bucket(), corrected=False, outcome="notes", line="name:"),
    Case(
        "bitbucket-fork-variables",
        bucket(settings=Settings(private=False)),
        corrected=False,
        outcome="notes",
        line="name:",
    ),
    Case(
        "bitbucket-unpinned",
        bucket((f"mergegate@{DIGEST}", "mergegate:latest")),
        corrected=False,
        outcome="warns",
        line="name:",
    ),
    Case(
        "bitbucket-exit-code-ignored",
        bucket((_SCRIPT, "            - mergegate ci || true # the gate\n")),
        line="|| true",
    ),
    Case(
        "bitbucket-exit-code-ignored",
        bucket((_SCRIPT, "            - mergegate ci | tee log.txt\n")),
        line="tee",
    ),
    Case(
        "bitbucket-exit-code-ignored",
        bucket((_SCRIPT, "            - mergegate ci && echo passed\n")),
        corrected=False,
        line="echo passed",
    ),
    Case(
        "bitbucket-manual-gate",
        bucket((_NAME, f"{_NAME}          trigger: manual\n")),
        line="trigger:",
    ),
    Case(
        "bitbucket-condition-skips-gate",
        bucket(
            (
                _NAME,
                (
                    f"{_NAME}          condition:\n            changesets:\n"
                    "              includePaths: [src/**]\n"
                ),
            )
        ),
        outcome="warns",
        line="condition:",
    ),
    Case(
        "bitbucket-fail-fast-stops-gate",
        bucket(
            (
                _START,
                (
                    '  pull-requests:\n    "**":\n      - parallel:\n          fail-fast: true\n'
                    "          steps:\n            - step:\n                script: [make]\n"
                    "            - step:\n                script: [mergegate ci]\n"
                    "                clone: {depth: full}\n"
                    "                artifacts: [mergegate-report/**]\n      - step:\n"
                ),
            ),
            (_SCRIPT, "            - make\n"),
        ),
        outcome="warns",
        line="fail-fast:",
    ),
    Case(
        "bitbucket-report-lost",
        bucket((_ARTIFACTS, "")),
        outcome="warns",
        line="name:",
    ),
    Case(
        "bitbucket-report-lost",
        bucket(("mergegate-report/**", "dist/**")),
        outcome="warns",
        line="name:",
    ),
)

NEAR_MISSES = (
    (
        "bitbucket-shallow-clone",
        bucket((_CLONE, ""), ("definitions:\n", "clone:\n  depth: full\ndefinitions:\n")),
    ),
    (
        "bitbucket-memory",
        bucket((_NAME, f"{_NAME}          size: 2x\n          services: [docker, database]\n")),
    ),
    ("bitbucket-memory", bucket((_NAME, f"{_NAME}          services: [database]\n"))),
    (
        "bitbucket-token-missing",
        bucket(settings=Settings(private=True, variables=(Variable(name="MERGEGATE_TOKEN"),))),
    ),
    ("bitbucket-proxy-unreachable", bucket()),
    (
        "bitbucket-exit-code-ignored",
        bucket(
            (_SCRIPT, "            - set -o pipefail\n            - mergegate ci | tee log.txt\n")
        ),
    ),
    ("bitbucket-report-lost", bucket(("mergegate-report/**", '"mergegate-report/*"'))),
)
