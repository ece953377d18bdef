"""What a model changes beside the flaw: it may only say anew what the function and the recipe say.

A list of tricks never ends, so this asks the other way round. Every word of the new function was in
the old one, or is the recipe's; every word of the old one is still there, or was the flaw.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from mergegate.repo.fixes.candidate import MODEL, Candidate
from mergegate.repo.fixes.recipe import Asked
from mergegate.repo.fixes.steps import steps
from mergegate.repo.fixes.structure import (
    bound_names,
    called_names,
    groups,
    skeleton,
    statements,
    targets,
)
from mergegate.repo.fixes.syntax import Source, above
from mergegate.repo.fixes.words import IN_TEXT, Word, words_of

_NAME = re.compile(r"[A-Za-z_]\w*")
_FREE = frozenset("()[]{},;:.=") | {":=", "const", "let", "var", "final"}
"""What a statement may be put together with; the words that only declare are among it."""
_JOINS = frozenset({"+", "%", "${", "_"})
"""What may go as well, with the text that it put together."""
_QUOTES = frozenset({"'", '"'})
"""Within texts they go with the values that they stood around, and only with them."""
_NUMBERED = re.compile(r"[$](\d+)")
_PLAIN = ("expression_statement", "declaration", "assignment_statement")
_COMPARES = frozenset({"==", "===", "!=", "!=="})


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
        around = statements(before, *self.found)
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
        yield from self.rearranged()
        yield from self.idle()

    def rearranged(self) -> Iterator[str]:
        """Why the same words would not do the same."""
        if self.is_reordered():
            yield "it puts values in another order"
        if self.is_misnumbered():
            yield "it numbers placeholders otherwise"
        if more := sorted(set(self.grouped())):
            yield f"it brings a {', '.join(more)}"
        if self.restructured():
            yield "it brings other statements than the fix"
        if self.is_ignored():
            yield "it no longer uses the values where they were used"

    def brought(self) -> Iterator[Word]:
        """New words that are neither the function's nor the recipe's."""
        left = Counter((word.said, word.in_text) for word in self.old)
        for word in sorted(self.new, key=self.is_known):
            left[word.said, word.in_text] -= 1
            if left[word.said, word.in_text] < 0 and not self.is_known(word):
                yield word

    def is_known(self, word: Word) -> bool:
        """Whether a word may come more often than it was there."""
        if word.said in self.asked.words:
            return True
        if word.in_text:
            return self.is_expected_text(word) or self.is_key(word)
        return (
            word.said in _FREE | self.fresh
            or (word.is_type and word.said in self.types)
            or _inside(word.at, (*self.fixes, *self.set_anew))
            or (word.said in self.own and self.is_in_words_of_recipe(word))
        )

    @cached_property
    def types(self) -> frozenset[str]:
        """The types that the file names."""
        return frozenset(word.said for word in self.old if word.is_type)

    @cached_property
    def set_anew(self) -> Sequence[tuple[int, int]]:
        """The bytes of what is set to the outcome of a fix that takes it: ``a = escape(a)``."""
        return [
            (target.start_byte, target.end_byte)
            for target, whole in targets(self.then)
            if (value := whole.child_by_field_name("right"))
            and value.start_byte in self.begun
            and self.then.of(target) in self.then.of(value)
        ]

    @cached_property
    def own(self) -> frozenset[str]:
        """The names that the file gives to values."""
        return frozenset(bound_names(self.before))

    @cached_property
    def fixes(self) -> Sequence[tuple[int, int]]:
        """The bytes of the fix: what the shape finds, with what a method of it is called on."""
        calls = self.then.language.calls or {}
        found = []
        for start, end in self.expected:
            around = above(self.then.at(start, end), calls)
            first = around.start_byte if around is not None else start
            is_plain = b"(" not in self.then.bytes[first:start]
            found.append((min(first, start) if is_plain else start, end))
        return found

    def is_key(self, word: Word) -> bool:
        """Whether a text is the name of a value and nothing else, or ends a program's options."""
        end = word.at + len(word.said.encode())
        sides = self.then.bytes[word.at - 1 : word.at], self.then.bytes[end : end + 1]
        return sides[0] == sides[1] != b" " and word.said in self.own | {"--"}

    def is_in_words_of_recipe(self, word: Word) -> bool:
        """Whether the word stands in a statement that says what only the recipe names."""
        if not self.recipe_words:
            return False
        whole = statements(self.then, word.at, word.at + 1)[-1]
        here = range(whole.start_byte, whole.end_byte)
        return any(each.at in here for each in self.new if each.said in self.recipe_words)

    @cached_property
    def recipe_words(self) -> frozenset[str]:
        """Words that the recipe alone has."""
        return frozenset(self.asked.words) - {word.said for word in self.old}

    def is_expected_text(self, word: Word) -> bool:
        """Whether the shape names the word: what it leaves open in a text is the function's."""
        return word.said in IN_TEXT.findall(self.asked.shape.replace("\\", ""))

    def is_reordered(self) -> bool:
        """Whether values or the words of texts change places."""
        may_go = set(self.replaced)
        around = above(self.before.at(*self.found), self.before.language.calls or {})
        start, end = (around.start_byte, around.end_byte) if around else self.found
        names = (word for word in self.old if word.is_name and start <= word.at < end)
        values = self.own.intersection(word.said for word in names)
        kept = [word for word in self.old if word not in may_go and word.said not in _QUOTES]
        for in_text in (False, True):
            old, new = (
                [
                    word.said
                    for word in words
                    if word.in_text is in_text and (in_text or word.said in values)
                ]
                for words in (kept, self.new)
            )
            following = iter(new)
            if not all(said in following for said in old):
                return True
        return False

    def is_misnumbered(self) -> bool:
        """Whether placeholders of a text that is new are not numbered one after the other."""
        numbers = [
            [int(number) for number in _NUMBERED.findall(self.then.of(one))]
            for one in self.then.walk()
            if one.type in self.then.language.texts
        ]
        return any(each != list(range(1, len(each) + 1)) for each in numbers)

    def grouped(self) -> Iterator[str]:
        """Kinds of what holds several values, or a text, that come in where no call takes them."""
        old = Counter(kind for kind, _ in groups(self.before))
        new = Counter(kind for kind, at in groups(self.then) if not _inside(at, self.fixes))
        yield from (new - old).elements()

    def restructured(self) -> bool:
        """Whether statements come that are more than the fix, or stand in another block."""
        old = [each for each in skeleton(self.before) if each[2] != self.flagged.start]
        new = [each for each in skeleton(self.then) if each[2] != self.place.start]
        for tag, _, _, c, d in steps([one[:2] for one in old], [one[:2] for one in new]):
            if tag in {"delete", "replace"}:
                return True
            if tag == "insert" and not all(
                kind.endswith(_PLAIN) or _inside(at, self.fixes) for _, kind, at in new[c:d]
            ):
                return True
        return False

    def is_ignored(self) -> bool:
        """Whether the values of what was found are no longer where they were, and no name is."""
        here = {word.said for word in self.new if word.at in self.place}
        was = {
            word.said
            for word in self.old
            if self.found[0] <= word.at < self.found[1] and not _inside(word.at, self.flawed)
        }
        gone = [word for word in self.new if word.said in (was & self.own) - here]
        return (
            not here & self.fresh and bool(gone) and not any(map(self.is_in_words_of_recipe, gone))
        )

    def lost(self) -> set[str]:
        """Words that went without being the flaw, or what the fix stands for."""
        gone = Counter((word.said, word.in_text) for word in self.old)
        gone.subtract((word.said, word.in_text) for word in self.new)
        may_go = Counter((word.said, word.in_text) for word in self.replaced)
        leaves_text = any(gone[said, False] > 0 for said in (*_JOINS, "{"))
        return {
            said
            for (said, in_text), times in gone.items()
            if times > may_go[said, in_text]
            and said not in _FREE | _JOINS
            and not (in_text and said in _QUOTES and leaves_text)
        }

    @cached_property
    def replaced(self) -> Sequence[Word]:
        """What may go: the flaw as the recipe knows it, what was called, and replaced constants.

        Names that the file gives to values only go where the recipe says so.
        """
        head = [
            word for word in self.old if _inside(word.at, self.head) and word.said not in self.own
        ]
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
        """How the old words become the new: what is the same before and behind stays out of it."""
        a, b = [word.said for word in self.old], [word.said for word in self.new]
        return steps(a, b)

    def changed_elsewhere(self) -> Iterator[Word]:
        """Old words outside the flagged statement that changed and are not the flaw."""
        for tag, a, b, _, _ in self.steps:
            if tag in {"replace", "delete"}:
                yield from (
                    word
                    for word in self.old[a:b]
                    if word.at not in self.flagged
                    and not _inside(word.at, self.flawed)
                    and not (word.said in _FREE and self.is_by_the_flaw(word))
                )

    def is_by_the_flaw(self, word: Word) -> bool:
        """Whether the statement of an old word holds what must not stand there any more."""
        whole = statements(self.before, word.at, word.at + 1)[-1]
        return any(whole.start_byte <= start < whole.end_byte for start, _ in self.flawed)

    @cached_property
    def place(self) -> range:
        """The bytes of the statement that stands for the flagged one."""
        last = 0
        for tag, a, b, c, d in self.steps:
            flagged = [n for n, word in enumerate(self.old[a:b]) if word.at in self.flagged]
            if flagged and d > c:
                last = self.new[c + flagged[-1] if tag == "equal" else d - 1].at
        around = statements(self.then, last, last + 1)
        whole = around[min(self.depth, len(around)) - 1]
        return range(whole.start_byte, whole.end_byte)

    def added_elsewhere(self) -> Iterator[Word]:
        """New words outside that statement: in front of it the fix may be prepared."""
        for tag, _, _, c, d in self.steps:
            if tag not in {"replace", "insert"}:
                continue
            for word in self.new[c:d]:
                if word.at in self.place:
                    continue
                if word.at >= self.place.stop or not self.prepares(word):
                    yield word

    def prepares(self, word: Word) -> bool:
        """Whether a new word stands in a statement that is part of the fix."""
        whole = statements(self.then, word.at, word.at + 1)[-1]
        block = whole.parent
        if block is not None and not block.start_byte <= self.place.start < block.end_byte:
            return False  # nobody knows whether that block runs
        if _inside(word.at, self.expected) or word.said in self.asked.words:
            return True
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
        return frozenset(bound_names(self.then)) - {word.said for word in self.old} - {"_"}

    def idle(self) -> Iterator[str]:
        """What is made and not used, or stands for something else than it is called."""
        uses = Counter(word.said for word in self.new if not word.in_text)
        if unused := sorted(name for name in self.fresh if uses[name] < 2):
            yield f"it never uses {', '.join(unused)}"
        if called := sorted(self.fresh & called_names(self.then)):
            yield f"it calls {', '.join(called)}, which is a name of its own"
        if changed := sorted(self.overwritten()):
            yield f"it gives another value to {', '.join(changed)}"
        if self.is_thrown_away():
            yield "it throws away what the fix makes"

    def overwritten(self) -> Iterator[str]:
        """What is set and was there before; to the outcome of the fix it may be."""
        left = Counter(self.before.of(target) for target, _ in targets(self.before))
        for target, whole in targets(self.then):
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
        own = bound_names(self.then)
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
