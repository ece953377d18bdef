"""SQL that Go programs join: the driver's placeholders, and the values after the text."""

import posixpath
import re
from collections.abc import Callable, Iterator, Sequence

from mergegate.repo.fixes.edits import Splice, UncertainError
from mergegate.repo.fixes.go_imports import specs
from mergegate.repo.fixes.go_values import as_text, declared_type
from mergegate.repo.fixes.joined import joined
from mergegate.repo.fixes.placeholders import Bound, bound
from mergegate.repo.fixes.recipe import Found
from mergegate.repo.fixes.syntax import Source
from mergegate.repo.fixes.within import (
    Node,
    arguments,
    called,
    certain,
    meant,
    need,
    origin,
)

_RUNS = (
    r".*\.(?:Query|QueryRow|Queryx|Exec|MustExec|Select|Get|QueryContext|QueryRowContext"
    r"|ExecContext|Raw|Where|Having|Joins)"
)
_OF_GORM = re.compile(r".*\.(?:Raw|Where|Having|Joins)")
_STYLES = {
    "$": re.compile(r"github\.com/(?:lib/pq|jackc/pgx)\b"),
    "?": re.compile(
        r"github\.com/(?:go-sql-driver/mysql|mattn/go-sqlite3)\b|modernc\.org/sqlite\b"
    ),
    "@p": re.compile(r"github\.com/(?:microsoft|denisenkom)/go-mssqldb\b"),
    ":": re.compile(r"github\.com/(?:sijms/go-ora|godror/godror)\b"),
}
"""How each driver writes a placeholder; all but ``?`` are followed by a number."""
_GORM = re.compile(r'"(?:gorm\.io/gorm|github\.com/jinzhu/gorm)"')


def placeholders(found: Found) -> Sequence[Splice]:
    """The values behind the text of a query, and placeholders in it."""
    return certain(lambda source, node: _placeholders(source, node, found))(found)


def _placeholders(source: Source, node: Node, found: Found) -> Iterator[Splice]:
    call = meant(source, node, _RUNS)
    given = arguments(source, call)
    said = next((one for one in given if one == node), None) or need(
        next((one for one in given if one.start_byte <= node.start_byte < one.end_byte), None)
    )
    if said != given[-1]:
        raise UncertainError  # other values are bound already
    text = joined(source, origin(source, said, alone=True))
    splices, values = bound(
        text, _style(source, called(source, call), found), lambda one: as_text(source, one)
    )
    yield from splices
    listed = "".join(f", {_argument(source, one)}" for one in values)
    yield Splice(said.end_byte, said.end_byte, listed)


def _argument(source: Source, one: Bound) -> str:
    """The value as drivers take it: of types with a package's name they know few.

    MySQL takes no text for a number of rows.
    """
    if re.search(r"(?i)\b(?:limit|offset)\s*$", one.before) and (
        one.value is None or one.value.verb != "%d"
    ):
        raise UncertainError
    if one.value is None or one.value.node.type != "identifier":
        return one.text
    known = re.fullmatch(r"\w*|\[\]byte|time\.Time", declared_type(source, one.value.node))
    is_error = declared_type(source, one.value.node) in {"error", "any"}
    return one.text if known and not is_error else as_text(source, one.value)


def _style(source: Source, name: str, found: Found) -> Callable[[int], str]:
    imports = "\n".join(source.of(one) for one in specs(source))
    if _OF_GORM.fullmatch(name) or (_GORM.search(imports) and '"database/sql"' not in imports):
        if not _GORM.search(imports):
            raise UncertainError
        return lambda _: "?"
    for text in (imports, _module(found)):
        styles = [mark for mark, driver in _STYLES.items() if driver.search(text)]
        if len(styles) == 1:
            mark = styles[0]
            return lambda number: mark if mark == "?" else f"{mark}{number}"
        if styles:
            raise UncertainError
    raise UncertainError


def _module(found: Found) -> str:
    """The text of the module file that the package belongs to."""
    folder = posixpath.dirname(found.path)
    while True:
        if text := found.other(posixpath.join(folder, "go.mod")):
            return text
        if not folder:
            return ""
        folder = posixpath.dirname(folder)
