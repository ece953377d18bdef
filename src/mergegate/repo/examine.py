"""One tree → its findings: gather, check, identify, weigh."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from mergegate.core.check import Check, Failed, Unrun, apply
from mergegate.core.finding import Finding
from mergegate.core.identity import identified, keyed
from mergegate.core.progress import Progress, silent
from mergegate.core.severity import Aspect
from mergegate.core.tree import SourceFile, Tree
from mergegate.repo.excerpts import excerpts
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
    policies: PolicyFiles = PolicyFiles()
    """What the policies of the tree are that is examined next."""

    def examine(self, tree: Tree) -> "Examined":
        """All findings of ``tree``, policy's severities applied, nothing suppressed yet."""
        seen = narrow(tree, self.policy)
        excludes = partial(matches, patterns=self.policy.paths.exclude)
        context = EngineContext(self.stage, self.limits, self.jobs, self.ahead, self.anew, excludes)
        wanted = [source for source in self.sources if source.aspects & self.aspects]
        gathered = gather_all(wanted, seen, context, self.progress)
        gathered = replace(gathered, facts=gathered.facts | {PolicyFiles: self.policies})
        asked = [check for check in self.checks if is_asked(check, self.aspects)]
        return examined(
            seen, gathered, asked, self.policy, lambda found: keyed(excerpts(found, seen))
        )

    def examine_again(self, tree: Tree) -> tuple[Finding, ...]:
        """What stands in ``tree``, whose files carry proposed fixes."""
        proving = [source for source in self.sources if source.proves]
        return replace(self, sources=proving).examine(tree).findings


def examined(
    tree: Tree,
    gathered: Gatherings,
    checks: Sequence[Check],
    policy: Policy,
    mark: Callable[[Sequence[Finding]], Sequence[Finding]],
) -> "Examined":
    """What ``checks`` say of the facts that were gathered of ``tree``.

    ``mark`` gives each finding its ``group_key`` and ``snippet``, in the order given.
    """
    outcomes = [apply(check, gathered.facts) for check in checks]
    found = mark([one for each in outcomes if isinstance(each, Failed) for one in each.findings])
    return Examined(
        tree,
        weigh(identified(found), policy),
        (*gathered.gaps, *(each for each in outcomes if isinstance(each, Unrun))),
        gathered,
        draw(tree, gathered, {one.aspect for one in checks if PolicyFiles not in one.needs}),
        tuple((one.group_key, one.snippet) for one in found),
    )


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
