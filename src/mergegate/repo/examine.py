"""One tree → its findings: gather, check, identify, weigh."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from mergegate.core.check import Check, Failed, Unrun, apply
from mergegate.core.finding import Finding, Place
from mergegate.core.identity import identified, keyed
from mergegate.core.progress import Progress, silent
from mergegate.core.severity import Aspect, Category, Kind, Severity
from mergegate.core.tree import EVERYTHING, Selection, Skipped, SourceFile, Tree
from mergegate.packages.dependencies import Dependencies, selected
from mergegate.repo.excerpts import excerpts
from mergegate.repo.facts.documents import Documents
from mergegate.repo.facts.policy import PolicyFiles
from mergegate.repo.policy import matches, narrow, weigh
from mergegate.repo.search_map import SearchMap, draw
from mergegate.repo.settings import Policy
from mergegate.sandbox.engines.engine import EngineContext
from mergegate.sandbox.engines.runner import Gatherings, Source, gather_all
from mergegate.sandbox.files.stage import Stage
from mergegate.sandbox.process.run import Limits, cores


@dataclass(frozen=True, slots=True)
class Examiner:
    """What every tree of one scan is examined with."""

    sources: Sequence[Source]
    checks: Sequence[Check]
    aspects: frozenset[Aspect]
    policy: Policy
    stage: Stage
    progress: Progress = silent
    limits: Limits = Limits()
    """The limits of each engine's process."""
    jobs: int = field(default_factory=cores)
    ahead: tuple[SourceFile, ...] = ()
    """Files of the tree that is examined next: one start of an engine serves both."""
    anew: frozenset[str] = frozenset()
    """Keys of files about which no answer of an earlier scan is believed."""
    selection: Selection = EVERYTHING
    """What alone is judged of the tree that is examined next."""
    policies: PolicyFiles = PolicyFiles()
    """What the policies of the tree are that is examined next."""
    shown: bool = True
    """Whether findings have the lines that are shown of them."""

    def examine(self, tree: Tree) -> "Examined":
        """All findings of ``tree``, policy's severities applied, nothing suppressed yet."""
        seen = narrow(tree, self.policy)
        context = EngineContext(
            self.stage,
            self.limits,
            self.jobs,
            self.ahead,
            self.anew,
            self.selection,
            self._is_left_out,
        )
        wanted = [source for source in self.sources if source.aspects & self.aspects]
        gathered = gather_all(wanted, seen, context, self.progress)
        gathered = replace(gathered, facts=gathered.facts | {PolicyFiles: self.policies})
        asked = [check for check in self.checks if is_asked(check, self.aspects)]
        return examined(
            seen,
            gathered,
            asked,
            self.policy,
            lambda found: keyed(excerpts(found, seen, shown=self.shown)),
            selection=self.selection,
        )

    def _is_left_out(self, path: str) -> bool:
        return not self.selection.holds(path) or matches(path, self.policy.paths.exclude)

    def examine_again(self, tree: Tree) -> tuple[Finding, ...]:
        """What stands in ``tree``, whose files carry proposed fixes.

        A file that an engine did not search is told of as such: where nothing looked, nothing is
        gone. Nobody is shown the lines of these findings.
        """
        proving = [source for source in self.sources if source.proves]
        seen = replace(self, sources=proving, shown=False).examine(tree)
        unseen = {gap.path for gap in seen.map.gaps if gap.search in _PROVED}
        failed = {gap.check for gap in seen.gathered.gaps}
        if any(one.name in failed for one in proving if Aspect.CODE in one.aspects):
            unseen = {file.path for file in tree.files}
        return (*seen.findings, *map(_not_searched, sorted(unseen)))


NOT_SEARCHED = "not-searched"
"""What stands among the findings of a changed copy that an engine did not search whole: that
nothing was found there proves nothing."""
_PROVED = frozenset({Aspect.CODE, Aspect.IAC, Aspect.DEPENDENCIES})


def _not_searched(path: str) -> Finding:
    return Finding(
        rule_id=NOT_SEARCHED,
        title="Not searched",
        message="An engine did not search the changed file.",
        severity=Severity.INFO,
        category=Category.SECURITY,
        kind=Kind.CODE,
        place=Place(path),
    )


def examined(
    tree: Tree,
    gathered: Gatherings,
    checks: Sequence[Check],
    policy: Policy,
    mark: Callable[[Sequence[Finding]], Sequence[Finding]],
    *,
    selection: Selection = EVERYTHING,
) -> "Examined":
    """What ``checks`` say of the facts that were gathered of ``tree``.

    ``mark`` gives each finding its ``group_key`` and ``snippet``, in the order given. All of the
    tree may bear out what is said of the ``selection``, and of nothing else.
    """
    outcomes = [apply(check, gathered.facts) for check in checks]
    failed = [one for each in outcomes if isinstance(each, Failed) for one in each.findings]
    found = mark([one for one in failed if selection.holds(one.place.file)])
    cut = {one for each in outcomes if not isinstance(each, Unrun) for one in each.limited}
    gathered = replace(gathered, limited=tuple(sorted({*gathered.limited, *cut})))
    tree, gathered = selection.of(tree), _of(selection, gathered)
    return Examined(
        tree,
        weigh(identified(found), policy),
        (*gathered.gaps, *(each for each in outcomes if isinstance(each, Unrun))),
        gathered,
        draw(
            tree,
            gathered,
            {one.aspect for one in checks if PolicyFiles not in one.needs},
            _held(sorted(cut), selection),
        ),
        tuple((one.group_key, one.snippet) for one in found),
    )


def _of(selection: Selection, gathered: Gatherings) -> Gatherings:
    """What the receipt tells of ``gathered``: nothing of other files."""
    if not selection.paths:
        return gathered
    dependencies = gathered.facts.get(Dependencies)
    facts = {**gathered.facts, Tree: selection.of(gathered.facts[Tree])}
    if isinstance(dependencies, Dependencies):
        facts[Dependencies] = selected(dependencies, selection)
    documents = gathered.facts.get(Documents)
    if isinstance(documents, Documents):
        files = tuple(one for one in documents.files if selection.holds(one.path))
        facts[Documents] = replace(documents, files=files)
    return replace(
        gathered,
        facts=facts,
        limited=_held(gathered.limited, selection),
        searches=tuple(
            replace(one, limited=_held(one.limited, selection)) for one in gathered.searches
        ),
    )


def _held(told: Sequence[Skipped], selection: Selection) -> tuple[Skipped, ...]:
    return tuple(one for one in told if selection.holds(one.path))


def is_asked(check: Check, aspects: frozenset[Aspect]) -> bool:
    """Whether a scan for ``aspects`` makes this check; what the policy becomes is always told."""
    return check.aspect in aspects or PolicyFiles in check.needs


@dataclass(frozen=True, slots=True)
class Examined:
    """One tree after its checks."""

    tree: Tree
    findings: tuple[Finding, ...]
    """Worst first."""
    unrun: tuple[Unrun, ...]
    gathered: Gatherings
    map: SearchMap
    marks: tuple[tuple[str, str], ...] = ()
    """``group_key`` and ``snippet`` of each finding, in the order in which the checks told them."""
