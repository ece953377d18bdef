"""Read GitHub's JSON at the edge; what is not there or has another type is a ForgeError."""

from typing import Any, TypeVar

from mergegate.core.errors import ForgeError

T = TypeVar("T")


def pick(said: Any, kind: type[T], *path: str) -> T:
    """The value under the keys of ``path``; raises ForgeError unless it is a ``kind``."""
    found = maybe(said, kind, *path)
    if found is None:
        raise ForgeError(
            f"GitHub's answer has no {'.'.join(path) or kind.__name__}",
            remedy="Is the API address that of a GitHub server?",
        )
    return found


def maybe(said: Any, kind: type[T], *path: str) -> T | None:
    """The value under the keys of ``path``; None where it is missing, null or no ``kind``."""
    for key in path:
        said = said.get(key) if isinstance(said, dict) else None
    return said if isinstance(said, kind) else None
