"""Files of the tree that expressions read: ``file`` and ``templatefile``."""

from collections.abc import Callable, Mapping
from posixpath import join, normpath

from mergegate.core.tree import SourceFile, Tree
from mergegate.repo.engines.terraform import syntax
from mergegate.repo.engines.terraform.values import TEXT_BUDGET, mapped
from mergegate.repo.facts.documents import ABSENT, Node
from mergegate.sandbox.files.stage import read_regular

FUNCTIONS = frozenset({"file", "templatefile"})
Texts = Callable[[str], str | None]
"""The text of a file of the tree; None where there is none, or where it is too long."""
_TREE = "\0/"
"""Stands before a path from the root of the tree; no text of a configuration begins so."""
_END = "END_OF_THE_TEMPLATE"


def texts_of(tree: Tree) -> Texts:
    """What reads a tree."""
    files: Mapping[str, SourceFile] = {file.path: file for file in tree.files if not file.binary}

    def text(path: str) -> str | None:
        file = files.get(path)
        if file is None or file.size > TEXT_BUDGET:
            return None
        try:
            return read_regular(file.location, TEXT_BUDGET).decode("utf-8")
        except (OSError, UnicodeDecodeError):
            return None

    return text


def places(line: int, module: str, root: str) -> Node:
    """What ``path`` stands for in a module: folders of the tree."""
    here, above = Node(line, text=_TREE + module), Node(line, text=_TREE + root)
    return mapped(line, {"module": here, "root": above, "cwd": above})


def path_in_tree(path: str, root: str) -> str:
    """A path as an expression names it, which without a folder begins where Terraform is run."""
    if path.startswith(_TREE):
        return normpath(path.removeprefix(_TREE).lstrip("/"))
    return path if path.startswith("/") else normpath(join(root, path))


def template(text: str) -> Node:
    """What a template comes to, as an expression; ABSENT where it cannot be read."""
    if _END in text:
        return ABSENT
    try:
        body = syntax.body(f"text = <<{_END}\n{text}\n{_END}\n".encode())
    except syntax.Unreadable:
        return ABSENT
    return body["text"]
