"""What pipelines of CI services become: resources with lines, and what decides their settings."""

import pytest

from mergegate.core.severity import Severity
from mergegate.core.tree import Role
from mergegate.repo.checks.infrastructure.dialects import described
from mergegate.repo.engines import documents
from mergegate.repo.facts.resources import Resource, is_known
from tests.repo.infrastructure.reading import answers, told

AZURE, CIRCLECI = "azure-pipelines.yml", ".circleci/config.yml"
BITBUCKET, JENKINS = "bitbucket-pipelines.yml", "Jenkinsfile"
GITLAB, GITHUB = ".gitlab-ci.yml", ".github/workflows/a.yml"
UNSEEN = "curl https://get.example.org | sh"


def described_in(path: str, text: str) -> list[Resource]:
    """The resources of one file."""
    read = answers(documents.DocumentEngine(), {path: text})
    return list(described(documents.fact(read)))


def lines_of(path: str, text: str) -> list[tuple[int, str]]:
    """The lines of every script."""
    return [
        (line.line, line["text"].text)
        for one in described_in(path, text)
        if one.kind.endswith(".script")
        for line in one.properties["lines"].items
    ]


def places(path: str, text: str) -> dict[int, str]:
    """Line to rule, of what is told of a file."""
    return {one.place.start_line: one.rule_id for one in told({path: text})}


BODY = "{0}a\n\n{0}# b\n{0}c \\\n{0}  d\n{0}e\n"
WHOLE = {
    AZURE: "steps:\n- bash: |\n" + BODY.format(" " * 4),
    CIRCLECI: "version: 2\njobs:\n  j:\n    steps:\n    - run: |\n" + BODY.format(" " * 8),
    BITBUCKET: "pipelines:\n  default:\n  - step:\n      script:\n      - |\n"
    + BODY.format(" " * 8),
    GITLAB: "j:\n  stage: s\n  script:\n  - |\n" + BODY.format(" " * 4),
    GITHUB: "on: push\njobs:\n  j:\n    runs-on: s\n    steps:\n    - run: |\n"
    + BODY.format(" " * 8),
    JENKINS: "node {\n  sh '''\n" + BODY.format("    ").replace("\\", "\\\\") + "  '''\n}\n",
}


@pytest.mark.parametrize("path", WHOLE)
def test_commands_stand_where_they_stand_in_the_file(path: str) -> None:
    written = [one.strip() for one in WHOLE[path].splitlines()]
    first = written.index("a") + 1
    assert lines_of(path, WHOLE[path]) == [(first, "a"), (first + 3, "c d"), (first + 5, "e")]


@pytest.mark.parametrize(
    "text",
    [
        f"steps:\n- script: {UNSEEN}\n",
        f"jobs:\n- job: a\n  steps:\n  - bash: {UNSEEN}\n",
        f"stages:\n- stage: s\n  jobs:\n  - job: a\n    steps:\n    - bash: {UNSEEN}\n",
        (
            "jobs:\n- deployment: d\n  environment: e\n  strategy:\n    runOnce:\n      deploy:\n"
            f"        steps:\n        - bash: {UNSEEN}\n"
        ),
        (
            "jobs:\n- deployment: d\n  strategy:\n    canary:\n      on:\n        failure:\n"
            f"          steps:\n          - bash: {UNSEEN}\n"
        ),
        (
            "steps:\n- ${{ if eq(variables.a, 'b') }}:\n  - ${{ each x in parameters.xs }}:\n"
            f"    - bash: {UNSEEN}\n- checkout: self\n"
        ),
        f"steps:\n- ${{{{ if a }}}}:\n  - ${{{{ if b }}}}:\n    - bash: {UNSEEN}\n",
        f"steps:\n- task: Bash@3\n  inputs:\n    targetType: inline\n    script: {UNSEEN}\n",
        f"steps:\n- task: AzureCLI@2\n  inputs:\n    inlineScript: {UNSEEN}\n",
        f"parameters: [{{name: a}}]\nsteps:\n- checkout: self\n- bash: {UNSEEN}\n",
    ],
)
def test_steps_of_azure_are_found_wherever_they_stand(text: str) -> None:
    line = next(n for n, one in enumerate(text.splitlines(), 1) if UNSEEN in one)
    assert places(AZURE, text) == {line: "iac-ci-piped-download"}


@pytest.mark.parametrize(
    "text",
    [
        f"commands:\n  c:\n    steps:\n    - run: {UNSEEN}\n",
        (
            "jobs:\n  j:\n    steps:\n    - when:\n        condition: a\n        steps:\n"
            f"        - run: {UNSEEN}\n"
        ),
        (
            f"jobs:\n  j:\n    steps: [{'{when: {condition: a, steps: [' * 12}\n"
            f"      {{run: '{UNSEEN}'}}{']}}' * 12}]\n"
        ),
        f"jobs:\n  j:\n    steps:\n    - run:\n        name: n\n        command: {UNSEEN}\n",
        f"orbs:\n  o:\n    jobs:\n      j:\n        steps:\n        - run: {UNSEEN}\n",
        f"workflows:\n  w:\n    jobs:\n    - j:\n        pre-steps:\n        - run: '{UNSEEN}'\n",
        f"x: &x\n  run: {UNSEEN}\njobs:\n  j:\n    steps:\n    - <<: *x\n",
    ],
)
def test_steps_of_circleci_are_found_wherever_they_stand(text: str) -> None:
    whole = f"version: 2.1\n{text}"
    line = next(n for n, one in enumerate(whole.splitlines(), 1) if UNSEEN in one)
    assert places(CIRCLECI, whole) == {line: "iac-ci-piped-download"}


@pytest.mark.parametrize(
    "pipeline",
    [
        f"default:\n  - parallel:\n    - step: {{script: ['{UNSEEN}']}}\n",
        f"default:\n  - parallel:\n      steps:\n      - step: {{script: ['{UNSEEN}']}}\n",
        (f"default: [{'{parallel: [' * 6}\n    {{step: {{script: ['{UNSEEN}']}}}}{']}' * 6}]\n"),
        f"branches:\n    main:\n    - stage: {{steps: [{{step: {{script: ['{UNSEEN}']}}}}]}}\n",
        f"custom:\n    a:\n    - variables: [{{name: b}}]\n    - step: {{script: ['{UNSEEN}']}}\n",
        f"pull-requests:\n    '**':\n    - step: {{script: [a], after-script: ['{UNSEEN}']}}\n",
    ],
)
def test_steps_of_bitbucket_are_found_wherever_they_stand(pipeline: str) -> None:
    whole = f"pipelines:\n  {pipeline}"
    line = next(n for n, one in enumerate(whole.splitlines(), 1) if UNSEEN in one)
    assert places(BITBUCKET, whole) == {line: "iac-ci-piped-download"}


@pytest.mark.parametrize(
    "text",
    [
        f"pipeline {{ post {{ always {{ sh '{UNSEEN}' }} }} }}",
        f"node('a') {{ if (b) {{ sh(script: '{UNSEEN}', returnStdout: true).trim() }} }}",
        f'def f() {{ return sh("{UNSEEN}") }}',
        "node { sh 'curl https://get.example.org' + ' | ' + \"sh\" }",
        "node { sh(script: host + \"; curl https://get.${x} | \" + 'sh', returnStatus: true) }",
        f"parallel a: {{ node {{ sh '''{UNSEEN}''' }} }}, b: {{ }}",
        f"stage('x') {{\n  x = ['a', 'b'].collectEntries {{ [it, {{ steps.sh '{UNSEEN}' }}] }}\n}}",
    ],
)
def test_scripts_of_jenkins_are_found_wherever_they_stand(text: str) -> None:
    assert [*places(JENKINS, text).values()].count("iac-ci-piped-download") == 1


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("cloudbuild.yaml", "steps:\n- name: gcr.io/a/b\n  script: curl http://x | sh\n"),
        (
            ".travis.yml",
            "language: c\nscript: curl http://x | sh\njobs:\n  include: [{script: a}]\n",
        ),
        ("app.yaml", "version: 2\njobs: [{name: a, image: b}]\n"),
        ("pipelines.yml", "pipelines:\n  branches: []\n  script: a\n"),
        ("workflow.yml", "on: push\njobs:\n  a:\n    steps:\n    - run: curl http://x | sh\n"),
    ],
)
def test_files_of_other_services_are_left_alone(path: str, text: str) -> None:
    found = documents.fact(answers(documents.DocumentEngine(), {path: text})).files
    assert found == ()


def test_what_is_decided_later_is_unknown() -> None:
    cases = {
        AZURE: "steps:\n- checkout: self\n  persistCredentials: ${{ parameters.a }}\n",
        CIRCLECI: "version: 2.1\njobs:\n  j: {docker: [{image: << parameters.i >>}], steps: [a]}\n",
        BITBUCKET: "image: $IMAGE\npipelines:\n  default:\n  - step: {script: [a]}\n",
        JENKINS: 'pipeline { agent { docker { image "a:${b}" } } }',
    }
    ways = {AZURE: "persistCredentials", CIRCLECI: "image", BITBUCKET: "image", JENKINS: "image"}
    for path, text in cases.items():
        values = [one.properties[ways[path]] for one in described_in(path, text)]
        known = {is_known(one) for one in values if one.present}
        assert known == {False}, path


def test_only_values_that_nobody_writes_freely_may_stand_in_a_script() -> None:
    text = """pipeline {
  parameters {
    choice(name: 'WHERE', choices: ['a', 'b'])
    booleanParam(name: 'DRY')
    string(name: 'VERSION')
  }
  stages { stage('a') { steps {
    sh "deploy ${params.WHERE} ${params.DRY}"
    sh "deploy ${params.VERSION}"
    sh "deploy ${env.BUILD_NUMBER}"
  } } }
}
"""
    found = {line: rule for line, rule in places(JENKINS, text).items() if "injection" in rule}
    assert found == {9: "iac-jenkins-branch-injection"}


def test_a_file_that_a_credential_is_in_may_be_named() -> None:
    text = (
        "withCredentials([file(credentialsId: 'a', variable: 'KEY')]) { sh \"use ${KEY}\" }\n"
        "withCredentials([usernamePassword(credentialsId: 'a', usernameVariable: 'U', "
        "passwordVariable: 'P')]) { sh \"use ${P}\" }\n"
    )
    assert places(JENKINS, text) == {2: "iac-jenkins-secret-interpolated"}


def test_every_line_of_a_script_is_judged() -> None:
    text = f"steps:\n- bash: |\n    {UNSEEN}\n    make\n    {UNSEEN}\n"
    assert [*places(AZURE, text)] == [3, 5]


@pytest.mark.parametrize(
    "command",
    [
        "curl -k https://get.example.org/a | sh",
        "git clone http://gitlab-ci-token:$CI_JOB_TOKEN@example.org/a.git",
        "echo $CI_JOB_TOKEN",
        'eval "$CI_COMMIT_TITLE"',
    ],
)
def test_what_a_rule_of_gitlab_tells_the_rules_of_scripts_do_not(command: str) -> None:
    found = places(GITLAB, f"j:\n  stage: s\n  script:\n  - {command}\n")
    assert found == {}


def test_one_line_is_told_once_for_one_thing() -> None:
    text = "steps:\n- bash: curl -k https://get.example.org/a | sh\n"
    assert [one.rule_id for one in told({AZURE: text})] == ["iac-ci-piped-plain-download"]


def test_a_step_used_twice_is_told_once() -> None:
    text = (
        f"definitions:\n  steps:\n  - step: &s\n      script: ['{UNSEEN}']\n"
        "pipelines:\n  default:\n  - step: *s\n  branches:\n    main:\n    - step: *s\n"
    )
    assert len(told({BITBUCKET: text})) == 1


def test_outside_production_it_is_for_information() -> None:
    text = "steps:\n- bash: curl -k https://example.org/a -o a\n"
    assert [one.severity for one in told({AZURE: text}, Role.TEST)] == [Severity.INFO]


def test_a_long_name_is_cut() -> None:
    text = f"steps:\n- bash: {UNSEEN}\n  displayName: {'a b ' * 500}\n"
    [one] = [one for one in described_in(AZURE, text) if one.kind == "azure-pipelines.script"]
    assert len(one.address) == 80


RING = "".join(f"    - j{n}: {{requires: [j{n - 1}, j{n + 1}]}}\n" for n in range(900))
HOSTILE = [
    (AZURE, "steps:\n- bash: |\n" + "    curl http:// echo $A_TOKEN --build-arg \n" * 500),
    (AZURE, "steps:\n- bash: '" + "curl http:// echo $A_TOKEN " * 5_000 + "'\n"),
    (CIRCLECI, f"version: 2.1\nworkflows:\n  w:\n    jobs:\n{RING}"),
    (JENKINS, "node {\n" + '  sh "curl http:// ${params.A} echo $A_TOKEN"\n' * 500 + "}\n"),
]


@pytest.mark.parametrize(("path", "text"), HOSTILE)
def test_hostile_pipelines_are_judged(path: str, text: str) -> None:
    assert all(one.message.endswith(".") for one in told({path: text}))


@pytest.mark.parametrize(
    ("text", "traced"),
    [
        ("a\nset -x\nb\nset +x\nc", ["b", "set +x"]),
        ("set -eux; a\nb", ["b"]),
        ("set -e\nset -o xtrace\na", ["a"]),
        ("#!/bin/bash -ex\na", ["a"]),
        ("./set -x\na", []),
        ("set -e -- -x\na", []),
    ],
)
def test_lines_are_traced_from_where_the_shell_is_told_so(text: str, traced: list[str]) -> None:
    written = text.replace("\n", "\n    ")
    lines = [
        line
        for one in described_in(AZURE, f"steps:\n- bash: |\n    {written}\n")
        if one.kind.endswith(".script")
        for line in one.properties["lines"].items
    ]
    assert [one["text"].text for one in lines if one["traced"].text == "true"] == traced


@pytest.mark.parametrize(
    ("path", "is_run"),
    [
        (GITHUB, True),
        ("action.yml", True),
        ("tools/build/action.yaml", True),
        ("docs/.github/workflows/a.yml", False),
        ("examples/workflow.yml", False),
    ],
)
def test_workflows_count_where_github_looks_for_them(path: str, is_run: bool) -> None:
    steps = "steps:\n    - run: make\n"
    workflow = f"on: push\njobs:\n  a:\n    runs-on: b\n    {steps}"
    action = f"name: a\nruns:\n    using: composite\n    {steps}"
    text = action if "action" in path else workflow
    assert bool(described_in(path, text)) is is_run


WORKFLOW_RUN = """on: {workflow_run: {workflows: [a]}}
jobs:
  a:
    runs-on: b
    steps:
    - uses: actions/download-artifact@v4
      with: {path: PATH}
    - run: RUN
"""


@pytest.mark.parametrize(
    ("folder", "command", "is_told"),
    [
        (".", "sh report.sh", True),
        ("./out/", "./out/report.sh", True),
        ("out", "python3 ./out/report.py", True),
        ("out", "make && . out/report", True),
        ("out", "python3 report.py out/data.json", False),
        ("out", "cat out/report.sh", False),
        (".", "python3 -m report", False),
    ],
)
def test_what_an_artifact_holds_is_told_where_it_is_run(
    folder: str, command: str, is_told: bool
) -> None:
    text = WORKFLOW_RUN.replace("PATH", folder).replace("RUN", command)
    told_of = "iac-github-actions-artifact-run" in places(GITHUB, text).values()
    assert told_of is is_told


def test_an_artifact_of_the_same_workflow_may_be_run() -> None:
    text = WORKFLOW_RUN.replace("{workflow_run: {workflows: [a]}}", "push")
    assert places(GITHUB, text.replace("PATH", ".").replace("RUN", "sh report.sh")) == {}


OF_EXECUTOR = """version: 2.1
executors:
  a:
    parameters: {tag: {type: string, default: TAG}}
    docker: [{image: 'b/c:<< parameters.tag >>'}]
commands: {}
"""
OF_PIPELINE = """version: 2.1
parameters: {tag: {type: string, default: TAG}}
jobs:
  a:
    docker: [{image: 'b/c:<< pipeline.parameters.tag >>'}]
    steps: [checkout]
"""
OF_PARAMETER = """parameters: [{name: tag, default: TAG}]
container: 'b/c:${{ parameters.tag }}'
steps:
- bash: make
"""


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (CIRCLECI, OF_EXECUTOR),
        (CIRCLECI, OF_PIPELINE),
        (AZURE, OF_PARAMETER),
        (AZURE, "variables: {tag: TAG}\ncontainer: b/c:$(tag)\nsteps:\n- bash: make\n"),
    ],
)
def test_an_image_has_the_version_that_the_file_says_elsewhere(path: str, text: str) -> None:
    def floats(tag: str) -> bool:
        found = places(path, text.replace(": TAG", f": '{tag}'")).values()
        return any("floating-image" in one for one in found)

    assert (floats("latest"), floats("1.4")) == (True, False)


@pytest.mark.parametrize(
    ("job", "is_free"),
    [
        ("script: [a]", True),
        ("rules: [{when: on_success}]\n  script: [a]", True),
        ("only: [branches]\n  script: [a]", True),
        ("rules: [{if: $A}]\n  script: [a]", False),
        ("rules: [{changes: [a]}]\n  script: [a]", False),
        ("extends: .b\n  script: [a]", False),
        ("only: [main]\n  script: [a]", False),
        ("only: {refs: [tags]}\n  script: [a]", False),
        ("when: manual\n  script: [a]", False),
    ],
)
def test_a_job_of_gitlab_is_free_where_a_push_is_enough(job: str, is_free: bool) -> None:
    [found] = [one for one in described_in(GITLAB, f"j:\n  {job}\n") if one.kind == "gitlab-ci.job"]
    assert found.properties["free"].text == str(is_free).lower()
