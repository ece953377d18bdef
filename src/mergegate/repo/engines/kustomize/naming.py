"""What is applied by its name: a folder or file that a script, pipeline or controller is told."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from posixpath import basename, dirname, join, normpath

from mergegate.core.tree import Role, SourceFile
from mergegate.repo.facts.documents import DocumentFile, DocumentKind, Node

_BUILT = re.compile(
    r"\bkustomize[)}\"']*\s+build\s+(?:-\S+\s+)*[\"']?(?P<path>[^\s;|&\"'`()]+)", re.IGNORECASE
)
_GIVEN = re.compile(
    r"\s(?:-[fk]|--filename|--kustomize)[=\s]\s*[\"']?(?P<path>[^\s;|&\"'`()]+)", re.IGNORECASE
)
_APPLIES = re.compile(r"\bkubectl\b|\boc\b", re.IGNORECASE)
_TOLD = re.compile(r"kubectl|kustomize|\boc\b", re.IGNORECASE)
_GOES_ON = re.compile(r"\\\r?\n")
_KEYS = frozenset({"path", "paths", "rawYaml", "manifests"})
"""Where Flux, Argo CD and Skaffold name what they apply."""
_CONTROLLERS = ("kustomize.toolkit.fluxcd.io/", "argoproj.io/", "skaffold/")
_SCRIPTS = frozenset({"Makefile", "makefile", "GNUmakefile", "justfile", "Justfile", "Tiltfile"})
_SUFFIXES = frozenset({".sh", ".bash", ".zsh", ".mk"})
_LONGEST = 256 * 1024


def named(files: Sequence[DocumentFile], scripts: Iterable[tuple[str, str]]) -> frozenset[str]:
    """The paths that are applied by their names, whatever uses them besides."""
    found: set[str] = set()
    for file in files:
        if file.role is Role.SOURCE:
            for one in file.found.documents:
                if one.kind is DocumentKind.KUBERNETES:
                    found.update(_of_controller(one.root))
                for text in (node.text for node in one.root.walk() if " " in node.text):
                    found.update(_of_commands(file.path, text))
    for path, text in scripts:
        found.update(_of_commands(path, text))
    return frozenset(found)


def scripts(
    files: Sequence[SourceFile], text_of: Callable[[SourceFile], str | None]
) -> Iterator[tuple[str, str]]:
    """The path and text of each script and makefile."""
    for file in files:
        is_one = file.suffix in _SUFFIXES or basename(file.path) in _SCRIPTS
        if is_one and file.role is Role.SOURCE and file.size <= _LONGEST:
            yield file.path, text_of(file) or ""


def _of_controller(root: Node) -> Iterator[str]:
    if not root["apiVersion"].text.startswith(_CONTROLLERS):
        return
    for node in root.walk():
        for key, value in node.entries:
            if key in _KEYS:
                yield from (_plain(one.text) for one in value.each if one.is_literal and one.text)


def _of_commands(path: str, text: str) -> Iterator[str]:
    """What commands are told, from the folder of the script and from that of the repository."""
    if not _TOLD.search(text):
        return
    for line in _GOES_ON.sub(" ", text).splitlines():
        matches = [*_BUILT.finditer(line)]
        matches += _GIVEN.finditer(line) if _APPLIES.search(line) else ()
        for match in matches:
            if "://" not in match["path"]:
                yield _plain(match["path"])
                yield normpath(join(dirname(path), match["path"]))


def _plain(path: str) -> str:
    return normpath(path.lstrip("/"))
