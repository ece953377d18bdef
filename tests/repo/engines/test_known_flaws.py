"""An engine that does not find what we put before it has searched nothing, whatever it answers."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from mergegate.core.errors import EngineFailed
from mergegate.core.tree import SourceFile, Tree
from mergegate.repo.engines import documents, duplication, lizard, markers
from mergegate.repo.engines.documents import kinds
from mergegate.repo.facts.documents import DocumentKind
from mergegate.sandbox.engines.engine import EngineContext
from mergegate.sandbox.files.record import source_file
from mergegate.sandbox.files.stage import Stage


@pytest.fixture
def file(tmp_path: Path) -> SourceFile:
    location = tmp_path / "a.py"
    location.write_text("x = 1\n")
    return source_file("a.py", location, location.read_bytes())


@pytest.fixture
def context() -> Iterator[EngineContext]:
    with Stage() as stage:
        yield EngineContext(stage)


def test_traces(file: SourceFile, context: EngineContext, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(markers, "suppressions", lambda *_: iter(()))
    with pytest.raises(EngineFailed, match="known traces were not found: suppression"):
        markers.MarkerSearch().examine([file], context)


def test_documents(
    file: SourceFile, context: EngineContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    rest = tuple(one for one in kinds.KINDS if one.kind is not DocumentKind.COMPOSE)
    monkeypatch.setattr(kinds, "KINDS", rest)
    with pytest.raises(EngineFailed, match="known document was not read: compose"):
        documents.DocumentEngine().examine([file], context)


def test_dockerfiles(
    file: SourceFile, context: EngineContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(documents, "INSTRUCTION_BUDGET", 1)
    with pytest.raises(EngineFailed, match="known Dockerfile"):
        documents.DocumentEngine().examine([file], context)


def test_clones(file: SourceFile, context: EngineContext, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duplication, "_LONG_RUN", re.compile(b"never"))
    with pytest.raises(EngineFailed, match="known clone"):
        duplication.DuplicationFinder().gather(Tree((file,)), context)


@pytest.mark.parametrize("reader", sorted({*lizard.READERS.values(), "tsx"}))
def test_functions(
    reader: str, tmp_path: Path, context: EngineContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    location = tmp_path / f"a.{reader}"
    location.write_text("x\n")
    file = source_file(location.name, location, b"x\n")
    assert lizard.Lizard().examine([file], context).answers.keys() == {file.key}
    begin, _, end = lizard._KNOWN[reader]
    monkeypatch.setitem(lizard._KNOWN, reader, (begin, "", end))
    with pytest.raises(EngineFailed, match=f"known function in {reader}"):
        lizard.Lizard().examine([file], context)
