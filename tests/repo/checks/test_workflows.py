"""Workflow checks on what the real zizmor says of small workflows."""

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from functools import cache

import pytest

from mergegate.core.check import Failed, apply
from mergegate.core.finding import Finding
from mergegate.core.report import EngineRun
from mergegate.core.severity import Category, Kind, Severity
from mergegate.core.tree import Role, SourceFile
from mergegate.repo.checks import all_checks, all_rules
from mergegate.repo.checks.workflows import weighed
from mergegate.repo.engines.zizmor import ZizmorEngine, fact
from mergegate.repo.facts.documents import FileWorkflow, WorkflowFile, WorkflowKind, Workflows
from mergegate.sandbox.engines.engine import Answers, EngineContext
from mergegate.sandbox.files.stage import Stage

CHECKS = {check.id: check for check in all_checks() if check.id.startswith("workflow-")}
SHA = "0123456789abcdef0123456789abcdef01234567"
PLAIN = "      - run: echo hello"


def workflow(
    steps: str = PLAIN, on: str = "push", job: str = "", top: str = "permissions: {}"
) -> str:
    """A workflow of one job; ``job`` and ``top`` are further lines of the job and the file."""
    lines = [f"on: {on}", top, "jobs:", "  build:", "    runs-on: ubuntu-latest", job, "    steps:"]
    return "\n".join([line for line in lines if line] + [steps, ""])


WRITES = "    permissions: {contents: write}"


def uses(*references: str, on: str = "push", job: str = WRITES) -> str:
    steps = "\n".join(f"      - uses: {reference}" for reference in references)
    return workflow(steps, on, job)


@cache
def _fact(files: tuple[tuple[str, str], ...]) -> Workflows:
    with Stage() as stage:
        sources = []
        for path, text in files:
            digest = hashlib.sha256(text.encode()).hexdigest()
            location = stage.root / digest
            location.write_text(text)
            sources.append(
                SourceFile(
                    path=path,
                    location=location,
                    size=len(text),
                    digest=digest,
                    language="yaml",
                )
            )
        distinct = {file.key: file for file in sources}
        examination = ZizmorEngine().examine(list(distinct.values()), EngineContext(stage))
    assert not examination.problems
    answered = tuple((file, examination.answers[file.key]) for file in sources)
    asked: Answers[FileWorkflow] = Answers(answered, EngineRun(name="zizmor"), ())
    return fact(asked)


def findings(check_id: str, files: Mapping[str, str] | str) -> list[Finding]:
    """What one check says; a single text stands for one workflow."""
    named = {".github/workflows/test.yml": files} if isinstance(files, str) else files
    outcome = apply(CHECKS[check_id], {Workflows: _fact(tuple(sorted(named.items())))})
    found = list(outcome.findings) if isinstance(outcome, Failed) else []
    rules = all_rules()
    assert all(
        one.severity in {rules[one.rule_id].severity, *rules[one.rule_id].milder} for one in found
    )
    return found


def severities(check_id: str, files: Mapping[str, str] | str) -> list[str]:
    return [finding.severity.label for finding in findings(check_id, files)]


def echo(expression: str) -> str:
    return f'      - run: echo "${{{{ {expression} }}}}"'


TITLE = "github.event.pull_request.title"


@pytest.mark.parametrize(
    ("on", "expression", "expected"),
    [
        ("pull_request_target", TITLE, ["critical"]),
        ("issue_comment", "github.event.comment.body", ["critical"]),
        ("[push, issues]", "github.event.issue.title", ["critical"]),
        ("workflow_call", "github.head_ref", ["high"]),
        ("pull_request", TITLE, ["medium"]),
        ("push", "github.event.head_commit.message", ["medium"]),
        ("push", "github.ref_name", ["info"]),
        ("workflow_call", "github.ref_name", ["info"]),
        ("workflow_call", "github.workflow", ["info"]),
        ("workflow_call", "github.actor", ["info"]),
        ("workflow_run", "github.event.release.tag_name", ["info"]),
        ("workflow_run", "github.event.workflow_run.head_branch", ["critical"]),
        ("pull_request", "github.event.pull_request", ["info"]),
        ("pull_request", "github.event.pull_request.html_url", ["info"]),
        ("{workflow_call: {inputs: {name: {type: string}}}}", "inputs.name", ["info"]),
        ("pull_request_target", "github.event.pull_request.number", []),
        ("pull_request_target", "github.sha", []),
        ("pull_request_target", "github.event.pull_request.merge_commit_sha", ["info"]),
        ("pull_request_target", "github.event.pull_request.base.ref", ["info"]),
        ("pull_request_target", "secrets.TOKEN", []),
    ],
)
def test_injection_weighs_by_who_chooses_the_text(
    on: str, expression: str, expected: list[str]
) -> None:
    assert severities("workflow-script-injection", workflow(echo(expression), on)) == expected


@pytest.mark.parametrize(
    ("path", "expected"), [("action.yml", ["low"]), (".github/actions/a/action.yml", ["info"])]
)
def test_inputs_of_an_action_weigh_by_who_may_call_it(path: str, expected: list[str]) -> None:
    step = "echo '${{ inputs.name }}'"
    text = (
        "name: a\ndescription: a\ninputs: {name: {description: a}}\nruns:\n  using: composite\n"
        f"  steps:\n    - shell: bash\n      run: {step}\n"
    )
    assert severities("workflow-script-injection", {path: text}) == expected


def test_injections_of_a_file_are_one_finding_at_the_worst() -> None:
    text = workflow("\n".join([echo("github.ref_name"), echo(TITLE)]), "pull_request_target")
    [finding] = findings("workflow-script-injection", text)
    assert (finding.place.start_line, finding.severity.label) == (8, "critical")
    assert "also in line 7" in finding.message


def test_value_passed_by_environment_is_no_injection() -> None:
    steps = f'      - run: echo "$TITLE"\n        env: {{TITLE: "${{{{ {TITLE} }}}}"}}'
    assert findings("workflow-script-injection", workflow(steps, "pull_request_target")) == []


def test_ignore_comment_does_not_lower_a_finding() -> None:
    text = workflow(echo(TITLE) + " # zizmor: ignore[template-injection]", "pull_request_target")
    [finding] = findings("workflow-script-injection", text)
    assert finding.severity.label == "critical"
    assert finding.message.endswith(" A comment asks zizmor to ignore it.")


def checkout(ref: str) -> str:
    return f"      - uses: actions/checkout@{SHA}\n        with: {{ref: '{ref}'}}"


HEAD = "${{ github.event.pull_request.head.sha }}"


@pytest.mark.parametrize(
    ("on", "steps", "expected"),
    [
        ("pull_request_target", checkout(HEAD), ["high"]),
        ("workflow_run", checkout("${{ github.event.workflow_run.head_sha }}"), ["high"]),
        ("pull_request_target", "      - run: gh pr checkout 1", ["high"]),
        ("pull_request_target", checkout("refs/pull/${{ github.event.number }}/merge"), ["high"]),
        ("{pull_request_target: {types: [labeled]}}", checkout(HEAD), ["medium"]),
        ("pull_request", checkout(HEAD), []),
        ("pull_request_target", checkout("main"), []),
        ("pull_request_target", f"      - uses: actions/checkout@{SHA}", []),
        ("issue_comment", checkout("refs/pull/${{ github.event.issue.number }}/head"), ["high"]),
        ("issue_comment", checkout("${{ steps.pr.outputs.head_sha }}"), ["high"]),
        ("issue_comment", "      - run: gh pr checkout 1", ["high"]),
        ("issue_comment", checkout("${{ steps.release.outputs.tag }}"), []),
        (
            "issue_comment",
            "      - run: gh api repos/a/b/collaborators/c\n      - run: gh pr checkout 1",
            [],
        ),
    ],
)
def test_untrusted_checkout(on: str, steps: str, expected: list[str]) -> None:
    assert severities("workflow-untrusted-checkout", workflow(steps, on)) == expected


@pytest.mark.parametrize(
    ("value", "expected"), [("github.ref_name", ["medium"]), ("matrix.ruby", ["info"])]
)
def test_who_chooses_a_value_decides_what_an_unsound_check_of_it_is(
    value: str, expected: list[str]
) -> None:
    steps = f"{PLAIN}\n        if: contains('main 2.4', {value})"
    text = workflow(steps, "pull_request")
    told = [one for one in findings("workflow-audit", text) if "unsound-contains" in one.rule_id]
    assert [one.severity.label for one in told] == expected


@pytest.mark.parametrize(
    ("job", "expected"),
    [
        ("    services: {sql: {image: mysql}}", [("info", 7)]),
        ("    container: {image: shop/ruby}", [("low", 7)]),
        ("    services: {sql: {image: mysql}}\n    container: {image: shop/ruby}", [("low", 8)]),
    ],
)
def test_a_service_sees_less_than_the_container_that_a_job_runs_in(
    job: str, expected: list[tuple[str, int]]
) -> None:
    told = [
        (one.severity.label, one.place.start_line)
        for one in findings("workflow-audit", workflow(job=f"{WRITES}\n{job}"))
        if one.rule_id == "workflow-unpinned-images"
    ]
    assert told == expected


RUN = "{workflow_run: {workflows: [CI], types: [completed]}}"


@pytest.mark.parametrize(
    ("on", "steps", "expected"),
    [
        ("pull_request_target", PLAIN, ["info"]),
        (RUN, PLAIN, ["info"]),
        (RUN, f"      - uses: actions/download-artifact@{SHA}", ["low"]),
        (RUN, f"      - uses: dawidd6/action-download-artifact@{SHA}", ["low"]),
        (RUN, '      - run: gh run download "$RUN"', ["low"]),
        (RUN, f"      - uses: actions/upload-artifact@{SHA}", ["info"]),
        ("pull_request", f"      - uses: actions/download-artifact@{SHA}", []),
        ("push", PLAIN, []),
    ],
)
def test_dangerous_trigger_is_low_where_something_of_the_change_is_used(
    on: str, steps: str, expected: list[str]
) -> None:
    assert severities("workflow-dangerous-trigger", workflow(steps, on)) == expected


def test_dangerous_trigger_is_not_told_beside_what_came_of_it() -> None:
    text = workflow(checkout(HEAD), on="pull_request_target")
    assert severities("workflow-dangerous-trigger", text) == []
    assert severities("workflow-untrusted-checkout", text) == ["high"]


@pytest.mark.parametrize(
    ("on", "top", "job", "expected"),
    [
        ("push", "permissions: {}", "", []),
        ("push", "permissions: {contents: read}", "", []),
        ("push", "permissions: write-all", "", ["low"]),
        ("push", "", "    permissions: write-all", ["low"]),
        ("push", "", "", ["info"]),
        ("pull_request_target", "", "", ["low"]),
    ],
)
def test_permissions(on: str, top: str, job: str, expected: list[str]) -> None:
    text = workflow(on=on, top=top, job=job)
    assert severities("workflow-permissions", text) == expected


@pytest.mark.parametrize(("stated", "expected"), [("read-all", ["info"]), ("write-all", ["low"])])
def test_a_token_of_several_jobs_that_may_only_read_is_for_information(
    stated: str, expected: list[str]
) -> None:
    one = "\n  b:\n    runs-on: ubuntu-latest\n    steps:\n      - run: make\n"
    text = workflow(on="push", top=f"permissions: {stated}").rstrip("\n") + one
    assert severities("workflow-permissions", text) == expected


@pytest.mark.parametrize(
    ("on", "runner", "expected"),
    [
        ("pull_request", "self-hosted", ["low"]),
        ("[push, pull_request]", "[self-hosted, linux]", ["low"]),
        ("pull_request", "{group: own, labels: [self-hosted]}", ["low"]),
        ("push", "self-hosted", []),
        ("pull_request", "ubuntu-latest", []),
    ],
)
def test_self_hosted_runner(on: str, runner: str, expected: list[str]) -> None:
    text = workflow(on=on).replace("ubuntu-latest", runner)
    assert severities("workflow-self-hosted-runner", text) == expected


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        ("actions/checkout@v4", ["info"]),
        ("github/codeql-action/init@v3", ["info"]),
        ("actions/checkout@main", ["low"]),
        ("example/deploy@v2", ["low"]),
        ("example/deploy@release/v1", ["low"]),
        ("example/deploy@main", ["medium"]),
        ("google/oss-fuzz/infra/cifuzz/actions/run_fuzzers@master", ["info"]),
        (f"example/deploy@{SHA}", []),
        (f"actions/checkout@{SHA} # v4", []),
        ("./.github/actions/deploy", []),
    ],
)
def test_unpinned_action(reference: str, expected: list[str]) -> None:
    assert severities("workflow-unpinned-action", uses(reference)) == expected


TAG, BRANCH = "example/deploy@v2", "example/deploy@main"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (uses(TAG, job=""), "info"),
        (uses(BRANCH, job=""), "low"),
        (uses(BRANCH, on="[push, pull_request]", job=""), "low"),
        (uses(BRANCH, on="pull_request", job=""), "info"),
        (uses(TAG, on="pull_request", job=WRITES), "low"),
        (uses(TAG, on="pull_request_target", job=""), "low"),
        (uses(TAG, on="workflow_call", job=""), "low"),
        (uses(TAG, job="    permissions: read-all"), "info"),
        (uses(TAG, job="    permissions: write-all"), "low"),
        (uses(TAG, job="").replace("ubuntu-latest", "[self-hosted, linux]"), "low"),
        (uses(TAG, job="    permissions: {id-token: write}"), "low"),
        (uses(TAG, job="    env: {KEY: '${{ secrets.KEY }}'}"), "low"),
        (uses(TAG, job="    env: {KEY: '${{ github.token }}'}"), "low"),
        (uses(TAG, job="    env: {ALL: '${{ toJSON(secrets) }}'}"), "low"),
        (uses(TAG, job="").replace("permissions: {}", "permissions: write-all"), "low"),
        (uses(TAG, job="").replace("permissions: {}", "env: {A: '${{ secrets.A }}'}"), "low"),
        (uses(TAG, job="").replace("permissions: {}\n", ""), "info"),
        (
            uses(TAG, job="")
            .replace("permissions: {}", "permissions: write-all")
            .replace("    runs-on", "    permissions: {}\n    runs-on"),
            "info",
        ),
    ],
)
def test_an_action_counts_where_its_job_holds_something(text: str, expected: str) -> None:
    assert severities("workflow-unpinned-action", text) == [expected]


def test_an_action_counts_where_what_its_job_makes_is_released() -> None:
    build = uses(TAG, f"actions/upload-artifact@{SHA}", job="")
    release = (
        f"  release:\n    runs-on: a\n{WRITES}\n    steps:\n"
        f"      - uses: actions/download-artifact@{SHA}\n"
    )
    assert severities("workflow-unpinned-action", build) == ["info"]
    assert severities("workflow-unpinned-action", build + release) == ["low"]
    assert severities("workflow-unpinned-action", build + release.replace(WRITES, "")) == ["info"]


def test_the_job_beside_the_one_that_holds_something_holds_nothing() -> None:
    release = f"  release:\n    runs-on: a\n{WRITES}\n    steps: [{{run: ./release}}]\n"
    assert severities("workflow-unpinned-action", uses(TAG, job="") + release) == ["info"]


def test_an_action_is_told_once_over_the_repository() -> None:
    files = {
        ".github/workflows/a.yml": uses("example/deploy@v1", "example/other@v1"),
        ".github/workflows/b.yml": uses("example/deploy@v1", "example/deploy@v2"),
    }
    found = findings("workflow-unpinned-action", files)
    assert [finding.evidence for finding in found] == ["example/deploy", "example/other"]
    assert "example/deploy@v1, example/deploy@v2 (in 3 places, 2 files)" in found[0].message


@pytest.mark.parametrize(
    ("owner", "reference", "expected"),
    [
        ("example", "example/deploy@v2", "info"),
        ("example", "Example/deploy/.github/actions/publish@main", "info"),
        ("Example", "example/.github/.github/actions/publish@main", "info"),
        ("exam", "example/deploy@v2", "low"),
        ("example", "example-evil/deploy@main", "medium"),
        ("", "example/deploy@v2", "low"),
    ],
)
def test_an_action_of_the_repositorys_own_owner_is_for_information(
    owner: str, reference: str, expected: str
) -> None:
    known = _fact(((".github/workflows/test.yml", uses(reference)),))
    outcome = apply(
        CHECKS["workflow-unpinned-action"],
        {Workflows: replace(known, owner=owner.lower())},
    )
    assert isinstance(outcome, Failed)
    assert [one.severity.label for one in outcome.findings] == [expected]


@pytest.mark.parametrize(
    ("owner", "image", "expected"),
    [
        ("example", "ghcr.io/Example/builder", "info"),
        ("example", "evil.test/ghcr.io/example/builder", "low"),
        ("exam", "ghcr.io/Example/builder", "low"),
        ("", "ghcr.io/Example/builder", "low"),
    ],
)
def test_an_image_of_the_repositorys_own_owner_is_for_information(
    owner: str, image: str, expected: str
) -> None:
    text = workflow(job=f"{WRITES}\n    container: {image}")
    known = _fact(((".github/workflows/test.yml", text),))
    outcome = apply(CHECKS["workflow-audit"], {Workflows: replace(known, owner=owner)})
    assert isinstance(outcome, Failed)
    images = (one for one in outcome.findings if one.rule_id == "workflow-unpinned-images")
    assert [one.severity.label for one in images] == [expected]


def test_actions_by_github_are_one_finding() -> None:
    [finding] = findings(
        "workflow-unpinned-action", uses("actions/checkout@v4", "actions/setup-python@v5")
    )
    assert "actions/checkout@v4, actions/setup-python@v5" in finding.message


def test_an_action_is_told_where_its_job_holds_something() -> None:
    files = {
        ".github/workflows/a.yml": uses(TAG, job=""),
        ".github/workflows/b.yml": uses("example/other@v1", TAG),
    }
    told = {one.evidence: one for one in findings("workflow-unpinned-action", files)}
    place = told["example/deploy"].place
    assert (place.file, place.start_line) == (".github/workflows/b.yml", 9)


def test_an_action_that_nothing_uses_takes_no_weight_from_a_workflow() -> None:
    step = "    - uses: example/deploy@v1\n"
    idle = f"name: a\ndescription: b\nruns:\n  using: composite\n  steps:\n{step}"
    known = _fact(((".a/action.yml", idle), (".github/workflows/a.yml", uses(TAG))))
    files = (replace(known.files[0], role=Role.VENDORED), known.files[1])
    outcome = apply(CHECKS["workflow-unpinned-action"], {Workflows: Workflows(files)})
    assert isinstance(outcome, Failed)
    assert [(one.place.file, one.severity.label) for one in outcome.findings] == [
        (".github/workflows/a.yml", "low")
    ]


def test_workflow_called_test_counts_in_full() -> None:
    text = uses("example/deploy@v1")
    assert severities("workflow-unpinned-action", {".github/workflows/test_a.yml": text}) == ["low"]


@pytest.mark.parametrize("path", ["action.yml", "tests/fixtures/action.yml", "vendor/a/action.yml"])
def test_actions_count_wherever_they_lie(path: str) -> None:
    text = (
        "name: a\ndescription: b\nruns:\n  using: composite\n  steps:\n"
        "    - uses: example/deploy@v1\n"
    )
    assert severities("workflow-unpinned-action", {path: text}) == ["low"]


@pytest.mark.parametrize(
    ("kind", "role", "expected"),
    [
        (WorkflowKind.ACTION, Role.SOURCE, Severity.LOW),
        (WorkflowKind.ACTION, Role.VENDORED, Severity.INFO),
        (WorkflowKind.WORKFLOW, Role.TEST, Severity.LOW),
    ],
)
def test_actions_out_of_use_are_information(
    kind: WorkflowKind, role: Role, expected: Severity
) -> None:
    assert weighed(WorkflowFile("a.yml", role, FileWorkflow(kind)), Severity.LOW) is expected


@pytest.mark.parametrize(
    ("text", "rule_id", "severity"),
    [
        (uses(f"actions/checkout@{SHA}"), "workflow-artipacked", "info"),
        (
            workflow(job="    container: {image: 'a:1', credentials: {username: a, password: b}}"),
            "workflow-hardcoded-container-credentials",
            "high",
        ),
        (
            workflow(top="permissions: {}\nenv: {ACTIONS_ALLOW_UNSECURE_COMMANDS: true}"),
            "workflow-insecure-commands",
            "medium",
        ),
        (workflow(job=f"{WRITES}\n    container: shop/node"), "workflow-unpinned-images", "low"),
        (workflow(job=f"{WRITES}\n    container: node"), "workflow-unpinned-images", "info"),
        (workflow(job="    container: node"), "workflow-unpinned-images", "info"),
        (
            workflow("      - run: a\n        env: {ALL: '${{ toJSON(secrets) }}'}"),
            "workflow-overprovisioned-secrets",
            "medium",
        ),
    ],
)
def test_other_audits_have_our_severity(text: str, rule_id: str, severity: str) -> None:
    found = {
        finding.rule_id: finding.severity.label for finding in findings("workflow-audit", text)
    }
    assert found[rule_id] == severity


def test_password_is_not_quoted() -> None:
    text = workflow(
        job="    container: {image: 'a:1', credentials: {username: a, password: no-real-pass}}"
    )
    assert "no-real" not in repr(findings("workflow-audit", text))


def test_careful_workflow_has_no_finding() -> None:
    text = workflow(
        f"      - uses: actions/checkout@{SHA} # v4.2.2\n"
        "        with: {persist-credentials: false}",
        on="[push, pull_request]",
    )
    assert {id: findings(id, text) for id in CHECKS} == {id: [] for id in CHECKS}


@pytest.mark.parametrize("check_id", sorted(CHECKS))
def test_findings_are_risks_of_the_repository(check_id: str) -> None:
    ref = "main" if check_id == "workflow-dangerous-trigger" else HEAD
    text = workflow(
        "\n".join([checkout(ref), echo(TITLE), "      - uses: example/deploy@main"]),
        on="[pull_request, pull_request_target]",
        top="",
    ).replace("ubuntu-latest", "self-hosted")
    found = findings(check_id, text)
    assert found
    for finding in found:
        assert (finding.category, finding.kind) == (Category.SECURITY, Kind.RISK)
        assert finding.rule_id.startswith("workflow-")
        assert finding.message.endswith(".")
        assert finding.place.start_line > 0


def test_what_zizmor_rates_is_told_in_its_words_and_a_step_milder() -> None:
    steps = """\
      - run: npm install left-pad
      - run: dir
        shell: cmd
      - run: echo ${{ github.event_name == 'push' && '' || 'x' }}
      - uses: actions/create-github-app-token@v1
        with: {app-id: 1, private-key: k, owner: example}"""
    found = {one.rule_id: one for one in findings("workflow-audit", workflow(steps))}
    for name in ("adhoc-packages", "github-app", "misfeature", "unsound-ternary"):
        finding, rule = found[f"workflow-{name}"], all_rules()[f"workflow-{name}"]
        assert finding.message.startswith("zizmor finds: ")
        assert finding.message.endswith(rule.remedy)
        assert (finding.title, finding.severity) == (rule.title, rule.severity)


APP = "      - uses: actions/create-github-app-token@v3\n        with: {app-id: 1%s}"


@pytest.mark.parametrize(
    ("inputs", "expected"),
    [
        ("", ["low"]),
        (", owner: example", ["medium"]),
        (", owner: example, repositories: other", ["medium"]),
        (", repositories: other", ["medium"]),
        (", skip-token-revoke: true", ["medium"]),
        (", permission-contents: read", []),
    ],
)
def test_an_apps_token_weighs_by_how_far_it_reaches(inputs: str, expected: list[str]) -> None:
    found = findings("workflow-audit", workflow(APP % inputs))
    assert [one.severity.label for one in found if one.rule_id == "workflow-github-app"] == expected


def test_the_wide_token_of_an_app_is_told_once() -> None:
    text = workflow(APP % "")
    files = {f".github/workflows/{name}.yml": text for name in ("a", "b")}
    [finding] = [
        one for one in findings("workflow-audit", files) if one.rule_id == "workflow-github-app"
    ]
    assert "(also at .github/workflows/b.yml:7)" in finding.message


def test_suppressions_are_counted() -> None:
    text = workflow(echo(TITLE) + " # zizmor: ignore[template-injection]", "pull_request_target")
    (file,) = _fact(((".github/workflows/a.yml", text),)).files
    assert sum(hit.ignored for hit in file.found.hits) == 1


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("N=${{ github.event.pull_request.number }}", ["info"]),
        ("REF=$REF", ["medium"]),
        ("REF=$(git rev-parse HEAD)", ["medium"]),
    ],
)
def test_words_of_its_own_in_the_environment_are_for_information(
    written: str, expected: list[str]
) -> None:
    step = f'      - run: echo "{written}" >> $GITHUB_ENV'
    told = findings("workflow-audit", workflow(step, "pull_request_target"))
    found = [one.severity.label for one in told if one.rule_id == "workflow-github-env"]
    assert found == expected


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        ('run: echo "V=$(meson --version)" >> $GITHUB_ENV', "info"),
        ('run: echo "V=${{ env.V }} more" >> $GITHUB_ENV', "info"),
        ('run: echo "V=${{ inputs.v }}" >> $GITHUB_ENV', "medium"),
        ('run: echo "V=$V" >> $GITHUB_ENV\n      env: {V: "${{ inputs.v }}"}', "medium"),
        ('run: echo "V=$GITHUB_HEAD_REF" >> $GITHUB_ENV', "medium"),
        ('run: echo "V=$(cat ${{ steps.a.outputs.file }})" >> $GITHUB_ENV', "medium"),
    ],
)
def test_what_the_commands_of_an_action_say_is_its_own(step: str, expected: str) -> None:
    head = "name: a\ndescription: b\nruns:\n  using: composite\n  steps:\n"
    told = findings("workflow-audit", {"action.yml": f"{head}    - shell: bash\n      {step}\n"})
    found = [one.severity.label for one in told if one.rule_id == "workflow-github-env"]
    assert found == [expected]
