"""Dockerfiles as instructions, with continuation lines and here-documents joined."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from mergegate.repo.engines.documents.masking import is_literal_secret, is_secret_name, masked_text
from mergegate.repo.facts.documents import MASKED, Instruction

INSTRUCTION_BUDGET = 5_000
_ESCAPE = re.compile(r"#\s*escape\s*=\s*(`)", re.IGNORECASE)
_WORD = re.compile(r"\s*([A-Za-z]+)(?:\s+(.*))?$", re.DOTALL)
_HEREDOC = re.compile(r"<<-?\s*([\"']?)([A-Za-z_]\w*)\1")
_PAIR = re.compile(r"(?<!\w)([A-Za-z_]\w*)=(\"[^\"]*\"|'[^']*'|\S*)")
_LEGACY_ENV = re.compile(r"([A-Za-z_]\w*)\s+(.+)$", re.DOTALL)


def instructions(text: str) -> tuple[Instruction, ...]:
    """All instructions in order; lines that are none are left out."""
    found: list[Instruction] = []
    stage = -1
    for entry in _logical_lines(text):
        match = _WORD.match(entry.text)
        if match is None or len(found) >= INSTRUCTION_BUDGET:
            continue
        name = match[1].upper()
        stage += name == "FROM"
        arguments = _masked(name, (match[2] or "").strip())
        found.append(Instruction(name, arguments, entry.start, entry.end, stage))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Entry:
    text: str
    start: int
    end: int


def _logical_lines(text: str) -> Iterator[_Entry]:
    lines = text.splitlines()
    escape = "`" if any(_ESCAPE.match(line) for line in lines[:3]) else "\\"
    at = 0
    while at < len(lines):
        start = at
        if not lines[at].strip() or lines[at].lstrip().startswith("#"):
            at += 1
            continue
        parts, at = _continued(lines, at, escape)
        body, at = _heredocs(" ".join(parts), lines, at)
        yield _Entry("\n".join((" ".join(parts), *body)), start + 1, at)


def _continued(lines: list[str], at: int, escape: str) -> tuple[list[str], int]:
    """The pieces of one instruction and the index after it; comments between them are dropped."""
    parts: list[str] = []
    while at < len(lines):
        line = lines[at].strip()
        at += 1
        if line.startswith("#") or not line:
            continue
        parts.append(line.removesuffix(escape).strip())
        if not line.endswith(escape):
            break
    return parts, at


def _heredocs(line: str, lines: list[str], at: int) -> tuple[list[str], int]:
    body: list[str] = []
    if not line[:4].upper().startswith(("RUN", "COPY", "ADD")):
        return body, at
    for match in _HEREDOC.finditer(line):
        while at < len(lines) and lines[at].strip() != match[2]:
            body.append(lines[at])
            at += 1
        at = min(at + 1, len(lines))
    return body, at


def _masked(name: str, text: str) -> str:
    if name not in {"ENV", "ARG", "LABEL"}:
        return masked_text(text)
    legacy = _LEGACY_ENV.match(text)
    if name == "ENV" and legacy and "=" not in text.split(maxsplit=1)[0]:
        return f"{legacy[1]} {_value(legacy[1], legacy[2])}"
    return masked_text(_PAIR.sub(lambda pair: f"{pair[1]}={_value(pair[1], pair[2])}", text))


def _value(name: str, value: str) -> str:
    secret = is_secret_name(name) and is_literal_secret(value.strip("\"'"))
    return MASKED if secret else value
