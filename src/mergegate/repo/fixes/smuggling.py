"""What a change must not bring beside what it mends."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

import tree_sitter

from mergegate.core.finding import Finding
from mergegate.core.render.escape import visible
from mergegate.repo.directives import every_pattern
from mergegate.repo.fixes import dockerfile
from mergegate.repo.fixes.candidate import MODEL, Candidate
from mergegate.repo.fixes.edits import UncertainError
from mergegate.repo.fixes.syntax import Source, above

_ADDRESS = re.compile(r"\b(?:https?|ftp|wss?)://[^\s\"'`)>]+", re.IGNORECASE)


def smuggled(one: Candidate) -> Iterator[str]:
    """Why the change may not pass, reason by reason."""
    after = one.after or ""
    if any(visible(line.replace("\t", " ")) != line.replace("\t", " ") for line in one.lines):
        yield "it brings characters that cannot be seen"
    if any(_times(each, after) > _times(each, one.before) for each in every_pattern()):
        yield "it brings a comment that silences a tool"
    named = one.recipe.addresses if one.recipe else ()
    known: Counter[str] = Counter(_ADDRESS.findall(one.before))
    encrypted = Counter(re.sub(r"(?i)^http:", "https:", address) for address in known.elements())
    if (Counter(_ADDRESS.findall(after)) - (known | encrypted)).keys() - named:
        yield "it brings an address"
    if one.file.language == "dockerfile" and _starts(one.before) != _starts(after):
        yield "what the image is built on or starts is not what it was"
    if one.sources is not None:
        yield from _in_code(one, *one.sources)


_STARTS = frozenset(
    {"FROM", "ENTRYPOINT", "CMD", "EXPOSE", "VOLUME", "SHELL", "ONBUILD", "STOPSIGNAL"}
)


def _starts(text: str) -> Sequence[tuple[str, str]] | None:
    """What an image is built on, opens and starts; None where the text cannot be read."""
    try:
        listed = dockerfile.instructions(text)
    except UncertainError:
        return None
    return [(one.name, one.arguments) for one in listed if one.name in _STARTS]


def _times(pattern: str, text: str) -> int:
    return sum(1 for _ in re.finditer(pattern, text))


def _in_code(one: Candidate, before: Source, then: Source) -> Iterator[str]:
    if one.source == MODEL:
        yield from _hiding(before, then)
    if not all(is_wanted(one, line) for line in _imports(then) - _imports(before)):
        yield "it brings an import"
    found = _annotation(before, one.finding)
    old, new = _names(before, found), _names(then, found)
    if old - new or not all(_is_declared(one, words) for _, words in new - old):
        yield "what others may call is not what it was"


def _hiding(before: Source, then: Source) -> Iterator[str]:
    """How a flaw might be hidden rather than mended."""
    if names := _indirect(then) - _indirect(before):
        yield f"it goes a way round by {', '.join(sorted(names))}"
    if _idle(then) - _idle(before):
        yield "it brings a condition that decides nothing"
    if _unreachable(then) > _unreachable(before):
        yield "it brings statements that never run"


def is_wanted(one: Candidate, line: str) -> bool:
    """Whether the line is an import that the recipe names."""
    wanted = one.recipe.imports if one.recipe else ()
    loaded = line.removeprefix("const ").replace(" = require(", " from ").rstrip(");")
    return any(
        line in {said, f"import {said}"} or loaded == said.removeprefix("import ").rstrip(";")
        for said in wanted
    )


def _is_declared(one: Candidate, words: str) -> bool:
    """Whether a definition is one that the recipe names, which no model may bring."""
    wanted = one.recipe.declares if one.recipe and one.source != MODEL else ""
    return bool(wanted) and re.fullmatch(wanted, words) is not None


def _indirect(source: Source) -> Counter[str]:
    """What fetches or calls something by a name that is put together."""
    names = frozenset(source.language.indirect)
    leaves = (one for one in source.walk() if not one.named_child_count)
    return Counter(said for one in leaves if (said := source.of(one)) in names)


def _idle(source: Source) -> Counter[str]:
    """Conditions that are always so, or never."""
    return Counter(
        one.type
        for one in source.walk()
        if one.type in source.language.conditions and _is_constant(one, source)
    )


def _is_constant(one: tree_sitter.Node, source: Source) -> bool:
    condition = one.child_by_field_name("condition")
    while condition is not None and condition.type == "parenthesized_expression":
        condition = condition.named_children[0] if condition.named_children else None
    if condition is None:
        return False
    leaves = [below for below in source.walk(condition) if not below.named_child_count]
    return all(below.type in source.language.constants for below in leaves)


_LEAVES = ("return", "raise", "throw", "break", "continue")


def _unreachable(source: Source) -> int:
    """How many statements stand behind one that leaves their block."""
    return sum(
        1
        for one in source.walk()
        if one.type in source.language.statements
        for left, right in pairwise(one.named_children)
        if left.type.startswith(_LEAVES) and right.type not in source.language.comments
    )


@lru_cache(maxsize=4)
def _imports(source: Source) -> Counter[str]:
    kinds = source.language.imports
    return Counter(
        source.of(one)
        for one in source.walk()
        if one.type in kinds and sum(below.type in kinds for below in source.walk(one)) == 1
    )


def _annotation(source: Source, finding: Finding) -> str:
    """The name of the annotation of Java that was found; what it says may change."""
    around = above(source.at(*source.range_of(finding.place)), {"annotation"})
    name = around.child_by_field_name("name") if around else None
    return source.of(name) if name else ""


@lru_cache(maxsize=4)
def _names(source: Source, found: str) -> Counter[tuple[str, str]]:
    """What is defined, with its kind and parameters; nobody calls what a class without name has."""
    return Counter(
        (one.type, " ".join(_signature(source, one, found)))
        for one in source.walk()
        if one.type in source.language.definitions
        and above(one.parent, {"object_creation_expression"}) is None
        and _is_named(one)
    )


def _is_named(one: tree_sitter.Node) -> bool:
    """A block of Terraform within another is named where it has a label."""
    nested = one.type == "block" and above(one.parent, {"block"}) is not None
    return not nested or any(part.type == "string_lit" for part in one.children)


def _signature(source: Source, one: tree_sitter.Node, found: str) -> Iterator[str]:
    """The words of a definition without its body, comments, and the annotation that was found."""
    body = one.child_by_field_name("body")
    for child in one.children:
        if child == body or child.type == "block_start":
            return
        if child.type == "modifiers":
            for part in child.children:
                name = part.child_by_field_name("name") if part.type == "annotation" else None
                if not (found and name and source.of(name) == found):
                    yield from source.of(part).split()
        elif child.type not in source.language.comments:
            yield from source.of(child).split()
