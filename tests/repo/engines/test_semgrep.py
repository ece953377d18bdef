"""The contract with semgrep-core: what it answers, and what its silence is not taken for."""

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from mergegate.core.errors import EngineFailed
from mergegate.core.tree import Reason, Role, SourceFile
from mergegate.repo import rules
from mergegate.repo.engines import semgrep
from mergegate.repo.engines.flow import followed
from mergegate.repo.engines.semgrep import Semgrep
from mergegate.repo.facts.code import CodeMatch, FileMatches
from mergegate.sandbox.engines.engine import EngineContext, Examination
from mergegate.sandbox.files.record import source_file
from mergegate.sandbox.files.stage import Stage

RULES = """
rules:
- id: test-eval
  languages: [python]
  severity: ERROR
  message: Found $F
  patterns: [{pattern: $F($X)}, {metavariable-regex: {metavariable: $F, regex: ^eval$}}]
  fix: safe($X)
  metadata: {title: T, severity: high, confidence: high, category: Security}
- id: test-flow
  mode: taint
  languages: [python]
  severity: ERROR
  message: Flow
  pattern-sources: [{pattern: source()}]
  pattern-sinks: [{pattern: sink(...)}]
  metadata: {title: T, severity: high, confidence: high, category: Security}
"""


CANARIES = "[python]\nrule = 'test-eval'\ntext = 'eval(x)'\n"
HOSTS = """
[text]
language = "python"
rule = "test-eval"
text = "import x\\neval(x)"
"""


@pytest.fixture(autouse=True)
def own_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    use(RULES, tmp_path, monkeypatch)
    yield
    rules.catalogue.cache_clear()


def use(text: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "rules" / "test").mkdir(parents=True, exist_ok=True)
    (folder / "rules" / "test" / "rules.yaml").write_text(text)
    (folder / "rules" / "canaries.toml").write_text(CANARIES)
    (folder / "rules" / "hosts.toml").write_text(HOSTS)
    monkeypatch.setattr(rules, "_FOLDER", folder / "rules")
    monkeypatch.setattr(rules, "WRITTEN", replace(rules.WRITTEN, folder=folder / "rules"))
    rules.catalogue.cache_clear()


def written(tmp_path: Path, text: str | bytes, path: str = "a.py") -> SourceFile:
    content = text if isinstance(text, bytes) else text.encode()
    location = tmp_path / path
    location.write_bytes(content)
    return source_file(path, location, content)


def whole(file: SourceFile) -> semgrep._Piece:
    return semgrep._Piece(file, file, file.location)


def examine(*files: SourceFile) -> Examination[FileMatches]:
    with Stage() as stage:
        return Semgrep().examine(files, EngineContext(stage))


def matches(file: SourceFile) -> tuple[CodeMatch, ...]:
    return examine(file).answers[file.key].matches


def test_what_is_put_in_for_the_flow_shows_in_no_match(tmp_path: Path) -> None:
    text = "try: q = eval(s)  # nosemgrep\nexcept E:\n  q = 1; r = 'é'; q = eval(s)\n"
    put_in = followed(text.encode(), "python")[0].splitlines()
    examined = examine(written(tmp_path, text))
    (answer,) = examined.answers.values()
    silenced, other = answer.matches
    assert put_in[2].startswith(b"  may_raise();q = 1;may_raise(); r")
    assert (silenced.start_line, silenced.start_column, silenced.ignored) == (1, 10, True)
    assert (other.start_line, other.start_column, other.end_column) == (3, 23, 30)
    assert other.fix == "  q = 1; r = 'é'; q = safe(s)"
    assert "may_raise" not in repr(answer)


def test_a_match_has_place_message_and_fixed_lines(tmp_path: Path) -> None:
    (match,) = matches(written(tmp_path, "x = 1\né = eval('ü'); y = 2\n"))
    assert (match.rule_id, match.start_line, match.message) == ("test-eval", 2, "Found eval")
    assert match.fix == "é = safe('ü'); y = 2"
    assert (match.start_column, match.end_column) == (5, 14)


def test_a_flow_tells_the_lines_it_takes(tmp_path: Path) -> None:
    (match,) = matches(written(tmp_path, "def f():\n    a = source()\n    b = a\n    sink(b)\n"))
    assert match.rule_id == "test-flow"
    assert (match.trace[0], match.trace[-1]) == (2, 4)


def test_an_inline_suppression_is_recorded_not_obeyed(tmp_path: Path) -> None:
    (match,) = matches(written(tmp_path, "eval(x)  # nosemgrep\n"))
    assert match.ignored


def test_a_semgrepignore_of_the_tree_hides_nothing(tmp_path: Path) -> None:
    (tmp_path / ".semgrepignore").write_text("*\n")
    assert len(matches(written(tmp_path, "eval(x)\n"))) == 1


def test_a_file_that_does_not_parse_is_named_and_the_others_finish(tmp_path: Path) -> None:
    broken = written(tmp_path, "def f(:\n  eval(x\n", "broken.py")
    good = written(tmp_path, "eval(x)\n", "good.py")
    answers = examine(broken, good).answers
    assert answers[broken.key].problems
    assert len(answers[good.key].matches) == 1


def test_bytes_that_are_no_text_do_not_stop_it(tmp_path: Path) -> None:
    odd = written(tmp_path, b"x = '\xff\xfe'\neval(x)\n", "odd.py")
    assert odd.key in examine(odd).answers


def test_a_rule_that_does_not_parse_is_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(RULES.replace("sink(...)", "sink(..."), tmp_path, monkeypatch)
    with pytest.raises(EngineFailed, match="test-flow"):
        examine(written(tmp_path, "eval(x)\n"))


def test_a_run_that_does_not_find_the_known_flaw_has_searched_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules[__name__], "CANARIES", CANARIES.replace("eval(x)", "print(x)"))
    use(RULES, tmp_path, monkeypatch)
    with pytest.raises(EngineFailed, match="known flaw in python"):
        examine(written(tmp_path, "eval(x)\n"))


@pytest.mark.parametrize(
    ("text", "said"),
    [("import x", "known flaw in python in text"), ("words", "known text of text")],
)
def test_a_run_that_misses_the_known_flaw_inside_a_text_has_searched_nothing(
    text: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hosts = HOSTS.replace("import x\\neval(x)", text)
    monkeypatch.setattr(sys.modules[__name__], "HOSTS", hosts)
    use(RULES, tmp_path, monkeypatch)
    location = tmp_path / "a"
    location.write_text("import y\n")
    file = source_file("a", location, b"import y\n", tmp_path)
    with pytest.raises(EngineFailed, match=said):
        examine(file)


def test_a_known_flaw_stands_in_no_answer(tmp_path: Path) -> None:
    assert matches(written(tmp_path, "y = 1\n")) == ()


def test_a_file_that_was_not_reported_as_searched_has_no_answer(tmp_path: Path) -> None:
    file = written(tmp_path, "eval(x)\n")
    answer = {"results": [], "errors": [], "paths": {"scanned": []}}
    assert semgrep._examination(answer, {str(file.location): [whole(file)]}).answers == {}


@pytest.mark.parametrize("answer", [b"", b"not json", b"[]", b'{"results": [], "errors": []}'])
def test_garbage_is_a_failure(answer: bytes) -> None:
    with pytest.raises(EngineFailed):
        semgrep._parse(answer)


def test_an_error_about_no_file_is_a_failure() -> None:
    answer = {"results": [], "errors": [{"error_type": "Fatal error"}], "paths": {"scanned": []}}
    with pytest.raises(EngineFailed, match="Fatal error"):
        semgrep._examination(json.loads(json.dumps(answer)), {})


def test_a_time_out_is_told_and_not_remembered(tmp_path: Path) -> None:
    file = written(tmp_path, "x\n")
    error = {"error_type": "Timeout", "location": {"path": "/s/a.py"}, "rule_id": "test-eval"}
    answer = {"results": [], "errors": [error], "paths": {"scanned": ["/s/a.py"]}}
    found = semgrep._examination(answer, {"/s/a.py": [whole(file)]})
    assert found.problems == {file.key: "Timeout of test-eval"}


def test_a_flow_that_was_given_up_is_told(tmp_path: Path) -> None:
    file = written(tmp_path, "x\n")
    error = {"error_type": "Fixpoint timeout", "location": {"path": "/s/a.py"}}
    answer = {
        "results": [],
        "errors": [],
        "paths": {"scanned": ["/s/a.py"]},
        "time": {"fixpoint_timeouts": [error]},
    }
    assert semgrep._examination(answer, {"/s/a.py": [whole(file)]}).problems == {
        file.key: "Fixpoint timeout"
    }


@pytest.mark.parametrize("role", Role)
def test_files_are_searched_whatever_they_are_for(role: Role, tmp_path: Path) -> None:
    assert Semgrep().wants(replace(written(tmp_path, "x = 1\n"), role=role))


@pytest.mark.parametrize(
    ("content", "cause"),
    [("x = 1\n" * 200_000, Reason.SIZE), ("x = [" + "1," * 50_000 + "]\n", Reason.MINIFIED)],
)
def test_files_without_a_bound_on_their_cost_are_named(
    content: str, cause: Reason, tmp_path: Path
) -> None:
    huge, good = written(tmp_path, content, "huge.py"), written(tmp_path, "eval(x)\n", "good.py")
    found = examine(huge, good)
    assert (found.causes, list(found.problems)) == ({huge.key: cause}, [huge.key])
    assert huge.key not in found.answers
    assert len(found.answers[good.key].matches) == 1
