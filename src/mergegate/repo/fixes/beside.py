"""What a model changes beside the flaw: it may only say anew what the function and the recipe say.

A list of tricks never ends, so this asks the other way round. Every word of the new function was in
the old one, or is the recipe's; every word of the old one is still there, or was the flaw.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from functools import cached_property

import tree_sitter

from mergegate.repo.fixes.candidate import MODEL, Candidate, scope
from mergegate.repo.fixes.recipe import Asked
from mergegate.repo.fixes.syntax import Source, above
from mergegate.repo.fixes.words import IN_TEXT, Word, words_of

_NAME = re.compile(r"[A-Za-z_]\w*")
_FREE = frozenset("()[]{},;:.=") | {":=", "const", "let", "var", "final"}
"""What a statement may be put together with; the words that only declare are among it."""
_JOINS = frozenset({"+", "%", "${"})
"""What may go as well, with the text that it put together."""
_BOUND = {"left", "name", "pattern", "declarator", "parameters", "value_name"}
_COMPARES = frozenset({"==", "===", "!=", "!=="})
_WITH_TARGET = (
    "assignment",
    "augmented_assignment",
    "assignment_expression",
    "augmented_assignment_expression",
    "assignment_statement",
)


def strays(one: Candidate) -> str:
    """Why a model's change is more than the mending of the flaw."""
    if one.source != MODEL or one.sources is None:
        return ""
    if one.recipe is None or one.recipe.asked is None:
        return "nobody knows what a fix of this looks like"
    change = _Change(one, one.recipe.asked, one.recipe.absent, *one.sources)
    return next(change.reasons(), "")


class _Change:
    def __init__(
        self, one: Candidate, asked: Asked, absent: str, before: Source, then: Source
    ) -> None:
        self.asked = asked
        self.before, self.then = before, then
        self.found = before.range_of(one.finding.place)
        self.old, self.new = list(words_of(before)), list(words_of(then))
        lines = scope(before, one.finding)
        rows = before.bytes.split(b"\n")
        start = len(b"\n".join(rows[: lines.start - 1]))
        end = len(b"\n".join(rows[: lines.stop - 1]))
        self.function = [word for word in self.old if start <= word.at < end]
        around = _statements(before, *self.found)
        whole, self.depth = around[-1], len(around)
        self.flagged = range(whole.start_byte, whole.end_byte)
        self.made_nothing = whole.type == "expression_statement"
        self.expected = _spans(asked.shape, then)
        self.flawed = [*_spans(asked.absent, before), *_spans(absent, before)]

    def reasons(self) -> Iterator[str]:
        if more := sorted({word.said for word in self.brought()}):
            yield f"it brings {', '.join(more)} beside the fix"
        if lost := sorted(self.lost()):
            yield f"it loses {', '.join(lost)} beside the flaw"
        if changed := sorted({word.said for word in self.changed_elsewhere()}):
            yield f"it changes {', '.join(changed)} elsewhere"
        if added := sorted({word.said for word in self.added_elsewhere()}):
            yield f"it puts {', '.join(added)} elsewhere"
        yield from self.idle()

    def brought(self) -> Iterator[Word]:
        """New words that are neither the function's nor the recipe's."""
        names = {word.said for word in self.function if word.is_name}
        texts = {word.said for word in self.function if word.in_text}
        left = Counter((word.said, word.in_text) for word in self.old)
        for word in sorted(self.new, key=lambda each: _inside(each.at, self.expected)):
            left[word.said, word.in_text] -= 1
            if left[word.said, word.in_text] >= 0 or word.said in self.asked.words:
                continue
            if word.in_text:
                known = word.said in texts | names or self.is_expected_text(word)
            else:
                known = (
                    word.said in _FREE
                    or _inside(word.at, self.expected)
                    or (word.is_name and word.said in names | self.fresh)
                )
            if not known:
                yield word

    def is_expected_text(self, word: Word) -> bool:
        """Whether the shape names the word: what it leaves open in a text is the function's."""
        return word.said in IN_TEXT.findall(self.asked.shape.replace("\\", ""))

    def lost(self) -> set[str]:
        """Words that went without being the flaw, or what the fix stands for."""
        gone = Counter((word.said, word.in_text) for word in self.old)
        gone.subtract((word.said, word.in_text) for word in self.new)
        may_go = Counter((word.said, word.in_text) for word in self.replaced)
        return {
            said
            for (said, in_text), times in gone.items()
            if times > may_go[said, in_text] and said not in _FREE | _JOINS
        }

    @cached_property
    def replaced(self) -> Sequence[Word]:
        """What may go: the flaw as the recipe knows it, what was called, and replaced constants.

        Names that the file gives to values only go where the recipe says so.
        """
        own = _bound(self.before)
        head = [word for word in self.old if _inside(word.at, self.head) and word.said not in own]
        paired = [
            word
            for tag, a, b, c, d in self.steps
            if tag == "replace" and all(_inside(new.at, self.expected) for new in self.new[c:d])
            for word in self.old[a:b]
            if word.at in self.flagged and _is_constant(word)
        ]
        flaw = [word for word in self.old if _inside(word.at, self.flawed)]
        return list(dict.fromkeys([*flaw, *head, *paired]))

    @cached_property
    def head(self) -> Sequence[tuple[int, int]]:
        """The bytes of what the found expression calls or compares with."""
        one = self.before.at(*self.found)
        calls = self.before.language.calls or {}
        if signs := [child for child in one.children if child.type in _COMPARES]:
            return [(sign.start_byte, sign.end_byte) for sign in signs]
        around = above(one, calls)
        called = around.child_by_field_name("arguments") if around else None
        if around is None or called is None:
            return ()
        return [(around.start_byte, called.start_byte)]

    @cached_property
    def steps(self) -> Sequence[tuple[str, int, int, int, int]]:
        a, b = [word.said for word in self.old], [word.said for word in self.new]
        return SequenceMatcher(None, a, b, autojunk=False).get_opcodes()

    def changed_elsewhere(self) -> Iterator[Word]:
        """Old words outside the flagged statement that changed and are not the flaw."""
        for tag, a, b, _, _ in self.steps:
            if tag in {"replace", "delete"}:
                yield from (
                    word
                    for word in self.old[a:b]
                    if word.at not in self.flagged
                    and word.said not in _FREE | _JOINS
                    and not _inside(word.at, self.flawed)
                )

    @cached_property
    def place(self) -> range:
        """The bytes of the statement that stands for the flagged one."""
        last = 0
        for tag, a, b, c, d in self.steps:
            flagged = [n for n, word in enumerate(self.old[a:b]) if word.at in self.flagged]
            if flagged and d > c:
                last = self.new[c + flagged[-1] if tag == "equal" else d - 1].at
        around = _statements(self.then, last, last + 1)
        whole = around[min(self.depth, len(around)) - 1]
        return range(whole.start_byte, whole.end_byte)

    def added_elsewhere(self) -> Iterator[Word]:
        """New words outside that statement: in front of it the fix may be prepared."""
        for tag, _, _, c, d in self.steps:
            if tag not in {"replace", "insert"}:
                continue
            for word in self.new[c:d]:
                if word.at in self.place or word.said in _FREE:
                    continue
                if word.at >= self.place.stop or not self.prepares(word):
                    yield word

    def prepares(self, word: Word) -> bool:
        """Whether a new word stands in a statement that is part of the fix."""
        if _inside(word.at, self.expected) or word.said in self.asked.words:
            return True
        whole = _statements(self.then, word.at, word.at + 1)[-1]
        here = range(whole.start_byte, whole.end_byte)
        parts = [each for each in self.new if each.at in here]
        if any(each.said in self.asked.words for each in parts):
            return True
        names = {each.said for each in parts} & self.fresh
        values = {
            value.start_byte
            for below in self.then.walk(whole)
            if (value := below.child_by_field_name("right") or below.child_by_field_name("value"))
        }
        return bool(self.begun & {whole.start_byte, *values}) or (
            bool(names) and all(map(self.is_only_for_the_fix, names))
        )

    @cached_property
    def begun(self) -> frozenset[int]:
        """The bytes at which the fix begins: what the shape finds, or the call that it finds."""
        calls = self.then.language.calls or {}
        around = (above(self.then.at(start, end), calls) for start, end in self.expected)
        return frozenset(
            (*(one.start_byte for one in around if one), *(start for start, _ in self.expected))
        )

    def is_only_for_the_fix(self, name: str) -> bool:
        """Whether a name is used among the arguments of the fix alone."""
        calls = self.then.language.calls or {}
        fixes = [above(self.then.at(*span), calls) for span in self.expected]
        uses = [word for word in self.new if word.said == name and not word.in_text][1:]
        return all(
            any(fix and fix.start_byte <= use.at < fix.end_byte for fix in fixes) for use in uses
        )

    @cached_property
    def fresh(self) -> frozenset[str]:
        """Names that the change gives to values."""
        return frozenset(_bound(self.then)) - {word.said for word in self.old} - {"_"}

    def idle(self) -> Iterator[str]:
        """What is made and not used, or stands for something else than it is called."""
        uses = Counter(word.said for word in self.new if not word.in_text)
        if unused := sorted(name for name in self.fresh if uses[name] < 2):
            yield f"it never uses {', '.join(unused)}"
        if called := sorted(self.fresh & _called(self.then)):
            yield f"it calls {', '.join(called)}, which is a name of its own"
        if changed := sorted(self.overwritten()):
            yield f"it gives another value to {', '.join(changed)}"
        if self.is_thrown_away():
            yield "it throws away what the fix makes"

    def overwritten(self) -> Iterator[str]:
        """What is set and was there before; to the outcome of the fix it may be."""
        left = Counter(self.before.of(target) for target, _ in _targets(self.before))
        for target, whole in _targets(self.then):
            said = self.then.of(target)
            left[said] -= 1
            value = whole.child_by_field_name("right")
            mends = value is not None and value.start_byte in self.begun
            mends = mends or any(
                target.start_byte <= start <= target.end_byte for start, _ in self.expected
            )
            if left[said] < 0 and said not in self.fresh and not mends:
                yield said

    def is_thrown_away(self) -> bool:
        """Whether a statement is the fix alone, while the flaw was a value; methods set things."""
        own = _bound(self.then)
        for start, end in self.expected:
            whole = above(self.then.at(start, end), {"expression_statement"})
            root = _NAME.match(self.then.bytes[start:end].decode())
            if whole is None or whole.start_byte != start or not root or root[0] in own:
                continue
            if not self.made_nothing or start not in self.place:
                return True
        return False


_CONSTANTS = frozenset({"true", "false", "True", "False", "None", "null", "nil", "undefined"})


def _is_constant(word: Word) -> bool:
    """Whether it is a literal, or a word of one."""
    return word.in_text or word.said[0].isdigit() or word.said in _CONSTANTS


def _inside(at: int, spans: Iterable[tuple[int, int]]) -> bool:
    return any(start <= at < end for start, end in spans)


def _spans(pattern: str, source: Source) -> Sequence[tuple[int, int]]:
    """The bytes of what a pattern finds."""
    if not pattern:
        return ()
    text = source.text
    return [
        (len(text[: one.start()].encode()), len(text[: one.end()].encode()))
        for one in re.finditer(pattern, text)
    ]


def _statements(source: Source, start: int, end: int) -> Sequence[tree_sitter.Node]:
    """The statements around the bytes from the outermost; everything where there are none."""
    kinds = source.language.statements
    found: list[tree_sitter.Node] = []
    one: tree_sitter.Node | None = source.at(start, end)
    while one is not None:
        if one.parent is not None and one.parent.type in kinds and one.type not in kinds:
            found.insert(0, one)
        one = one.parent
    return found or [source.root]


def _bound(source: Source) -> set[str]:
    """The names that a file gives to values: parameters, variables, fields."""
    return {source.of(one) for one in source.walk() if one.type == "identifier" and _is_bound(one)}


def _is_bound(one: tree_sitter.Node) -> bool:
    below, around = one, one.parent
    while around is not None and around.type not in {"argument_list", "arguments", "block"}:
        field = next(
            (
                around.field_name_for_child(number)
                for number, child in enumerate(around.children)
                if child == below
            ),
            None,
        )
        if "parameter" in around.type:
            return field != "type"
        if field == "left" or (
            field in _BOUND
            and "declar"
            in around.type
            + "declar" * (around.type in {"const_spec", "var_spec", "resource", "named_expression"})
        ):
            return True
        if "list" not in around.type and "pattern" not in around.type:
            return False
        below, around = around, around.parent
    return False


def _called(source: Source) -> set[str]:
    """What is called by a plain name."""
    called = (
        one.child_by_field_name(source.language.calls[one.type][0])
        for one in source.walk()
        if source.language.calls and one.type in source.language.calls
    )
    return {source.of(one) for one in called if one is not None}


def _targets(source: Source) -> Iterator[tuple[tree_sitter.Node, tree_sitter.Node]]:
    """What is set, each with the whole assignment."""
    for one in source.walk():
        if one.type in _WITH_TARGET and (target := one.child_by_field_name("left")):
            yield target, one
