"""What is applied by its name: a folder or file that a script, pipeline or controller is told."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from glob import escape
from posixpath import basename, dirname, join, normpath

from mergegate.core.tree import Role, SourceFile
from mergegate.repo.engines.terraform.values import Budget
from mergegate.repo.facts.documents import DocumentFile, DocumentKind, Node

_PATH = r"(?P<path>(?:\$?\{\{[^{}]*\}\}|[^\s;|&\"'`()])+)"
_BUILT = re.compile(
    r"(?:\bkustomize[)}\"']*\s+build|\bkubectl[)}\"']*\s+kustomize)\s+(?:-\S+\s+)*[\"']?" + _PATH,
    re.IGNORECASE,
)
_GIVEN = re.compile(r"\s(?:-[fk]|--filename|--kustomize)[=\s]\s*[\"']?" + _PATH, re.IGNORECASE)
_CLIENT = re.compile(r"\b(?:kubectl|oc)\b", re.IGNORECASE)
_APPLIES = re.compile(r"\b(?:apply|create|replace)\b", re.IGNORECASE)
_TOLD = re.compile(r"kubectl|kustomize|\boc\b", re.IGNORECASE)
_GOES_ON = re.compile(r"\\\r?\n")
_COMMENT = re.compile(r"(?:^|\s)#.*")
_FILLED_IN = re.compile(r"\$?\{\{[^{}]*\}\}|\$\{[^{}]*\}|\$\w+|\*")
"""What a script or controller decides of a path when it runs."""
_KEYS = frozenset({"path", "paths", "rawYaml", "manifests"})
"""Where Flux, Argo CD and Skaffold name what they apply."""
_CONTROLLERS = ("kustomize.toolkit.fluxcd.io/", "argoproj.io/", "skaffold/")
_SCRIPTS = frozenset({"Makefile", "makefile", "GNUmakefile", "justfile", "Justfile", "Tiltfile"})
_SUFFIXES = frozenset({".sh", ".bash", ".zsh", ".mk"})
_LONGEST = 256 * 1024


def named(
    files: Sequence[DocumentFile],
    scripts: Iterable[tuple[str, str]],
    overlays: Collection[str],
    budget: Budget,
) -> frozenset[str]:
    """The paths that are applied by their names, whatever uses them besides.

    ``overlays`` are the folders of kustomizations: a path that is known in part names each it fits.
    """
    found = {one for file in files if file.role is Role.SOURCE for one in _of_file(file)}
    for path, text in scripts:
        found.update(_of_commands(path, text))
    for path in sorted(found):
        if _FILLED_IN.search(path):
            budget.spend(len(overlays))
            found.update(one for one in overlays if _fits(path, one))
    return frozenset("" if one == "." else one for one in found)


def _of_file(file: DocumentFile) -> Iterator[str]:
    for one in file.found.documents:
        if one.kind is DocumentKind.KUBERNETES:
            yield from _of_controller(one.root)
        if one.kind is not DocumentKind.KUSTOMIZATION:
            for text in (node.text for node in one.root.walk() if " " in node.text):
                yield from _of_commands(file.path, text)


def _fits(path: str, folder: str) -> bool:
    """Whether a path that is filled in may be a folder's; one of which nothing is known is none."""
    parts, names = [_FILLED_IN.split(part) for part in path.split("/")], folder.split("/")
    return (
        any(any(pieces) for pieces in parts)
        and len(parts) == len(names)
        and all(
            fnmatchcase(name, "*".join(map(escape, pieces)))
            for name, pieces in zip(names, parts, strict=True)
        )
    )


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
    for whole in _GOES_ON.sub(" ", text).splitlines():
        line = _COMMENT.sub("", whole)
        matches = [*_BUILT.finditer(line)]
        matches += _GIVEN.finditer(line) if _CLIENT.search(line) and _APPLIES.search(line) else ()
        for match in matches:
            if "://" not in match["path"]:
                yield _plain(match["path"])
                yield normpath(join(dirname(path), match["path"]))


def _plain(path: str) -> str:
    return normpath(path.lstrip("/"))
