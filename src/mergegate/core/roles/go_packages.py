"""Which Go packages of a tree its tests alone import, so that no program of anybody holds them.

That no file of the tree imports a package shows nothing of a library, whose users are elsewhere. So
it counts only where nobody else can import it, below ``internal``, or where its folder is called as
those of tests are. A program is no such package, and no file is passed over that was not read.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set

from mergegate.core.roles.places import is_go_test_folder
from mergegate.core.tree import SourceFile, Tree

_TOKEN = re.compile(
    rb"//[^\n]*+|/\*.*?(?:\*/|\Z)|\"(?P<path>[^\"\n]*+)\"|`(?P<raw>[^`]*+)`|(?P<word>\w++)",
    re.DOTALL,
)
_DECLARING = frozenset({b"func", b"type", b"var", b"const"})
"""Behind the first of these words no import may stand."""
_MODULE = re.compile(r"^module[ \t]+[\"`]?([^\s\"`]+)", re.MULTILINE)

Folders = Mapping[str, Sequence[SourceFile]]


def header(content: bytes) -> tuple[str, tuple[str, ...]]:
    """A Go file's package, empty where it names none, and what it imports.

    Names without a slash are those of the standard library and of modules' roots, and left out.
    """
    package, before, paths = b"", b"", []
    for token in _TOKEN.finditer(content):
        word, path = token["word"], token["path"] or token["raw"] or b""
        if word in _DECLARING:
            break
        if before == b"package" and word and not package:
            package = word
        if b"/" in path or b"\\" in path:
            paths.append(path.decode("utf-8", "replace"))
        before = word or before
    return package.decode("utf-8", "replace"), tuple(paths)


def for_tests(tree: Tree, modules: Mapping[str, str]) -> frozenset[str]:
    """The files of such packages; ``modules`` holds the text of each ``go.mod``, by path."""
    code: dict[str, list[SourceFile]] = defaultdict(list)
    tests: dict[str, list[SourceFile]] = defaultdict(list)
    for file in tree.files:
        if file.language == "go":
            of = tests if file.name.endswith("_test.go") else code
            of[_folder(file.path)].append(file)
    doubtful = [folder for folder, files in code.items() if _may_be_for_tests(folder, files)]
    if not doubtful or not modules or not _is_all_known(tree):
        return frozenset()
    found = _only_tested(code, tests, _paths(doubtful, modules))
    return frozenset(file.path for folder in found for file in code[folder])


def _may_be_for_tests(folder: str, files: Iterable[SourceFile]) -> bool:
    is_apart = is_go_test_folder(f"{folder}/") or "internal" in folder.split("/")
    return is_apart and all(file.signs.package not in {"", "main"} for file in files)


def _is_all_known(tree: Tree) -> bool:
    """Whether every Go file was read as such, under its own name, and spells out its imports."""
    lost = (*(one.path for one in tree.skipped), *(one.path for one in tree.links))
    return not any(path.endswith(".go") for path in lost) and not any(
        file.signs.linked or file.language != "go" or any("\\" in one for one in file.signs.imports)
        for file in tree.files
        if file.path.endswith(".go")
    )


def _paths(folders: Iterable[str], modules: Mapping[str, str]) -> Mapping[str, str]:
    """The folders, each with the path by which it is imported; a module's root is none of them."""
    named = ((path, _MODULE.search(text)) for path, text in modules.items())
    roots = {_folder(path): match[1] for path, match in named if match}
    found = {}
    for folder in folders:
        root = folder
        while root and root not in roots:
            root = _folder(root)
        if root in roots and root != folder:
            found[folder] = f"{roots[root]}/{folder.removeprefix(root).lstrip('/')}"
    return found


def _only_tested(code: Folders, tests: Folders, paths: Mapping[str, str]) -> Set[str]:
    """Those of ``paths`` that tests of other packages use, by themselves or by one of these."""
    users = _users(code, paths)
    left = set(paths)
    while lost := {one for one in left if not users[one] <= left}:
        left -= lost
    by_path = {paths[one]: one for one in left}
    waiting = [one for folder in tests for one in _used(tests[folder], by_path) if one != folder]
    reached: set[str] = set()
    while waiting:
        folder = waiting.pop()
        if folder not in reached:
            reached.add(folder)
            waiting += _used(code[folder], by_path)
    return reached


def _users(code: Folders, paths: Mapping[str, str]) -> Mapping[str, Set[str]]:
    """Folder of ``paths`` → the folders of what imports it, whatever its module is called there."""
    by_name: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for folder, files in code.items():
        for path in {path for file in files for path in file.signs.imports}:
            by_name[path.rpartition("/")[2]][path].add(folder)
    return {
        folder: {
            user
            for one, users in by_name[folder.rpartition("/")[2]].items()
            if one == path or one.endswith(f"/{folder}")
            for user in users
        }
        - {folder}
        for folder, path in paths.items()
    }


def _used(files: Iterable[SourceFile], by_path: Mapping[str, str]) -> list[str]:
    asked = {path for file in files for path in file.signs.imports}
    return [by_path[path] for path in asked if path in by_path]


def _folder(path: str) -> str:
    return path.rpartition("/")[0]
