"""Helps tests of recipes for infrastructure: a text, what was found of it, and what it becomes."""

from collections.abc import Callable, Sequence
from typing import Any

from mergegate.core.finding import Place
from mergegate.repo.fixes.edits import Splice, apply, line_edits
from mergegate.repo.fixes.recipe import Found, Recipe


def made(
    steps: Callable[[Found], Sequence[Splice]],
    language: str,
    text: str,
    marked: str,
    suffix: str = "",
    **said: Any,
) -> str | None:
    """``text`` after the recipe, of which ``marked`` was found; None where it is left alone."""
    start = text.index(marked)
    first, last = text[:start], text[: start + len(marked)]
    place = Place(
        "a",
        first.count("\n") + 1,
        last.count("\n") + 1,
        start - first.rfind("\n"),
        len(last) - last.rfind("\n"),
    )
    recipe = Recipe(rule="r", does="It is mended.", **said)
    found = Found("a", text, language, suffix, place, recipe)
    edits = line_edits("a", text.encode(), steps(found))
    return apply(text, *edits) if edits else None
