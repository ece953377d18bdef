"""How large and how branched the code is."""

from dataclasses import dataclass

from mergegate.core.tree import Role

FLOOR_BRANCHES = 15
FLOOR_COMPLEX_BRANCHES = 50
FLOOR_FUNCTION_LINES = 150
FLOOR_FILE_LINES = 3_000
"""A file is measured when it is longer than a long file, has the branches of a complex function,
or those of a long one in as many lines; no check asks about less."""


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


@dataclass(frozen=True, slots=True)
class FileMetrics:
    """What one file's bytes measure, wherever the file lies."""

    nloc: int = 0
    """0 for a file below the floors, which is not measured."""
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
