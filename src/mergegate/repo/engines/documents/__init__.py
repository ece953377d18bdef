"""Read infrastructure files in our own process: no engine, no object of the file's choosing."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from posixpath import normpath

import yaml

from mergegate import __version__
from mergegate.core.errors import EngineFailed
from mergegate.core.tree import Reason, SourceFile
from mergegate.repo.engines.documents import bicep, groovy, payloads
from mergegate.repo.engines.documents.dockerfile_lines import entries
from mergegate.repo.engines.documents.hiding import hidden
from mergegate.repo.engines.documents.kinds import KINDS, documents, looks_like_infrastructure
from mergegate.repo.engines.documents.nodes import (
    STARS,
    Parsed,
    Unreadable,
    is_literal_secret,
    is_secret_name,
    masked_text,
    parse,
)
from mergegate.repo.engines.documents.notations import (
    NOTATIONS,
    Notation,
    may_be,
    notation_of,
)
from mergegate.repo.engines.documents.notations import SIZE_BUDGET as NOTATION_BUDGET
from mergegate.repo.facts.documents import (
    MASKED,
    STEP_BUDGET,
    Document,
    DocumentFile,
    DocumentKind,
    Documents,
    FileDocuments,
    Instruction,
    Node,
)
from mergegate.sandbox.engines.engine import (
    Answers,
    EngineContext,
    Examination,
)
from mergegate.secrets.mask import announces

INSTRUCTION_BUDGET = 5_000
TEXT_BUDGET = 256 * 1024
"""Characters of all instructions of a Dockerfile together."""
_WORD = re.compile(r"\s*([A-Za-z]+)(?:\s+(.*))?$", re.DOTALL)
_PAIR = re.compile(r"(?<!\w)([A-Za-z_]\w*)=(\"[^\"]*\"|'[^']*'|\S*)")
_LEGACY_ENV = re.compile(r"([A-Za-z_]\w*)\s+(.+)$", re.DOTALL)


def instructions(text: str) -> tuple[Instruction, ...]:
    """All instructions in order; lines that are none are left out."""
    found: list[Instruction] = []
    stage, length = -1, 0
    for entry in entries(text):
        match = _WORD.match(entry.text)
        if match is None:
            continue
        if len(found) >= INSTRUCTION_BUDGET or length > TEXT_BUDGET:
            break
        name = match[1].upper()
        stage += name == "FROM"
        arguments = _masked(name, (match[2] or "").strip())
        length += len(arguments)
        begin = max(match.start(2), 0)
        breaks = tuple(max(0, at - begin) for at in entry.breaks)
        found.append(Instruction(name, arguments, entry.start, entry.end, stage, breaks))
    return tuple(found)


def _masked(name: str, text: str) -> str:
    if name not in {"ENV", "ARG", "LABEL"}:
        return masked_text(text)
    legacy = _LEGACY_ENV.match(text)
    if name == "ENV" and legacy and "=" not in text.split(maxsplit=1)[0]:
        return f"{legacy[1]} {_value(legacy[1], legacy[2])}"
    return masked_text(_PAIR.sub(lambda pair: f"{pair[1]}={_value(pair[1], pair[2])}", text))


def _value(name: str, value: str) -> str:
    if not is_literal_secret(value.strip("\"'")):
        return value
    return MASKED if is_secret_name(name) else STARS if announces(name) else value


_REVISION = 14
"""Counts up with every change that lets the same bytes read differently."""
SIZE_BUDGET = 8 * 1024 * 1024
_TOO_LARGE = "it is larger than 8 MiB"
_SETTINGS_TOO_LARGE = "it is larger than 1 MiB"
_OF_TEMPLATES = ("{{", "{%", "<%", "<?", "%{")
_HEAD = 256 * 1024
_BICEP = ".bicep"
_BICEP_PARAMETERS = ".bicepparam"
_TREES = frozenset({".yaml", ".yml", ".json"})
_SUFFIXES = _TREES | {".template", _BICEP, _BICEP_PARAMETERS}
_OTHER_SUFFIXES = frozenset({"", ".txt", ".tmpl", ".j2"})
_UNDER_ANY_NAME = frozenset(
    {
        *(DocumentKind.KUBERNETES, DocumentKind.COMPOSE, DocumentKind.CLOUDFORMATION),
        DocumentKind.ARM,
    }
)
"""What tools take from a file of any name that they are given, and nothing else is taken for."""
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")
_OF_AZURE = re.compile(r"deployment(?:Template|Parameters)", re.IGNORECASE)
_COMMENT = re.compile(r'("(?:[^"\\]|\\.)*")|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
_GITLAB_CI = re.compile(r"gitlab[\w.-]*(/.*)?\.ya?ml$|(^|/)\.gitlab/", re.IGNORECASE)
_PIPELINE = re.compile(rb"(?:^|[\r\n])(?:[ \t]*(?:pipeline|node)\b[^\n{]*\n?\s*\{|@Library\b)")
"""How a file of Groovy begins that Jenkins runs: others are of a program."""
_EMPTY = FileDocuments()


@dataclass(frozen=True, slots=True)
class _Reading:
    """An answer, and what about the file it could not take in."""

    found: FileDocuments
    problem: str = ""
    cause: Reason = Reason.GIVE_UP


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
        """YAML, JSON, Bicep, Dockerfiles, pipelines of Jenkins, and what may be one of them."""
        if file.binary:
            return False
        is_known = file.suffix in _SUFFIXES or file.language == "dockerfile"
        is_other = file.language is None and file.suffix in _OTHER_SUFFIXES
        return is_known or is_other or _is_jenkins(file) or may_be(file.path, file.suffix)

    def examine(
        self, files: Sequence[SourceFile], context: EngineContext
    ) -> Examination[FileDocuments]:
        """One answer a file; broken files that look like infrastructure are problems."""
        del context  # nothing is run: the bytes are read where they are
        _prove()
        readings = {file.key: _read(file) for file in files}
        return Examination(
            {key: reading.found for key, reading in readings.items()},
            {key: reading.problem for key, reading in readings.items() if reading.problem},
            {key: reading.cause for key, reading in readings.items() if reading.problem},
        )


def _prove() -> None:
    """Raise EngineFailed unless a known document of each kind is read for what it is."""
    for one in KINDS:
        found = looks_like_infrastructure(one.known) and _infrastructure(one.known).found.documents
        if not found or [document.kind for document in found] != [one.kind]:
            raise EngineFailed(f"a known document was not read: {one.kind}")
    if bicep.template("resource a 'b' = {}\n")["resources"].keys != ("a",):
        raise EngineFailed("a known Bicep file was not read")
    for notation in NOTATIONS:
        read = _settings(notation, notation.known, True).found.documents
        if notation_of(notation.known) is not notation or not (read and read[0].root.keys):
            raise EngineFailed(f"known settings were not read: {notation.kind}")
    if [one.name for one in instructions("FROM a\nRUN b\n")] != ["FROM", "RUN"]:
        raise EngineFailed("a known Dockerfile was not read")
    if not _jenkins(b"node { sh 'a' }", True).found.documents:
        raise EngineFailed("a known pipeline of Jenkins was not read")


def fact(
    answers: Answers[FileDocuments], rendered: Mapping[str, FileDocuments] | None = None
) -> Documents:
    """The answers that hold something, with their paths and roles.

    What only looks like GitLab CI counts when its path says so or a counted file includes it. A
    template holds what it was ``rendered`` to.
    """
    instead = rendered or {}
    files = [
        DocumentFile(file.path, file.role, found, file.copy_of)
        for file, answer in answers.files
        if (found := instead.get(file.path, answer)) != _EMPTY
    ]
    copies = {file.path for file, _ in answers.files if file.copy_of}
    pipelines = _pipelines(files) | copies
    return Documents(
        tuple(file for file in files if not _is_gitlab(file) or file.path in pipelines)
    )


def _read(file: SourceFile) -> _Reading:
    content, whole = _content(file.location)
    if file.language == "dockerfile":
        return _dockerfile(content, whole)
    if file.suffix in {_BICEP, _BICEP_PARAMETERS}:
        return _bicep(content, file.suffix) if whole else _Reading(_EMPTY, _TOO_LARGE, Reason.SIZE)
    if _is_jenkins(file):
        is_one = file.suffix != ".groovy" or _PIPELINE.search(content)
        return _jenkins(content, whole) if is_one else _Reading(_EMPTY)
    if file.suffix not in _TREES and (notation := notation_of(content, file.suffix)) is not None:
        return _settings(notation, content, whole)
    is_named = file.suffix in _SUFFIXES
    may_be_one = is_named or file.suffix in _OTHER_SUFFIXES
    if not (may_be_one and looks_like_infrastructure(content, file.suffix)):
        return _Reading(_EMPTY)
    reading = _infrastructure(content) if whole else _Reading(_EMPTY, _TOO_LARGE, Reason.SIZE)
    return reading if is_named or _is_sure(reading) else _Reading(_EMPTY)


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
    elif any(len(one.text) > STEP_BUDGET for one in found):
        problem = "an instruction is longer than 64 KiB; its commands were not read"
    elif sum(len(one.text) for one in found) > TEXT_BUDGET:
        problem = "its instructions are longer than 256 KiB; those behind were not read"
    inside = tuple(held for one in found for held in payloads.in_instruction(one))
    return _Reading(FileDocuments(inside, found), problem)


def _bicep(content: bytes, suffix: str = _BICEP) -> _Reading:
    try:
        text = content.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
        root = bicep.template(text)
    except UnicodeDecodeError:
        return _Reading(_EMPTY, "it is not valid UTF-8", Reason.ENCODING)
    except Unreadable as error:
        if error.is_syntax and "{{" in text:
            return _Reading(FileDocuments(template=True))
        return _Reading(_EMPTY, error.what, Reason.SYNTAX if error.is_syntax else Reason.GIVE_UP)
    if suffix == _BICEP_PARAMETERS:
        given = root["parameters"].keys
        return _Reading(
            FileDocuments((_hidden(DocumentKind.ARM_PARAMETERS, root),) if given else ())
        )
    found = root["resources"].children
    return _Reading(FileDocuments((_hidden(DocumentKind.ARM, root),) if found else ()))


def _hidden(kind: DocumentKind, root: Node) -> Document:
    return Document(kind, hidden(kind, root))


def _is_jenkins(file: SourceFile) -> bool:
    """Whether it may be a pipeline of Jenkins; by no more of its name than its key holds."""
    return file.language == "groovy" and file.suffix != ".gradle"


def _jenkins(content: bytes, whole: bool) -> _Reading:
    if not whole:
        return _Reading(_EMPTY, _TOO_LARGE, Reason.SIZE)
    try:
        root = groovy.script(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return _Reading(_EMPTY, "it is not valid UTF-8", Reason.ENCODING)
    except Unreadable as error:
        return _Reading(_EMPTY, error.what, Reason.SYNTAX if error.is_syntax else Reason.GIVE_UP)
    return _Reading(FileDocuments((Document(DocumentKind.JENKINS, root),)))


def _settings(notation: Notation, content: bytes, whole: bool) -> _Reading:
    if not whole or len(content) > NOTATION_BUDGET:
        return _Reading(_EMPTY, _SETTINGS_TOO_LARGE, Reason.SIZE)
    text = content.decode("utf-8-sig", "replace").replace("\r\n", "\n")
    try:
        return _Reading(FileDocuments((Document(notation.kind, notation.read(text)),)))
    except Unreadable as error:
        if error.is_syntax and notation.sure.search(content) is None:
            return _Reading(_EMPTY)
        if error.is_syntax and any(sign in text for sign in _OF_TEMPLATES):
            return _Reading(FileDocuments(template=True))
        cause = Reason.SYNTAX if error.is_syntax else Reason.GIVE_UP
        return _Reading(_EMPTY, error.what, cause)


def _infrastructure(content: bytes) -> _Reading:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return _Reading(_EMPTY, "it is not valid UTF-8", Reason.ENCODING)
    may_be_template = "{{" in text or "{%" in text
    try:
        parsed = parse(_without_surrogates(_without_comments(text)))
    except Unreadable as error:
        if not error.is_syntax:
            return _Reading(_EMPTY, error.what)
        found = _readable(error.before, may_be_template)
        problem = "" if may_be_template else error.what
        return _Reading(replace(found, template=may_be_template), problem, Reason.SYNTAX)
    found = _readable(parsed, may_be_template)
    problem = ""
    if found.documents and parsed.duplicates:
        first = parsed.duplicates[0]
        problem = f"a key stands twice ({first}); only the last one was read"
    return _Reading(found, problem)


def _readable(parsed: Parsed, may_be_template: bool) -> FileDocuments:
    """What is infrastructure of the documents that are no template themselves."""
    templates = parsed.keyed_by_collections if may_be_template else frozenset[int]()
    roots = (one for number, one in enumerate(parsed.roots) if number not in templates)
    return replace(known(replace(parsed, roots=tuple(roots))), template=bool(templates))


def known(parsed: Parsed) -> FileDocuments:
    """What of the documents that were parsed is infrastructure."""
    return FileDocuments(tuple(one for root in parsed.roots for one in documents(root)))


def _is_sure(reading: _Reading) -> bool:
    """Whether a file that is not called YAML is infrastructure all the same."""
    return any(one.kind in _UNDER_ANY_NAME for one in reading.found.documents)


def _without_surrogates(text: str) -> str:
    r"""JSON writes signs beyond the first plane as two ``\uD8..`` escapes, which YAML refuses."""
    return _SURROGATE.sub(r"\\ufffd", text) if text.lstrip()[:1] in "{[" else text


def _without_comments(text: str) -> str:
    """Azure's templates are JSON with comments, which YAML refuses."""
    if text.lstrip()[:1] not in {"{", "/"} or not _OF_AZURE.search(text):
        return text
    return _COMMENT.sub(lambda one: one[0] if one[1] else "\n" * one[0].count("\n"), text)


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
