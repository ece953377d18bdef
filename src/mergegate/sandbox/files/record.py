"""A file's bytes → the record that engines work with: its text, its language, what it is for."""

import hashlib
import re
from dataclasses import replace
from pathlib import Path

from mergegate.core.languages import builds_an_image, interpreted_as, language_of
from mergegate.core.roles.signs import is_prose, own_role, signs_of
from mergegate.core.tree import Role, Signs, SourceFile
from mergegate.sandbox.files.programs import Program, document_code, programs_in
from mergegate.sandbox.files.text import text_of

_XML = re.compile(rb"\s*(?:<\?xml\b|<!DOCTYPE TS>)")
_LONG_LINE_BYTES = 5_000
_LEAST_MINIFIED_BYTES = 64 * 1024


def source_file(
    path: str, location: Path, content: bytes, readings: Path | None = None
) -> SourceFile:
    """The record of a file whose bytes have been read.

    Text that is not the bytes themselves, and the programs inside, are written into the folder
    ``readings``; without one the bytes are taken for the text.
    """
    by_first_line = interpreted_as(content)
    language = _named(path, content) or by_first_line
    text = text_of(content, language)
    if text is not None and language is None and builds_an_image(text):
        language = "dockerfile"
    if text is None:
        binary = _record(path, location, content, None)
        return replace(binary, binary=True, role=Role.SOURCE, signs=Signs(), language=by_first_line)
    if readings is None or text is content:
        file = _record(path, location, content, language)
    else:
        file = replace(_record(path, _kept(text, readings), text, language), verbatim=False)
    if readings is None:
        return file
    inside = list(document_code(text) if is_prose(path) else programs_in(text, language))
    if by_first_line not in {language, None}:
        inside.append(Program(by_first_line, text))
    return replace(file, programs=tuple(_program(path, one, readings) for one in inside))


def _named(path: str, content: bytes) -> str | None:
    """The language that the name tells; Qt's translations are called as TypeScript is."""
    language = language_of(path)
    return "xml" if language == "typescript" and _XML.match(content) else language


def _record(path: str, location: Path, text: bytes, language: str | None) -> SourceFile:
    signs = signs_of(path, language, text)
    return SourceFile(
        path=path,
        location=location,
        size=len(text),
        digest=hashlib.sha256(text).hexdigest(),
        role=own_role(signs),
        signs=signs,
        language=language,
        minified=bool(language and _is_minified(text)),
        lines=text.count(b"\n") + (text[-1:] not in b"\n") if language else 0,
    )


def _program(path: str, program: Program, readings: Path) -> SourceFile:
    record = _record(path, _kept(program.text, readings), program.text, program.language)
    return replace(record, verbatim=False, line_map=program.lines, spare=program.spare)


def _kept(text: bytes, readings: Path) -> Path:
    location = readings / hashlib.sha256(text).hexdigest()
    if not location.exists():
        location.write_bytes(text)
    return location


def _is_minified(text: bytes) -> bool:
    """Whether lines that are too long hold most of it, blanks aside."""
    if len(text) < _LEAST_MINIFIED_BYTES or not _has_long_line(text):
        return False
    lines = (line for line in text.split(b"\n") if len(line) >= _LONG_LINE_BYTES)
    return 2 * sum(map(_signs, lines)) > _signs(text)


def _signs(text: bytes) -> int:
    return len(text.translate(None, b" \t\r\n"))


def _has_long_line(content: bytes) -> bool:
    """Whether a line is too long; leaps from break to break, as a regex would read every byte."""
    start = 0
    while len(content) - start >= _LONG_LINE_BYTES:
        end = content.rfind(b"\n", start, start + _LONG_LINE_BYTES)
        if end < 0:
            return True
        start = end + 1
    return False
