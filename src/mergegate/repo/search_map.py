"""What was searched for what: coverage, *fixed* and *incomplete* are drawn from this map alone.

It holds what the engines report as searched, never what they were given.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from mergegate.core.languages import is_code, language_of
from mergegate.core.severity import Aspect
from mergegate.core.tree import Reason, Skipped, SourceFile, Tree
from mergegate.packages.dependencies import Dependencies
from mergegate.repo import rules
from mergegate.repo.facts.code import CodeMatches
from mergegate.repo.facts.documents import Documents
from mergegate.sandbox.engines.runner import Gatherings, Search

Fact = TypeVar("Fact")
SEARCHES = (Aspect.CODE, Aspect.SECRETS, Aspect.IAC, Aspect.DEPENDENCIES)
"""The kinds of search whose gaps count; what quality did not measure is only named."""
_TEMPLATE = "a template, which can be read only once it is rendered"
_OF_TEXT = frozenset({Aspect.SECRETS})
_OF_SETTINGS = frozenset({Aspect.SECRETS, Aspect.IAC})
_BY_SEMGREP = frozenset({"dockerfile", "terraform"})
"""Languages whose every file describes infrastructure."""


@dataclass(frozen=True, slots=True, order=True)
class Gap:
    """A file that was not searched for something."""

    path: str
    search: Aspect
    cause: Reason
    reason: str
    """A sentence without its full stop."""
    size: int = 0
    """Bytes; 0 when unknown."""


@dataclass(frozen=True, slots=True)
class SearchMap:
    """File and kind of search → the engines that report it as searched, or why none did."""

    searched: Mapping[Aspect, Mapping[str, tuple[str, ...]]]
    gaps: tuple[Gap, ...] = ()
    """Sorted by path."""

    @property
    def paths(self) -> frozenset[str]:
        """What was searched for anything."""
        return frozenset(path for found in self.searched.values() for path in found)

    def is_unseen(self, path: str) -> bool:
        """Whether ``path``, or a folder around it, was not searched for something."""
        return path in self._unseen or any(path.startswith(one) for one in self._folders)

    @property
    def _unseen(self) -> frozenset[str]:
        return frozenset(gap.path for gap in self.gaps)

    @property
    def _folders(self) -> tuple[str, ...]:
        return tuple(gap.path for gap in self.gaps if gap.path.endswith("/"))


def draw(
    tree: Tree, gathered: Gatherings, asked: Iterable[Aspect], cut: Iterable[Skipped] = ()
) -> SearchMap:
    """The map of one examined tree; ``asked`` are the kinds that the scan is about.

    ``cut`` are files of infrastructure of which a check did not judge everything.
    """
    files = {file.path: file for file in tree.files}
    searched: dict[Aspect, dict[str, tuple[str, ...]]] = {one: {} for one in Aspect}
    for search in gathered.searches:
        for path in search.searched & files.keys():
            kind = _kind(files[path], search)
            if kind is Aspect.CODE and is_code(files[path].language) and not has_rules(files[path]):
                continue  # what was searched is but a part, in another language
            found = searched[kind]
            found[path] = (*found.get(path, ()), search.engine)
    told = {(gap.path, gap.search): gap for gap in _told(gathered, files)}
    for one in cut:
        told.setdefault((one.path, Aspect.IAC), _gap(one, Aspect.IAC))
    wanted = frozenset(asked).intersection(SEARCHES)
    for path, kind in told.keys() & _pairs(searched):
        del searched[kind][path]
    for gap in _untold(tree, wanted):
        if gap.path not in searched[gap.search]:
            told.setdefault((gap.path, gap.search), gap)
    return SearchMap(searched, tuple(sorted(gap for gap in told.values() if gap.search in wanted)))


def code_language(file: SourceFile) -> str | None:
    """The language of the program that ``file`` is or holds; its own where it is none."""
    programs = (one.language for one in file.code if is_code(one.language) and not one.spare)
    return next(programs, file.language)


def has_rules(file: SourceFile) -> bool:
    """Whether there are rules for code in ``file``."""
    known = rules.catalogue().languages
    return any(one.language in known and not one.spare for one in file.code)


def _pairs(searched: Mapping[Aspect, Mapping[str, object]]) -> set[tuple[str, Aspect]]:
    return {(path, kind) for kind, found in searched.items() for path in found}


def _kind(file: SourceFile | None, search: Search, path: str = "") -> Aspect:
    """What an engine of several kinds searches ``file`` for, or what was listed at ``path``."""
    if len(search.aspects) == 1:
        return next(iter(search.aspects))
    languages = [one.language for one in file.code] if file else [language_of(path)]
    return Aspect.CODE if any(map(is_code, languages)) else Aspect.IAC


def _told(gathered: Gatherings, files: Mapping[str, SourceFile]) -> Iterator[Gap]:
    """What the engines themselves name as not seen, or not seen in full; the last word counts."""
    facts = gathered.facts
    for document in known(facts, Documents).files:
        if document.found.template:
            yield Gap(document.path, Aspect.IAC, Reason.LANGUAGE, _TEMPLATE)
    for search in gathered.searches:
        for one in search.limited:
            yield _gap(one, _kind(files.get(one.path), search, one.path))
    for unread in known(facts, Dependencies).unread:
        yield Gap(unread.path, Aspect.DEPENDENCIES, Reason.LANGUAGE, unread.why)
    for file in known(facts, CodeMatches).files:
        if file.found.problems and is_code(code_language(files[file.path])):
            yield Gap(file.path, Aspect.CODE, Reason.GIVE_UP, f"semgrep: {file.found.problems[0]}")


def known(facts: Mapping[type, Any], wanted: type[Fact]) -> Fact:
    """The fact; an empty one where it could not be gathered."""
    found = facts.get(wanted)
    return found if isinstance(found, wanted) else wanted()


def _gap(one: Skipped, search: Aspect) -> Gap:
    return Gap(one.path, search, one.cause, one.reason, one.size)


def _untold(tree: Tree, wanted: frozenset[Aspect]) -> Iterator[Gap]:
    """What has to be searched for ``wanted``, as if nothing was."""
    for skipped in tree.skipped:
        for search in wanted & _due(language_of(skipped.path)):
            yield _gap(skipped, search)
    for file in tree.files:
        due = _due(code_language(file)) if file.size and not file.binary else frozenset()
        for search in wanted & due:
            cause, reason = _silence(file, search)
            yield Gap(file.path, search, cause, reason, file.size)


def _due(language: str | None) -> frozenset[Aspect]:
    """What a text in ``language`` is searched for at least."""
    if is_code(language):
        return frozenset({Aspect.SECRETS, Aspect.CODE})
    return _OF_SETTINGS if language in _BY_SEMGREP else _OF_TEXT


def _silence(file: SourceFile, search: Aspect) -> tuple[Reason, str]:
    if search is Aspect.CODE and not has_rules(file):
        return Reason.LANGUAGE, f"there are no rules for {file.language}"
    return Reason.GIVE_UP, "no engine reported it as searched"
