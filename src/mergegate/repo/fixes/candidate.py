"""A change that is proposed, before anybody is offered it."""

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property

from tree_sitter import Node

from mergegate.core.finding import Edit, Finding
from mergegate.core.tree import SourceFile
from mergegate.repo.fixes import edits
from mergegate.repo.fixes.recipe import Recipe
from mergegate.repo.fixes.syntax import Source, above, language_of, source_of

RULE, ADVISORY, MODEL = "rule", "advisory", "model"
"""Who made a change."""
Told = Counter[str]
"""How often each rule was told of one file."""


@dataclass(frozen=True)
class Candidate:
    """A proposed change of one file, and what is known of it."""

    finding: Finding
    """What it is to answer, the worst of several."""
    edits: tuple[Edit, ...]
    file: SourceFile
    before: str
    """The file's text."""
    recipe: Recipe | None = None
    """What made it; None where an engine, an advisory or a model did."""
    source: str = RULE
    """``rule``, ``advisory`` or ``model``."""
    said: str = ""
    """What its author says of it."""
    was: Told = field(default_factory=Counter)
    """What was told of the file as it is."""
    now: Told = field(default_factory=Counter)
    """What was told of the changed file, when it was scanned again."""

    @cached_property
    def after(self) -> str | None:
        """The changed text; None where the edits do not apply."""
        return edits.apply(self.before, *self.edits)

    @cached_property
    def sources(self) -> tuple[Source, Source] | None:
        """Both texts as syntax trees; None where there is no grammar here."""
        language = language_of(self.file.language, self.file.suffix)
        if language is None or self.after is None:
            return None
        return source_of(self.before, language), Source(self.after, language)

    @property
    def lines(self) -> Counter[str]:
        """The new lines that the file did not have."""
        new = [line.strip() for edit in self.edits for line in edit.replacement.split("\n")]
        return Counter(new) - Counter(line.strip() for line in self.before.split("\n"))


def _resource(node: Node) -> Node | None:
    """The outermost block around ``node``."""
    around = found = above(node, {"block"})
    while (around := above(around.parent, {"block"}) if around else None) is not None:
        found = around
    return found


def scope(source: Source, finding: Finding) -> range:
    """The lines of the function around the finding, or else of the statement."""
    start, end = source.range_of(finding.place)
    node = source.at(start, end)
    around = above(node, source.language.functions)
    while around and (unnamed := above(around, {"object_creation_expression"})) is not None:
        around = above(unnamed, source.language.functions)
    if source.language.name == "terraform":
        around = _resource(node)
    if around is None:
        around = node
        while around.parent is not None and around.parent.parent is not None:
            around = around.parent
    elif around.parent is not None and around.parent.type == "decorated_definition":
        around = around.parent
    return source.lines(around) if around.parent is not None else range(0)
