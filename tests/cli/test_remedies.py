"""Whoever is refused is told what to do next."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import mergegate
from mergegate.core import errors

_ERRORS = {
    name
    for name, one in vars(errors).items()
    if isinstance(one, type) and issubclass(one, errors.MergegateError)
}
ROOMS = [Path(mergegate.__file__).parent / room for room in ("cli", "terminal")]
MODULES = [module for room in ROOMS for module in sorted(room.glob("*.py"))]


def mute(source: str) -> Iterator[int]:
    """The lines that raise an error of ours and say nothing of what to do."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            name = getattr(node.exc.func, "id", "")
            if name in _ERRORS and "remedy" not in {one.arg for one in node.exc.keywords}:
                yield node.lineno


@pytest.mark.parametrize("module", MODULES, ids=lambda one: f"{one.parent.name}/{one.name}")
def test_every_refusal_of_a_command_says_what_to_do(module: Path) -> None:
    assert list(mute(module.read_text())) == []


def test_a_refusal_without_a_word_of_that_is_found() -> None:
    said = 'raise UsageError("no")\nraise UsageError("no", remedy="Do.")\nraise ValueError("no")'
    assert list(mute(said)) == [1]
