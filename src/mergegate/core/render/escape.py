"""Make hostile text inert: one function a target; HTML rests on ``visible`` and autoescape."""

import re
import unicodedata
from functools import lru_cache
from html import escape as html_escape

_NOT_PLAIN = re.compile(r"[^ -~]")
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs"})
_BLANK_LETTERS = frozenset("\u115f\u1160\u2800\u3164\uffa0")
_WIDE_BLANK = "\u3000"
# Accents in a pile paint over the lines above; no language stacks four.
_PILE = re.compile(
    r"[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]{4,}"
)

# GitHub's runner and Azure's agent look for these anywhere in a line.
_LOG_COMMAND = re.compile(r"##(?=\[|vso\[|teamcity\[)")
# GitHub's runner trims a line before it looks for `::`.
_LOG_LINE = re.compile(r"^((?:[^\S\n]|\x1b\[[0-9;]*m)*)::", re.MULTILINE)
# Control characters, but for tab and form feed.
_MOVES = re.compile(r"[\x00-\x08\n\x0b\r\x0e-\x1f\x7f-\x9f]")


def visible(text: str) -> str:
    r"""``text`` on one line; what cannot be seen, or moves what can, stands as its escape.

    That is: control characters, bidirectional overrides, zero-width and unassigned characters,
    surrogates, piled-up accents, line ends, blanks other than the space (``\x1b``, ``\u202e``).
    """
    if text.isascii() and text.isprintable():
        return str(text)  # quickly, for most are; and never as a kind that counts as escaped
    flat = _PILE.sub(lambda match: "".join(map(_escape, match[0])), text)
    return _NOT_PLAIN.sub(lambda match: _shown(match[0]), flat)


def visible_lines(text: str) -> tuple[str, ...]:
    """The lines of ``text``, tabs as four blanks, each made :func:`visible`."""
    plain = text.replace("\r\n", "\n").expandtabs(4)
    return tuple(visible(line) for line in plain.split("\n"))


def terminal(text: str) -> str:
    """:func:`visible`, and no command to a CI runner that reads the log."""
    return _LOG_COMMAND.sub(r"#\\x23", visible(text))


def log(text: str) -> str:
    """A finished page of lines, none of which a CI runner takes for a ``::command::``."""
    return _LOG_LINE.sub(_unindented, text)


def is_raw(line: str) -> bool:
    """Whether ``line`` does something where it is printed as it is, as in a patch.

    It moves a terminal, or a CI runner that reads the log takes it for a command.
    """
    acts = (_MOVES.search, _LOG_COMMAND.search, _LOG_LINE.match)
    return any(one(line.removesuffix("\r")) for one in acts)


def _unindented(match: re.Match[str]) -> str:
    """Part the colons; the blank comes from the indentation, so no line grows."""
    before = match[1]
    return f"{before[:-1]}: :" if before.endswith(" ") else f"{before}: :"


@lru_cache(maxsize=4096)
def _shown(character: str) -> str:
    hidden = unicodedata.category(character) in _HIDDEN or character in _BLANK_LETTERS
    if character == _WIDE_BLANK or not (hidden or _is_variation_selector(character)):
        return character
    return _escape(character)


def _escape(character: str) -> str:
    return character.encode("unicode_escape", "backslashreplace").decode("ascii")


def _is_variation_selector(character: str) -> bool:
    return "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef"


_CODE = re.compile(r"`([^`\n]+)`")
_BLANKS = re.compile(r"(\s+)")
# What GitHub, GitLab or Bitbucket turn into a mention, a reference, a link, an emoji or a formula,
# and a place in a file; the time of day is none.
_SIGNAL = re.compile(
    r"@|://|www\.|[#!~%&^][\w\"]|\$|(?<!\b\d\d):\d|:[\w+-]+:|\bgh-\d|\b[0-9a-f]{7,40}\b|javascript:|mailto:",
    re.IGNORECASE,
)
_ALWAYS = re.compile(r"([\\`*_\[\]<>|~])")
_AT_START = re.compile(r"^(?=[-+=/#:])")
_ORDINAL = re.compile(r"^(\d+)([.)])$")
_ENTITY = re.compile(r"&")
# What stands around a word and means nothing to a forge.
_OPENERS = "(\"'“‘«"
_STOPS = ".,;!?\"'”’»"


def markdown(text: str) -> str:
    """``text`` as inline Markdown that shows it and does nothing else.

    Pairs of backticks stay code; a word that a forge would act on becomes code.
    """
    shown = ""
    after_code = False
    for part, is_code in spans(text):
        piece = code(part) if is_code else _prose(part, opens=not shown.strip())
        # Two code spans that touch would be read as one.
        shown += f" {piece}" if after_code and piece.startswith("`") else piece
        after_code = is_code or _ends_in_code(part)
    return shown


def inline_html(text: str) -> str:
    """``text`` for HTML inside Markdown, such as a summary, where no Markdown is understood.

    Forges look for mentions, references and addresses there as well, though not in code.
    """
    return "".join(
        html_code(part) if is_code else _html_prose(part) for part, is_code in spans(text)
    )


def html_code(text: str) -> str:
    """:func:`code` where no Markdown is understood."""
    return f"<code>{html_escape(visible(text))}</code>"


def _html_prose(text: str) -> str:
    return "".join(_html_word(word) for word in _BLANKS.split(text))


def _html_word(word: str) -> str:
    if not _SIGNAL.search(word):
        return html_escape(word)
    before, core, after = _bared(word)
    return f"{html_escape(before)}{html_code(core)}{html_escape(after)}"


def spans(text: str) -> tuple[tuple[str, bool], ...]:
    """``text`` made visible, in pieces; those between backticks are code."""
    parts = _CODE.split(visible(text))
    return tuple((part, index % 2 == 1) for index, part in enumerate(parts) if part)


def code(text: str) -> str:
    """A Markdown code span, whatever backticks ``text`` holds."""
    shown = visible(text)
    fence = "`" * (_longest_run(shown) + 1)
    pad = " " if shown.startswith("`") or shown.endswith("`") or not shown.strip() else ""
    return f"{fence}{pad}{shown or ' '}{pad}{fence}"


def code_cell(text: str) -> str:
    """:func:`code` for a table's cell, where a bar would end the cell even inside code."""
    return code(text).replace("|", "\\|")


def fence(lines: tuple[str, ...], language: str = "") -> str:
    """A Markdown code block of ``lines``, each :func:`visible`; longer than any run inside."""
    body = "\n".join(visible(line) for line in lines)
    ticks = "`" * max(3, _longest_run(body) + 1)
    return f"{ticks}{language}\n{body}\n{ticks}"


def _prose(text: str, *, opens: bool) -> str:
    """``opens``: whether ``text`` begins a line, where more characters have a meaning."""
    shown = ""
    for word in _BLANKS.split(text):
        shown += word if word.isspace() else _word(word, opens=opens and not shown.strip())
    return shown


def _word(word: str, *, opens: bool) -> str:
    if not _SIGNAL.search(word):
        return _escaped(word, opens=opens)
    before, core, after = _bared(word)
    return f"{before}{code(core)}{after}"


def _bared(word: str) -> tuple[str, str, str]:
    """``word`` between the brackets, quotes and stops around it: a full stop is no code."""
    core = word.lstrip(_OPENERS)
    closing = ")" if word.startswith("(") else ""
    colon = "" if core.startswith(":") else ":"  # of an emoji's name it is a part
    bare = core.rstrip(f"{_STOPS}{closing}{colon}")
    if not bare:
        return "", word, ""
    return word[: -len(core)], bare, core[len(bare) :]


def _ends_in_code(text: str) -> bool:
    """Whether :func:`_prose` ends in a code span."""
    last = _BLANKS.split(text)[-1]
    return bool(_SIGNAL.search(last)) and not _bared(last)[2]


def _escaped(word: str, *, opens: bool) -> str:
    quoted = _ALWAYS.sub(r"\\\1", _ENTITY.sub("&amp;", word))
    return _ORDINAL.sub(r"\1\\\2", _AT_START.sub(r"\\", quoted)) if opens else quoted


def _longest_run(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)


def copyable(text: str) -> str:
    """``text`` for the clipboard: lines and tabs kept, everything else :func:`visible`."""
    return "\n".join("\t".join(map(visible, line.split("\t"))) for line in text.split("\n"))
