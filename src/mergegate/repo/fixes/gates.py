"""The gates that a proposed change must pass before anybody is offered it, each by its name.

A gate answers why a change does not pass; an empty answer lets it through.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import tree_sitter

from mergegate.core.finding import Edit, Finding
from mergegate.core.render.escape import visible
from mergegate.core.severity import Kind
from mergegate.core.tree import SourceFile
from mergegate.repo.directives import every_pattern
from mergegate.repo.fixes import edits
from mergegate.repo.fixes.recipe import Recipe
from mergegate.repo.fixes.syntax import Source, above, language_of, parses

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
    was: Told = field(default_factory=Counter)
    """Of the file as it is."""
    now: Told = field(default_factory=Counter)
    """Of the changed file, when it was scanned again."""

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
        return Source(self.before, language), Source(self.after, language)

    @property
    def lines(self) -> Counter[str]:
        """The new lines that the file did not have."""
        new = [line.strip() for edit in self.edits for line in edit.replacement.split("\n")]
        return Counter(new) - Counter(line.strip() for line in self.before.split("\n"))


Gate = Callable[[Candidate], str]


def in_scope(one: Candidate) -> str:
    """Only the finding's file, inside the function around it, and the imports."""
    if any(edit.path != one.finding.place.file for edit in one.edits):
        return "it changes another file"
    if one.finding.kind is Kind.DEPENDENCY:
        return ""  # a version where its package is named, in a list that nothing else stands in
    if sum(edit.end_line - edit.start_line + 1 for edit in one.edits) > edits.MOST_LINES:
        return f"it changes more than {edits.MOST_LINES} lines"
    if one.sources is None:
        return ""
    before, _ = one.sources
    allowed = _scope(before, one.finding)
    for edit in one.edits:
        inside = edit.start_line in allowed and edit.end_line in allowed
        if not inside and not _only_adds_imports(one, edit):
            return "it changes lines outside the function that was meant"
    return ""


def _scope(source: Source, finding: Finding) -> range:
    """The lines of the function around the finding, or else of the statement."""
    start, end = source.range_of(finding.place)
    node = source.at(start, end)
    around = above(node, source.language.functions)
    if around is None:
        around = node
        while around.parent is not None and around.parent.parent is not None:
            around = around.parent
    elif around.parent is not None and around.parent.type == "decorated_definition":
        around = around.parent
    return source.lines(around) if around.parent is not None else range(0)


def _only_adds_imports(one: Candidate, edit: Edit) -> bool:
    """Whether an edit leaves the lines that stand there, and adds those of the recipe."""
    old = one.before.split("\n")[edit.start_line - 1 : edit.end_line]
    new = edit.replacement.split("\n")
    left = Counter(map(str.strip, new)) - Counter(map(str.strip, old))
    kept = not Counter(map(str.strip, old)) - Counter(map(str.strip, new))
    return kept and all(not line or _is_import(one, line) for line in left)


def _is_import(one: Candidate, line: str) -> bool:
    wanted = one.recipe.imports if one.recipe else ()
    loaded = line.removeprefix("const ").replace(" = require(", " from ").rstrip(");")
    return any(
        line in {said, f"import {said}"} or loaded == said.removeprefix("import ").rstrip(";")
        for said in wanted
    )


def applies(one: Candidate) -> str:
    """The edits fit into the file, and change it."""
    if not one.file.verbatim:
        return "what was read is not the file's own text"
    return "it does not apply" if one.after in {None, one.before} else ""


def still_parses(one: Candidate) -> str:
    """The changed file is valid."""
    valid = parses(one.after or "", one.file.language, one.file.suffix)
    if valid is None:
        return "nothing here can read its language"
    return "" if valid else "the file would no longer parse"


def finding_gone(one: Candidate) -> str:
    """Scanned again, one finding of the rule less."""
    rule = one.finding.rule_id
    return "" if one.now[rule] < one.was[rule] else "what was found is still found"


def nothing_new(one: Candidate) -> str:
    """Scanned again, no finding of any rule more, low ones and those for information included."""
    more = sorted(rule for rule, times in one.now.items() if times > one.was[rule])
    return f"it brings {', '.join(more)}" if more else ""


_ADDRESS = re.compile(r"\b(?:https?|ftp|wss?)://[^\s\"'`)>]+", re.IGNORECASE)


def nothing_smuggled(one: Candidate) -> str:
    """No new comment that silences a tool, import, address or hidden character; no name lost."""
    after = one.after or ""
    if any(visible(line.replace("\t", " ")) != line.replace("\t", " ") for line in one.lines):
        return "it brings characters that cannot be seen"
    for pattern in every_pattern():
        if len(re.findall(pattern, after)) > len(re.findall(pattern, one.before)):
            return "it brings a comment that silences a tool"
    if Counter(_ADDRESS.findall(after)) - Counter(_ADDRESS.findall(one.before)):
        return "it brings an address"
    if one.sources is None:
        return ""
    before, then = one.sources
    for line in _imports(then) - _imports(before):
        if not _is_import(one, line):
            return "it brings an import"
    return "" if _names(before) == _names(then) else "what others may call is not what it was"


def _imports(source: Source) -> Counter[str]:
    kinds = source.language.imports
    return Counter(
        source.of(one)
        for one in source.walk()
        if one.type in kinds and sum(below.type in kinds for below in source.walk(one)) == 1
    )


def _names(source: Source) -> Counter[tuple[str, str]]:
    """What is defined, with its kind and parameters."""
    return Counter(
        (one.type, _signature(source, one))
        for one in source.walk()
        if one.type in source.language.definitions
    )


def _signature(source: Source, one: tree_sitter.Node) -> str:
    """A definition without its body."""
    body = one.child_by_field_name("body")
    end = body.start_byte if body is not None else one.end_byte
    if body is None and source.language.name == "terraform":
        end = next((c.start_byte for c in one.children if c.type == "block_start"), end)
    return " ".join(source.bytes[one.start_byte : end].decode().split())


def expected_shape(one: Candidate) -> str:
    """What the recipe promises stands in the new lines."""
    if one.recipe is None or not one.recipe.shape:
        return ""
    new = "\n".join(edit.replacement for edit in one.edits)
    return "" if re.search(one.recipe.shape, new) else "it does not have the shape that is expected"


BEFORE: Mapping[str, Gate] = {
    "in scope": in_scope,
    "applies": applies,
    "parses": still_parses,
    "nothing smuggled": nothing_smuggled,
    "expected shape": expected_shape,
}
"""What is asked of the texts alone."""
AFTER: Mapping[str, Gate] = {"finding gone": finding_gone, "nothing new": nothing_new}
"""What is asked once the changed file was scanned again."""
NAMES: Sequence[str] = (*BEFORE, *AFTER)
"""Of all gates, in order; a verified fix has passed them all."""


def refusal(one: Candidate, gates: Mapping[str, Gate]) -> tuple[str, str] | None:
    """The first gate that the candidate does not pass, and why; None when it passes them all."""
    for name, gate in gates.items():
        if why := gate(one):
            return name, why
    return None


def told(findings: Iterable[Finding]) -> Mapping[str, Told]:
    """How often each rule was told of each file."""
    found: dict[str, Told] = {}
    for one in findings:
        found.setdefault(one.place.file, Counter())[one.rule_id] += 1
    return found
