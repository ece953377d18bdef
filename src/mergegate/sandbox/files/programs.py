"""The programs that stand inside a text, or that it becomes when it is run.

Engines of code parse one language a file, from its first character on, and compare names letter
by letter. What a browser, a notebook or a compiler makes of the text first is made of it here.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from mergegate.sandbox.files import embedded
from mergegate.sandbox.files.notebook import code_of
from mergegate.sandbox.files.scripts import scripts_of
from mergegate.sandbox.files.text import ESCAPING, declared_encoding


@dataclass(frozen=True, slots=True)
class Program:
    """Code in one language, in UTF-8."""

    language: str
    text: bytes
    lines: tuple[int, ...] = ()
    """The line of the whole text for each line; empty where they are the same."""
    spare: bool = False
    """Whether it is no loss if this does not parse."""


def programs_in(text: bytes, language: str | None) -> Iterator[Program]:
    """What engines of code shall read beside ``text``, or in place of it in its own language."""
    inside = _INSIDE.get(language or "")
    if inside:
        yield from inside(text)


def _scripts(text: bytes, templates: bool) -> Iterator[Program]:
    for script in scripts_of(text.decode("utf-8", "replace"), templates=templates):
        plain, _ = _unescaped(script.text.encode(), _SCRIPT_ESCAPE, _letter)
        yield Program(script.language, plain, spare=script.spare)


def _notebook(text: bytes) -> Iterator[Program]:
    if code := code_of(text):
        plain = "\n".join(code.text).encode("utf-8", "replace")
        yield Program(code.language, plain, code.lines)


def _embedded(
    text: bytes, ways: Sequence[Callable[[str], Iterator[embedded.Embedded]]]
) -> Iterator[Program]:
    """Each is spare: what only looks like code is no loss where it does not parse."""
    said = text.decode("utf-8", "replace")
    for one in (one for way in ways for one in embedded.together(way(said))):
        yield Program(one.language, one.text.encode(), one.lines, spare=True)


_POLYGLOT = re.compile(rb"(?:#[^\n]*\n|\s)*(?:'''|\"\"\"|\":\"|':')")
"""How a program begins that a shell and Python both can read."""
_CALLED_ONES = (b"python", b"pypy", b"node", b"bun", b"deno")
_FLAGS = (b" -c", b" -e", b" -p", b" eval ", b" --eval")
_JSON = re.compile(rb'\s*(?:[{\["\d-]|true|false|null|$)')
_LARGEST_MANIFEST_BYTES = 64 * 1024


def _has(text: bytes, words: Sequence[bytes]) -> bool:
    return any(word in text for word in words)


def _shell(text: bytes) -> Iterator[Program]:
    """Texts in which interpreters are called."""
    if b"<<" in text:
        yield from _embedded(text, (embedded.in_here_documents,))
    yield from _in_line(text)


def _bash(text: bytes) -> Iterator[Program]:
    yield from _shell(text)
    if _POLYGLOT.match(text):
        yield from _embedded(text, (embedded.as_a_whole,))


def document_code(text: bytes) -> Iterator[Program]:
    """What engines of code shall read of a text in a format that only people read."""
    yield from _embedded(text, (embedded.in_disguise,))


def _python_alone(text: bytes) -> Iterator[Program]:
    if b"import" in text or b"def " in text:
        ways = [partial(embedded.in_disguise, languages=frozenset({"python"}))]
        yield from _embedded(text, ways)


def _in_line(text: bytes) -> Iterator[Program]:
    if _has(text, _CALLED_ONES) and _has(text, _FLAGS):
        yield from _embedded(text, (embedded.in_line,))


def _json(text: bytes) -> Iterator[Program]:
    if len(text) <= _LARGEST_MANIFEST_BYTES:
        yield from _in_line(text)
    if not _JSON.match(text):
        yield from document_code(text)


def _yaml(text: bytes) -> Iterator[Program]:
    if b"|" in text or b">" in text:
        yield from _embedded(text, (embedded.in_blocks,))
    yield from _shell(text)
    yield from document_code(text)


def _page(text: bytes) -> Iterator[Program]:
    yield from _scripts(text, templates=True)
    if b"<%" in text:
        yield from _embedded(text, (embedded.in_tags,))
    yield from _python_alone(text)


def _unnamed(text: bytes) -> Iterator[Program]:
    """What nothing calls code is what it looks like: any name can be run."""
    yield from (replace(one, spare=True) for one in _scripts(text, templates=True))
    if b"<%" in text:
        yield from _embedded(text, (embedded.in_tags,))
    yield from _embedded(text, (embedded.as_a_whole,))
    yield from _shell(text)


_FOREIGN = re.compile(r"[^\W\x00-\x7f]+")
"""Letters outside of ASCII that may stand in a name."""


def _python(text: bytes) -> Iterator[Program]:
    """Python compares names in Unicode's form NFKC, and may be written in escapes throughout."""
    escaping = declared_encoding(text)
    said, lines = _by_line(text, escaping) if escaping in ESCAPING else (text, ())
    if not said.isascii():
        said = _FOREIGN.sub(_plain_name, said.decode("utf-8", "replace")).encode("utf-8", "replace")
    if said != text:
        yield Program("python", said, lines)
    yield from _let_run(text, "python")


_RUNNERS = tuple(runner.encode() for runner in embedded.RUNNERS)


def _let_run(text: bytes, language: str) -> Iterator[Program]:
    if _has(text, _RUNNERS):
        ways = [partial(embedded.in_strings, language=language)]
        yield from _embedded(text, ways)


def _by_line(text: bytes, encoding: str | None) -> tuple[bytes, tuple[int, ...]]:
    def decoded(line: bytes) -> bytes:
        return line.decode(encoding or "utf-8", "replace").encode("utf-8", "replace")

    return _line_by_line(text, decoded)


def _plain_name(letters: re.Match[str]) -> str:
    name = unicodedata.normalize("NFKC", letters[0])
    return name if name.isascii() else letters[0]


_JAVA_ESCAPE = re.compile(rb"(?<!\\)((?:\\\\)*)\\u+00([0-7][0-9a-fA-F])")
_SCRIPT_ESCAPE = re.compile(
    rb"(?<!\\)((?:\\\\)*)\\u(?:00([0-7][0-9a-fA-F])|\{0{0,9}([0-7][0-9a-fA-F])\})"
)
_LETTER = re.compile(r"[\w$]", re.ASCII)


def _escapes(
    text: bytes, language: str, escape: re.Pattern[bytes], meant: Callable[[str], str]
) -> Iterator[Program]:
    """Names may be written in escapes; in Java all else, too, even the ends of lines."""
    said, lines = _unescaped(text, escape, meant)
    if said != text:
        yield Program(language, said, lines)
    yield from _let_run(text, language)


def _unescaped(
    text: bytes, escape: re.Pattern[bytes], meant: Callable[[str], str]
) -> tuple[bytes, tuple[int, ...]]:
    if b"\\u" not in text:
        return text, ()

    def plain(found: re.Match[bytes]) -> bytes:
        sign = meant(chr(int(found[found.lastindex or 2], 16)))
        return found[1] + sign.encode() if sign else found[0]

    said = escape.sub(plain, text)
    if said.count(b"\n") == text.count(b"\n"):
        return said, ()
    return _line_by_line(text, partial(escape.sub, plain))


def _letter(sign: str) -> str:
    """``sign`` where names are written with it; in texts escapes keep quotes from ending them."""
    return sign if _LETTER.match(sign) else ""


def _java_sign(sign: str) -> str:
    return "\n" if sign == "\r" else sign if sign.isprintable() or sign in "\n\t\f" else ""


def _line_by_line(text: bytes, change: Callable[[bytes], bytes]) -> tuple[bytes, tuple[int, ...]]:
    """``text`` with each line changed, and of which line each line of it is a part."""
    changed = [change(line) for line in text.split(b"\n")]
    lines = tuple(
        number for number, line in enumerate(changed, start=1) for _ in range(line.count(b"\n") + 1)
    )
    return b"\n".join(changed), lines if len(lines) > len(changed) else ()


_INSIDE: Mapping[str, Callable[[bytes], Iterator[Program]]] = {
    "": _unnamed,
    "yaml": _yaml,
    "json": _json,
    "xml": partial(_scripts, templates=True),
    "bash": _bash,
    "dockerfile": _shell,
    "terraform": _python_alone,
    "html": _page,
    "ejs": _page,
    "vue": partial(_scripts, templates=False),
    "svelte": partial(_scripts, templates=False),
    "notebook": _notebook,
    "python": _python,
    "java": partial(_escapes, language="java", escape=_JAVA_ESCAPE, meant=_java_sign),
    "javascript": partial(_escapes, language="javascript", escape=_SCRIPT_ESCAPE, meant=_letter),
    "typescript": partial(_escapes, language="typescript", escape=_SCRIPT_ESCAPE, meant=_letter),
}
"""How programs are found in a text, by its language."""
