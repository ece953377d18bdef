"""Recipes that entries about settings carry themselves: the one value that is safe."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from mergegate.core.finding import Finding
from mergegate.core.tree import SourceFile
from mergegate.repo.checks.infrastructure.judgement import holds
from mergegate.repo.facts.documents import Node
from mergegate.repo.facts.resources import Dialect
from mergegate.repo.fixes import bicep, directives, manifest_settings, written_settings
from mergegate.repo.fixes.blocks import Block
from mergegate.repo.fixes.edits import UncertainError
from mergegate.repo.fixes.mappings import LANGUAGES, Manifest, Spot, manifest_of, scope
from mergegate.repo.fixes.recipe import Found, Recipe
from mergegate.repo.fixes.syntax import above
from mergegate.repo.infrastructure import Absent, Entry, Subject, by_rule, steps

_BARE = re.compile(r"true|false|-?\d+")
_RESOURCE = r"(?:Resources|(?:.+\.)?resources)\.[^.]+"
_STEP = r"(?:.+\.)?steps\.\d+"
"""A step of Azure Pipelines, which its place alone tells."""
_PROPERTIES = "Properties"
_NUMBER = re.compile(r"\d+")


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
        if entry.unless and re.search(entry.unless, _resource_text(found)):
            return None
        return _told(entry, found)
    except UncertainError:
        return None


def _told(entry: Entry, found: Found) -> Recipe | None:
    """The recipe with what is to change, as the dialect's files say it."""
    recipe, text, line = found.recipe, found.text, found.place.start_line
    dialects = {one.dialect for one in entry.subjects}
    if Dialect.KUBERNETES in dialects:
        of = manifest_settings.wanted(entry, manifest_of(text), line, _is_wrong)
        return replace(recipe, on=of.on, set=of.set, replace=of.replace)
    if dialects & directives.DIALECTS:
        change = directives.change(entry, text, line)
        return replace(recipe, by=directives.carried_out(change), shape=change.shape)
    if found.suffix == bicep.SUFFIX:
        splices, wanted = bicep.change(entry, text, line, _ways, _is_wrong)
        return replace(recipe, by=lambda _: splices, set=wanted, shape=_shape(wanted))
    within: Mapping[str, str] = {}
    if dialects & written_settings.DIALECTS:
        wanted, on = written_settings.wanted(entry, manifest_of(text), line)
    elif found.language in LANGUAGES:
        wanted, on = _of_template(entry, manifest_of(text), line)
    else:
        block = Block.around(found)
        wanted, on = _of_block(entry, block), ""
        within = {} if wanted else _of_maps(entry, block)
    return replace(recipe, on=on, set=wanted, replace=within) if wanted or within else None


def _shape(wanted: Mapping[str, str]) -> str:
    """Any of the values, as a regular expression."""
    return "|".join(map(re.escape, wanted.values()))


def _resource_text(found: Found) -> str:
    """All that the resource says; of a file that cannot be told apart, the file."""
    if found.suffix == bicep.SUFFIX:
        return found.text
    if found.language not in LANGUAGES:
        block = Block.around(found).resource
        return block.source.of(block.node)
    lines = scope(found.text, found.place.start_line)
    whole = found.text.split("\n")
    return "\n".join(whole[lines.start - 1 : lines.stop - 1] if lines else whole)


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


def _of_maps(entry: Entry, block: Block) -> Mapping[str, str]:
    """Entries of maps and of JSON on the lines that were found, and what stands there then."""
    source, (start, end) = block.source, block.found
    found = above(source.at(start, end), {"attribute"})
    if found is None or block.resource.kind != "resource":
        return {}
    name = source.of(found.named_children[0])
    meant = {
        way[-1]: subject
        for subject, way in _ways(entry, block.resource.labels[0])
        if name in way[:-1]
    }
    changed: dict[str, str] = {}
    for one in source.walk(found):
        is_there = start <= one.end_byte and one.start_byte <= end
        if one.type == "object_elem" and is_there and block.says(one.named_children[-1]):
            key, text = (
                source.of(part) for part in (one.named_children[0], one.named_children[-1])
            )
            subject = meant.get(key.strip('"'))
            if subject is not None and _is_wrong(subject, text.strip('"')):
                new = f'"{subject.wanted}"' if text.startswith('"') else subject.wanted
                changed[source.of(one)] = source.of(one).removesuffix(text) + new
    return changed


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
    """The settings that are to change, by their ways from what was found, and where that is.

    That is the resource, or within it the item of a list.
    """
    is_step = any(one.dialect is Dialect.AZURE_PIPELINES for one in entry.subjects)
    on = _STEP if is_step else _RESOURCE
    resource = manifest.meant(line, on)
    for inside in (_item(manifest, resource, line), resource):  # a way leads through the list
        way = inside.path[len(resource.path) :]
        if wanted := _changes(entry, resource, inside, way):
            names = (r"\d+" if _NUMBER.fullmatch(one) else re.escape(one) for one in way)
            return wanted, r"\.".join((on, *names))
    return {}, on


def _changes(
    entry: Entry, resource: Spot, inside: Spot, way_to: tuple[str, ...]
) -> Mapping[str, str]:
    kind, top = _kind(resource)
    names = tuple(one for one in way_to if not _NUMBER.fullmatch(one))
    wanted: dict[str, str] = {}
    for subject, way in _ways(entry, kind):
        whole = (*top, *way)
        rest = whole[len(names) :]
        if whole[: len(names)] == names and rest and _is_wrong(subject, _said(inside.at(*rest))):
            wanted[".".join(rest)] = subject.wanted
    return wanted


def _item(manifest: Manifest, resource: Spot, line: int) -> Spot:
    """The innermost item of a list in which the line stands; the resource where there is none."""
    for found in manifest.on_line(line):
        for spot in found.above:
            if spot is resource:
                break
            if spot.is_map and _NUMBER.fullmatch(spot.name):
                return spot
    return resource


def _kind(resource: Spot) -> tuple[str, tuple[str, ...]]:
    """A resource's kind, and what stands above its settings."""
    if kind := resource.says("Type"):
        return kind, (_PROPERTIES,)
    if resource.path[-2:-1] == ("steps",):
        return f"{Dialect.AZURE_PIPELINES}.step", ()
    names = [one.says("type") for one in resource.above if one.is_map and one.says("type")]
    whole = next((at for at, one in enumerate(names) if "." in one), len(names))
    return "/".join(reversed(names[: whole + 1])), ()


def _said(spot: Spot | None) -> str | None:
    """The text of a plain value; empty for what an expression decides, None where it is missing."""
    if spot is None:
        return None
    return spot.text if spot.is_plain and not spot.text.startswith("[") else ""


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
