"""The files of a repository at one moment."""

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path


class Role(StrEnum):
    """What a file is for; findings outside production code weigh less."""

    SOURCE = "source"
    TEST = "test"
    EXAMPLE = "example"
    DOCS = "docs"
    VENDORED = "vendored"
    GENERATED = "generated"


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFile:
    """One regular file that may be scanned."""

    path: str
    """Relative, with slashes; bytes that are not UTF-8 stand as ``\\xNN``."""
    location: Path
    """Where its bytes are now. Never shown, never part of a result."""
    size: int
    """Bytes."""
    digest: str
    """SHA-256 of its bytes, hexadecimal."""
    role: Role = Role.SOURCE
    language: str | None = None
    """Semgrep's name (``python``, ``terraform``…); None when no engine parses it."""
    binary: bool = False
    minified: bool = False
    """Whether a line is longer than people write or read."""
    lines: int = 0
    """How many lines it has, where it has a language."""

    @property
    def key(self) -> str:
        """What an engine's answer may rest on: bytes, language, extension, whether it is built."""
        built = "-generated" if self.role is Role.GENERATED else ""
        return f"{self.digest}-{self.language}{self.suffix}{built}"

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.path.rpartition("/")[2]

    @property
    def suffix(self) -> str:
        """Lower-case extension with its dot, empty when there is none."""
        stem, dot, extension = self.name.rpartition(".")
        return f".{extension.lower()}" if dot and stem else ""


class Reason(StrEnum):
    """Why a file, or a part of one, was not searched, in one word."""

    LANGUAGE = "language"
    """There are no rules for it."""
    SIZE = "size"
    MINIFIED = "minified"
    GENERATED = "generated"
    ENCODING = "encoding"
    """Its bytes are no text that can be decoded."""
    LIMIT = "limit"
    """A bound of the whole scan was reached."""
    GIVE_UP = "give-up"
    """An engine began and did not finish."""
    SYNTAX = "syntax"
    """It is not valid in its own format, so that nothing reads it as it is."""
    LINK = "link"
    POINTER = "pointer"
    """Its content is kept elsewhere, by Git LFS."""
    NOT_CHECKED_OUT = "not checked out"
    """Git tracks it, and the work tree does not hold it."""
    UNREADABLE = "unreadable"
    TOOL_FOLDER = "tool folder"
    """A tool of this machine wrote it, and Git does not track it."""
    POLICY = "policy"
    """The policy excludes it."""


@dataclass(frozen=True, slots=True, order=True)
class Skipped:
    """A path that was not scanned, and why."""

    path: str
    reason: str
    """A sentence without its full stop."""
    size: int = 0
    """Bytes; 0 when unknown."""
    cause: Reason = Reason.GIVE_UP


@dataclass(frozen=True, slots=True, order=True)
class Link:
    """A symbolic link: recorded, never followed."""

    path: str
    target: str
    escapes: bool
    """Whether it points outside the repository."""


@dataclass(frozen=True, slots=True)
class Tree:
    """Everything found under the root, sorted by path."""

    files: tuple[SourceFile, ...]
    skipped: tuple[Skipped, ...] = ()
    links: tuple[Link, ...] = ()
    limits: tuple[str, ...] = field(default=())
    """Limits that cut the listing short, each named; empty when all was seen."""

    @property
    def paths(self) -> frozenset[str]:
        """All scannable paths."""
        return frozenset(file.path for file in self.files)


def display(raw: bytes) -> str:
    r"""A path as shown: bytes that are not UTF-8 and control characters stand as ``\xNN``."""
    text = raw.decode("utf-8", "backslashreplace")
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
