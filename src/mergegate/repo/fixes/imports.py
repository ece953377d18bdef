"""Which names a program has from which modules, and whether a line may bring it another."""

import re
from collections.abc import Iterator, Mapping

import tree_sitter

from mergegate.repo.fixes.syntax import Source, above

_Node = tree_sitter.Node
Origin = tuple[str, str]
"""A module, and what of it; the module itself where nothing is said."""

_PYTHON = re.compile(r"from (?P<module>[\w.]+) import (?P<names>\w+)|import (?P<whole>[\w.]+)")
_JAVASCRIPT = re.compile(r"import (?P<names>[\w{}, *]+) from (['\"])(?P<module>.+)\2;?")
_NAMES = frozenset(
    {"identifier", "shorthand_property_identifier", "shorthand_property_identifier_pattern"}
)
_LOADS = frozenset({"import_statement", "import_from_statement"})


def origins(source: Source) -> Mapping[str, Origin]:
    """What each imported name of the program stands for."""
    found = _python(source) if source.language.name == "python" else _javascript(source)
    return dict(found)


def modules(source: Source) -> frozenset[str]:
    """The modules that a program imports, with their packages; ``node:`` is left out."""
    named = {module for module, _ in origins(source).values()}
    return frozenset(named | {one.split(".")[0] for one in named if not one.startswith(".")})


def clashes(source: Source, line: str) -> bool:
    """Whether an import's name already means something else in the program.

    Where no module is loaded in a file of JavaScript, none can be: a page's script is no module.
    """
    wanted = dict(_said(line))
    known = origins(source)
    missing = {name for name, origin in wanted.items() if known.get(name) != origin}
    if not missing:
        return False
    if source.language.options and not known:
        return True
    return any(source.of(one) in missing and _is_name(one) for one in source.walk())


def brings(source: Source, line: str) -> bool:
    """Whether the program has what the import brings, however that is written."""
    known = origins(source)
    wanted = dict(_said(line))
    return bool(wanted) and all(known.get(name) == origin for name, origin in wanted.items())


def called(source: Source, module: str, name: str) -> str:
    """How the program may call ``name`` of ``module`` already; empty where it cannot."""
    for local, origin in origins(source).items():
        if origin == (module, name):
            return local
    for local, origin in origins(source).items():
        if origin == (module, ""):
            return f"{local}.{name}"
    return ""


def _said(line: str) -> Iterator[tuple[str, Origin]]:
    if said := _PYTHON.fullmatch(line):
        if said["whole"]:
            yield said["whole"].split(".")[0], (said["whole"], "")
        else:
            yield said["names"], (said["module"], said["names"])
    elif said := _JAVASCRIPT.fullmatch(line):
        module = said["module"].removeprefix("node:")
        whole = "{" not in said["names"]
        for name in re.findall(r"\w+", said["names"]):
            yield name, (module, "" if whole else name)


def _is_name(one: _Node) -> bool:
    """Not a member of something, nor the name of an argument."""
    parent = one.parent
    if one.type not in _NAMES or parent is None or above(one, _LOADS) is not None:
        return one.type in _NAMES and above(one, _LOADS) is not None
    if parent.type == "attribute":
        return parent.child_by_field_name("attribute") != one
    return not (parent.type == "keyword_argument" and parent.child_by_field_name("name") == one)


def _python(source: Source) -> Iterator[tuple[str, Origin]]:
    for one in source.walk():
        if one.type == "import_statement":
            for part in one.children_by_field_name("name"):
                whole = part.child_by_field_name("name") or part
                alias = part.child_by_field_name("alias")
                said = source.of(whole)
                yield source.of(alias) if alias else said.split(".")[0], (said, "")
        elif one.type == "import_from_statement":
            module = one.child_by_field_name("module_name")
            for part in one.children_by_field_name("name"):
                whole = part.child_by_field_name("name") or part
                alias = part.child_by_field_name("alias")
                name = source.of(alias or whole)
                yield name, (source.of(module) if module else "", source.of(whole))


def _javascript(source: Source) -> Iterator[tuple[str, Origin]]:
    for one in source.walk():
        if one.type == "import_statement":
            where = one.child_by_field_name("source")
            module = _module(source, where)
            clause = next((c for c in one.named_children if c.type == "import_clause"), None)
            if clause is not None:
                yield from _clause(source, clause, module)
        elif one.type == "variable_declarator":
            value, name = one.child_by_field_name("value"), one.child_by_field_name("name")
            module = _required(source, value)
            if module and name is not None:
                yield from _pattern(source, name, module)
            elif value is not None and value.type == "member_expression" and name is not None:
                module = _required(source, value.child_by_field_name("object"))
                member = value.child_by_field_name("property")
                if module and member is not None and name.type == "identifier":
                    yield source.of(name), (module, source.of(member))


def _module(source: Source, node: _Node | None) -> str:
    return source.of(node).strip("'\"`").removeprefix("node:") if node is not None else ""


def _required(source: Source, value: _Node | None) -> str:
    """The module that ``require("…")`` loads."""
    if value is None or value.type != "call_expression":
        return ""
    said = re.fullmatch(r"require\(\s*['\"]([^'\"]+)['\"]\s*\)", source.of(value))
    return said[1].removeprefix("node:") if said else ""


def _clause(source: Source, clause: _Node, module: str) -> Iterator[tuple[str, Origin]]:
    for part in clause.named_children:
        if part.type == "identifier":
            yield source.of(part), (module, "")
        elif part.type == "namespace_import":
            yield source.of(part.named_children[0]), (module, "")
        else:
            for each in part.named_children:
                name, alias = each.child_by_field_name("name"), each.child_by_field_name("alias")
                if name is not None:
                    yield source.of(alias or name), (module, source.of(name))


def _pattern(source: Source, name: _Node, module: str) -> Iterator[tuple[str, Origin]]:
    if name.type == "identifier":
        yield source.of(name), (module, "")
    for part in name.named_children:
        if part.type == "shorthand_property_identifier_pattern":
            yield source.of(part), (module, source.of(part))
        elif part.type == "pair_pattern":
            key, value = part.child_by_field_name("key"), part.child_by_field_name("value")
            if key is not None and value is not None:
                yield source.of(value), (module, source.of(key))
