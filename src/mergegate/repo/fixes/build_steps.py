"""Recipes for Dockerfiles that change a whole instruction, or what a step does."""

import json
import re
from collections.abc import Iterator

from mergegate.repo.fixes.dockerfile import Dockerfile, carried_out
from mergegate.repo.fixes.edits import Splice, UncertainError

_WORDS = re.compile(r"\[\s*(?:'[^'\"\\$]*'\s*,\s*)*'[^'\"\\$]*'\s*\]")
_PLAIN_VALUE = re.compile(r"[\w./:@%+,-]+|\"[^\"]*\"")
_ONE_LINE = re.compile(r"(\S+)([ \t]+)([^\n]*\S)[ \t]*\r?\n?")


@carried_out
def without_instruction(file: Dockerfile) -> Iterator[Splice]:
    """Without an instruction that has no effect."""
    yield file.without_instruction()


@carried_out
def author_as_label(file: Dockerfile) -> Iterator[Splice]:
    """The label that says who the author is."""
    author = _line(file)[3]
    if re.search(r"[\\$`]|^[\"'].*[\"'].", author):
        raise UncertainError
    said = json.dumps(author.strip("\"'"), ensure_ascii=False)
    yield _instead(file, f"LABEL org.opencontainers.image.authors={said}")


@carried_out
def list_in_json(file: Dockerfile) -> Iterator[Splice]:
    """The same words in double quotes."""
    said = _line(file)
    listed = _WORDS.search(said[3])
    if listed is None or listed.end() != len(said[3]) or '"' in said[3]:
        raise UncertainError
    before = said[3][: listed.start()]
    yield _instead(file, f"{said[1]}{said[2]}{before}{listed[0].replace(chr(39), chr(34))}")


@carried_out
def assigned_variable(file: Dockerfile) -> Iterator[Splice]:
    """The variable with an equals sign, its value in quotes where it needs them."""
    said = _line(file)
    name, *value = said[3].split(maxsplit=1)
    if not value or re.search(r"[\\'\"]", value[0].strip('"')):
        raise UncertainError
    quoted = value[0] if _PLAIN_VALUE.fullmatch(value[0]) else f'"{value[0]}"'
    yield _instead(file, f"{said[1]}{said[2]}{name}={quoted}")


@carried_out
def answers_for_the_build(file: Dockerfile) -> Iterator[Splice]:
    """An argument, which is known while the image is built alone."""
    said = _line(file)
    if not re.fullmatch(r"DEBIAN_FRONTEND[= ]\"?\w+\"?", said[3]):
        raise UncertainError
    yield _instead(file, f"ARG{said[2]}{said[3].replace(' ', '=')}")


@carried_out
def into_folder(file: Dockerfile) -> Iterator[Splice]:
    """The target with a slash behind it, which says that it is a folder."""
    said = _line(file)
    if said[3].startswith("[") or re.search(r"[\"'\\]", said[3]):
        raise UncertainError
    yield _instead(file, f"{said[1]}{said[2]}{said[3]}/")


@carried_out
def files_copied(file: Dockerfile) -> Iterator[Splice]:
    """COPY in place of ADD."""
    yield file.splice(file.one.start, file.one.start + 3, "COPY")


@carried_out
def without_package_lists(file: Dockerfile) -> Iterator[Splice]:
    """A step that removes the lists of apt when it has installed what it needs."""
    yield _at_the_end(file, "rm -rf /var/lib/apt/lists/*")


@carried_out
def without_package_cache(file: Dockerfile) -> Iterator[Splice]:
    """A step that ends with the program's own command for its cache."""
    for program, command in _CLEANS.items():
        if re.search(rf"(?:^|[\s&;/]){program}\s", file.one.text):
            yield _at_the_end(file, command)
            return
    raise UncertainError


_CLEANS = {
    "microdnf": "microdnf clean all",
    "dnf": "dnf clean all",
    "yum": "yum clean all",
    "zypper": "zypper clean --all",
    "yarn": "yarn cache clean",
}
"""What removes the cache of a program."""


@carried_out
def without_apk_cache(file: Dockerfile) -> Iterator[Splice]:
    """apk add with the index that it fetches for itself and does not keep."""
    yield from _behind(file, r"(?<![\w./-])apk(?:\s+-\S+)*\s+add(?=\s)", " --no-cache")


@carried_out
def without_pip_cache(file: Dockerfile) -> Iterator[Splice]:
    """pip install that keeps nothing."""
    yield from _behind(file, r"(?<![\w.-])pip[\d.]*(?:\s+-\S+)*\s+install(?=\s)", " --no-cache-dir")


def _line(file: Dockerfile) -> re.Match[str]:
    """Name, blanks and the rest of an instruction that is one line."""
    said = _ONE_LINE.fullmatch(file.one.text)
    if said is None or "<<" in said[3]:
        raise UncertainError
    return said


def _instead(file: Dockerfile, text: str) -> Splice:
    end = file.one.start + len(file.one.text.rstrip("\r\n").rstrip())
    return file.splice(file.one.start, end, text)


def _behind(file: Dockerfile, command: str, option: str) -> Iterator[Splice]:
    """An option behind each call of a command."""
    found = list(re.finditer(command, file.one.text))
    if not found or "<<" in file.one.text:
        raise UncertainError
    for one in found:
        at = file.one.start + one.end()
        yield file.splice(at, at, option)


def _at_the_end(file: Dockerfile, command: str) -> Splice:
    """A further command of a step, on a line of its own where the step has several."""
    text = file.one.text.rstrip()
    lines = text.splitlines()
    is_list = re.match(r"RUN\s+(?:--\S+\s+)*\[", text, re.IGNORECASE)
    if is_list or "<<" in text or text.endswith(("\\", "&", ";", "|")) or "#" in lines[-1]:
        raise UncertainError
    first = lines[-1]
    indent = first[: len(first) - len(first.lstrip())] if len(lines) > 1 else "    "
    at = file.one.start + len(text)
    return file.splice(at, at, f" \\\n{indent}&& {command}")
