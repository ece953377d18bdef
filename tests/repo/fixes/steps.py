"""A recipe on a text, without a scan."""

from collections.abc import Sequence

from mergegate.core.finding import Place
from mergegate.repo.fixes.edits import apply, line_edits
from mergegate.repo.fixes.recipe import Found, Recipe, Steps

SUFFIXES = {"python": ".py", "javascript": ".js", "typescript": ".ts"}


def mended(
    by: Steps, language: str, text: str, marked: str, *, wrap: str = "", imports: Sequence[str] = ()
) -> str | None:
    """``text`` after ``by``, of which the last ``marked`` was found; None where nothing changes."""
    start = text.rindex(marked)
    end = start + len(marked)
    recipe = Recipe(rule="r", does="It is mended.", by=by, wrap=wrap, imports=tuple(imports))
    found = Found("a", text, language, SUFFIXES[language], _place(text, start, end), recipe)
    edits = line_edits("a", text.encode(), by(found))
    return apply(text, *edits) if edits else None


def _place(text: str, start: int, end: int) -> Place:
    first, last = text[:start], text[:end]
    return Place(
        "a",
        first.count("\n") + 1,
        last.count("\n") + 1,
        start - first.rfind("\n"),
        end - last.rfind("\n"),
    )
