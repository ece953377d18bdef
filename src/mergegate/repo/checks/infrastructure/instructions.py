"""What stands behind the name of a Dockerfile's instruction: options, lists, words, commands."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from mergegate.repo.checks.infrastructure.shell import Command, called, commands
from mergegate.repo.facts.documents import STEP_BUDGET, Instruction

_OPTION = re.compile(r"--([a-z-]+)(?:=(\"[^\"]*\"|\S*))?\s+")
_WORD = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'[^']*'|\S+")
ALIAS = re.compile(r"\s+AS\s+(\S+)\s*$", re.IGNORECASE)
_CLUSTER = re.compile(r"-([A-Za-z]{2,8})")
_LIKE_A_LIST = re.compile(r"\[\s*['\"“].*\]", re.DOTALL)
_PYTHON = re.compile(r"(?:python|pypy)[\d.]*")
_PIP = re.compile(r"pip[\d.]+")
_HEREDOC = re.compile(
    r"\"(?:\\.|[^\"\\])*\"|'[^']*'|\\.|<<<|<<-?\s*(?P<quote>[\"']?)(?P<end>[A-Za-z_]\w*)(?P=quote)"
)
_SCRIPT = re.compile(r"\s*(?:(?:\S*/)?(?:ba|da|k|z)?sh(?:\s+-\w+)*\s*)?<<(?!<)")
"""A step that is its here-document: to the builder's own shell, or to one that is named."""
_STARTS = frozenset({"CMD", "ENTRYPOINT", "HEALTHCHECK", "SHELL", "RUN", "VOLUME"})
"""Instructions that take a list in JSON."""

_NUMBER = re.compile(r"(\d+)(?:\.(\d+))?")
_RELEASES = re.compile(
    r"squeeze|wheezy|jessie|stretch|buster|bullseye|trusty|xenial|artful|bionic|cosmic|disco|eoan"
    r"|focal|groovy|hirsute|impish|kinetic|lunar|mantic|oracular"
)
"""Names of releases of Debian and Ubuntu."""
_NUMBERED = {"squeeze": 6, "wheezy": 7, "jessie": 8, "stretch": 9, "buster": 10, "bullseye": 11}
_CALLED = {
    "golang": "go(?:lang)?",
    "python": "py(?:thon)?",
    "amazonlinux": "(?:amazon|al)[-_]?linux",
}
"""What folders call an image; others by its own name."""


def is_for_release(path: str, image: str, tag: str) -> bool:
    """Whether the path of a Dockerfile names the release that it begins with.

    Where one image is built for each of several releases, as ``ubuntu1804/Dockerfile`` beside
    ``centos7/Dockerfile``, each is meant.
    """
    where = path.lower()
    for name in _RELEASES.findall(tag.lower()):
        number = _NUMBERED.get(name)
        if name in where or (number and re.search(rf"debian[-_.]?{number}(?!\d)", where)):
            return True
    version = _NUMBER.search(tag)
    if not version or not image:
        return False
    called = _CALLED.get(image.lower(), re.escape(image.lower()))
    minor = f"(?:[-_.]?{version[2]})?" if version[2] else ""
    return re.search(rf"{called}[-_.]?{version[1]}{minor}(?![-_.]?\d)", where) is not None


def shipped(all_of: Sequence[Instruction]) -> frozenset[int]:
    """The stages that the image consists of: the last one and those that it is built on."""
    begun = [parted(one.text)[1] for one in all_of if one.name == "FROM"]
    if not begun:
        return frozenset()
    at, found = len(begun) - 1, {len(begun) - 1}
    named = {alias[1].lower(): n for n, text in enumerate(begun) if (alias := ALIAS.search(text))}
    while (parent := named.get((begun[at].split() or [""])[0].lower(), at)) < at:
        at = parent
        found.add(at)
    return frozenset(found)


def triggered(one: Instruction) -> Instruction:
    """What an ``ONBUILD`` runs in the images that are built on this one."""
    name, _, _ = one.text.partition(" ")
    text = one.text[len(name) :].lstrip()
    begin = len(one.text) - len(text)
    breaks = tuple(max(0, at - begin) for at in one.breaks)
    return replace(one, name=name.upper(), text=text, breaks=breaks)


def parted(text: str) -> tuple[dict[str, str | bool], str]:
    """The options in front, by name, and what stands behind them."""
    options: dict[str, str | bool] = {}
    at = 0
    while match := _OPTION.match(text, at):
        options[match[1].replace("-", "_")] = unquoted(match[2]) if match[2] is not None else True
        at = match.end()
    return options, text[at:]


def listed(text: str) -> list[str] | None:
    """The words of a list in JSON; None where the text is none."""
    if not text.startswith("["):
        return None
    try:
        read = json.loads(text)
    except (ValueError, RecursionError):
        return None
    is_one = isinstance(read, list) and all(isinstance(one, str) for one in read)
    return read if is_one else None


def form_of(name: str, text: str) -> str:
    """``exec`` for a list, ``broken`` for what was meant as one, ``shell`` for all else."""
    if listed(text) is not None:
        return "exec"
    return "broken" if name in _STARTS and _LIKE_A_LIST.fullmatch(text) else "shell"


def words_of(text: str) -> list[str]:
    """The words of a text, without their quotes."""
    return [unquoted(word) for word in _WORD.findall(text)]


def unquoted(text: str) -> str:
    """The text without quotes around it."""
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" else text


def commands_of(one: Instruction, rest: str) -> Iterator[Command]:
    """The commands of a step; none of one that is too long to be read."""
    if len(one.text) > STEP_BUDGET:
        return
    if (exact := listed(rest)) is not None:
        yield from map(_module, called(exact))
        return
    head, _, body = rest.partition("\n")
    is_script = _SCRIPT.match(head) is not None
    script = f"{' ' * len(head)}\n{_without_data(body)}" if is_script else head
    yield from map(_module, commands(script))


def _module(command: Command) -> Command:
    """The program that ``python -m`` runs; versions in names of Python's programs left out."""
    words = command.words
    if _PYTHON.fullmatch(command.program) and words[:1] == ("-m",) and len(words) > 1:
        command = replace(command, program=words[1], words=words[2:])
    if _PIP.fullmatch(command.program):
        return replace(command, program="pip")
    return command


def _without_data(script: str) -> str:
    """The script with blanks in the place of its here-documents; one that never ends is none."""
    kept: list[str] = []
    awaited = ""
    lines = script.split("\n")
    last = {line.strip(): number for number, line in enumerate(lines)}
    for number, line in enumerate(lines):
        if awaited:
            awaited = "" if line.strip() == awaited else awaited
            kept.append(" " * len(line))
        else:
            ends = (one["end"] or "" for one in _HEREDOC.finditer(line))
            awaited = next((one for one in ends if last.get(one, -1) > number), "")
            kept.append(line)
    return "\n".join(kept)


def flags_of(words: Iterable[str]) -> Iterator[str]:
    """The options by name, short ones that stand in one word each for itself as well."""
    for word in words:
        if word.startswith("-"):
            yield word.partition("=")[0]
            if cluster := _CLUSTER.fullmatch(word):
                yield from (f"-{letter}" for letter in cluster[1])
