"""Ask a file engine only about bytes it has not answered for before."""

import hashlib
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic

from pydantic import TypeAdapter, ValidationError

from mergegate.core.report import EngineRun, EngineStatus
from mergegate.core.tree import Skipped, SourceFile, Tree
from mergegate.sandbox.engines.engine import Answer, EngineContext, Examination, FileEngine, Memory


@dataclass(frozen=True, slots=True)
class Answers(Generic[Answer]):
    """One answer a file, in order of path."""

    files: tuple[tuple[SourceFile, Answer], ...]
    run: EngineRun
    limited: tuple[Skipped, ...]


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
    known = _recall(engine, memory, keys)
    examined = _examine(engine, asked, known, context)
    _remember(engine, memory, keys, examined)
    answers = {**known, **examined.answers}
    limited = _limited(wanted, answers, examined.problems)
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


def _recall(
    engine: FileEngine[Answer], memory: Memory, keys: Mapping[str, str]
) -> dict[str, Answer]:
    adapter = TypeAdapter(engine.answer)
    stored = memory.recall(list(keys.values()))
    read: dict[bytes, Answer | None] = {}  # most files have the same answer: nothing found
    for text in stored.values():
        if text not in read:
            read[text] = _read(adapter, text)
    answers = {file: read[stored[key]] for file, key in keys.items() if key in stored}
    return {file: answer for file, answer in answers.items() if answer is not None}


def _read(adapter: TypeAdapter[Answer], text: bytes) -> Answer | None:
    """None for what was written by another shape of ours, or is damaged: then ask again."""
    try:
        return adapter.validate_json(text)
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
    adapter = TypeAdapter(engine.answer)
    memory.remember(
        {
            keys[file_key]: adapter.dump_json(answer)
            for file_key, answer in examined.answers.items()
            if file_key not in examined.problems
        }
    )


def _limited(
    wanted: Sequence[SourceFile], answers: Mapping[str, Answer], problems: Mapping[str, str]
) -> tuple[Skipped, ...]:
    silent = "the engine gave no answer"
    return tuple(
        Skipped(file.path, problems.get(file.key, silent))
        for file in wanted
        if file.key in problems or file.key not in answers
    )


def _status(wanted: Sequence[SourceFile], limited: Sequence[Skipped]) -> EngineStatus:
    if not wanted:
        return EngineStatus.IDLE
    return EngineStatus.LIMITED if limited else EngineStatus.OK
