"""Paths that Java programs make of others' names, compared with the folder they belong in."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from mergegate.repo.fixes.calls import imported
from mergegate.repo.fixes.edits import Splice, UncertainError
from mergegate.repo.fixes.java_values import handles, type_of
from mergegate.repo.fixes.joined import Constant, joined
from mergegate.repo.fixes.syntax import Source, above
from mergegate.repo.fixes.within import (
    Node,
    after,
    arguments,
    before,
    called,
    certain,
    fresh,
    inside,
    meant,
    need,
    origin,
    over,
    statement,
)

_OPENERS = (
    r"(?:java\.io\.)?(?:FileInputStream|FileOutputStream|FileReader|FileWriter|RandomAccessFile"
    r"|FileSystemResource)"
)
_OF_FILES = r"(?:java\.nio\.file\.)?Files\.\w+"


@dataclass(frozen=True, slots=True)
class _Path:
    """A name below a folder, as expressions."""

    kind: str
    """``File`` or ``Path``."""
    made: str
    folder: str
    """An expression of the same kind."""


@certain
def compared(source: Source, node: Node) -> Iterator[Splice]:
    """The path compared with its folder before anything is opened by it."""
    call = meant(source, node, rf"{_OPENERS}|{_OF_FILES}")
    said = next((one for one in arguments(source, call) if inside(node, one)), None)
    if said is None:
        raise UncertainError
    if said.type == "identifier":
        made = origin(source, said, alone=False)
        path = _path(source, made)
        done = need(above(made, {"local_variable_declaration"}))
        name = source.of(said)
        yield over(made, path.made)
        yield after(source, done, *_check(done, name, path))
    else:
        path = _path(source, said)
        if (path.kind == "File") != (re.fullmatch(_OPENERS, called(source, call)) is not None):
            raise UncertainError
        done = statement(source, call, passed="resource_specification")
        kind = rf"{_OPENERS}|{_OF_FILES}"
        name = fresh(source, call, kind, "path", "file", "place", "opened")
        made_here = f"{path.kind} {name} = {path.made};"
        yield before(source, done, made_here, *_check(done, name, path))
        yield over(said, name)
        package = "java.io.File" if path.kind == "File" else "java.nio.file.Path"
        yield from imported(source, f"import {package};")
    if handles(done, "IOException"):
        yield from imported(source, "import java.io.IOException;")


def _path(source: Source, made: Node) -> _Path:
    """What a path is made of; raises UncertainError where it is not a name below a folder."""
    name = called(source, made) if made.type in _CALLS else ""
    given = arguments(source, made) if name else []
    if re.fullmatch(r"(?:java\.io\.)?File", name) and len(given) == 2:
        folder = source.of(given[0])
        if type_of(source, given[0]) != "File":
            folder = f"new File({folder})"
        return _Path("File", source.of(made), folder)
    if name.endswith((".normalize", ".toAbsolutePath")):
        return _path(source, need(made.child_by_field_name("object")))
    if name.endswith(".resolve") and len(given) == 1:
        folder = source.of(need(made.child_by_field_name("object")))
        return _of_path(source.of(made), folder)
    if re.fullmatch(r"Paths\.get|Path\.of", name) and len(given) == 2:
        return _of_path(source.of(made), f"{name}({source.of(given[0])})")
    return _of_text(source, made)


_CALLS = frozenset({"method_invocation", "object_creation_expression"})


def _of_path(made: str, folder: str) -> _Path:
    whole = ".toAbsolutePath().normalize()"
    return _Path("Path", f"{made}{whole}", f"{folder}{whole}")


def _of_text(source: Source, made: Node) -> _Path:
    """``"/folder/" + name``, as a file in a folder."""
    text = joined(source, made)
    first = text.parts[0]
    if made.type != "binary_expression" or len(text.values) != 1:
        raise UncertainError
    if not isinstance(first, Constant) or not re.fullmatch(r".*[^/]/", first.text):
        raise UncertainError
    rest = source.bytes[text.parts[1].start : made.end_byte].decode()
    folder = f'"{first.text.rstrip("/")}"'
    return _Path("File", f"new File({folder}, {rest})", f"new File({folder})")


def _check(done: Node, name: str, path: _Path) -> tuple[str, ...]:
    caught = handles(done, "IOException")
    if path.kind == "Path":
        asked = f"!{name}.startsWith({path.folder})"
    elif caught:
        whole = "getCanonicalFile().toPath()"
        asked = f"!{name}.{whole}.startsWith({path.folder}.{whole})"
    else:
        raise UncertainError
    thrown = "IOException" if caught else "SecurityException"
    return (
        f"if ({asked}) {{",
        f'    throw new {thrown}("The path leaves its folder");',
        "}",
    )
