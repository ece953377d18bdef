"""lizard through its worker: what it measures, and what one hostile file can do."""

import sys
from collections.abc import Iterator
from pathlib import Path

import lizard
import pytest

from mergegate.core.errors import EngineFailed
from mergegate.core.report import EngineRun
from mergegate.core.tree import Role, SourceFile
from mergegate.repo.engines import lizard_worker
from mergegate.repo.engines.lizard import READERS, Lizard, fact
from mergegate.repo.facts.code import (
    FLOOR_COMPLEX_BRANCHES,
    FileMetrics,
    FunctionMetrics,
    MeasuredFile,
)
from mergegate.sandbox.engines.engine import Answers, EngineContext, Examination
from mergegate.sandbox.files.record import source_file
from mergegate.sandbox.files.stage import Stage
from mergegate.sandbox.process import run

BRANCHY = "def f(a, b):\n    if a and b:\n        return 1\n\n    # why\n    return 2\n"
SAMPLES = {
    "a.py": "def f(a):\n    if a:\n        return 1\n    return 2\n",
    "a.js": "function f(a) {\n  if (a) {\n    return 1;\n  }\n  return 2;\n}\n",
    "a.ts": "function f(a: number): number {\n  if (a) {\n    return 1;\n  }\n  return 2;\n}\n",
    "a.tsx": "function f(a: number) {\n  if (a) {\n    return <b/>;\n  }\n  return null;\n}\n",
    "A.java": "class A {\n  int f(int a) {\n    if (a > 0) { return 1; }\n    return 2;\n  }\n}\n",
    "a.go": "package a\n\nfunc f(a bool) int {\n\tif a {\n\t\treturn 1\n\t}\n\treturn 2\n}\n",
    "a.c": "int f(int a) {\n  if (a) {\n    return 1;\n  }\n  return 2;\n}\n",
    "a.cpp": "int f(int a) {\n  if (a) {\n    return 1;\n  }\n  return 2;\n}\n",
    "a.cs": "class A {\n  int f(int a) {\n    if (a > 0) { return 1; }\n    return 2;\n  }\n}\n",
    "a.rb": "def f(a)\n  if a\n    return 1\n  end\n  2\nend\n",
    "a.php": "<?php\nfunction f($a) {\n  if ($a) {\n    return 1;\n  }\n  return 2;\n}\n",
    "a.rs": "fn f(a: bool) -> u8 {\n    if a {\n        return 1;\n    }\n    2\n}\n",
    "a.kt": "fun f(a: Boolean): Int {\n    if (a) {\n        return 1\n    }\n    return 2\n}\n",
    "a.swift": "func f(a: Bool) -> Int {\n    if a {\n        return 1\n    }\n    return 2\n}\n",
    "a.scala": "object A {\n  def f(a: Boolean): Int = {\n    if (a) { 1 } else { 2 }\n  }\n}\n",
}


REMARK = " " + "if " * 50
"""Counts as branches for :func:`lizard_worker.is_plain`, and as none for lizard."""


def noted(name: str, code: str) -> str:
    """``code`` with a comment at its end, so that it is worth measuring."""
    return f"{code}{'#' if name.endswith(('.py', '.rb')) else '//'}{REMARK}\n"


@pytest.fixture
def stage() -> Iterator[Stage]:
    with Stage() as opened:
        yield opened


def written(folder: Path, name: str, content: str | bytes) -> SourceFile:
    data = content.encode() if isinstance(content, str) else content
    (folder / name).write_bytes(data)
    return source_file(name, folder / name, data)


def examine(stage: Stage, *files: SourceFile) -> Examination[FileMetrics]:
    return Lizard().examine(files, EngineContext(stage))


def test_a_function_has_its_lines_and_branches(tmp_path: Path, stage: Stage) -> None:
    file = written(tmp_path, "a.py", noted("a.py", BRANCHY))
    measured = examine(stage, file).answers[file.key]
    assert measured == FileMetrics(4, (FunctionMetrics("f", 1, 6, 4, 3),))


@pytest.mark.parametrize(
    ("code", "plain"),
    [
        ("x = 1\n" * 2999, True),
        ("x = 1\n" * 3000, False),
        ("if a:\n    pass\n" * 49, True),
        ("if a:\n    pass\n" * 50, False),
        ("if a:\n    pass\n" * 15 + "x = 1\n" * 118, True),
        ("if a:\n    pass\n" * 15 + "x = 1\n" * 119, False),
        ("if a:\n    pass\n" * 14 + "x = 1\n" * 900, True),
    ],
)
def test_only_what_could_be_reported_is_measured(code: str, plain: bool) -> None:
    assert lizard_worker.is_plain(code.encode()) is plain


SMALL = "def f(a):\n    if a:\n        return 1\n    return 2\n\n\n"


@pytest.mark.parametrize(
    ("code", "plain"),
    [
        (SMALL * 200, True),
        (SMALL * 20 + "async def g(a):\n" + "    if a:\n        pass\n" * 50, False),
        ("class A:\n" + "    def f(self):\n        if self: pass\n" * 200, True),
        ("def f(a):\n    def g(): pass\n" + "    if a: pass\n" * 50, False),
        ("if a: pass\n" * 200, True),
    ],
)
def test_in_python_each_function_is_judged_by_itself(code: str, plain: bool) -> None:
    assert lizard_worker.is_plain(code.encode(), "py") is plain


def test_a_plain_file_has_no_measures(tmp_path: Path, stage: Stage) -> None:
    file = written(tmp_path, "a.py", BRANCHY)
    assert examine(stage, file).answers[file.key] == FileMetrics()


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_no_branch_of_lizard_is_overlooked(name: str) -> None:
    conditions = lizard.get_reader_for(name)(lizard.FileInfoBuilder(name)).conditions
    for word in conditions - {"?."}:
        assert not lizard_worker.is_plain(f"a {word} b ".encode() * FLOOR_COMPLEX_BRANCHES), word


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_every_language_is_read(name: str, tmp_path: Path, stage: Stage) -> None:
    file = written(tmp_path, name, noted(name, SAMPLES[name]))
    assert Lizard().wants(file)
    (function,) = examine(stage, file).answers[file.key].functions
    assert function.name.endswith("f")
    assert function.complexity == 2


def test_every_reader_has_a_sample() -> None:
    languages = {source_file(name, Path(name), b"").language for name in SAMPLES}
    assert languages == set(READERS)


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        ("src/a.py", True),
        ("tests/a.py", True),
        ("vendor/a.go", True),
        ("a_test.go", False),
        ("dist/a.js", False),
        ("dist/a.py", True),
        ("types/a.d.ts", False),
        ("a.yaml", False),
    ],
)
def test_only_written_production_code_is_measured(path: str, wanted: bool) -> None:
    assert Lizard().wants(source_file(path, Path(path), b"x")) is wanted


@pytest.mark.parametrize(
    "silencer", ["# lizard forgives", "# lizard forgive global", "# GENERATED CODE"]
)
def test_the_measured_file_cannot_silence_lizard(
    silencer: str, tmp_path: Path, stage: Stage
) -> None:
    code = f"{silencer}\ndef f():\n    {silencer}\n    return 1\n"
    file = written(tmp_path, "a.py", noted("a.py", code))
    assert [one.name for one in examine(stage, file).answers[file.key].functions] == ["f"]


def test_a_switch_counts_as_one_branch(tmp_path: Path, stage: Stage) -> None:
    cases = "".join(f"    case {number}: return {number};\n" for number in range(60))
    file = written(tmp_path, "a.c", f"int f(int a) {{\n  switch (a) {{\n{cases}  }}\n}}\n")
    assert examine(stage, file).answers[file.key].functions[0].complexity == 2


def test_a_function_whose_end_lizard_missed_is_left_out() -> None:
    rest = "".join(f"function g{i}(a) {{\n  return a;\n}}\n" for i in range(60))
    code = f"const f = (s) => /^[`]+$/.test(s);\n\n{rest}"
    names = [row[0] for row in lizard_worker.measure(code, "js")["functions"]]
    assert "f" not in names


def test_equal_answers_whatever_the_number_of_jobs(tmp_path: Path, stage: Stage) -> None:
    body = "\n".join(f"def f{i}(a):\n    return a\n" for i in range(600))
    body += f"# {'why ' * 20}\n" * 1900  # bytes that are worth a process, and read in no time
    files = [written(tmp_path, f"a{n}.py", f"# {n}\n{body}") for n in range(6)]
    assert sum(file.size for file in files) > 1_000_000
    alone = Lizard().examine(files, EngineContext(stage, jobs=1))
    assert Lizard().examine(files, EngineContext(stage, jobs=3)) == alone


def test_a_minified_file_is_not_measured(tmp_path: Path, stage: Stage) -> None:
    file = written(tmp_path, "a.js", "function f(){return 1};" * 1000)
    assert examine(stage, file).answers[file.key] == FileMetrics(minified=True)


def test_fifty_megabytes_in_one_line_take_no_time(tmp_path: Path, stage: Stage) -> None:
    file = written(tmp_path, "a.js", b"f(1);" * 10_000_000)
    assert examine(stage, file).answers[file.key].minified


def test_a_source_beyond_the_limit_is_named(tmp_path: Path, stage: Stage) -> None:
    file = written(tmp_path, "a.py", "x = 1\n" * 400_000)
    seen = examine(stage, file)
    assert file.key not in seen.answers
    assert "larger than 2 MiB" in seen.problems[file.key]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("deep.py", b"x = " + b"(" * 100_000),
        ("deep.js", b"function f() {\n" * 50_000),
        ("deep.c", b"int f() { if (1) {\n" * 10_000),
        ("bytes.py", b"\xff\xfe\xc3\x28 def f(:\n" * 100),
        ("empty.go", b""),
        ("nul.java", b"class A {\n" + b"// late\n" * 2000 + b"\0 }"),
        ("quote.ts", b"`${" * 20_000),
        ("many.py", b"def f(): pass\n" * 30_000),
    ],
)
def test_hostile_files_end_as_answer_or_problem(
    name: str, content: bytes, tmp_path: Path, stage: Stage
) -> None:
    file = written(tmp_path, name, content + noted(name, "\n").encode())
    other = written(tmp_path, "good.py", noted("good.py", BRANCHY))
    seen = examine(stage, file, other)
    assert (file.key in seen.answers) != (file.key in seen.problems)
    assert seen.answers[other.key].functions[0].name == "f"


def test_a_stalling_file_is_named_and_the_others_finish(
    tmp_path: Path, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker = tmp_path / "stall.py"
    worker.write_text(
        "import sys\nfrom pathlib import Path\n"
        "from mergegate.repo.engines import lizard_worker as w\n"
        "real = w.measure\nw.CPU_BUDGET_S = 0.2\n"
        "def measure(code, extension):\n"
        "    while 'stall' in code: pass\n"
        "    return real(code, extension)\n"
        "w.measure = measure\nw.main(Path(sys.argv[1]), Path(sys.argv[2]))\n"
    )
    monkeypatch.setattr(run, "python_module", lambda _: [sys.executable, str(worker)])
    bad = written(tmp_path, "a.py", noted("a.py", "def f(): pass  # stall\n"))
    good = written(tmp_path, "b.py", BRANCHY)
    seen = examine(stage, bad, good)
    assert "gave up" in seen.problems[bad.key]
    assert good.key in seen.answers


CRASHING = (
    "import os, sys\nfrom pathlib import Path\n"
    "from mergegate.repo.engines import lizard_worker as w\n"
    "real = w.measure\n"
    "def measure(code, extension):\n"
    "    if 'crash' in code: os.abort()\n"
    "    return real(code, extension)\n"
    "w.measure = measure\nw.main(Path(sys.argv[1]), Path(sys.argv[2]))\n"
)


def test_a_crash_is_the_fault_of_one_file(
    tmp_path: Path, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker = tmp_path / "crash.py"
    worker.write_text(CRASHING)
    monkeypatch.setattr(run, "python_module", lambda _: [sys.executable, str(worker)])
    files = [
        written(
            tmp_path,
            f"{n}.py",
            noted("a.py", f"def f(): pass  # {'crash' if n == 3 else 'fine'} {n}\n"),
        )
        for n in range(9)
    ]
    seen = examine(stage, *files)
    assert list(seen.problems) == [files[3].key]
    assert len(seen.answers) == 8


def test_many_crashes_are_the_engines_failure(
    tmp_path: Path, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker = tmp_path / "crash.py"
    worker.write_text(CRASHING)
    monkeypatch.setattr(run, "python_module", lambda _: [sys.executable, str(worker)])
    files = [
        written(tmp_path, f"{n}.py", noted("a.py", f"def f(): pass  # crash {n}\n"))
        for n in range(9)
    ]
    with pytest.raises(EngineFailed):
        examine(stage, *files)


@pytest.mark.parametrize(
    "program",
    [
        "",
        "raise SystemExit(3)",
        "import sys; open(sys.argv[2], 'w').write('{\"ready\": \"1\"}\\nnonsense\\n')",
        'import sys; open(sys.argv[2], \'w\').write(\'{"ready": "1"}\\n{"key": "other"}\\n\')',
    ],
)
def test_garbage_is_no_answer(
    program: str, tmp_path: Path, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker = tmp_path / "worker.py"
    worker.write_text(program)
    monkeypatch.setattr(run, "python_module", lambda _: [sys.executable, str(worker)])
    with pytest.raises(EngineFailed):
        examine(stage, written(tmp_path, "a.py", BRANCHY))


def test_the_fact_names_path_and_role() -> None:
    file = source_file("src/a.py", Path("src/a.py"), b"")
    answers = Answers(((file, FileMetrics(1)),), EngineRun(name="lizard"), ())
    assert fact(answers).files == (MeasuredFile("src/a.py", Role.SOURCE, "python", FileMetrics(1)),)
