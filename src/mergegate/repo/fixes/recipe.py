"""How findings of a rule are mended, as data: what a recipe may say."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from mergegate.core.data_table import read_tables
from mergegate.core.finding import Place
from mergegate.repo.fixes.edits import Splice
from mergegate.repo.infrastructure import entries

Steps = Callable[..., Sequence[Splice]]
"""Takes text, place and recipe; answers what is to be replaced, nothing where it does not know."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What the change of a model must look like."""

    shape: str
    """A regular expression that begins in code, and stands there more often than before. What it
    finds a model may write, so it leaves no word open."""
    absent: str = ""
    """What must not stand there any more, beside what the recipe says of that."""
    words: tuple[str, ...] = ()
    """Words beside those of ``shape`` that it may bring."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """What is done where a rule found something, step by step in the order of the fields.

    A call is the innermost around what was found, or else the only one inside it.
    """

    rule: str
    does: str
    """What the change does, as a sentence."""
    caution: str = ""
    """What else changes that somebody may rely on, as a sentence."""
    on: str = ""
    """What the call that is meant calls, as a regular expression; any where it is empty. Of YAML
    and JSON the path of the mapping that is meant, its keys and numbers joined by dots."""
    callee: str = ""
    """What is called instead; ``{object}`` stands for what a method is called on."""
    drop: tuple[str, ...] = ()
    """Named arguments, attributes or keys that go."""
    set: Mapping[str, str] = field(default_factory=dict)
    """Named arguments, options, fields or attributes by name: changed, or put in at the end. A
    dotted name leads through blocks or mappings within one another."""
    options: int = -1
    """Which argument, from 0, holds the options of a language without named arguments; it is made
    where it is the next one. Without one it is the last that is a literal of options."""
    arguments: Mapping[str, str] = field(default_factory=dict)
    """By number, from 0: the argument's new text, in which ``{}`` is the old one."""
    entries: Mapping[str, str] = field(default_factory=dict)
    """Entries and named arguments that stand within what was found, at any depth: their value."""
    replace: Mapping[str, str] = field(default_factory=dict)
    """Names and literals within what was found, as written, and what stands there then."""
    wrap: str = ""
    """The expression that was found, as ``{}``, inside another."""
    remove: str = ""
    """The kind of the node around what was found that goes, with its line where it is alone. Of
    Terraform the kind of the block."""
    imports: tuple[str, ...] = ()
    """Lines that must stand among the imports; with ``by``, those that it may put there."""
    declares: str = ""
    """What it may define for the secrets that it takes out, as a regular expression of kind and
    name."""
    addresses: tuple[str, ...] = ()
    """Addresses that may be new, because they are the names of settings."""
    by: Steps | None = None
    """Mends what no sentence above can say; then nothing else does."""
    shape: str = ""
    """What must stand in the new lines, as a regular expression: needed where ``by`` makes them."""
    absent: str = ""
    """What must not stand there any more, as a regular expression."""
    asked: Asked | None = None
    """What a model may do about it; without that none is asked."""


@cache
def recipes() -> Mapping[str, Recipe]:
    """Every recipe, by the rule's id."""
    return read_tables(Path(__file__).parent / "recipes", Recipe, "rule")


LONG_WORD = re.compile(r"[\w-]{20,}")


@cache
def long_words() -> frozenset[str]:
    """The words of recipes that are long enough to be taken for a secret."""
    said = (
        text
        for one in recipes().values()
        for text in (one.shape, *one.set.values(), *one.replace.values())
    )
    put = (subject.wanted for one in entries().values() for subject in one.subjects)
    return frozenset(word for text in (*said, *put) for word in LONG_WORD.findall(text))


@dataclass(frozen=True, slots=True)
class Found:
    """What a recipe is asked to mend."""

    path: str
    text: str
    language: str | None
    suffix: str
    place: Place
    recipe: Recipe
    other: Callable[[str], str | None] = lambda _: None
    """Takes a path and answers that file's text; None where there is none."""
