"""What files of parameters give the templates that they name, or whose name they share."""

import re
from collections.abc import Iterable, Iterator, Mapping
from posixpath import basename, dirname, join, normpath

from mergegate.core.tree import Role
from mergegate.repo.checks.infrastructure.dialects.arm.evaluation import Scope, Steps, Values
from mergegate.repo.checks.infrastructure.dialects.arm.functions import unknown
from mergegate.repo.facts.documents import DocumentFile, Node

_OWN = re.compile(r"[.-]?\b(?:parameters?|params?)\b", re.IGNORECASE)
"""What of a file's name says that it holds parameters."""
_FOLDER = re.compile(r"(?:parameters?|params?)", re.IGNORECASE)
_USUAL = ("template", "azuredeploy", "main")
"""What the template of a file is called whose name says no more than that."""
_SUFFIXES = (".bicep", ".json", ".template.json")


def given(
    files: Iterable[tuple[DocumentFile, Node]], templates: Mapping[str, DocumentFile]
) -> Iterator[tuple[str, str, Node]]:
    """The path of each template that a file of parameters is for, that file's path and root."""
    for file, root in files:
        for path in _templates(file.path, root):
            meant = templates.get(path)
            if meant is not None and file.role in {Role.SOURCE, meant.role}:
                yield path, file.path, root
                break


def values(root: Node, steps: Steps) -> Scope:
    """What the file gives each parameter; a secret of a vault is not known."""
    own = Values(root, None, steps)
    return {name: _value(own, one) for name, one in root["parameters"].entries}


def _value(own: Values, given: Node) -> Node:
    if given["value"].present:
        return given["value"]
    said = given["defaultValue"]  # of Bicep, where it may be an expression
    return own.value(said, {}) if said.present else unknown(given.line)


def _templates(path: str, root: Node) -> Iterator[str]:
    """The paths at which the template may lie, the likeliest first."""
    folder = dirname(path)
    if used := root["using"].text:
        yield normpath(join(folder, used))
        return
    folders = [folder, *([dirname(folder)] if _FOLDER.fullmatch(basename(folder)) else [])]
    for stem in _stems(basename(path).removesuffix(".json")):
        yield from (join(one, stem + suffix) for one in folders for suffix in _SUFFIXES)


def _stems(name: str) -> Iterator[str]:
    """``main.prod.parameters`` is for ``main.prod`` or for ``main``."""
    stem = _OWN.sub("", name).strip(".-")
    if not stem:
        yield from _USUAL
    while stem:
        yield stem
        stem = stem[: max(stem.rfind("."), stem.rfind("-"), 0)]
