"""Recipes for Dockerfiles: words, commands and instructions change, continued lines go on."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, wraps
from pathlib import Path

from mergegate.core.data_table import read_table
from mergegate.repo.fixes.edits import Splice, span
from mergegate.repo.fixes.recipe import Found

_NAMES = frozenset(
    {
        *("ADD", "ARG", "CMD", "COPY", "ENTRYPOINT", "ENV", "EXPOSE", "FROM", "HEALTHCHECK"),
        *("LABEL", "MAINTAINER", "ONBUILD", "RUN", "SHELL", "STOPSIGNAL", "USER", "VOLUME"),
        "WORKDIR",
    }
)
_ESCAPE = re.compile(r"#\s*escape\s*=\s*`", re.IGNORECASE)
_HEREDOC = re.compile(r"<<-?\s*([\"']?)([A-Za-z_]\w*)\1")
_LINE_END = re.compile(r"\\[ \t]*\r?\n")
_BEGUN = re.compile(rf"(?:{'|'.join(sorted(_NAMES))})\s")


class Unknown(Exception):
    """What stands there is nothing that the recipe knows how to change."""


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction, with the lines that continue it and its here-documents."""

    name: str
    text: str
    start: int
    """In characters."""
    end: int
    """Behind its last line break."""

    @property
    def arguments(self) -> str:
        """What stands behind its name, its lines joined by blanks."""
        words = re.sub(r"\\[ \t]*\r?\n(?:[ \t]*#[^\n]*\n)*", " ", self.text).split(maxsplit=1)
        return words[1].strip() if len(words) > 1 else ""


def instructions(text: str) -> list[Instruction]:
    """All instructions in order. Raises Unknown where a line is none, or one is not complete."""
    if _ESCAPE.search(text[:200]):
        raise Unknown
    lines, at, found, start = text.splitlines(keepends=True), 0, [], 0
    while at < len(lines):
        first, begin = at, start
        words = lines[at].split()
        if not words or words[0].startswith("#"):
            start += len(lines[at])
            at += 1
            continue
        at = _heredocs(lines, first, _continued(lines, at))
        whole = "".join(lines[first:at])
        start += len(whole)
        if words[0].upper() not in _NAMES:
            raise Unknown
        found.append(Instruction(words[0].upper(), whole, begin, start))
    return found


def _continued(lines: Sequence[str], at: int) -> int:
    """The line behind an instruction that begins at ``at``; comments between its lines are its."""
    first, goes_on = at, True
    while goes_on:
        if at == len(lines) or (at > first and _BEGUN.match(lines[at])):
            raise Unknown
        said = lines[at].strip()
        goes_on = said.endswith("\\") or not said or said.startswith("#")
        at += 1
    return at


def _heredocs(lines: Sequence[str], first: int, at: int) -> int:
    """The line behind the here-documents that an instruction's own lines open."""
    opened = "".join(lines[first:at])
    if opened.split()[0].upper() not in {"RUN", "COPY", "ADD"}:
        return at
    for mark in _HEREDOC.finditer(opened):
        while at < len(lines) and lines[at].strip() != mark[2]:
            at += 1
        if at == len(lines):
            raise Unknown
        at += 1
    return at


def check(text: str) -> None:
    """Raises ValueError where ``text`` is no Dockerfile."""
    try:
        if not instructions(text):
            raise ValueError("it has no instruction")
    except Unknown as unknown:
        raise ValueError("a line is no instruction") from unknown


@dataclass(frozen=True, slots=True)
class Dockerfile:
    """A Dockerfile, and the instruction in it that was found."""

    text: str
    all: Sequence[Instruction]
    one: Instruction
    start: int
    """Where what was found begins, in characters."""
    end: int

    @classmethod
    def of(cls, found: Found) -> "Dockerfile":
        """Raises Unknown where nothing begins there."""
        start, end = (
            len(found.text.encode()[:at].decode(errors="ignore"))
            for at in span(found.text, found.place)
        )
        listed = instructions(found.text)
        here = [one for one in listed if one.start <= start < one.end]
        if not here or end > here[0].end:
            raise Unknown
        return cls(found.text, listed, here[0], start, end)

    @property
    def found(self) -> str:
        """What was found."""
        return self.text[self.start : self.end]

    @property
    def stage(self) -> Sequence[Instruction]:
        """The instructions before the one that was found, in its stage."""
        before = [one for one in self.all if one.start < self.one.start]
        begun = max((at for at, one in enumerate(before) if one.name == "FROM"), default=0)
        return before[begun:]

    def splice(self, start: int, end: int, text: str) -> Splice:
        """Characters as bytes."""
        before = len(self.text[:start].encode())
        return Splice(before, before + len(self.text[start:end].encode()), text)

    def without_word(self, start: int, end: int) -> Splice:
        """Without a word, and its line where nothing else stands on it."""
        begin = self.text.rfind("\n", 0, start) + 1
        newline = self.text.find("\n", end)
        stop = len(self.text) if newline < 0 else newline
        before, after = self.text[begin:start], self.text[end:stop]
        if not before.strip():
            above = self.text[:begin].rstrip("\r\n")
            if not after.strip() and above.endswith("\\"):
                return self.splice(len(above[:-1].rstrip()), end, "")
            if after.strip() != "\\":
                following = end + len(after) - len(after.lstrip())
                return self.splice(start, following, "")
            return self.splice(begin, stop + 1, "")
        if before.rstrip() != before:
            return self.splice(begin + len(before.rstrip()), end, "")
        return self.splice(start, end + len(after) - len(after.lstrip(" ")), "")

    def without_instruction(self) -> Splice:
        """Without the instruction."""
        return self.splice(self.one.start, self.one.end, "")

    def without_command(self) -> Splice:
        """Without the command that was found, and what its output goes into."""
        commands = list(self._commands())
        here = [at for at, (start, end, _) in enumerate(commands) if start <= self.start < end]
        if len(here) != 1:
            raise Unknown
        if len(commands) == 1:
            return self.without_instruction()
        start, end, _ = commands[here[0]]
        separators = {commands[at][2] for at in (here[0] - 1, here[0]) if at >= 0}
        if not separators <= {"&&", ";", ""}:
            raise Unknown
        if here[0] + 1 < len(commands):
            return self.splice(start, commands[here[0] + 1][0], "")
        return self.splice(commands[here[0] - 1][1], end, "")

    def _commands(self) -> Iterator[tuple[int, int, str]]:
        """Start and end of each command line of a RUN, with what stands behind it."""
        body = re.match(r"RUN\s+(?:--\S+\s+)*", self.one.text, re.IGNORECASE)
        text = self.one.text
        if body is None or _HEREDOC.search(text) or text[body.end() :].startswith("["):
            raise Unknown
        if re.search(r"\$\(|`|(?m:^\s*#)", text):
            raise Unknown
        start = body.end()
        for mark, end in _separators(text, start):
            yield (*self._trimmed(start, end), mark)
            start = end + len(mark)
        yield (*self._trimmed(start, len(text)), "")

    def _trimmed(self, start: int, end: int) -> tuple[int, int]:
        """Without blanks and line ends around it, as places in the whole text."""
        blank = re.compile(r"(?:\s|\\(?=[ \t]*\r?\n))*")
        while end > start and (self.one.text[end - 1].isspace() or self._is_line_end(end - 1)):
            end -= 1
        first = blank.match(self.one.text, start, end)
        return self.one.start + (first.end() if first else start), self.one.start + end

    def _is_line_end(self, at: int) -> bool:
        return _LINE_END.match(self.one.text, at) is not None


_SHELL = re.compile(
    r"(?P<kept>\\.|'[^']*'|\"(?:[^\"\\]|\\.)*\"|\$?\{[^\s{}]+\}|\d?>&\d?|&>|[^\\'\"(){}&|;]|\|(?!\|))"
    r"|(?P<mark>&&|\|\||;)",
    re.DOTALL,
)
_NESTED = re.compile(r"(?:^|[\s;])(?:if|for|while|until|case|do|then)\s")


def _separators(text: str, at: int) -> Iterator[tuple[str, int]]:
    """What separates commands outside of quotes. Raises Unknown at what nests them."""
    if _NESTED.search(text):
        raise Unknown
    while at < len(text):
        part = _SHELL.match(text, at)
        if part is None:
            raise Unknown
        if part["mark"]:
            yield part["mark"], at
        at = part.end()


def steps(found: Found) -> Sequence[Splice]:
    """Words of what was found in place of others; without them where nothing stands for them."""
    try:
        return tuple(_replaced(Dockerfile.of(found), found.recipe.replace))
    except Unknown:
        return ()


def _replaced(file: Dockerfile, words: Mapping[str, str]) -> Iterator[Splice]:
    unknown = True
    for old, new in words.items():
        for word in re.finditer(rf"(?<![\w./-]){re.escape(old)}(?![\w./-])", file.found):
            unknown = False
            start, end = file.start + word.start(), file.start + word.end()
            yield file.splice(start, end, new) if new else file.without_word(start, end)
    if unknown:
        raise Unknown


_Make = Callable[[Dockerfile], Iterator[Splice]]


def _carried_out(make: _Make) -> Callable[[Found], Sequence[Splice]]:
    """A recipe that changes nothing where it does not know what stands there."""

    @wraps(make)
    def carried_out(found: Found) -> Sequence[Splice]:
        try:
            return tuple(make(Dockerfile.of(found)))
        except Unknown:
            return ()

    return carried_out


@_carried_out
def checked_download(file: Dockerfile) -> Iterator[Splice]:
    """The option that turns the check off, alone or among others in one word."""
    word = re.search(r"(?:--no-check-certificate|--insecure|(?<=\s)-[A-Za-z]+)$", file.found)
    if word is None:
        raise Unknown
    start = file.start + word.start()
    if word[0].startswith("--") or word[0] == "-k":
        yield file.without_word(start, file.end)
    else:
        yield file.splice(start, file.end, word[0].replace("k", "", 1))


@_carried_out
def checked_settings(file: Dockerfile) -> Iterator[Splice]:
    """The setting, wherever it is made: for a command, for a build, or in a configuration."""
    if file.one.name == "ENV":
        yield _without_variable(file)
        return
    command = re.search(r"\b(?:git|npm|yarn|pnpm|pip[\d.]*)\s+config\s|\bexport\s", _around(file))
    if command is not None:
        yield file.without_command()
        return
    for option in (r"-c[ \t]+\S+$", r"--strict-ssl=\"?false\"?", r"\w+=[\"']?(?:1|true|0)[\"']?$"):
        word = re.search(option, file.text[file.one.start : file.end])
        if word is not None:
            start, end = file.one.start + word.start(), file.one.start + word.end()
            if file.text[end : end + 1] in {"'", '"'} and "=" in word[0]:
                end += 1
            yield file.without_word(start, end)
            return
    raise Unknown


def _around(file: Dockerfile) -> str:
    """The beginning of the command that was found, and what was found of it."""
    before = file.text[file.one.start : file.start]
    return re.split(r"&&|;|\|", before)[-1] + file.found


def _without_variable(file: Dockerfile) -> Splice:
    pairs = re.findall(r"(\w+)=", file.one.arguments)
    if len(pairs) < 2:
        return file.without_instruction()
    pair = re.match(r"\w+=(?:\"[^\"]*\"|'[^']*'|\S*)", file.text[file.start :])
    if pair is None:
        raise Unknown
    return file.without_word(file.start, file.start + pair.end())


@_carried_out
def checked_packages(file: Dockerfile) -> Iterator[Splice]:
    """pip without the hosts that it should trust, which it then asks by HTTPS."""
    if file.one.name == "ENV":
        yield _without_variable(file)
        return
    if re.search(r"\bpip[\d.]*\s+config\s", file.found):
        yield file.without_command()
        return
    trusted = re.compile(r"--trusted-host(?:=|[ \t]+)([\w.-]+)(?::\d+)?(?=\s|$)")
    hosts = list(trusted.finditer(file.one.text))
    for word in hosts:
        start = file.one.start + word.start()
        yield file.without_word(start, file.one.start + word.end())
        plain = re.compile(rf"http(?=://{re.escape(word[1])}[:/\s])")
        for address in plain.finditer(file.one.text):
            at = file.one.start + address.start()
            yield file.splice(at, at + 4, "https")
    if not hosts:
        raise Unknown


@_carried_out
def no_password(file: Dockerfile) -> Iterator[Splice]:
    """The account stays locked: without the option, or the command, that sets its password."""
    if "chpasswd" in file.found:
        yield file.without_command()
        return
    option = re.search(r"(?:-p|--password)[ =]\S+(?=\s)", file.text[file.start : file.one.end])
    if option is None:
        raise Unknown
    start = file.start + option.start()
    yield file.without_word(start, start + len(option[0]))


@_carried_out
def no_root_login(file: Dockerfile) -> Iterator[Splice]:
    """The server's setting; what a substitution looks for is none."""
    if re.search(r"\bs[/|,]\W*$", file.text[file.one.start : file.start]):
        raise Unknown
    if not file.found.endswith("yes"):
        raise Unknown
    yield file.splice(file.end - 3, file.end, "no")


_PROGRAM = re.compile(
    r"\S*(?:\.(?:sh|bash|py|pl|rb|js)|/s?bin/[\w.*-]+|entrypoint[\w.-]*)[\"',\]]*"
)


@_carried_out
def programs_of_owner(file: Dockerfile) -> Iterator[Splice]:
    """Programs that everyone may run and the owner change; folders may be meant for others."""
    mode = re.search(r"(?<=[\s=])(0?)777$|(?:a|ugo)\+rwx$", file.found)
    if mode is None:
        raise Unknown
    if file.one.name == "RUN":
        behind = re.split(r"&&|\|\|?|;|\n(?!\s)", file.text[file.end : file.one.end])[0]
        named = behind.replace("\\\n", " ").split()
        if re.search(r"chmod\s+-", file.found):
            raise Unknown
    else:
        named = file.one.arguments.split()[-1:]
    if not named or not all(_PROGRAM.fullmatch(one) for one in named):
        raise Unknown
    new = f"{mode[1]}755" if mode[0].endswith("777") else "u=rwx,go=rx"
    yield file.splice(file.start + mode.start(), file.end, new)


@_carried_out
def no_sudoers(file: Dockerfile) -> Iterator[Splice]:
    """Without the entry, where nothing in the file uses sudo."""
    used = [one for one in file.all if re.search(r"\bsudo\s+(?!ALL)[-\w/]", one.arguments)]
    if any("install" not in one.arguments for one in used) or "sudoers" not in file.one.text:
        raise Unknown
    yield file.without_command()


@_carried_out
def encrypted_download(file: Dockerfile) -> Iterator[Splice]:
    """The same address by HTTPS, of hosts that the whole internet knows."""
    address = re.search(r"http://([\w-]+(?:\.[\w-]+)*\.[a-z]{2,})$", file.found)
    if address is None or file.text[file.end : file.end + 1] not in {"/", " ", '"', "'", "\n"}:
        raise Unknown
    if address[1].endswith((".local", ".internal", ".lan", ".home", ".corp", ".test", ".svc")):
        raise Unknown
    start = file.start + address.start()
    yield file.splice(start, start + 4, "https")


@_carried_out
def without_sudo(file: Dockerfile) -> Iterator[Splice]:
    """Plain commands, where the stage's user is root."""
    word = re.search(r"sudo\s+$", file.found)
    base = _base(file.stage[0]) if file.stage else ""
    known = re.match(r"(?:(?:docker\.io/)?library/)?[a-z]+(?::[\w.-]+)?(?:\s|$)", base)
    users = [one for one in file.stage if one.name == "USER"]
    is_root = users[-1].arguments in {"root", "0"} if users else known is not None
    if word is None or not is_root or file.text[file.end : file.end + 1] in {"-", "$", "\\"}:
        raise Unknown
    stages = re.findall(r"(?im)^FROM\s.*\sAS\s+(\S+)", file.text)
    if not users and base.split()[0] in stages:
        raise Unknown
    yield file.splice(file.start + word.start(), file.end, "")


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


@_carried_out
def own_user(file: Dockerfile) -> Iterator[Splice]:
    """The user that the file makes, or that its base image brings, starts the program."""
    lineage = _lineage(file.all)
    final = lineage[-1] if lineage else []
    starts = [one for one in final if one.name in _STARTS]
    if not starts or any(_LEAVES_ROOT.search(one.arguments) for each in lineage for one in each):
        raise Unknown
    if any(_STARTS_AS_ROOT.search(one.arguments) for one in starts):
        raise Unknown
    if any(one.name == "RUN" and one.start > starts[0].start for one in final):
        raise Unknown
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
        parent = names.get(_base(lineage[0][0]).partition(" ")[0].lower())
        if parent is None or parent is lineage[0]:
            break
        lineage.insert(0, parent)
    return lineage


def _base(begun: Instruction) -> str:
    """What a FROM builds on, and the name that it gives, without options."""
    return " ".join(word for word in begun.arguments.split() if not word.startswith("--"))


def _stage_name(begun: Instruction) -> str:
    """What later stages call a stage; blank where it has no name."""
    named = re.search(r"\s(?i:AS)\s+(\S+)$", begun.arguments)
    return named[1].lower() if named else " "


def _user_of(lineage: Sequence[Sequence[Instruction]]) -> str:
    """The user to start the program as. Raises Unknown where none is certain."""
    every = [one for stage in lineage for one in stage]
    said = [one for one in every if one.name == "USER"]
    user = _earlier(said) or _made(every)
    if not user and not said:
        base = _base(lineage[0][0])
        user = _brought(base)
        if not user and len(lineage) == 1:
            user = _nobody(base, lineage[0][1:])
    if not user:
        raise Unknown
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
    """The one user that the stage makes; empty where it makes none. Raises Unknown at several."""
    made = set()
    for one in final:
        if one.name != "RUN":
            continue
        for command in re.split(r"&&|;|\|\|?", one.arguments):
            words = command.split()
            if words and words[0].rpartition("/")[2] in {"useradd", "adduser"}:
                made.add(_user(words[1:]))
    if len(made) > 1 or "" in made:
        raise Unknown
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
