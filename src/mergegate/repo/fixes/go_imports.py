"""The imports of a Go file: in their order, each of its own name, and none that nothing uses.

Go compiles no file with an import that it does not use, so what a recipe makes needless goes.
"""

import re
from collections.abc import Iterator, Sequence

from mergegate.repo.fixes.edits import Splice, UncertainError, spliced
from mergegate.repo.fixes.syntax import Source
from mergegate.repo.fixes.within import Node

_VERSION = re.compile(r"v\d+")


def name_of(spec: str) -> str:
    """By which name ``alias "path"`` is known in the file, as far as its path tells."""
    alias, _, path = spec.strip().rpartition(" ")
    if alias:
        return alias
    *folders, last = path.strip('"`').split("/")
    if _VERSION.fullmatch(last) and folders:
        last = folders[-1]
    return re.sub(r"\.v\d+$|^go-", "", last).replace("-", "_")


def specs(source: Source) -> list[Node]:
    """What the file imports, from the top."""
    return [one for one in source.walk() if one.type == "import_spec"]


def used(source: Source) -> frozenset[str]:
    """The names before a dot: among them are those of all packages that the file uses."""
    names = set()
    for one in source.walk():
        part = None
        if one.type == "selector_expression":
            part = one.child_by_field_name("operand")
        elif one.type == "qualified_type":
            part = one.child_by_field_name("package")
        if part is not None:
            names.add(source.of(part))
    return frozenset(names)


def added(source: Source, spec: str) -> Iterator[Splice]:
    """``spec`` among the imports like it, in their order.

    Raises UncertainError where something else has its name.
    """
    here = specs(source)
    if any(source.of(one) == spec for one in here):
        return
    name = name_of(spec)
    for one in source.walk():
        if one.type in _NAMES and source.of(one) == name and not _is_use(one):
            raise UncertainError
    like = [one for one in here if _is_own(source.of(one)) == _is_own(spec)] or here
    listed = [one for one in like if one.parent and one.parent.type == "import_spec_list"]
    if listed:
        yield _sorted_in(source, _first_group(listed), spec)
    elif here:
        single = here[-1].parent or here[-1]
        yield Splice(single.end_byte, single.end_byte, f"\nimport {spec}")
    else:
        clause = next((one for one in source.walk() if one.type == "package_clause"), None)
        if clause is None:
            raise UncertainError
        yield Splice(clause.end_byte, clause.end_byte, f"\n\nimport {spec}")


_NAMES = frozenset({"identifier", "package_identifier"})


def _is_use(one: Node) -> bool:
    """Whether a name stands before a dot; a package of the same name would be imported then."""
    around = one.parent
    return around is not None and around.type in {"selector_expression", "qualified_type"}


def _is_own(spec: str) -> bool:
    """Whether a package is one of Go's: no other has a path without a dot at first."""
    return "." not in spec.rpartition(" ")[2].split("/")[0]


def _first_group(listed: Sequence[Node]) -> list[Node]:
    """The specs that follow one another without an empty line."""
    group = [listed[0]]
    for one in listed[1:]:
        if one.start_point.row != group[-1].end_point.row + 1:
            break
        group.append(one)
    return group


def _path(spec: str) -> str:
    return spec.rpartition(" ")[2].strip('"`')


def _sorted_in(source: Source, group: Sequence[Node], spec: str) -> Splice:
    """Whole lines, so that one beside them may go."""
    later = next((one for one in group if _path(source.of(one)) > _path(spec)), None)
    if later is not None:
        at = source.bytes.rfind(b"\n", 0, later.start_byte) + 1
    else:
        at = source.bytes.find(b"\n", group[-1].end_byte) + 1
    return Splice(at, at, f"\t{spec}\n")


def tidied(source: Source, splices: Sequence[Splice]) -> Sequence[Splice]:
    """The splices, and what takes out the imports that nothing uses after them."""
    changed = spliced(source.bytes, splices)
    if changed is None or not splices:
        return splices
    after = Source(changed.decode(), source.language)
    left = used(source) - used(after)
    gone = [one for one in specs(source) if name_of(source.of(one)) in left]
    return (*splices, *(_without(source, one) for one in gone))


def _without(source: Source, spec: Node) -> Splice:
    """Without an import and its line; one without brackets goes with its word."""
    around = spec.parent
    whole = spec if around is None or around.type == "import_spec_list" else around
    start = source.bytes.rfind(b"\n", 0, whole.start_byte) + 1
    newline = source.bytes.find(b"\n", whole.end_byte)
    line = source.bytes[start : whole.start_byte] + source.bytes[whole.end_byte : newline]
    if newline < 0 or line.strip():
        return Splice(whole.start_byte, whole.end_byte, "")
    return Splice(start, newline + 1, "")


def may_go(line: str, after: Source) -> bool:
    """Whether ``after`` has no use for an import that stood on ``line``, or another by its name."""
    spec = line.strip().removeprefix("import ").strip()
    if not re.fullmatch(r'(?:[\w.]+ )?["`][^"`\s]+["`]', spec):
        return False
    name = name_of(spec)
    return name not in used(after) or any(name_of(after.of(one)) == name for one in specs(after))
