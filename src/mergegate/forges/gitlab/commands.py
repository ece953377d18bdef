"""Take from a text what GitLab would run as a quick action; pure.

A note posted through the API runs its quick actions: ``/approve`` approves
(https://gitlab.com/gitlab-org/gitlab/-/issues/346557).
"""

import re
from collections.abc import Iterator, Sequence

# A command stands at the very start of a line, in any case, and Ruby's `^` knows only `\n`.
_COMMAND = re.compile(r"^/(?=\w)")
# Within code a path such as /usr/bin is none: a blank or the line's end follows a command's name.
_COMMAND_IN_CODE = re.compile(r"^/(?=[\w-]+(?:\s|$))")
_FENCE = re.compile(r"^ {0,3}(?P<ticks>`{3,}(?=[^`]*$)|~{3,})(?P<info>.*)$")


def inert(body: str) -> str:
    """The same look, but no line that GitLab would obey; every line end becomes a line feed.

    Code blocks are made safe as well: older versions tell code from text by a regular expression,
    which a longer fence or one of tildes misleads. A suggestion that holds such a line becomes
    plain code, since the changed line must not be applied by a click.
    """
    lines = body.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\n".join(line for block in _blocks(lines) for line in _made_inert(block))


def _blocks(lines: Sequence[str]) -> Iterator[list[str]]:
    """Every code block as one list, fences included; every other line as a list of its own."""
    block: list[str] = []
    for line in lines:
        if block:
            block.append(line)
            if _closes(line, block[0]):
                yield block
                block = []
        elif _FENCE.match(line):
            block = [line]
        else:
            yield [line]
    if block:
        yield block


def _closes(line: str, opening: str) -> bool:
    """Whether ``line`` ends the block: the same characters, at least as many, and nothing else."""
    fence = _FENCE.match(opening)
    bare = line.strip(" \t")
    if fence is None or len(line) - len(line.lstrip(" ")) > 3:
        return False
    ticks = fence["ticks"]
    return len(bare) >= len(ticks) and set(bare) == {ticks[0]}


def _made_inert(block: list[str]) -> list[str]:
    opening = _FENCE.match(block[0])
    if opening is None:
        return [_COMMAND.sub(r"\\/", line) for line in block]
    inside = [_COMMAND_IN_CODE.sub(" /", line) for line in block[1:]]
    if inside == block[1:]:
        return block
    first = block[0]
    if opening["info"].strip().startswith("suggestion"):
        first = first[: opening.end("ticks")]
    return [first, *inside]
