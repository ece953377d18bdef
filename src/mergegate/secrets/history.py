"""Secrets in the lines that a change's commits added, also those that a later commit removed."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby, islice

from mergegate.core.tree import Role
from mergegate.secrets.found import FileSecrets, PastSecret, SecretMatch
from mergegate.secrets.place import role_by_name, weighed
from mergegate.secrets.scan import scan

_MOST_LINES = 50_000
"""Added lines of one file in one commit that are searched; more is data."""
_LONGEST_LINE = 20_000


@dataclass(frozen=True, slots=True)
class AddedLine:
    """One line that a commit added."""

    commit: str
    path: str
    line: int
    """Counts from 1 in the file as the commit left it."""
    text: str


def history(
    added: Iterable[AddedLine], role_of: Callable[[str], Role] | None = None
) -> Iterator[PastSecret]:
    """Every secret among ``added``, which comes commit by commit and file by file, in order."""
    for (commit, path), lines in groupby(added, key=lambda line: (line.commit, line.path)):
        known = list(islice(lines, _MOST_LINES))
        role = role_by_name(path, role_of(path) if role_of else Role.SOURCE)
        for match in _matches(path, known):
            yield PastSecret(commit, path, role, match)


def _matches(path: str, lines: list[AddedLine]) -> Iterator[SecretMatch]:
    """Scan the lines as one text, so that keys of many lines and context count."""
    text = "\n".join(line.text[:_LONGEST_LINE].replace("\n", " ") for line in lines)
    found = scan(text.encode("utf-8", "surrogateescape"), _suffix(path))
    for match in weighed(path, FileSecrets(found.matches)).matches:
        yield replace(match, line=lines[match.line - 1].line if match.line else 0)


def _suffix(path: str) -> str:
    stem, dot, extension = path.rpartition("/")[2].rpartition(".")
    return f".{extension.lower()}" if dot and stem else ""
