"""Run the engines side by side; what fails becomes a Missing fact with its reason."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, TypeVar

from mergegate.core.check import Missing, Unrun
from mergegate.core.errors import EngineError, EngineFailed, EngineMissing, EngineTimeout
from mergegate.core.progress import Progress
from mergegate.core.report import EngineRun, EngineStatus
from mergegate.core.severity import Aspect
from mergegate.core.tree import Skipped, Tree
from mergegate.sandbox.engines.engine import (
    Answer,
    Answers,
    Engine,
    EngineContext,
    FileEngine,
    Gathered,
    Memory,
    ask,
)

Fact = TypeVar("Fact")

Facts = Mapping[type, Any]
"""The facts by type; a :class:`Missing` stands for one that could not be gathered."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where facts come from, and which parts of a scan want them."""

    name: str
    aspects: frozenset[Aspect]
    provides: tuple[type, ...]
    gather: Callable[[Tree, EngineContext, Facts], Gathered]
    needs: tuple[type, ...] = ()
    """Facts of other sources that it is handed; a Missing where there is none."""
    proves: bool = True
    """Whether it is asked again about a proposed fix."""
    searches: frozenset[Aspect] = frozenset()
    """What it is trusted to have searched files for."""
    by_file: bool = False
    """Whether it judges each file by itself, so that of a selection it needs no other files."""


@dataclass(frozen=True, slots=True)
class Search:
    """What one engine reports of the files that it searched."""

    engine: str
    aspects: frozenset[Aspect]
    searched: frozenset[str]
    """Paths."""
    limited: tuple[Skipped, ...] = ()


@dataclass(frozen=True, slots=True)
class Gatherings:
    """All facts by type, Missing where there is none, and the receipt."""

    facts: dict[type, Any] = field(default_factory=dict)
    runs: tuple[EngineRun, ...] = ()
    limited: tuple[Skipped, ...] = ()
    searches: tuple[Search, ...] = ()
    """One for each source that searches, in order of sources."""

    @property
    def gaps(self) -> tuple[Unrun, ...]:
        """One entry an engine without a trustworthy answer, whether or not a check needed it."""
        return tuple(
            Unrun(run.name, f"{run.name}: {run.reason}", run.remedy)
            for run in self.runs
            if run.status in _UNTRUSTED
        )


_UNTRUSTED = frozenset({EngineStatus.FAILED, EngineStatus.MISSING, EngineStatus.TIMEOUT})


def per_file(
    engine: FileEngine[Answer],
    fact: Callable[[Answers[Answer]], Any],
    provides: type,
    aspects: Iterable[Aspect],
    memory: Memory,
    *,
    searches: Iterable[Aspect] | None = None,
) -> Source:
    """A source that asks ``engine`` only about files ``memory`` does not answer for.

    It ``searches`` files for its ``aspects``, unless others are named.
    """
    wanted = frozenset(aspects)

    def gather(tree: Tree, context: EngineContext, _: Facts) -> Gathered:
        answers = ask(engine, tree, memory, context)
        return Gathered((fact(answers),), answers.run, answers.limited, answers.searched)

    searches = wanted if searches is None else frozenset(searches)
    return Source(engine.name, wanted, (provides,), gather, searches=searches, by_file=True)


def whole_tree(engine: Engine, provides: type, aspects: Iterable[Aspect]) -> Source:
    """A source that asks ``engine`` about the whole tree each time."""

    def gather(tree: Tree, context: EngineContext, _: Facts) -> Gathered:
        return engine.gather(tree, context)

    wanted = frozenset(aspects)
    return Source(engine.name, wanted, (provides,), gather, searches=wanted)


def required(facts: Facts, fact: type[Fact]) -> Fact:
    """A fact that another source gathered; raises EngineFailed when it could not."""
    found = facts[fact]
    if isinstance(found, Missing):
        raise EngineFailed(found.reason, remedy=found.remedy)
    if not isinstance(found, fact):
        raise TypeError(f"{fact.__name__} was filed under another type")
    return found


def gather_all(
    sources: Sequence[Source], tree: Tree, context: EngineContext, progress: Progress
) -> Gatherings:
    """Every source in a thread of its own; results in order of ``sources``, not of arrival.

    A source comes after those whose facts it needs.
    """
    providers: dict[type, Future[_Outcome]] = {}
    futures: list[Future[_Outcome]] = []
    with ThreadPoolExecutor(max_workers=max(1, len(sources))) as threads:
        for source in sources:
            awaited = {need: providers[need] for need in source.needs if need in providers}
            future = threads.submit(_gather, source, tree, context, progress, awaited)
            providers |= dict.fromkeys(source.provides, future)
            futures.append(future)
        outcomes = [future.result() for future in futures]
    facts: dict[type, Any] = {Tree: tree}
    for found, _ in outcomes:
        facts |= found
    return Gatherings(
        facts,
        tuple(gathered.run for _, gathered in outcomes),
        tuple(sorted({cut for _, gathered in outcomes for cut in gathered.limited})),
        tuple(
            Search(source.name, source.searches, gathered.searched, gathered.limited)
            for source, (_, gathered) in zip(sources, outcomes, strict=True)
            if source.searches
        ),
    )


_Outcome = tuple[dict[type, Any], Gathered]


def _gather(
    source: Source,
    tree: Tree,
    context: EngineContext,
    progress: Progress,
    awaited: Mapping[type, Future[_Outcome]],
) -> _Outcome:
    facts = {need: future.result()[0][need] for need, future in awaited.items()}
    progress(source.name, "started")
    gathered = _attempt(source, tree, context, facts)
    progress(source.name, gathered.run.status.value)
    if gathered.facts:
        return {type(fact): fact for fact in gathered.facts}, gathered
    run = gathered.run
    missing = Missing(f"{source.name}: {run.reason}", run.remedy)
    return dict.fromkeys(source.provides, missing), gathered


def _attempt(source: Source, tree: Tree, context: EngineContext, facts: Facts) -> Gathered:
    started = time.monotonic()
    try:
        seen = context.selection.of(tree) if source.by_file else tree
        return source.gather(seen, context, facts)
    except EngineError as error:
        return _failure(source, error, started)
    except Exception as error:
        # A defect of ours in one adapter must neither lose the others nor pass for clean.
        wrapped = EngineError(f"its adapter failed: {type(error).__name__}: {error}")
        return _failure(source, wrapped, started)


def _failure(source: Source, error: EngineError, started: float) -> Gathered:
    run = EngineRun(
        name=source.name,
        status=_status(error),
        duration_ms=round((time.monotonic() - started) * 1000),
        reason=error.what,
        remedy=error.remedy,
    )
    return Gathered((), run)


def _status(error: EngineError) -> EngineStatus:
    if isinstance(error, EngineMissing):
        return EngineStatus.MISSING
    if isinstance(error, EngineTimeout):
        return EngineStatus.TIMEOUT
    return EngineStatus.FAILED
