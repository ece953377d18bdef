"""What the Go files of a tree import and name: whether what is affected of a module is used."""

import posixpath
import re
from collections.abc import Iterable
from functools import cache

from mergegate.core.tree import SourceFile, Tree
from mergegate.packages.dependencies import Use, VulnerablePackage
from mergegate.packages.readers.go_mod import STANDARD_LIBRARY
from mergegate.sandbox.files.stage import read_regular

# Any text that may be an import: rather one too many than one that is written in an odd way.
_TEXT = re.compile(
    rb"[\"`]([\w-]+(?:\.[\w-]+)+/[\w.~/-]+|[a-z][a-z0-9]*(?:/[a-z0-9]+){0,4})[\"`]", re.ASCII
)
_WORD = re.compile(rb"\w+", re.ASCII)
_VENDORED = "vendor/modules.txt"
"""Lies beside go.mod where the files of all dependencies are in the repository."""


class GoImports:
    """The Go files of a tree, read when something is asked of them."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._below = cache(self._read)

    def use(self, match: VulnerablePackage) -> Use:
        """Whether a file below the module's own imports what is affected, or a part of it."""
        folder = posixpath.dirname(match.package.file)
        prefix = f"{folder}/" if folder else ""
        imported, otherwise = self._below(prefix)
        if any(_is_part(one, match.imports) for one in imported):
            is_whole = otherwise is not Use.UNKNOWN
            return Use.HERE if not is_whole or self._calls(prefix, match) else Use.NOT_CALLED
        # The standard library uses itself, and no repository holds its files.
        inside = match.package.name == STANDARD_LIBRARY and otherwise is Use.NOWHERE
        return Use.NOT_HERE if inside else otherwise

    def _calls(self, prefix: str, match: VulnerablePackage) -> bool:
        """Whether a file that imports it names what is affected, or all of it is."""
        files = (one for one in self._tree.files if _is_go(one.path, prefix))
        importing = (one for one in files if any(_is_part(i, match.imports) for i in _texts(one)))
        return not match.symbols or any(names_one(one, match.symbols) for one in importing)

    def _read(self, prefix: str) -> tuple[frozenset[str], Use]:
        """What is imported below ``prefix``, and what it means for anything else."""
        files = [one for one in self._tree.files if _is_go(one.path, prefix)]
        imported = frozenset(text for file in files for text in _texts(file))
        tree = self._tree
        lost = (*(one.path for one in tree.skipped), *(one.path for one in tree.links))
        if not files or any(_is_go(path, prefix) for path in lost):
            return imported, Use.UNKNOWN
        vendored = f"{prefix}{_VENDORED}" in tree.paths
        return imported, Use.NOWHERE if vendored else Use.NOT_HERE


def names_one(file: SourceFile, symbols: Iterable[str]) -> bool:
    """Whether the file has one of the names as a word of its own, in code or elsewhere."""
    words = frozenset(_WORD.findall(read_regular(file.location, file.size)))
    return any(one.encode() in words for one in symbols)


def _is_go(path: str, prefix: str) -> bool:
    return path.endswith(".go") and path.startswith(prefix)


def _texts(file: SourceFile) -> Iterable[str]:
    found = _TEXT.findall(read_regular(file.location, file.size))
    return {text.decode() for text in found}


def _is_part(path: str, affected: Iterable[str]) -> bool:
    return any(path == one or path.startswith(f"{one}/") for one in affected)
