"""Trees of a few files, and findings in them."""

from collections.abc import Callable
from pathlib import Path

import pytest

from mergegate.core.finding import Finding, Place
from mergegate.core.severity import Category, Kind, Severity
from mergegate.core.tree import Tree
from mergegate.sandbox.files.record import source_file

MakeTree = Callable[..., Tree]


@pytest.fixture
def tree(tmp_path: Path) -> MakeTree:
    """A tree of files, text by name (``a_py`` is ``a.py``)."""

    def made(**texts: str) -> Tree:
        files = []
        for number, (name, text) in enumerate(texts.items()):
            location = tmp_path / str(number)
            location.write_bytes(text.encode())
            files.append(source_file(name.replace("_", "."), location, text.encode()))
        return Tree(tuple(files))

    return made


def finding(
    line: int = 1, end: int = 0, *, path: str = "a.py", kind: Kind = Kind.CODE, rule: str = "r"
) -> Finding:
    return Finding(
        rule_id=rule,
        title="Title",
        message="Message.",
        severity=Severity.HIGH,
        category=Category.SECURITY,
        kind=kind,
        place=Place(path, line, end or line, 1, 9),
    )
