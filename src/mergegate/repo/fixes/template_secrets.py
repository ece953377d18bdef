"""Secrets that CloudFormation's templates write out come from parameters, which no stack shows."""

import re
from collections.abc import Iterator, Mapping, Sequence

from mergegate.repo.checks.infrastructure.cloudformation import SECTIONS, secrets
from mergegate.repo.engines.documents.nodes import Unreadable, parse
from mergegate.repo.facts.documents import MASKED, Node
from mergegate.repo.fixes.edits import Splice, UncertainError, still_says
from mergegate.repo.fixes.mappings import PARAMETERS, Manifest, Spot, manifest_of
from mergegate.repo.fixes.recipe import Found

_WORD = re.compile(r"[A-Za-z0-9]+")
_LONGEST = 255
"""Letters of a parameter's name."""


def from_parameter(found: Found) -> Sequence[Splice]:
    """Every secret of a resource is a parameter's; the default of a secret parameter goes."""
    try:
        manifest = manifest_of(found.text)
        return tuple(_taken_out(manifest, _template(found.text), found))
    except (UncertainError, Unreadable):
        return ()


def _template(text: str) -> Node:
    roots = parse(text).roots
    if len(roots) != 1:
        raise UncertainError
    return roots[0]


def _taken_out(manifest: Manifest, template: Node, found: Found) -> Iterator[Splice]:
    if len(manifest.documents) != 1:
        raise UncertainError
    [document] = manifest.documents
    declared = document.child(PARAMETERS)
    default = _default(declared, found.place.start_line) if declared is not None else None
    if default is not None:
        gone = manifest.without(default)
        if still_says(found.text, [gone], [default.text]):
            raise UncertainError
        yield gone
        return
    referring, parameters = _referred(manifest, template, document, found)
    if still_says(found.text, referring, parameters.values()):
        raise UncertainError
    yield from referring
    wanted = {name: {"Type": "String", "NoEcho": "true"} for name in parameters}
    if declared is not None:
        yield from manifest.put(declared, wanted)
    else:
        yield manifest.put_above(document, "Resources", {PARAMETERS: wanted})


def _referred(
    manifest: Manifest, template: Node, document: Spot, found: Found
) -> tuple[Sequence[Splice], Mapping[str, str]]:
    """What refers to parameters in the place of secrets, and these by name with what they hold."""
    spots = dict(_side_by_side(template, document))
    parameters: dict[str, str] = {}
    referring: list[Splice] = []
    for name, node in _told(template, found.place.start_line):
        spot = spots.get(id(node))
        if spot is None:
            raise UncertainError
        parameter = _parameter(name, spot.text, parameters)
        parameters[parameter] = spot.text
        referring.append(_referring(manifest, spot, parameter, in_json=found.language == "json"))
    taken = {one.name for section in document.children for one in section.children}
    if not parameters or taken & parameters.keys():
        raise UncertainError
    return referring, parameters


def _default(declared: Spot, line: int) -> Spot | None:
    """The default on a line, of a parameter that is secret."""
    for parameter in declared.children:
        default = parameter.child("Default")
        if default is not None and default.line <= line <= _last_line(default):
            return default
    return None


def _last_line(spot: Spot) -> int:
    return int(spot.value.end_mark.line) + 1


def _told(template: Node, line: int) -> Iterator[tuple[str, Node]]:
    """The secrets of the one part of the template of which some is told on the line, by name."""
    parts = [
        [
            (f"{name}_{key}", one)
            for key, given in secrets(section, part)
            for one in given.walk()
            if one.text == MASKED
        ]
        for section in SECTIONS
        for name, part in template[section].entries
    ]
    meant = [part for part in parts if any(one.line == line for _, one in part)]
    if len(meant) != 1:
        raise UncertainError
    yield from meant[0]


def _side_by_side(node: Node, spot: Spot) -> Iterator[tuple[int, Spot]]:
    """Each node, by its identity, with where it stands; what merges other maps is left out."""
    waiting = [(node, spot)]
    while waiting:
        one, here = waiting.pop()
        yield id(one), here
        if len(one.children) == len(here.children) and (here.is_list or here.is_map):
            waiting.extend(zip(one.children, here.children, strict=True))


def _parameter(name: str, value: str, taken: dict[str, str]) -> str:
    """A name for a parameter; one for each value."""
    words = (one.title() if one.isupper() else one for one in _WORD.findall(name))
    plain = "".join(one[:1].upper() + one[1:] for one in words)
    number, parameter = 1, plain
    while taken.get(parameter, value) != value:
        number += 1
        parameter = f"{plain}{number}"
    if not 0 < len(parameter) <= _LONGEST:
        raise UncertainError
    return parameter


def _referring(manifest: Manifest, spot: Spot, parameter: str, *, in_json: bool) -> Splice:
    start, end = int(spot.value.start_mark.index), int(spot.value.end_mark.index)
    is_block = getattr(spot.value, "style", None) in {"|", ">"}
    if spot.shared or is_block or not spot.is_plain or manifest.text[start] in "!&":
        raise UncertainError
    said = f'{{"Ref": "{parameter}"}}' if in_json else f"!Ref {parameter}"
    return manifest.splice(start, end, said)
