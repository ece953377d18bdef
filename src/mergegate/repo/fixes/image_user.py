"""The recipe that lets a container's program start as a user of its own."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from mergegate.core.data_table import read_table
from mergegate.repo.fixes.dockerfile import Dockerfile, Instruction, base_of, carried_out
from mergegate.repo.fixes.edits import Splice, UncertainError

_STARTS = frozenset({"CMD", "ENTRYPOINT"})
_VALUED = frozenset(
    {
        *("-u", "-g", "-G", "-s", "-h", "-d", "-c", "-k", "-b", "-p", "-e", "-f"),
        *("--uid", "--gid", "--groups", "--shell", "--home", "--home-dir", "--comment"),
        *("--gecos", "--ingroup", "--password", "--base-dir"),
    }
)
"""Options of useradd and adduser that a word follows."""
_LEAVES_ROOT = re.compile(r"(?<![\w-])(su-exec|gosu|s6-setuidgid|setpriv|chpst|sudo)(?![\w-])")


_STARTS_AS_ROOT = re.compile(
    r"(?i)(?<![\w-])(?:sshd|nginx|httpd|apache2\w*|supervisord|crond?|dockerd|systemd|init|s6[\w-]*|runit"
    r"|named|dnsmasq|unbound|postfix|dovecot|exim|vsftpd|smbd|php-fpm|haproxy|mysqld|mariadbd|openvpn"
    r"|squid|rsyslogd|ntpd|chronyd|tcpdump)(?![\w-])|\.sh(?![\w-])|entry-?point|bootstrap"
)
"""Servers that leave root by themselves, and scripts, which may prepare what root alone may."""


@carried_out
def own_user(file: Dockerfile) -> Iterator[Splice]:
    """The user that the file makes, or that its base image brings, starts the program."""
    lineage = _lineage(file.all)
    final = lineage[-1] if lineage else []
    starts = [one for one in final if one.name in _STARTS]
    if not starts or any(_LEAVES_ROOT.search(one.arguments) for each in lineage for one in each):
        raise UncertainError
    if any(_STARTS_AS_ROOT.search(one.arguments) for one in starts):
        raise UncertainError
    if any(one.name == "RUN" and one.start > starts[0].start for one in final):
        raise UncertainError
    user = _user_of(lineage)
    at = _above_comments(file.text, starts[0].start)
    yield file.splice(at, at, f"USER {user}\n")


def _lineage(listed: Sequence[Instruction]) -> list[list[Instruction]]:
    """The final stage behind those that it is built on, each with its FROM."""
    stages: list[list[Instruction]] = []
    for one in listed:
        if one.name == "FROM":
            stages.append([])
        if stages:
            stages[-1].append(one)
    names = {_stage_name(stage[0]): stage for stage in stages}
    lineage = stages[-1:]
    while lineage and len(lineage) <= len(stages):
        parent = names.get(base_of(lineage[0][0]).partition(" ")[0].lower())
        if parent is None or parent is lineage[0]:
            break
        lineage.insert(0, parent)
    return lineage


def _stage_name(begun: Instruction) -> str:
    """What later stages call a stage; blank where it has no name."""
    named = re.search(r"\s(?i:AS)\s+(\S+)$", begun.arguments)
    return named[1].lower() if named else " "


def _user_of(lineage: Sequence[Sequence[Instruction]]) -> str:
    """The user to start the program as. Raises UncertainError where none is certain."""
    every = [one for stage in lineage for one in stage]
    said = [one for one in every if one.name == "USER"]
    user = _earlier(said) or _made(every)
    if not user and not said:
        base = base_of(lineage[0][0])
        user = _brought(base)
        if not user and len(lineage) == 1:
            user = _nobody(base, lineage[0][1:])
    if not user:
        raise UncertainError
    return user


def _above_comments(text: str, at: int) -> int:
    """Above the comments right above a line, which are about it."""
    while (above := text.rfind("\n", 0, at - 1) + 1) < at and text[above:at].startswith("#"):
        at = above
    return at


def _earlier(said: Sequence[Instruction]) -> str:
    """The user before the file switched to root for a while."""
    others = [one.arguments for one in said if not re.match(r"(?:root|0)\b", one.arguments)]
    return others[-1] if others and re.fullmatch(r"[\w:.-]+", others[-1]) else ""


def _made(final: Sequence[Instruction]) -> str:
    """The one user that the stage makes, or empty; raises UncertainError at several."""
    made = set()
    for one in final:
        if one.name != "RUN":
            continue
        for command in re.split(r"&&|;|\|\|?", one.arguments):
            words = command.split()
            if words and words[0].rpartition("/")[2] in {"useradd", "adduser"}:
                made.add(_user(words[1:]))
    if len(made) > 1 or "" in made:
        raise UncertainError
    return made.pop() if made else ""


def _user(words: Sequence[str]) -> str:
    names, skip = [], False
    for word in words:
        if skip or word.startswith("-"):
            skip = not skip and (word in _VALUED or f"-{word.lstrip('-')[-1:]}" in _VALUED)
        else:
            names.append(word)
    return names[0] if names and re.fullmatch(r"[a-z_][\w-]*", names[0]) else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _ImageUser:
    """A base image that brings a user, as ``image_users.toml`` tells it."""

    id: str
    image: str
    user: str
    source: str
    tags: str = ".*"


@cache
def _image_users() -> Sequence[_ImageUser]:
    return tuple(read_table(Path(__file__).with_name("image_users.toml"), _ImageUser).values())


_REFERENCE = re.compile(
    r"(?P<image>[\w./-]+)(?::(?P<tag>[\w.${}-]+))?(?:@sha256:[0-9a-f]+)?(?:\s+(?i:AS)\s+\S+)?"
)


def _brought(base: str) -> str:
    """The user that the base image brings; empty where none is known."""
    named = _REFERENCE.fullmatch(base)
    if named is None:
        return ""
    image, tag = named["image"], named["tag"] or ""
    brought = (
        one.user
        for one in _image_users()
        if re.fullmatch(one.image, image) and re.fullmatch(one.tags, tag)
    )
    return next(brought, "")


_SMALL = re.compile(
    r"(?:scratch|(?:(?:docker\.io/)?library/)?(?:alpine|busybox|debian|ubuntu)|gcr\.io/distroless/[\w-]+"
    r"|(?:registry\.access\.redhat\.com/)?ubi\d+/ubi-(?:minimal|micro))(?::[\w.${}-]+)?(?:@\S+)?"
    r"(?:\s+(?i:AS)\s+\S+)?"
)
"""Base images without tools that would want a home and a cache."""


def _nobody(base: str, final: Sequence[Instruction]) -> str:
    """The user without rights, for a program that another stage built and that only runs.

    It must be a server and all that the image is for: nothing is kept, and no port is asked for
    that only root may open in older versions of Docker.
    """
    copied = [
        one.arguments.split()[-1]
        for one in final
        if "--from=" in one.arguments and one.name == "COPY"
    ]
    starts = [one.arguments for one in final if one.name in _STARTS]
    program = re.match(r"\[\s*\"(/[\w./-]+)\"", starts[0])
    ports = [port for one in final if one.name == "EXPOSE" for port in one.arguments.split()]
    low = not ports or any(not re.fullmatch(r"\d{4,5}(?:/\w+)?", port) for port in ports)
    others = {one.name for one in final} - {"COPY", "EXPOSE", "WORKDIR", "LABEL", "ENV", *_STARTS}
    if (
        not _SMALL.fullmatch(base)
        or program is None
        or low
        or others - {"RUN", "ARG", "HEALTHCHECK"}
    ):
        return ""
    commands = [
        command.strip()
        for one in final
        if one.name == "RUN"
        for command in one.arguments.split("&&")
    ]
    if not all(map(_INSTALLS.fullmatch, commands)):
        return ""
    if not any(program[1] == to or program[1].startswith(to.rstrip("/") + "/") for to in copied):
        return ""
    return "65534:65534"


_INSTALLS = re.compile(
    r"(?:apk|apt-get|apt|microdnf|dnf|yum)\s[\w\s.=~+-]*|rm -rf /var/[\w/.*]+|(?=\s*$)"
)
"""A command that installs packages, and does nothing else."""
