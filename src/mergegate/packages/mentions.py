"""Whether any file of a tree names a package, beside those that declare it.

Rather one mention too many: a name within another word counts, and so do texts, scripts and
settings, for what is not imported may be loaded by its name or run as a command.
"""

import json
from collections.abc import Iterable, Iterator, Mapping

from mergegate.core.tree import Role, SourceFile, Tree
from mergegate.packages.ecosystems import ECOSYSTEMS, ecosystem_of, without_reader
from mergegate.packages.readers.documents import Unreadable, json_document
from mergegate.sandbox.files.stage import read_regular

MAX_BYTES = 512 * 1024 * 1024
"""The most of all files that are searched; beyond it nothing is said."""
_PROSE = (".md", ".rst", ".txt", ".adoc", ".html", ".svg", ".po")
_DECLARED = ("dependencies", "devDependencies", "optionalDependencies", "peerDependencies",
             "overrides", "resolutions", "bundledDependencies")  # fmt: skip
_Package = tuple[str, str]
"""Ecosystem and name."""


def mentions(tree: Tree, packages: Iterable[_Package]) -> Mapping[_Package, bool]:
    """Whether a file names each of ``packages``; without those of which that cannot be told."""
    wanted = set(packages)
    judged = {ecosystem for ecosystem, _ in wanted if _has_code(tree, ecosystem)}
    names = {one: tuple(_names(*one)) for one in wanted if one[0] in judged}
    if not names or not _is_whole(tree):
        return {}
    left = dict(names)
    for file in filter(_is_searched, tree.files):
        data = _text(file).lower()
        for one in [one for one, texts in left.items() if any(text in data for text in texts)]:
            del left[one]
        if not left:
            break
    return {one: one not in left for one in names}


def _has_code(tree: Tree, ecosystem: str) -> bool:
    """Whether there is a file that could use packages of ``ecosystem``."""
    known = ECOSYSTEMS.get(ecosystem)
    ends = known.code if known else ()
    return any(file.path.endswith(ends) and _is_searched(file) for file in tree.files)


def _is_whole(tree: Tree) -> bool:
    """Whether no file was left out that could name something, and all can be searched."""
    lost = (*(one.path for one in tree.skipped), *(one.path for one in tree.links))
    size = sum(file.size for file in tree.files)
    return size <= MAX_BYTES and not any(not path.endswith(_PROSE) for path in lost)


def _is_searched(file: SourceFile) -> bool:
    if file.name == "package.json":
        return True
    declares = ecosystem_of(file.path) is not None or without_reader(file.path) is not None
    prose = file.role is Role.DOCS or file.path.lower().endswith(_PROSE)
    return not (declares or prose)


def _text(file: SourceFile) -> bytes:
    """What the file holds; of a package.json what is no declaration."""
    data = read_regular(file.location, file.size)
    if file.name != "package.json":
        return data
    try:
        document = json_document(data.decode("utf-8", "replace"))
    except Unreadable:
        return data
    rest = {key: value for key, value in document.items() if key not in _DECLARED}
    return json.dumps(rest).encode()


def _names(ecosystem: str, name: str) -> Iterator[bytes]:
    """What a file that uses the package holds, in small letters; nothing where that is unknown."""
    known = ECOSYSTEMS.get(ecosystem)
    for text in known.mentioned(name) if known else ():
        yield text.lower().encode()
