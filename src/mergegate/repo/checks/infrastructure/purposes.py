"""What an image is for, by what its Dockerfile shows: never by the name of a file or folder."""

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path

from mergegate.core.data_table import read_lists
from mergegate.repo.checks.infrastructure.instructions import shipped
from mergegate.repo.facts.documents import Instruction

_LISTS = {
    name: re.compile("|".join(f"(?:{one})" for one in some), re.IGNORECASE | re.DOTALL)
    for name, some in read_lists(Path(__file__).with_suffix(".toml")).items()
}
_LONGEST = 2000
"""Characters of an instruction that are looked at."""
_STARTS = frozenset({"CMD", "ENTRYPOINT"})
_WORD = re.compile(r"\w")
_ARGUMENT = re.compile(r"\$\{?(\w+)\}?")
_REMOTE_SHELL = re.compile(r"22(/tcp)?")
"""The port of SSH, whose server needs root, and by which people enter."""


class Purpose(StrEnum):
    """What an image is for."""

    SERVICE = "service"
    """It answers requests: it names a port or a health check, or starts what serves."""
    PROGRAM = "program"
    """It runs something and ends, or nobody can tell."""
    WORKPLACE = "workplace"
    """People or pipelines build and test in it."""
    AGENT = "agent"
    """It watches the host that it runs on, which needs rights over it."""
    BACKING = "backing"
    """It is started beside a program that is developed or tested, with others of its kind alone."""


def image_of(instructions: Sequence[Instruction]) -> list[Instruction]:
    """The instructions of the last stage, after those of the stages that it is built on."""
    stages = shipped(instructions)
    return [one for one in instructions if one.stage in stages]


def purpose_of(instructions: Sequence[Instruction]) -> Purpose:
    """What the image is for that a Dockerfile ends with."""
    image = image_of(instructions)
    starts = list(_starts(image).values())
    if any(map(_answers, image)):
        return Purpose.SERVICE
    if any(map(_LISTS["questions"].fullmatch, starts)):
        return Purpose.PROGRAM
    if any(map(is_work, starts)) or (not starts and _is_base(image, _defaults(instructions))):
        return Purpose.WORKPLACE
    serves = any(map(_LISTS["servers"].search, starts))
    return Purpose.SERVICE if serves else Purpose.PROGRAM


def is_work(start: str) -> bool:
    """Whether what an image starts is a prompt, or a task that ends."""
    text = _program(start)
    return any(_LISTS[name].fullmatch(text) for name in ("prompts", "tasks"))


def is_agent(image: str) -> bool:
    """Whether the image of that name, without its tag, watches the host that it runs on."""
    return _LISTS["agents"].fullmatch(image) is not None


def is_backing(image: str) -> bool:
    """Whether the image of that name, without its tag, is one that programs keep their data in."""
    return _LISTS["backing"].fullmatch(image) is not None


def may_leave_root(image: Sequence[Instruction]) -> bool:
    """Whether what starts as root is known to go on as another user, or is a script that may."""
    starts = _starts(image)
    first = starts.get("ENTRYPOINT") or starts.get("CMD", "")
    return _LISTS["scripts"].fullmatch(first) is not None or any(
        map(_LISTS["leaving"].fullmatch, starts.values())
    )


def _starts(image: Sequence[Instruction]) -> Mapping[str, str]:
    """What the image starts, by the instruction; the last of each counts."""
    found = {one.name: _program(one.text) for one in image if one.name in _STARTS}
    return {name: start for name, start in found.items() if start}


def _program(start: str) -> str:
    """What is started, without what only starts it; empty where that is all."""
    text = start.strip()[:_LONGEST]
    bare = text.lstrip("[\"' ")
    launcher = _LISTS["launchers"].match(bare)
    rest = bare[launcher.end() :] if launcher else text
    return rest if not launcher or _WORD.search(rest) else ""


def _answers(one: Instruction) -> bool:
    """Whether an instruction says that the image is asked for something."""
    if one.name == "HEALTHCHECK":
        return one.text.strip().upper() != "NONE"
    ports = one.text.split() if one.name == "EXPOSE" else ()
    return any(not _REMOTE_SHELL.fullmatch(port) for port in ports)


def _is_base(image: Sequence[Instruction], defaults: Mapping[str, str]) -> bool:
    """Whether the image is built on one that starts a shell or nothing."""
    words = [word for word in image[0].text.split() if not word.startswith("--")] if image else []
    name = _ARGUMENT.sub(lambda found: defaults.get(found[1], found[0]), words[0] if words else "")
    return _LISTS["bases"].fullmatch(name.partition("@")[0]) is not None


def _defaults(instructions: Sequence[Instruction]) -> Mapping[str, str]:
    """What the arguments before the first stage stand for, unless a build says otherwise."""
    said = (one.text.partition("=") for one in instructions if one.name == "ARG" and one.stage < 0)
    return {name.strip(): value.strip("\"' ") for name, _, value in said}
