"""The safe value in the place of an unsafe one, in settings of nginx, Apache, PHP and OpenSSH.

A directive is changed where it stands, and put in at the top of its block where it is missing.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mergegate.repo.checks.infrastructure.judgement import holds
from mergegate.repo.engines.documents.nodes import Unreadable
from mergegate.repo.engines.documents.notations import notation_of
from mergegate.repo.facts.documents import Form, Node
from mergegate.repo.facts.resources import Dialect
from mergegate.repo.fixes.edits import Splice, UncertainError
from mergegate.repo.fixes.recipe import Found, Steps, recipes
from mergegate.repo.infrastructure import Absent, Entry, Subject, by_rule, steps

DIALECTS = frozenset({Dialect.NGINX, Dialect.APACHE, Dialect.PHP, Dialect.SSHD})
_ON_A_LINE = r"(?im)^[ \t]*(?P<name>{name})[ \t]+(?P<value>[^\"'\\\n]*?)[ \t]*$"
_WRITTEN = {
    Dialect.NGINX: (r"(?<![\w$\"'#])(?P<name>{name})[ \t]+(?P<value>[^;{{}}#\"'\\]*?)[ \t]*;"),
    Dialect.APACHE: _ON_A_LINE,
    Dialect.PHP: (
        r"(?im)^[ \t]*(?P<name>{name})[ \t]*=[ \t]*(?P<value>[^\"'\\;\n]*?)[ \t\r]*(?:;|$)"
    ),
    Dialect.SSHD: _ON_A_LINE,
}
"""A directive with arguments that need no quotes."""
_RUN = re.compile(
    r"(?P<indent>[ \t]*)(?P<name>\w+)[ \t]+[^;{}#\n]+;[^{};\n]*\n"
    r"(?:[ \t]*(?:(?P=name)[ \t]+[^;{}#\n]+;[^{};\n]*|#[^\n]*)?\n)*"
)
"""Directives of one name on lines of their own, with what is said about them."""
_COMMENT = re.compile(r"(?:^|[ \t])#")
_OPENING = {
    Dialect.NGINX: re.compile(r"[^#\n]*\{[ \t]*\n(?P<indent>[ \t]*)\S"),
    Dialect.APACHE: re.compile(r"[ \t]*<\w[^\n]*>[ \t]*\n(?P<indent>[ \t]*)\S"),
}
"""The line on which a block begins, and how the line below it is indented."""


@dataclass(frozen=True, slots=True)
class Change:
    """What is put between two characters."""

    start: int
    end: int
    text: str
    shape: str
    """What stands there then, as a regular expression."""


def change(entry: Entry, text: str, line: int) -> Change:
    """What makes the settings on a line safe; raises UncertainError where that is not known."""
    at = _start_of(text, line)
    found = list(_written(entry, text, at))
    if not found:
        found = list(_missing(entry, text, at))
    if len(found) != 1:
        raise UncertainError
    return found[0]


def carried_out(wanted: Change) -> Steps:
    """The steps of a recipe that does it."""

    def by(found: Found) -> Sequence[Splice]:
        start = len(found.text[: wanted.start].encode())
        end = start + len(found.text[wanted.start : wanted.end].encode())
        return [Splice(start, end, wanted.text)]

    return by


def steps_of(found: Found) -> Sequence[Splice]:
    """What a recipe sets, behind the directive that was found and those of its name below it."""
    at = _start_of(found.text, found.place.start_line)
    run = _RUN.match(found.text, at)
    if run is None or _again(found.text, run):
        return []
    lines = "".join(f"{run['indent']}{name} {text};\n" for name, text in found.recipe.set.items())
    last = run[0].rindex(f"{run['name']}")
    start = len(found.text[: run[0].index("\n", last) + 1 + at].encode())
    return [Splice(start, start, lines)]


def _again(text: str, run: re.Match[str]) -> bool:
    """Whether the block says more under the same name further down."""
    rest = re.split(r"[{}]", text[run.end() :], maxsplit=1)[0]
    return re.search(rf"(?m)^[ \t]*{run['name']}\b", rest) is not None


def _start_of(text: str, line: int) -> int:
    lines = text.split("\n")
    if not 0 < line <= len(lines):
        raise UncertainError
    return sum(len(one) + 1 for one in lines[: line - 1])


def _subjects(entry: Entry) -> Iterator[tuple[Subject, str]]:
    """Each subject with one safe value, and the name of its directive."""
    for subject in entry.subjects:
        for way in map(steps, subject.settings):
            if subject.wanted and len(way) == 1 and not subject.each:
                yield subject, way[0]


def _written(entry: Entry, text: str, at: int) -> Iterator[Change]:
    """Directives of the line whose value is unsafe; two of one name are left alone."""
    end = text.find("\n", at)
    here = _COMMENT.split(text[at : len(text) if end < 0 else end])[0]
    known: set[tuple[int, str]] = set()
    for subject, name in _subjects(entry):
        pattern = _WRITTEN[subject.dialect].format(name=re.escape(name))
        for match in re.finditer(pattern, here):
            value = " ".join(match["value"].split())
            start = at + match.start("value")
            is_wrong = holds(subject.safe, (Node(1, text=value),)) is False
            if is_wrong and (start, subject.wanted) not in known:
                known.add((start, subject.wanted))
                shape = rf"{re.escape(match['name'])}[ \t=]+{re.escape(subject.wanted)}"
                yield Change(start, at + match.end("value"), subject.wanted, shape)


def _missing(entry: Entry, text: str, at: int) -> Iterator[Change]:
    """The directive that a block lacks, as its first line."""
    for subject, name in _subjects(entry):
        block = _OPENING.get(subject.dialect) if subject.absent is Absent.UNSAFE else None
        opening = block.match(text, at) if block else None
        if opening is not None:
            end = ";" if subject.dialect is Dialect.NGINX else ""
            said = f"{name} {subject.wanted}{end}"
            start = opening.start("indent")
            yield Change(start, start, f"{opening['indent']}{said}\n", re.escape(said))


def read(text: str) -> Node | None:
    """The settings as they are understood; None where they are not, or are of something else."""
    notation = notation_of(text.encode())
    if notation is None or notation.kind.value not in {one.value for one in DIALECTS}:
        return None
    try:
        return notation.read(text.replace("\r\n", "\n"))
    except Unreadable:
        return None


def names(rule: str) -> frozenset[str]:
    """The directives that a fix of a rule may change; none where it is about something else."""
    entry = by_rule().get(rule)
    if entry is None or not any(one.dialect in DIALECTS for one in entry.subjects):
        return frozenset()
    recipe = recipes().get(rule)
    return frozenset((*(name for _, name in _subjects(entry)), *(recipe.set if recipe else ())))


def strays(before: str, after: str, named: frozenset[str]) -> bool:
    """Whether other directives change than those, or more than one of them."""
    old, new = read(before), read(after)
    if old is None or new is None:
        return True
    gone, come = _said(old) - _said(new), _said(new) - _said(old)
    is_one = gone.total() <= 1 and come.total() == 1
    return not is_one or any(way[-1] not in named for way, _ in (*gone, *come))


def _said(root: Node) -> Counter[tuple[tuple[str, ...], str]]:
    """Every directive with the names of the blocks around it."""
    found: Counter[tuple[tuple[str, ...], str]] = Counter()
    waiting: list[tuple[tuple[str, ...], Node]] = [((), root)]
    while waiting:
        way, node = waiting.pop()
        if node.form is Form.SCALAR:
            found[way, node.text] += 1
        for key, value in node.entries:
            waiting.extend(((*way, key), one) for one in value.each)
    return found
