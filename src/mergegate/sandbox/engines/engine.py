"""The protocols of engines, and how file engines are asked about the files not yet cached."""

import hashlib
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from pydantic import TypeAdapter, ValidationError

from mergegate.core.report import EngineRun, EngineStatus
from mergegate.core.tree import EVERYTHING, Reason, Selection, Skipped, SourceFile, Tree
from mergegate.sandbox.files.stage import Stage
from mergegate.sandbox.process.run import Limits

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class EngineContext:
    """What an adapter may use: a private stage, limits, and its share of the cores."""

    stage: Stage
    limits: Limits = Limits()
    jobs: int = 2
    ahead: tuple[SourceFile, ...] = ()
    """Files of another tree of this scan: file engines answer about them along with their own."""
    anew: frozenset[str] = frozenset()
    """Keys of files that are asked about whatever an earlier scan kept: others could write that."""
    selection: Selection = EVERYTHING
    """What alone is judged: about other files no engine is asked that answers file by file."""
    excludes: Callable[[str], bool] = field(default=frozenset[str]().__contains__, compare=False)
    """Whether the policy leaves a path out; those of the tree are gone already."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """A fact, or several, with the receipt of how they came about."""

    facts: tuple[Any, ...]
    """Each is keyed by its type."""
    run: EngineRun
    limited: tuple[Skipped, ...] = ()
    """Files of which the engine could not see everything."""
    searched: frozenset[str] = frozenset()
    """The paths that the engine itself reports as searched in full."""


@dataclass(frozen=True, slots=True)
class Examination(Generic[Answer]):
    """What a file engine says of the files it was given, by :attr:`SourceFile.key`."""

    answers: Mapping[str, Answer]
    problems: Mapping[str, str] = field(default_factory=dict)
    """Files it could not see in full, with the reason; such answers are not cached."""
    causes: Mapping[str, Reason] = field(default_factory=dict)
    """Why, in one word, for those of ``problems`` that are no give-up."""


class Engine(Protocol):
    """Gathers its facts from the whole tree."""

    name: str

    def version(self) -> str:
        """The engine's own version; raises EngineMissing."""
        ...

    def gather(self, tree: Tree, context: EngineContext) -> Gathered:
        """Run and record; raises EngineError when there is no trustworthy answer."""
        ...


class FileEngine(Protocol[Answer]):
    """Answers file by file from the bytes (and language) alone, so answers can be cached."""

    name: str
    answer: type[Answer]
    """A frozen dataclass that pydantic can save and reload."""

    def version(self) -> str:
        """The engine's own version; raises EngineMissing."""
        ...

    def identity(self) -> str:
        """All that decides an answer beside the file: rules, options, our own revision."""
        ...

    def wants(self, file: SourceFile) -> bool:
        """Whether the file is this engine's business."""
        ...

    def examine(self, files: Sequence[SourceFile], context: EngineContext) -> Examination[Answer]:
        """Answers for ``files``, all with different keys; raises EngineError."""
        ...


class Memory(Protocol):
    """Remembers answers by key; a lost answer only costs time."""

    def recall(self, keys: Sequence[str], anew: Collection[str] = ()) -> Mapping[str, bytes]:
        """The values known under ``keys``; under those of ``anew`` what this run learned alone."""
        ...

    def remember(self, values: Mapping[str, bytes]) -> None:
        """Keep ``values``."""
        ...


@dataclass(frozen=True, slots=True)
class Answers(Generic[Answer]):
    """One answer a file, in order of path."""

    files: tuple[tuple[SourceFile, Answer], ...]
    run: EngineRun
    limited: tuple[Skipped, ...]

    @property
    def searched(self) -> frozenset[str]:
        """The paths of which the engine saw everything."""
        return frozenset(file.path for file, _ in self.files) - {one.path for one in self.limited}


def ask(
    engine: FileEngine[Answer], tree: Tree, memory: Memory, context: EngineContext
) -> Answers[Answer]:
    """Every wanted file with its answer, from ``memory`` where it holds one.

    Raises EngineError as the engine does; files without an answer are named in ``limited``.
    """
    started = time.monotonic()
    version = engine.version()
    wanted = [file for file in tree.files if engine.wants(file)]
    asked = [*wanted, *(file for file in context.ahead if engine.wants(file))]
    keys = _keys(engine, version, asked)
    known = _recall(engine, memory, keys, context.anew)
    examined = _examine(engine, asked, known, context)
    _remember(engine, memory, keys, examined)
    answers = {**known, **examined.answers}
    limited = _limited(wanted, answers, examined)
    return Answers(
        tuple((file, answers[file.key]) for file in wanted if file.key in answers),
        EngineRun(
            name=engine.name,
            version=version,
            status=_status(wanted, limited),
            duration_ms=round((time.monotonic() - started) * 1000),
            files=len(wanted),
            reused=sum(file.key in known for file in wanted),
        ),
        limited,
    )


def _keys(engine: FileEngine[Answer], version: str, files: Sequence[SourceFile]) -> dict[str, str]:
    """File key → cache key: engine, version, identity and all the file adds."""
    prefix = f"{engine.name}\0{version}\0{engine.identity()}\0"
    return {
        file.key: hashlib.sha256(f"{prefix}{file.key}".encode("utf-8", "replace")).hexdigest()
        for file in files
    }


_ADAPTERS: dict[type[Any], TypeAdapter[Any]] = {}


def adapter(answer: type[Answer]) -> TypeAdapter[Answer]:
    """What saves and reloads answers of that class; made once, for both trees of a scan."""
    if answer not in _ADAPTERS:
        _ADAPTERS[answer] = TypeAdapter(answer)
    return _ADAPTERS[answer]


def _recall(
    engine: FileEngine[Answer], memory: Memory, keys: Mapping[str, str], anew: Collection[str]
) -> dict[str, Answer]:
    doubted = {key for file, key in keys.items() if file in anew}
    stored = memory.recall(list(keys.values()), doubted)
    read: dict[bytes, Answer | None] = {}  # most files have the same answer: nothing found
    for text in stored.values():
        if text not in read:
            read[text] = _read(engine.answer, text)
    answers = {file: read[stored[key]] for file, key in keys.items() if key in stored}
    return {file: answer for file, answer in answers.items() if answer is not None}


def _read(answer: type[Answer], text: bytes) -> Answer | None:
    """None for what was written by another shape of ours, or is damaged: then ask again."""
    try:
        return adapter(answer).validate_json(text)
    except ValidationError:
        return None


def _examine(
    engine: FileEngine[Answer],
    wanted: Sequence[SourceFile],
    known: Mapping[str, Answer],
    context: EngineContext,
) -> Examination[Answer]:
    unknown = {file.key: file for file in wanted if file.key not in known}
    if not unknown:
        return Examination({})
    return engine.examine(list(unknown.values()), context)


def _remember(
    engine: FileEngine[Answer],
    memory: Memory,
    keys: Mapping[str, str],
    examined: Examination[Answer],
) -> None:
    if not examined.answers:
        return
    shape = adapter(engine.answer)
    memory.remember(
        {
            keys[file_key]: shape.dump_json(answer)
            for file_key, answer in examined.answers.items()
            if file_key not in examined.problems
        }
    )


def _limited(
    wanted: Sequence[SourceFile], answers: Mapping[str, Answer], examined: Examination[Answer]
) -> tuple[Skipped, ...]:
    problems, causes = examined.problems, examined.causes
    silent = "the engine gave no answer"
    return tuple(
        Skipped(
            file.path,
            problems.get(file.key, silent),
            cause=causes.get(file.key, Reason.GIVE_UP),
        )
        for file in wanted
        if file.key in problems or file.key not in answers
    )


def _status(wanted: Sequence[SourceFile], limited: Sequence[Skipped]) -> EngineStatus:
    if not wanted:
        return EngineStatus.IDLE
    return EngineStatus.LIMITED if limited else EngineStatus.OK
