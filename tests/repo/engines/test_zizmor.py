"""zizmor itself on small workflows: what is seen, and what a scanned file cannot do."""

import hashlib
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from mergegate.core.errors import EngineFailed
from mergegate.core.severity import Confidence
from mergegate.core.tree import SourceFile
from mergegate.repo.engines import zizmor
from mergegate.repo.engines.zizmor import ZizmorEngine
from mergegate.repo.facts.documents import FileWorkflow, WorkflowKind
from mergegate.sandbox.engines.engine import EngineContext, Examination
from mergegate.sandbox.files.stage import Stage

INJECTION = """on: pull_request_target
permissions: {}
jobs:
  greet:
    runs-on: ubuntu-latest
    steps:
      - run: echo "${{ github.event.pull_request.title }}"
"""
ACTION = """name: greet
description: greets
inputs: {name: {description: who}}
runs:
  using: composite
  steps:
    - uses: example/greet@v1
    - run: echo ${{ inputs.name }}
      shell: bash
"""
CLEAN = """on: push
permissions: {}
jobs:
  greet:
    runs-on: ubuntu-latest
    steps:
      - run: echo hello
"""
COMPOSITE_PATH = ".github/actions/greet/action.yml"


@pytest.fixture
def context() -> Iterator[EngineContext]:
    with Stage() as stage:
        yield EngineContext(stage)


def source(folder: Path, text: str | bytes, path: str = ".github/workflows/a.yml") -> SourceFile:
    content = text.encode() if isinstance(text, str) else text
    digest = hashlib.sha256(content).hexdigest()
    location = folder / digest
    location.write_bytes(content)
    return SourceFile(
        path=path, location=location, size=len(content), digest=digest, language="yaml"
    )


def examined(
    tmp_path: Path, context: EngineContext, *texts: str | bytes
) -> tuple[list[FileWorkflow | None], list[str]]:
    """Answers and problems, in order of ``texts``."""
    files = [source(tmp_path, text) for text in texts]
    done: Examination[FileWorkflow] = ZizmorEngine().examine(files, context)
    keys = [file.key for file in files]
    return [done.answers.get(key) for key in keys], [done.problems.get(key, "") for key in keys]


def audits(answer: FileWorkflow | None) -> list[str]:
    assert answer is not None
    return sorted({hit.audit for hit in answer.hits})


def test_version_is_told() -> None:
    assert ZizmorEngine().version()[0].isdigit()


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        (".github/workflows/test.yml", True),
        (".github/workflows/test.yaml", True),
        ("action.yml", True),
        (COMPOSITE_PATH, True),
        (".github/workflows/nested/test.yml", False),
        ("examples/.github/workflows/test.yml", False),
        (".github/dependabot.yml", False),
        ("workflows/test.yml", False),
        ("transaction.yml", False),
    ],
)
def test_only_what_github_reads_is_wanted(tmp_path: Path, path: str, wanted: bool) -> None:
    assert ZizmorEngine().wants(source(tmp_path, CLEAN, path)) == wanted


def test_hit_has_place_expression_and_certainty(tmp_path: Path, context: EngineContext) -> None:
    [answer], _ = examined(tmp_path, context, INJECTION)
    assert answer is not None
    [hit] = [hit for hit in answer.hits if hit.audit == "template-injection"]
    assert (hit.start_line, hit.end_line, hit.confidence) == (7, 7, Confidence.HIGH)
    assert hit.feature == "github.event.pull_request.title"
    line = INJECTION.splitlines()[6]
    assert line[hit.start_column - 1 : hit.end_column - 1] == hit.feature


def test_columns_count_characters(tmp_path: Path, context: EngineContext) -> None:
    text = INJECTION.replace("echo", "echo '🙂é'")
    assert text != INJECTION
    [answer], _ = examined(tmp_path, context, text)
    assert answer is not None
    [hit] = [hit for hit in answer.hits if hit.audit == "template-injection"]
    line = text.splitlines()[6]
    assert line[hit.start_column - 1 : hit.end_column - 1] == hit.feature


def test_each_file_gets_its_own_answer(tmp_path: Path, context: EngineContext) -> None:
    answers, problems = examined(tmp_path, context, CLEAN, INJECTION, ACTION)
    assert [audits(answer) for answer in answers] == [
        [],
        ["dangerous-triggers", "template-injection"],
        ["template-injection", "unpinned-uses"],
    ]
    assert problems == ["", "", ""]


def test_action_is_told_from_workflow_by_content(tmp_path: Path, context: EngineContext) -> None:
    [answer], _ = examined(tmp_path, context, ACTION)
    assert answer is not None
    assert (answer.kind, answer.root["name"].text) == (WorkflowKind.ACTION, "greet")


def test_ignore_comment_marks_the_hit_and_hides_nothing(
    tmp_path: Path, context: EngineContext
) -> None:
    text = INJECTION.replace('title }}"', 'title }}" # zizmor: ignore[template-injection] trust me')
    [answer], _ = examined(tmp_path, context, text)
    assert answer is not None
    [hit] = [hit for hit in answer.hits if hit.audit == "template-injection"]
    assert hit.ignored


def test_configuration_beside_the_workflow_is_not_read(
    tmp_path: Path, context: EngineContext
) -> None:
    silence = "rules:\n  template-injection:\n    disable: true\n"
    for folder in (tmp_path, context.stage.root):
        (folder / "zizmor.yml").write_text(silence)
        (folder / ".github").mkdir()
        (folder / ".github" / "zizmor.yml").write_text(silence)
    [answer], _ = examined(tmp_path, context, INJECTION)
    assert "template-injection" in audits(answer)


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        ("on: push\njobs: [\n", "not valid YAML"),
        ("on: push\njobs:\n  a: 3\n", "does not accept it as a workflow"),
        (b"on: push\njobs: \xff\n", "not valid UTF-8"),
        ("on: push\njobs: " + "[" * 100_000, "nested more than"),
        ("jobs: {}\n#" + "x" * 1024 * 1024, "larger than 1 MiB"),
    ],
)
def test_unreadable_workflow_is_a_problem_and_hides_no_other(
    tmp_path: Path, context: EngineContext, broken: str | bytes, reason: str
) -> None:
    answers, problems = examined(tmp_path, context, broken, INJECTION)
    assert reason in problems[0]
    assert "template-injection" in audits(answers[1])
    assert problems[1] == ""


def test_only_unreadable_workflows_are_all_problems(tmp_path: Path, context: EngineContext) -> None:
    _, problems = examined(tmp_path, context, "on: push\njobs:\n  a: 3\n")
    assert "does not accept" in problems[0]


def test_other_action_files_are_left_alone(tmp_path: Path, context: EngineContext) -> None:
    answers, problems = examined(tmp_path, context, "kind: action\n", "- 1\n", "")
    assert (answers, problems) == ([FileWorkflow()] * 3, [""] * 3)


def test_password_in_the_workflow_reaches_no_answer(tmp_path: Path, context: EngineContext) -> None:
    text = CLEAN.replace(
        "    steps:",
        "    container: {image: 'a:1', credentials: {username: me, password: no-real-pass}}\n"
        "    env: {API_TOKEN: no-real-token}\n    steps:",
    )
    [answer], _ = examined(tmp_path, context, text)
    assert "hardcoded-container-credentials" in audits(answer)
    assert "no-real" not in repr(answer)


def test_answers_survive_saving(tmp_path: Path, context: EngineContext) -> None:
    [answer], _ = examined(tmp_path, context, INJECTION)
    adapter = TypeAdapter(FileWorkflow)
    assert answer is not None
    assert adapter.validate_json(adapter.dump_json(answer)) == answer


def test_more_files_than_one_batch_are_all_answered(
    tmp_path: Path, context: EngineContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(zizmor, "_BATCH", 2)
    texts = [INJECTION.replace("greet", f"greet{number}") for number in range(5)]
    answers, _ = examined(tmp_path, context, *texts)
    assert all("template-injection" in audits(answer) for answer in answers)


COMPLETED = "INFO audit: zizmor: completed 0/workflow.yml"


@pytest.mark.parametrize(
    ("stdout", "stderr", "code", "reason"),
    [
        ("garbage", COMPLETED, 0, "json-v1"),
        ('[{"ident": "x"}]', COMPLETED, 0, "json-v1"),
        ("", COMPLETED, 0, "json-v1"),
        ("[]", "", 0, "which files"),
        ("[]", COMPLETED, 1, "exit code 1"),
        ("[]", COMPLETED, 101, "exit code 101"),
    ],
)
def test_untrustworthy_answer_fails_the_engine(
    tmp_path: Path,
    context: EngineContext,
    monkeypatch: pytest.MonkeyPatch,
    stdout: str,
    stderr: str,
    code: int,
    reason: str,
) -> None:
    program = tmp_path / "zizmor"
    program.write_text(
        f"#!{sys.executable}\nimport sys\nsys.stdout.write({stdout!r})\n"
        f"sys.stderr.write({stderr!r})\nsys.exit({code})\n"
    )
    program.chmod(0o755)
    monkeypatch.setattr(zizmor, "find_program", lambda _: program)
    with pytest.raises(EngineFailed, match=reason):
        examined(tmp_path, context, CLEAN)


def test_a_run_that_misses_the_known_flaw_has_audited_nothing(
    tmp_path: Path, context: EngineContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    clean = [replace(one, content=CLEAN.encode()) for one in zizmor._CANARIES]
    monkeypatch.setattr(zizmor, "_CANARIES", clean)
    with pytest.raises(EngineFailed, match="known flaw in a workflow"):
        ZizmorEngine().examine([source(tmp_path, CLEAN)], context)
