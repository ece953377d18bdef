"""The safe value in the place of an unsafe one that is written out, in mappings of any shape."""

import re
from collections.abc import Iterator, Mapping

from mergegate.repo.checks.infrastructure.judgement import holds
from mergegate.repo.facts.documents import Node
from mergegate.repo.facts.resources import Dialect
from mergegate.repo.fixes.edits import UncertainError
from mergegate.repo.fixes.mappings import Manifest, Spot
from mergegate.repo.infrastructure import Entry, Subject, steps

DIALECTS = frozenset(
    {
        *(Dialect.ANSIBLE, Dialect.BITBUCKET, Dialect.DOCKER, Dialect.GITLAB_CI),
        *(Dialect.OPENAPI, Dialect.SERVERLESS),
    }
)
"""Dialects whose findings stand at the setting's value, under the name that the file gives it."""


def wanted(entry: Entry, manifest: Manifest, line: int) -> tuple[Mapping[str, str], str]:
    """What is to change, and the way to the mapping that holds it.

    Raises UncertainError unless one value on the line is meant.
    """
    found = {
        spot.path: (spot, subject.wanted)
        for spot in manifest.on_line(line)
        for subject in _about(entry, spot.name)
        if spot.is_plain and holds(subject.safe, (Node(1, text=spot.text),)) is False
    }
    if len(found) != 1:
        raise UncertainError
    [(spot, value)] = found.values()
    return {spot.name: value}, _way_to(spot.parent)


def _about(entry: Entry, name: str) -> Iterator[Subject]:
    for subject in entry.subjects:
        if subject.wanted and any(steps(one)[-1] == name for one in subject.settings):
            yield subject


def _way_to(holder: Spot | None) -> str:
    if holder is None or not holder.is_map:
        raise UncertainError
    return re.escape(".".join(holder.path))
