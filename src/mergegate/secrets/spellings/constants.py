"""Names that are put together with others, where the text gives each of them one literal."""

import re
import string
from collections.abc import Iterator, Mapping, Set

from mergegate.secrets.names import QUOTED_ONLY
from mergegate.secrets.source import Source
from mergegate.secrets.spellings.view import Change

_NAME = r"[A-Za-z_]\w{0,60}"
_VALUE = r"[\w.+/=-]{2,300}"
_ASSIGNED = tuple(
    re.compile(rf"{quote}(?:(?<=[:=]{quote})|(?<=[:=>][ ]{quote}))(?P<value>{_VALUE}){quote}")
    for quote in "\"'`"
)
_IN_SHELL = re.compile(rf"^(?:export[ ]+)?(?P<name>{_NAME})=(?P<value>{_VALUE})$", re.MULTILINE)
_SIGNS = tuple(
    re.compile(rf"{sign}[ ]?(?P<added>=?)[ ]?(?:\$?(?P<name>{_NAME})(?![\w(])|(?=[\"'`]))")
    for sign in (r"\+", r"\.(?<= \.)\.?(?= )", r"&(?<= &)(?= )", r"~(?<= ~)(?= )")
)
_NAME_CHARACTERS = f"{string.ascii_letters}{string.digits}_$"
_IN_TEMPLATES = (
    re.compile(rf"\{{\$?(?P<name>{_NAME})\}}(?=[$#{{\w])"),
    re.compile(rf"\{{(?=[$A-Za-z_])(?:(?<=[\w}}-]\{{)|(?<=[\w}}-][$#]\{{))\$?(?P<name>{_NAME})\}}"),
    re.compile(rf"\$(?P<name>{_NAME})(?=\$)"),
    re.compile(rf"\$(?<=[\w}}-]\$)(?P<name>{_NAME})"),
)
"""Names in a text beside other names or the rest of a word."""
_LONGEST_OPERAND = 63
_WITHOUT_NAMES = frozenset({".json", ".map", ".xml", ".svg", ".csv", ".po", ".pot", ".lock"})
"""Data: no name in it stands for a value."""


def named(source: Source) -> Iterator[Change]:
    """Each such name, and its literal."""
    if source.suffix in _WITHOUT_NAMES:
        return
    sites = [
        (one, one.text.strip('"+')) for one in (*_summed(source.text), *_templated(source.text))
    ]
    known = _literals(source, {name for _, name in sites}) if sites else {}
    for change, name in sites:
        if name in known:
            yield Change(change.start, change.end, change.text.replace(name, known[name]))


def _summed(text: str) -> Iterator[Change]:
    """Operands, as literals of their names."""
    for pattern in _SIGNS:
        for match in pattern.finditer(text):
            start, end = _operand_before(text, match.start())
            name = text[start:end].lstrip("$")
            if name and match["added"]:
                yield Change(start, match.end(), f'"{name}"+')
            elif name:
                yield Change(start, end, f'"{name}"')
            if match["name"] and not match["added"]:
                yield Change(match.start("name"), match.end("name"), f'"{match["name"]}"')


def _operand_before(text: str, sign: int) -> tuple[int, int]:
    """Where the name before the sign stands; empty when none does."""
    low = max(0, sign - _LONGEST_OPERAND)
    before = text[low:sign].rstrip(" ")
    rest = before.rstrip(_NAME_CHARACTERS)
    end = low + len(before)
    return (end, end) if rest.endswith((".", ")", "]")) else (low + len(rest), end)


def _templated(text: str) -> Iterator[Change]:
    for pattern in _IN_TEMPLATES:
        for match in pattern.finditer(text):
            start = match.start()
            signed = text[start] == "{" and text[start - 1 : start] in {"$", "#"}
            yield Change(start - signed, match.end(), match["name"])


def _literals(source: Source, names: Set[str]) -> Mapping[str, str]:
    """The literal of each of ``names``; one that is given several has none."""
    given: dict[str, set[str]] = {}
    for pattern in _ASSIGNED:
        for match in pattern.finditer(source.text):
            name = _name_before(source.text, match.start())
            if name in names:
                given.setdefault(name, set()).add(match["value"])
    if source.suffix not in QUOTED_ONLY:
        for match in _IN_SHELL.finditer(source.text):
            given.setdefault(match["name"], set()).add(match["value"])
    return {name: one for name, (one, *others) in given.items() if not others}


def _name_before(text: str, quote: int) -> str:
    """What is given the literal that begins at ``quote``; a type between them is left out."""
    before = text[max(0, quote - _LONGEST_OPERAND) : quote].rstrip(" :=>")
    rest = before.rstrip(_NAME_CHARACTERS + "\"']")
    if rest.endswith((": ", ":")) and not before.endswith(("'", '"')):
        before = rest.rstrip(" :")
        rest = before.rstrip(_NAME_CHARACTERS)
    return before[len(rest) :].strip("\"']$")
