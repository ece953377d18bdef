"""Recipes that entries about cloud settings carry themselves: the one value that is safe."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from mergegate.core.finding import Finding
from mergegate.core.tree import SourceFile
from mergegate.repo.checks.infrastructure.judgement import holds
from mergegate.repo.facts.documents import Node
from mergegate.repo.fixes.blocks import Block
from mergegate.repo.fixes.edits import UncertainError
from mergegate.repo.fixes.mappings import LANGUAGES, Manifest, Spot, manifest_of
from mergegate.repo.fixes.recipe import Found, Recipe
from mergegate.repo.infrastructure import Absent, Entry, Subject, by_rule, steps

_BARE = re.compile(r"true|false|-?\d+")
_RESOURCE = r"Resources\.[^.]+"
_PROPERTIES = "Properties"


def recipe_of(finding: Finding, file: SourceFile, text: str) -> Recipe | None:
    """What puts the safe values in the place of those that were found; None where it is not known.

    A value that an expression decides stays, and so does one that is safe.
    """
    entry = by_rule().get(finding.rule_id)
    if entry is None or not entry.does:
        return None
    recipe = Recipe(rule=finding.rule_id, does=entry.does, caution=entry.caution)
    found = Found(file.path, text, file.language, file.suffix, finding.place, recipe)
    try:
        if file.language in LANGUAGES:
            wanted, on = _of_template(entry, manifest_of(text), finding.place.start_line)
        else:
            wanted, on = _of_block(entry, Block.around(found)), ""
    except UncertainError:
        return None
    return replace(recipe, on=on, set=wanted) if wanted else None


def _of_block(entry: Entry, block: Block) -> Mapping[str, str]:
    """The settings that are to change, by their ways from the innermost block that was found."""
    inside: list[str] = []
    around = block
    while (above := around.parent) is not None:
        inside.insert(0, around.kind)
        around = above
    if around.kind == "terraform":
        around, inside = _child(around, inside[0]), inside[1:]
    kind = {"resource": "", "terraform": ""}.get(around.kind, f"{around.kind}.")
    kind += around.labels[0] if around.labels else ""
    wanted: dict[str, str] = {}
    for subject, way in _ways(entry, kind):
        if way[: len(inside)] != tuple(inside) or len(way) == len(inside):
            continue
        rest = way[len(inside) :]
        if _is_wrong(subject, _value(block, rest)):
            value = subject.wanted
            wanted[".".join(rest)] = value if _BARE.fullmatch(value) else f'"{value}"'
    return wanted


def _child(block: Block, kind: str) -> Block:
    return next(one for one in block.blocks if one.kind == kind)


def _value(block: Block, way: tuple[str, ...]) -> str | None:
    """The literal at the end of a way; None where it is missing, empty for an expression."""
    for name in way[:-1]:
        here = [one for one in block.blocks if one.kind == name]
        if not here:
            return None
        block = here[0]
    if block.value(way[-1]) is None:
        return None
    return block.text(way[-1]) if block.is_literal(way[-1]) else ""


def _of_template(entry: Entry, manifest: Manifest, line: int) -> tuple[Mapping[str, str], str]:
    """The settings that are to change, by their ways from the resource that was found."""
    resource = manifest.meant(line, _RESOURCE)
    wanted = {
        ".".join((_PROPERTIES, *way)): subject.wanted
        for subject, way in _ways(entry, resource.says("Type"))
        if _is_wrong(subject, _said(resource.at(_PROPERTIES, *way)))
    }
    return wanted, _RESOURCE


def _said(spot: Spot | None) -> str | None:
    return None if spot is None else spot.text if spot.is_plain else ""


def _ways(entry: Entry, kind: str) -> Iterator[tuple[Subject, tuple[str, ...]]]:
    """Each setting of the kind for which there is a safe value."""
    for subject in entry.subjects:
        if kind in subject.kinds and subject.wanted:
            for setting in subject.settings:
                yield subject, (*steps(subject.each), *steps(setting))


def _is_wrong(subject: Subject, text: str | None) -> bool:
    """Whether a value is unsafe, or missing where the provider does not do what is safe."""
    if text is None:
        return subject.absent is Absent.UNSAFE
    return bool(text) and holds(subject.safe, (Node(1, text=text),)) is False
