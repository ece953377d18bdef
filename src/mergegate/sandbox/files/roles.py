"""Reads from a tree what shows the roles of its files."""

from collections import defaultdict
from collections.abc import Callable
from functools import lru_cache

from mergegate.core.roles import Evidence, Roles, given, imports, is_evidence, of_change
from mergegate.core.roles.places import is_test_folder
from mergegate.core.tree import SourceFile, Tree
from mergegate.sandbox.files.stage import read_regular

_MOST_BYTES = 8 * 1024 * 1024


def with_roles(tree: Tree) -> Tree:
    """``tree`` with the role of every file."""
    (roles,) = _roles(tree)
    return given(tree, roles)


def with_roles_of_change(old: Tree, head: Tree) -> tuple[Tree, Tree]:
    """The trees of a change, both judged by what holds in the base already."""
    before, after = of_change(old, head, *_roles(old, head))
    return given(old, before), given(head, after)


def _roles(*trees: Tree) -> list[Roles]:
    """The roles in each of ``trees``, which mostly hold the same files."""
    shown = [Evidence(tree, _manifests(tree)) for tree in trees]
    doubtful = frozenset(imports.stem(file.path) for one in shown for file in one.doubtful)
    known = frozenset(imports.stem(file.path) for one in shown for file in one.importers)
    asked = _asked(doubtful, known)
    return [
        one.roles({file.path: asked(file) for file in one.importers if doubtful}) for one in shown
    ]


@lru_cache(maxsize=1)
def _asked(
    doubtful: frozenset[str], known: frozenset[str]
) -> Callable[[SourceFile], frozenset[str]]:
    """Which of the ``doubtful`` stems a file imports.

    It is kept for the next tree of the same names, of this scan or a later one: an editor's server
    scans after each save, and every other file is as it was, though its text may lie elsewhere.
    """
    answers: dict[tuple[str, str], frozenset[str]] = {}
    read = _reader(doubtful, known)

    def asked(file: SourceFile) -> frozenset[str]:
        same = (file.path, file.key)
        if same not in answers:
            answers[same] = read(file)
        return answers[same]

    return asked


def _reader(
    doubtful: frozenset[str], known: frozenset[str]
) -> Callable[[SourceFile], frozenset[str]]:
    """Reads which of the ``doubtful`` stems a file imports."""
    by_name: dict[str, set[str]] = defaultdict(set)
    by_folder: dict[str, set[str]] = defaultdict(set)
    for stem in doubtful:
        folder, _, name = stem.rpartition("/")
        by_name[name].add(stem)
        by_folder[folder].add(stem)

    def read(file: SourceFile) -> frozenset[str]:
        text = _text(file)
        found: set[str] = set()
        for one in {file.language, *(program.language for program in file.programs)}:
            found.update(imports.wanted(file.path, one, text))
        found.update(imports.named(file.path, text, by_name))
        found &= doubtful
        for folder in imports.opened(file.path, text):
            found.update(by_folder.get(folder, ()))
        if not is_test_folder(file.path):
            for name in imports.found_elsewhere(file.path, file.language, text, known):
                found.update(by_name.get(name, ()))
        return frozenset(found)

    return read


def _manifests(tree: Tree) -> dict[str, str]:
    return {file.path: _text(file) for file in tree.files if is_evidence(file.path)}


def _text(file: SourceFile) -> str:
    """Empty for a file that went away."""
    try:
        return read_regular(file.location, _MOST_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""
