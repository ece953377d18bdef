"""A program as semgrep's data flow goes through all of it, and where each place stood before.

What runs and semgrep takes for unreachable passes without a word, for its rules of taint look at
no place that the flow does not come to: a handler behind a body without a call, what follows a
``yield``, what is deferred, a case behind a ``default``.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from mergegate.repo.engines.flow import braces, dockerfile, python
from mergegate.repo.engines.flow.edits import Edit, Insertions, edited

__all__ = ["Insertions", "followed"]

_EDITS: Mapping[str, Callable[[bytes], Iterator[Edit]]] = {
    "dockerfile": dockerfile.edits,
    "python": python.edits,
    **{name: partial(braces.edits, language=name) for name in braces.LANGUAGES},
}


def followed(text: bytes, language: str) -> tuple[bytes, Insertions]:
    """``text`` with its lines as they are and all that runs in reach of semgrep's flow."""
    edits = list(_EDITS[language](text)) if language in _EDITS else []
    return edited(text, edits) if edits else (text, Insertions())
