"""Scripts that a Dockerfile writes itself, with ``COPY <<EOF``, and runs later."""

import re
from collections.abc import Mapping, Sequence

from mergegate.repo.checks.infrastructure.instructions import parted, triggered, words_of
from mergegate.repo.facts.documents import Instruction

_WRITING = frozenset({"COPY", "ADD"})
_RUNNING = frozenset({"RUN", "CMD", "ENTRYPOINT", "HEALTHCHECK"})
_TAG = re.compile(r"(?:^|\s)<<-?[\"']?(\w[\w.-]*)")
_NAME = re.compile(r"[\w.-]+")
_SHELL = re.compile(r"#!\s*\S*(?:/env\s+(?:-S\s+)?)?(?:/?(?:ba|da|a|k|z)?sh)\b")


def last_named(all_of: Sequence[Instruction]) -> Mapping[str, int]:
    """The number of the last instruction that runs something under each name."""
    last: dict[str, int] = {}
    for at, one in enumerate(all_of):
        said = triggered(one) if one.name == "ONBUILD" else one
        if said.name in _RUNNING:
            last.update(dict.fromkeys(_NAME.findall(said.text), at))
    return last


def is_script(one: Instruction, at: int, last: Mapping[str, int]) -> bool:
    """Whether an instruction writes a script of a shell that a later one names."""
    if one.name not in _WRITING:
        return False
    head, _, body = parted(one.text)[1].partition("\n")
    tags = _TAG.findall(head)
    if not tags or (body.startswith("#!") and not _SHELL.match(body)):
        return False
    target = words_of(head)[-1].rstrip("/").rpartition("/")[2]
    return any(last.get(name, -1) > at for name in (target, *tags))
