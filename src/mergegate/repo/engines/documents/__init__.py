"""Read infrastructure files in our own process: no engine, no object of the file's choosing."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from posixpath import normpath

import yaml

from mergegate import __version__
from mergegate.core.errors import EngineFailed
from mergegate.core.tree import SourceFile
from mergegate.repo.engines.documents.dockerfile import INSTRUCTION_BUDGET, instructions
from mergegate.repo.engines.documents.kinds import documents, looks_like_infrastructure
from mergegate.repo.engines.documents.nodes import Parsed, Unreadable, parse
from mergegate.repo.facts.documents import DocumentFile, DocumentKind, Documents, FileDocuments
from mergegate.sandbox.engines.engine import Examination, Workshop
from mergegate.sandbox.engines.per_file import Answers

_REVISION = 1
"""Counts up with every change that lets the same bytes read differently."""
SIZE_BUDGET = 8 * 1024 * 1024
_TOO_LARGE = "it is larger than 8 MiB"
_HEAD = 256 * 1024
_SUFFIXES = frozenset({".yaml", ".yml", ".json", ".template"})
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")
_GITLAB_CI = re.compile(r"gitlab[\w.-]*(/.*)?\.ya?ml$|(^|/)\.gitlab/", re.IGNORECASE)
_EMPTY = FileDocuments()


@dataclass(frozen=True, slots=True)
class _Reading:
    """An answer, and what about the file it could not take in."""

    found: FileDocuments
    problem: str = ""


class DocumentEngine:
    """Answers with the infrastructure documents a file's bytes hold."""

    name = "documents"
    answer = FileDocuments

    def version(self) -> str:
        """Ours and the parser's."""
        return f"{__version__} (PyYAML {yaml.__version__})"

    def identity(self) -> str:
        """The revision of our own reading."""
        return str(_REVISION)

    def wants(self, file: SourceFile) -> bool:
        """YAML, JSON and Dockerfiles."""
        return not file.binary and (file.suffix in _SUFFIXES or file.language == "dockerfile")

    def examine(
        self, files: Sequence[SourceFile], workshop: Workshop
    ) -> Examination[FileDocuments]:
        """One answer a file; broken files that look like infrastructure are problems."""
        del workshop  # nothing is run: the bytes are read where they are
        readings = {file.key: _read(file) for file in files}
        return Examination(
            {key: reading.found for key, reading in readings.items()},
            {key: reading.problem for key, reading in readings.items() if reading.problem},
        )


def fact(answers: Answers[FileDocuments]) -> Documents:
    """The answers that hold something, with their paths and roles.

    What only looks like GitLab CI counts when its path says so or a counted file includes it.
    """
    files = [
        DocumentFile(file.path, file.role, found)
        for file, found in answers.files
        if found != _EMPTY
    ]
    pipelines = _pipelines(files)
    return Documents(
        tuple(file for file in files if not _is_gitlab(file) or file.path in pipelines)
    )


def _read(file: SourceFile) -> _Reading:
    content, whole = _content(file.location)
    if file.language == "dockerfile":
        return _dockerfile(content, whole)
    if not looks_like_infrastructure(content):
        return _Reading(_EMPTY)
    return _infrastructure(content) if whole else _Reading(_EMPTY, _TOO_LARGE)


def _content(location: Path) -> tuple[bytes, bool]:
    """The bytes and whether they are all; of an oversized file only the beginning."""
    try:
        with location.open("rb") as stream:
            content = stream.read(SIZE_BUDGET + 1)
    except OSError as error:
        raise EngineFailed(f"a file could not be read: {error.strerror}") from error
    return (content, True) if len(content) <= SIZE_BUDGET else (content[:_HEAD], False)


def _dockerfile(content: bytes, whole: bool) -> _Reading:
    found = instructions(content.decode("utf-8-sig", "replace"))
    problem = "" if whole else _TOO_LARGE
    if len(found) >= INSTRUCTION_BUDGET:
        problem = f"it has more than {INSTRUCTION_BUDGET:,} instructions"
    return _Reading(FileDocuments(instructions=found), problem)


def _infrastructure(content: bytes) -> _Reading:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return _Reading(_EMPTY, "it is not valid UTF-8")
    may_be_template = "{{" in text or "{%" in text
    try:
        parsed = parse(_without_surrogates(text))
    except Unreadable as error:
        template = may_be_template and error.is_syntax
        return _Reading(FileDocuments(template=True)) if template else _Reading(_EMPTY, error.what)
    if may_be_template and parsed.keyed_by_collections:
        return _Reading(FileDocuments(template=True))
    return _known(parsed)


def _known(parsed: Parsed) -> _Reading:
    found = tuple(document for root in parsed.roots for document in documents(root))
    problem = ""
    if found and parsed.duplicates:
        first = parsed.duplicates[0]
        problem = f"a key stands twice ({first}); only the last one was read"
    return _Reading(FileDocuments(found), problem)


def _without_surrogates(text: str) -> str:
    r"""JSON writes signs beyond the first plane as two ``\uD8..`` escapes, which YAML refuses."""
    return _SURROGATE.sub(r"\\ufffd", text) if text.lstrip()[:1] in "{[" else text


def _is_gitlab(file: DocumentFile) -> bool:
    return any(document.kind is DocumentKind.GITLAB_CI for document in file.found.documents)


def _pipelines(files: Sequence[DocumentFile]) -> frozenset[str]:
    candidates = {file.path: file for file in files if _is_gitlab(file)}
    pending = [path for path in candidates if _GITLAB_CI.search(path)]
    reached: set[str] = set()
    while pending:
        path = pending.pop()
        if path in candidates and path not in reached:
            reached.add(path)
            pending.extend(_locally_included(candidates[path]))
    return frozenset(reached)


def _locally_included(file: DocumentFile) -> Iterator[str]:
    for document in file.found.documents:
        for entry in document.root["include"].each:
            path = entry.text or entry["local"].text
            if path and "://" not in path:
                yield normpath(path.lstrip("/"))
