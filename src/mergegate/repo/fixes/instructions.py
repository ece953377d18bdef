"""Recipes for Dockerfiles: words, commands and instructions change, continued lines go on."""

import re
from collections.abc import Iterator, Mapping, Sequence

from mergegate.repo.fixes.dockerfile import Dockerfile, base_of, carried_out
from mergegate.repo.fixes.edits import Splice, UncertainError
from mergegate.repo.fixes.recipe import Found


def steps(found: Found) -> Sequence[Splice]:
    """Words of what was found in place of others; without them where nothing stands for them."""
    try:
        return tuple(_replaced(Dockerfile.of(found), found.recipe.replace))
    except UncertainError:
        return ()


def _replaced(file: Dockerfile, words: Mapping[str, str]) -> Iterator[Splice]:
    unknown = True
    for old, new in words.items():
        for word in re.finditer(rf"(?<![\w./-]){re.escape(old)}(?![\w./-])", file.found):
            unknown = False
            start, end = file.start + word.start(), file.start + word.end()
            yield file.splice(start, end, new) if new else file.without_word(start, end)
    if unknown:
        raise UncertainError


@carried_out
def checked_download(file: Dockerfile) -> Iterator[Splice]:
    """The option that turns the check off, alone or among others in one word."""
    word = re.search(r"(?:--no-check-certificate|--insecure|(?<=\s)-[A-Za-z]+)$", file.found)
    if word is None:
        raise UncertainError
    start = file.start + word.start()
    if word[0].startswith("--") or word[0] == "-k":
        yield file.without_word(start, file.end)
    else:
        yield file.splice(start, file.end, word[0].replace("k", "", 1))


@carried_out
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
    raise UncertainError


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
        raise UncertainError
    return file.without_word(file.start, file.start + pair.end())


@carried_out
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
        raise UncertainError


@carried_out
def no_password(file: Dockerfile) -> Iterator[Splice]:
    """The account stays locked: without the option, or the command, that sets its password."""
    if "chpasswd" in file.found:
        yield file.without_command()
        return
    option = re.search(r"(?:-p|--password)[ =]\S+(?=\s)", file.text[file.start : file.one.end])
    if option is None:
        raise UncertainError
    start = file.start + option.start()
    yield file.without_word(start, start + len(option[0]))


@carried_out
def no_root_login(file: Dockerfile) -> Iterator[Splice]:
    """The server's setting; what a substitution looks for is none."""
    if re.search(r"\bs[/|,]\W*$", file.text[file.one.start : file.start]):
        raise UncertainError
    if not file.found.endswith("yes"):
        raise UncertainError
    yield file.splice(file.end - 3, file.end, "no")


_PROGRAM = re.compile(
    r"\S*(?:\.(?:sh|bash|py|pl|rb|js)|/s?bin/[\w.*-]+|entrypoint[\w.-]*)[\"',\]]*"
)


@carried_out
def programs_of_owner(file: Dockerfile) -> Iterator[Splice]:
    """Programs that everyone may run and the owner change; folders may be meant for others."""
    mode = re.search(r"(?<=[\s=])(0?)777$|(?:a|ugo)\+rwx$", file.found)
    if mode is None:
        raise UncertainError
    if file.one.name == "RUN":
        behind = re.split(r"&&|\|\|?|;|\n(?!\s)", file.text[file.end : file.one.end])[0]
        named = behind.replace("\\\n", " ").split()
        if re.search(r"chmod\s+-", file.found):
            raise UncertainError
    else:
        named = file.one.arguments.split()[-1:]
    if not named or not all(_PROGRAM.fullmatch(one) for one in named):
        raise UncertainError
    new = f"{mode[1]}755" if mode[0].endswith("777") else "u=rwx,go=rx"
    yield file.splice(file.start + mode.start(), file.end, new)


@carried_out
def no_sudoers(file: Dockerfile) -> Iterator[Splice]:
    """Without the entry, where nothing in the file uses sudo."""
    used = [one for one in file.all if re.search(r"\bsudo\s+(?!ALL)[-\w/]", one.arguments)]
    if any("install" not in one.arguments for one in used) or "sudoers" not in file.one.text:
        raise UncertainError
    yield file.without_command()


@carried_out
def encrypted_download(file: Dockerfile) -> Iterator[Splice]:
    """The same address by HTTPS, of hosts that the whole internet knows."""
    address = re.search(r"http://([\w-]+(?:\.[\w-]+)*\.[a-z]{2,})$", file.found)
    if address is None or file.text[file.end : file.end + 1] not in {"/", " ", '"', "'", "\n"}:
        raise UncertainError
    if address[1].endswith((".local", ".internal", ".lan", ".home", ".corp", ".test", ".svc")):
        raise UncertainError
    start = file.start + address.start()
    yield file.splice(start, start + 4, "https")


@carried_out
def without_sudo(file: Dockerfile) -> Iterator[Splice]:
    """Plain commands, where the stage's user is root."""
    word = re.search(r"sudo\s+$", file.found)
    base = base_of(file.stage[0]) if file.stage else ""
    known = re.match(r"(?:(?:docker\.io/)?library/)?[a-z]+(?::[\w.-]+)?(?:\s|$)", base)
    users = [one for one in file.stage if one.name == "USER"]
    is_root = users[-1].arguments in {"root", "0"} if users else known is not None
    if word is None or not is_root or file.text[file.end : file.end + 1] in {"-", "$", "\\"}:
        raise UncertainError
    stages = re.findall(r"(?im)^FROM\s.*\sAS\s+(\S+)", file.text)
    if not users and base.split()[0] in stages:
        raise UncertainError
    yield file.splice(file.start + word.start(), file.end, "")
