"""How large and how branched the code is."""

from dataclasses import dataclass

from mergegate.model.tree import Role


@dataclass(frozen=True, slots=True)
class FunctionMetrics:
    """One function, method or named closure."""

    name: str
    """As the language nests it: ``Outer::inner`` or ``(anonymous)``; at most 120 characters."""
    start_line: int
    end_line: int
    nloc: int
    """Lines that hold code: neither blank nor comment alone."""
    complexity: int
    """McCabe's cyclomatic number: one more than the count of branches."""
    parameters: int


@dataclass(frozen=True, slots=True)
class FileMetrics:
    """What one file's bytes measure, wherever the file lies."""

    nloc: int = 0
    functions: tuple[FunctionMetrics, ...] = ()
    """In order of their last line."""
    minified: bool = False
    """Most of it stands in lines of thousands of characters, so it was not measured."""


@dataclass(frozen=True, slots=True)
class MeasuredFile:
    """A file and its measures."""

    path: str
    role: Role
    language: str
    metrics: FileMetrics


@dataclass(frozen=True, slots=True)
class CodeMetrics:
    """The fact: every measured file, in order of path."""

    files: tuple[MeasuredFile, ...]
