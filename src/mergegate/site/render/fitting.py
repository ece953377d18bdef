"""Keep a page within its size: draw it again with shorter lists until it fits."""

from collections.abc import Callable, Sequence
from typing import Any

from mergegate.site.render.listed import Listed


def fitting(draw: Callable[[int], str], lengths: Sequence[int], limit: int) -> str:
    """The first page of at most ``limit`` characters; ``draw`` gets how long a list may be.

    ``lengths`` fall; the page of the last is returned as it is.
    """
    page = ""
    for length in lengths:
        page = draw(length)
        if len(page) <= limit:
            break
    return page


def first(most: int) -> Callable[..., Listed[Any]]:
    """For a template: ``first(list, 8)`` is its first 8, or ``most`` if that is less."""

    def listed(items: Sequence[Any], own: int) -> Listed[Any]:
        return Listed.of(items, min(own, most))

    return listed
