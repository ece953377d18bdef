"""The files of a repository at one moment."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
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
class Signs:
    """What a file's own text says of what it is for."""

    test: bool = False
    """It defines tests of a framework."""
    prose: bool = False
    """Only people read it."""
    generated: bool = False
    """A header says that a tool wrote it."""
    origins: tuple[str, ...] = ()
    """The files that such a header names, as it writes them."""
    generates: bool = False
    """It asks a tool to write others beside it."""
    package: str = ""
    """The Go package that it belongs to."""
    imports: tuple[str, ...] = ()
    """What a Go file imports, the standard library's short names aside."""
    linked: bool = False
    """A link calls it by a name that code has: then no folder tells what it is for."""
    library: str = ""
    """The library of which a banner says that this is a release, in small letters."""
    named: tuple[str, ...] = ()
    """The lists of libraries (``libraries.toml``) of which it names one, by an import or as what
    is installed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFile:
    """One regular file that may be scanned."""

    path: str
    """Relative, with slashes; bytes that are not UTF-8 stand as ``\\xNN``."""
    location: Path
    """Where its text is now. Never shown, never part of a result."""
    size: int
    """Bytes of its text."""
    digest: str
    """SHA-256 of its text, hexadecimal."""
    role: Role = Role.SOURCE
    """By the evidence of the tree; before that is known, by its own text."""
    signs: Signs = Signs()
    language: str | None = None
    """Semgrep's name (``python``, ``terraform``…); None when no engine parses it."""
    binary: bool = False
    minified: bool = False
    """Whether most of it stands in lines longer than people write or read."""
    verbatim: bool = True
    """Whether its text is the file's own bytes, so that an edit of the text is one of the file."""
    programs: tuple["SourceFile", ...] = ()
    """What engines of code read beside the text, or in place of one in the same language: scripts
    in a page, the cells of a notebook, the text under the name that a link gives it."""
    line_map: tuple[int, ...] = ()
    """For a program the file's line of each of its own; empty where they are the same."""
    spare: bool = False
    """Whether it is no loss if it does not parse: another program reads the same in another way,
    or it is only what the text looks like. What a file is searched for does not rest on it."""
    lines: int = 0
    """How many lines it has, where it has a language."""
    copy_of: str = ""
    """The path of the file that this is a changed copy of, where a fix is proved: what is known by
    its path is known by that one."""

    @property
    def key(self) -> str:
        """What an engine's answer may rest on: text, language and extension."""
        inside = "".join(f"+{one.key}" for one in self.programs)
        return f"{self.digest}-{self.language}{self.suffix}{inside}"

    @property
    def code(self) -> tuple["SourceFile", ...]:
        """What engines of code read."""
        replaced = self.language in {one.language for one in self.programs if not one.spare}
        return self.programs if replaced else (self, *self.programs)

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

    def lacks(self, libraries: str, beside: str, manifest: str) -> bool:
        """Whether nothing in the tree names one of ``libraries``, a list of ``libraries.toml``.

        Only of a tree that was seen whole, with a ``manifest`` in a folder above ``beside`` that
        says what is installed; else nobody knows.
        """
        if self.limits or any(one.path.endswith(manifest) for one in self.skipped):
            return False
        folders = beside.split("/")[:-1]
        above = {"/".join((*folders[:length], manifest)) for length in range(len(folders) + 1)}
        if above.isdisjoint(self.paths):
            return False
        return not any(
            libraries in one.signs.named for file in self.files for one in (file, *file.programs)
        )


@dataclass(frozen=True, slots=True)
class Selection:
    """The files and folders of a tree that alone are judged; without any it is all of them."""

    paths: tuple[str, ...] = ()
    """Below the root, folders without a slash at the end; sorted."""

    def holds(self, path: str) -> bool:
        """Whether ``path`` is one of them or lies in one."""
        return not self.paths or any(
            path == one or path.startswith(f"{one}/") for one in self.paths
        )

    def of(self, tree: Tree) -> Tree:
        """What ``tree`` holds of them."""
        if not self.paths:
            return tree
        return replace(
            tree,
            files=tuple(one for one in tree.files if self.holds(one.path)),
            skipped=tuple(one for one in tree.skipped if self.holds(one.path)),
            links=tuple(one for one in tree.links if self.holds(one.path)),
        )

    def before(self, renames: Mapping[str, str]) -> "Selection":
        """The same files as they were called before ``renames``, path of now → path of then."""
        if not self.paths:
            return self
        then = {old for new, old in renames.items() if self.holds(new)}
        return Selection(tuple(sorted({*self.paths, *then})))


EVERYTHING = Selection()


def display(raw: bytes) -> str:
    r"""A path as shown: bytes that are not UTF-8 and control characters stand as ``\xNN``."""
    text = raw.decode("utf-8", "backslashreplace")
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
