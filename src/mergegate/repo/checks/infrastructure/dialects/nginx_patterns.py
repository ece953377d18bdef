"""Rewrites of nginx, and the parts of a path that their patterns take."""

import re
from collections.abc import Iterator

from mergegate.repo.facts.documents import Node

_GROUP = re.compile(r"(?<!\\)\((?!\?)|\(\?P?<\w")
_CLASS = re.compile(r"(?<!\\)\[(?:\\.|[^\]\\])*\]")
_TAKEN = re.compile(r"\$(\d)|\$\{(\d)\}")


def without_group(rewrites: Node) -> Iterator[Node]:
    """Rewrites that put in a part which no group of their pattern takes."""
    for one in rewrites.each:
        pattern, _, rest = one.text.partition(" ")
        groups = len(_GROUP.findall(_CLASS.sub("", pattern)))
        taken = [int(first or second) for first, second in _TAKEN.findall(rest)]
        if not one.tag and max(taken, default=0) > groups:
            yield one
