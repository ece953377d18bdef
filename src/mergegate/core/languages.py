"""Which language a file is in, read off its name, or off the program that its first line names."""

import re
from dataclasses import dataclass
from pathlib import Path

from mergegate.core.data_table import read_table


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """A language, by the names of its files in lower case."""

    id: str
    """Semgrep's name where semgrep knows the language."""
    suffixes: tuple[str, ...]
    names: tuple[str, ...] = ()
    """Whole names of files without a suffix."""
    interpreters: tuple[str, ...] = ()
    """Programs that a first line ``#!`` names, without their versions."""
    is_code: bool = True
    """Whether programs are written in it; False for data, markup and settings."""


LANGUAGES = read_table(Path(__file__).with_suffix(".toml"), Language)
_BY_SUFFIX = {suffix: one.id for one in LANGUAGES.values() for suffix in one.suffixes}
_BY_NAME = {name: one.id for one in LANGUAGES.values() for name in one.names}
_BY_INTERPRETER = {name: one.id for one in LANGUAGES.values() for name in one.interpreters}
_VERSION = re.compile(r"[\d.]+(?:-\w+)?$")
UNKNOWN_PROGRAM = "script"
"""What a first line ``#!`` hands to a program that is not in the table."""
_BY_BEGINNING = {
    "dockerfile": "dockerfile",
    "containerfile": "dockerfile",
    "jenkinsfile": "groovy",
}
_IMAGE = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:[ \t]*(?:#[^\n]*)?\r?\n|[ \t]*ARG[ \t][^\n]*\n){0,1000}"
    rb"[ \t]*FROM[ \t]+(?:--platform=\S+[ \t]+)?[\w./:@${}-]+(?:[ \t]+AS[ \t]+[\w.-]+)?[ \t]*\r?\n",
    re.IGNORECASE,
)
_STEPS = re.compile(
    rb"^[ \t]*(?:RUN|COPY|ADD|CMD|ENTRYPOINT|USER|WORKDIR|ENV|EXPOSE|VOLUME|ONBUILD)[ \t]+\S",
    re.IGNORECASE | re.MULTILINE,
)
"""What follows in a Dockerfile: `from` alone begins a sentence, too."""
_FURTHER = re.compile(r"[-_]")
_PROSE = frozenset({"md", "rst", "txt"})


def language_of(path: str) -> str | None:
    """The name of the language, None where the name of the file tells none."""
    name = path.rpartition("/")[2].lower()
    stem, dot, suffix = name.rpartition(".")
    known = _BY_SUFFIX.get(f".{suffix}") if dot and stem else _BY_NAME.get(name)
    # `Dockerfile.prod` and `Dockerfile-prod` are, `dockerfile.py` is a module about them.
    beginning = stem.partition(".")[0] if dot else _FURTHER.split(name, maxsplit=1)[0]
    begun = None if suffix in _PROSE else _BY_BEGINNING.get(beginning)
    return known or begun


def interpreted_as(content: bytes) -> str | None:
    """The language of the program that the first line of ``content`` names behind ``#!``.

    None where there is no such line, nor one that is PHP's. Whatever starts another program
    (``env``, ``sudo``) is passed over.
    """
    if content[:256].lstrip()[:5].lower() == b"<?php":
        return "php"
    if not content.startswith(b"#!"):
        return None
    line = content[2:258].split(b"\n", 1)[0].decode("utf-8", "replace")
    called = [word.removeprefix("-S").rpartition("/")[2] for word in line.split()]
    known = (_BY_INTERPRETER.get(_VERSION.sub("", name)) for name in called)
    return next(filter(None, known), UNKNOWN_PROGRAM if called else None)


def builds_an_image(content: bytes) -> bool:
    """Whether ``content`` is a Dockerfile, which a build may be given under any name."""
    begun = _IMAGE.match(content)
    return begun is not None and _STEPS.search(content, begun.end()) is not None


def is_code(language: str | None) -> bool:
    """Whether ``language`` is one that programs are written in."""
    return language is not None and LANGUAGES[language].is_code
