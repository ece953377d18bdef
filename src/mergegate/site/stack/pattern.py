"""One piece of evidence as it is written in a rule: what to find, and what finding it means."""

import re
from dataclasses import dataclass

_VERSION = re.compile(r"[vVr]?(\d[\w.+-]{0,39})", re.ASCII)
_GROUP = re.compile(r"\\(\d)(?:\?([^:]*):(.*))?", re.ASCII)
_MARK = r"\;"


@dataclass(frozen=True, slots=True)
class Name:
    """Something that is there or not (a selector, a host, a technology), and what that means."""

    text: str
    version: str = ""
    """The version that its presence tells."""
    confidence: int = 100
    """1–100."""


@dataclass(frozen=True, slots=True)
class Pattern:
    r"""An expression with tags behind it: ``jquery-([\d.]+)\;version:\1\;confidence:50``."""

    expression: re.Pattern[str]
    """Of lines: ``^``, ``$`` and ``.`` keep to one; addresses stand one a line."""
    version: str = ""
    r"""How to write the version: ``\1``, a constant, or a choice such as ``\1?2:1``."""
    confidence: int = 100
    """1–100."""

    def version_in(self, match: re.Match[str]) -> str:
        """The version that ``match`` tells; empty when it tells none."""
        return clean_version(_GROUP.sub(lambda mark: _written(mark, match), self.version))


def parse_name(written: str) -> Name:
    """The name of ``written``. Raises ValueError when its tags are none."""
    text, *tags = written.split(_MARK)
    return Name(text, *_meaning(written, tags))


def parse(written: str) -> Pattern:
    """The pattern of ``written``. Raises ValueError when it is none."""
    text, *tags = written.split(_MARK)
    try:
        expression = re.compile(text, re.ASCII | re.IGNORECASE | re.MULTILINE)
    except re.error as error:
        raise ValueError(f"{written!r}: {error}") from error
    return Pattern(expression, *_meaning(written, tags))


def clean_version(text: str) -> str:
    """``text`` without a leading ``v`` when it is a plain version, else nothing.

    Pages are hostile: a version is a digit and up to 39 letters, digits, dots, plus signs, hyphens.
    """
    match = _VERSION.fullmatch(text.strip())
    return match[1].rstrip(".-+") if match else ""


def _meaning(written: str, tags: list[str]) -> tuple[str, int]:
    """Version and confidence that ``tags`` tell."""
    said = {name: value for name, _, value in (tag.partition(":") for tag in tags)}
    if unknown := said.keys() - {"version", "confidence"}:
        raise ValueError(f"{written!r}: unknown tags {sorted(unknown)}")
    confidence = int(said.get("confidence", "100"))
    if not 1 <= confidence <= 100:
        raise ValueError(f"{written!r}: confidence is 1-100")
    return said.get("version", ""), confidence


def _written(mark: re.Match[str], match: re.Match[str]) -> str:
    number, present, absent = mark.groups()
    value = (match[int(number)] if int(number) <= match.re.groups else "") or ""
    return value if present is None else (present if value else absent)
