"""What is asked of a file engine, what is remembered, and what the receipt says of it."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from mergegate.core.report import EngineStatus
from mergegate.core.tree import Skipped, SourceFile, Tree
from mergegate.sandbox.engines.engine import Answers, EngineContext, Examination, ask
from mergegate.sandbox.files.stage import Stage


@dataclass(frozen=True)
class Lines:
    """The fake engine's answer: how many lines a file has."""

    count: int


@dataclass
class Engine:
    """Answers each file with its size; notes which files each question held."""

    name: str = "lines"
    release: str = "1"
    rules: str = "r1"
    problems: Mapping[str, str] = field(default_factory=dict)
    silent_on: frozenset[str] = frozenset()
    asked: list[list[str]] = field(default_factory=list)
    answer = Lines

    def version(self) -> str:
        return self.release

    def identity(self) -> str:
        return self.rules

    def wants(self, file: SourceFile) -> bool:
        return file.suffix == ".py"

    def examine(self, files: Sequence[SourceFile], context: EngineContext) -> Examination[Lines]:
        del context
        self.asked.append([file.path for file in files])
        told = {file.key: Lines(file.size) for file in files if file.path not in self.silent_on}
        partly = {f.key: self.problems[f.path] for f in files if f.path in self.problems}
        return Examination(told, partly)


class Memory(dict[str, bytes]):
    """Remembers all."""

    def recall(self, keys: Sequence[str], anew: Collection[str] = ()) -> Mapping[str, bytes]:
        return {key: self[key] for key in keys if key in self and key not in anew}

    def remember(self, values: Mapping[str, bytes]) -> None:
        self.update(values)


@pytest.fixture
def context() -> Iterator[EngineContext]:
    with Stage() as stage:
        yield EngineContext(stage)


def file(path: str, digest: str = "", size: int = 7) -> SourceFile:
    return SourceFile(path=path, location=Path("/nowhere"), size=size, digest=digest or path)


A, B, NOTES = file("a.py"), file("b.py"), file("notes.txt")
BOTH = Tree((A, B))


def test_an_answer_is_not_asked_for_twice(context: EngineContext) -> None:
    engine, memory = Engine(), Memory()
    first, again = (ask(engine, BOTH, memory, context) for _ in range(2))
    assert engine.asked == [["a.py", "b.py"]]
    assert again.files == first.files == ((A, Lines(7)), (B, Lines(7)))
    assert (first.run.reused, again.run.reused) == (0, 2)


def test_a_partial_answer_is_told_and_not_remembered(context: EngineContext) -> None:
    engine, memory = Engine(problems={"a.py": "too deep"}), Memory()
    for _ in range(2):
        answers = ask(engine, BOTH, memory, context)
        assert answers.files == ((A, Lines(7)), (B, Lines(7)))
        assert answers.limited == (Skipped("a.py", "too deep"),)
        assert answers.run.status is EngineStatus.LIMITED
    assert engine.asked == [["a.py", "b.py"], ["a.py"]]


def test_a_file_without_an_answer_is_named_and_asked_about_again(context: EngineContext) -> None:
    engine, memory = Engine(silent_on=frozenset({"b.py"})), Memory()
    for _ in range(2):
        answers = ask(engine, BOTH, memory, context)
        assert answers.files == ((A, Lines(7)),)
        assert answers.limited == (Skipped("b.py", "the engine gave no answer"),)
        assert answers.run.status is EngineStatus.LIMITED
    assert engine.asked == [["a.py", "b.py"], ["b.py"]]


@pytest.mark.parametrize(
    "other",
    [
        Engine(name="other"),
        Engine(release="2"),
        Engine(rules="r2"),
        Engine(name="lines1", release=""),
    ],
    ids=["name", "version", "rules", "run together"],
)
def test_an_answer_serves_no_other_engine_version_or_rules(
    context: EngineContext, other: Engine
) -> None:
    memory = Memory()
    ask(Engine(release="1"), Tree((A,)), memory, context)
    ask(other, Tree((A,)), memory, context)
    assert other.asked == [["a.py"]]


@pytest.mark.parametrize("other", [file("a.py", "changed"), file("a.pyi", "a.py")])
def test_an_answer_serves_no_other_bytes_or_suffix(
    context: EngineContext, other: SourceFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Engine, "wants", lambda *_: True)
    engine, memory = Engine(), Memory()
    ask(engine, Tree((A,)), memory, context)
    assert ask(engine, Tree((other,)), memory, context).run.reused == 0


def test_equal_files_are_asked_about_once_and_both_answered(context: EngineContext) -> None:
    engine, copy = Engine(), file("copy.py", A.digest)
    answers = ask(engine, Tree((A, copy)), Memory(), context)
    assert len(engine.asked[0]) == 1
    assert answers.files == ((A, Lines(7)), (copy, Lines(7)))


def test_files_that_the_engine_does_not_want_are_neither_asked_nor_counted(
    context: EngineContext,
) -> None:
    engine = Engine()
    answers = ask(engine, Tree((A, NOTES)), Memory(), context)
    assert engine.asked == [["a.py"]]
    assert (answers.run.files, answers.run.status) == (1, EngineStatus.OK)


def test_an_engine_without_files_is_idle_and_never_started(context: EngineContext) -> None:
    engine = Engine()
    answers = ask(engine, Tree((NOTES,)), Memory(), context)
    assert (engine.asked, answers.run.status) == ([], EngineStatus.IDLE)


def test_files_ahead_are_asked_about_along_and_only_remembered(context: EngineContext) -> None:
    engine, memory = Engine(problems={"b.py": "too deep"}), Memory()
    ahead = EngineContext(context.stage, ahead=(B, NOTES, file("c.py")))
    first = ask(engine, Tree((A,)), memory, ahead)
    assert engine.asked == [["a.py", "b.py", "c.py"]]
    assert (first.files, first.limited, first.run.files) == (((A, Lines(7)),), (), 1)
    assert ask(engine, Tree((file("c.py"),)), memory, context).run.reused == 1


@pytest.mark.parametrize("damage", [b"{", b'{"words": 3}'])
def test_what_cannot_be_read_from_memory_is_asked_again(
    context: EngineContext, damage: bytes
) -> None:
    engine, memory = Engine(), Memory()
    ask(engine, Tree((A,)), memory, context)
    memory.update(dict.fromkeys(memory, damage))
    answers: Answers[Lines] = ask(engine, Tree((A,)), memory, context)
    assert (answers.files, answers.run.reused) == (((A, Lines(7)),), 0)
    assert len(engine.asked) == 2


def test_the_receipt_names_engine_and_version(context: EngineContext) -> None:
    run = ask(Engine(release="4.2"), BOTH, Memory(), context).run
    assert (run.name, run.version, run.files) == ("lines", "4.2", 2)
