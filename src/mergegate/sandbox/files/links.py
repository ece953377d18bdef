"""What a link inside a tree calls its target: a text that is run under another name is code."""

import posixpath
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from mergegate.core.languages import language_of
from mergegate.core.roles.signs import own_role
from mergegate.core.tree import Link, Signs, SourceFile
from mergegate.sandbox.files.record import source_file
from mergegate.sandbox.files.stage import read_regular

_MOST_STEPS = 40


def target_of(path: str, links: Mapping[str, Link]) -> str:
    """Where ``path`` leads when every link on its way is followed; a link where it has no end."""
    for _ in range(_MOST_STEPS):
        parts = path.split("/")
        ways = ("/".join(parts[:length]) for length in range(1, len(parts) + 1))
        way = next((one for one in ways if one in links), None)
        if way is None:
            break
        reached = posixpath.join(posixpath.dirname(way), links[way].target, path[len(way) + 1 :])
        path = posixpath.normpath(reached)
    return path


def with_linked_names(
    files: Iterable[SourceFile], links: Iterable[Link], readings: Path | None
) -> tuple[list[SourceFile], list[Link]]:
    """``files`` with what ``links`` make of them, and those links to code that lead to no file."""
    by_path = {file.path: file for file in files}
    known = {link.path: link for link in links}
    names: dict[str, list[str]] = defaultdict(list)
    lost = []
    for link in known.values():
        if language_of(link.path) is None:
            continue
        target = target_of(link.path, known)
        if target in by_path:
            names[target].append(link.path)
        else:
            lost.append(link)
    for target, called in names.items():
        by_path[target] = _called(by_path[target], sorted(called), readings)
    return list(by_path.values()), lost


def _called(file: SourceFile, names: Sequence[str], readings: Path | None) -> SourceFile:
    """``file`` as the first of ``names`` in each language calls it, too, where it is text there."""
    by_language = {language_of(name): name for name in reversed(names)}
    for one in file.code:
        by_language.pop(one.language, None)
    if readings is None or not by_language:
        return file
    text = read_regular(file.location, file.size + 1)
    recorded = [
        source_file(name, file.location, text, readings) for name in sorted(by_language.values())
    ]
    called = [replace(code, verbatim=False, programs=()) for one in recorded for code in one.code]
    signs = Signs(test=all(one.signs.test for one in recorded), linked=True)
    programs = (*file.programs, *called)
    return replace(file, role=own_role(signs), signs=signs, programs=programs)
