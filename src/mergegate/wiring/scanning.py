"""What a repository scan works with: engines, checks, memory, advisories."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from mergegate.checks import all_checks
from mergegate.errors import StoreError
from mergegate.examine import silent
from mergegate.gather import documents, lizard, markers, semgrep, zizmor
from mergegate.gather.dependencies.advisories import AdvisoryEngine
from mergegate.gather.dependencies.lockfiles import LockfileEngine
from mergegate.gather.duplication import DuplicationFinder
from mergegate.gather.engine import Engine, FileEngine, Gathered, Memory, Workshop
from mergegate.gather.per_file import Answers
from mergegate.gather.pip_audit import PipAuditEngine
from mergegate.gather.runner import Facts, Progress, Source, per_file, required, whole_tree
from mergegate.gather.secrets import place
from mergegate.gather.secrets.engine import SecretsEngine
from mergegate.gather.secrets.history import AddedLine, history
from mergegate.model.facts.code import CodeMatches
from mergegate.model.facts.dependencies import Dependencies, PythonAudit, Vulnerabilities
from mergegate.model.facts.documents import Documents
from mergegate.model.facts.duplication import Duplication
from mergegate.model.facts.markers import Markers
from mergegate.model.facts.metrics import CodeMetrics
from mergegate.model.facts.secrets import FileSecrets, Secrets
from mergegate.model.facts.workflows import Workflows
from mergegate.model.roles import role_of
from mergegate.model.severity import Aspect
from mergegate.model.tree import Tree
from mergegate.plans import REPOSITORY
from mergegate.scan import Toolbox
from mergegate.settings import folders
from mergegate.store import advisories
from mergegate.store.cache import AnswerCache, RunMemory
from mergegate.wiring.policies import repository_policy
from mergegate.world.git import Repository
from mergegate.world.paths import display

_CODE, _IAC = Aspect.CODE, Aspect.IAC


def toolbox(
    *, fetch: bool, cached: bool, cache: Path | None = None, progress: Progress = silent
) -> Toolbox:
    """What a repository scan works with.

    ``fetch`` allows an ecosystem that the advisory store lacks to be fetched, ``cached`` to keep
    engines' answers for the next scan: in the folder ``cache``, else where all scans keep them.
    """
    answers = cache / folders().answers.name if cache else folders().answers
    memory = RunMemory(AnswerCache(answers) if cached else None)
    stock = Stock(folders().advisories, fetch)
    return Toolbox(
        sources=partial(sources, memory, stock, DuplicationFinder()),
        checks=all_checks(),
        scoring=REPOSITORY,
        read_policy=repository_policy,
        progress=progress,
    )


def sources(
    memory: Memory,
    stock: "Stock",
    duplicates: DuplicationFinder,
    repository: Repository | None,
    base: str | None,
) -> Sequence[Source]:
    """Every engine of the repository scan, the slowest first."""
    return (
        per_file(semgrep.Semgrep(), semgrep.fact, CodeMatches, {_CODE, _IAC}, memory),
        per_file(lizard.Lizard(), lizard.fact, CodeMetrics, {Aspect.QUALITY}, memory),
        per_file(
            SecretsEngine(),
            partial(_secrets, repository, base),
            Secrets,
            {Aspect.SECRETS},
            memory,
        ),
        per_file(markers.MarkerSearch(), markers.fact, Markers, frozenset(Aspect), memory),
        per_file(documents.DocumentEngine(), documents.fact, Documents, {_IAC}, memory),
        per_file(zizmor.ZizmorEngine(), zizmor.fact, Workflows, {_IAC}, memory),
        replace(whole_tree(duplicates, Duplication, {Aspect.QUALITY}), proves=False),
        whole_tree(LockfileEngine(), Dependencies, {Aspect.DEPENDENCIES}),
        _pip_audit(stock),
        _advisories(stock),
    )


def _secrets(
    repository: Repository | None, base: str | None, answers: Answers[FileSecrets]
) -> Secrets:
    past = history(_added(repository, base), role_of) if repository and base else ()
    return place.fact(answers, past)


def _added(repository: Repository, base: str) -> Iterator[AddedLine]:
    for added in repository.added_lines(base):
        text = added.text.decode("utf-8", "surrogateescape")
        yield AddedLine(added.commit, display(added.raw_path), added.line, text)


@dataclass(frozen=True, slots=True)
class Stock:
    """The advisory store as a scan uses it."""

    file: Path
    fetch: bool

    def opened(self) -> advisories.AdvisoryStore | None:
        """The store; None where there is none; raises StoreError when it is damaged."""
        return advisories.open_store(self.file)

    def fill(self, ecosystems: Iterable[str]) -> None:
        """Fetch what the store lacks, where that is allowed; what fails stays missing."""
        if not self.fetch:
            return
        with suppress(StoreError):
            held = advisories.status(self.file)
            known = {one.ecosystem for one in held.sources} if held else set()
            if lacking := sorted(set(ecosystems) - known):
                advisories.update(advisories.DEFAULT_BASE, self.file, ecosystems=lacking)


def _pip_audit(stock: Stock) -> Source:
    engine = PipAuditEngine(stock.opened)

    def gather(_: Tree, workshop: Workshop, facts: Facts) -> Gathered:
        dependencies = required(facts, Dependencies)
        stock.fill(dependencies.ecosystems)
        return engine.gather(dependencies, workshop)

    aspects = frozenset({Aspect.DEPENDENCIES})
    needs = (Dependencies,)
    return Source(engine.name, aspects, (PythonAudit,), gather, needs, proves=False)


def _advisories(stock: Stock) -> Source:
    engine = AdvisoryEngine(stock.opened)

    def gather(_: Tree, __: Workshop, facts: Facts) -> Gathered:
        audit = facts.get(PythonAudit)
        heard = audit if isinstance(audit, PythonAudit) else None
        return engine.gather(required(facts, Dependencies), heard)

    aspects = frozenset({Aspect.DEPENDENCIES})
    needs = (Dependencies, PythonAudit)
    return Source(engine.name, aspects, (Vulnerabilities,), gather, needs)


def update_advisories(source: str | None, ecosystems: Sequence[str]) -> advisories.Updated:
    """Fill the store from ``source`` or OSV's public dumps; raises StoreError."""
    store = folders().advisories
    return advisories.update(source or advisories.DEFAULT_BASE, store, ecosystems=ecosystems)


def advisories_status() -> advisories.StoreStatus | None:
    """What the store holds; None when there is none; raises StoreError."""
    return advisories.status(folders().advisories)


def engine_versions() -> Sequence[tuple[str, Callable[[], str]]]:
    """Each engine's name and how to ask for its version, which raises EngineMissing."""
    engines: Sequence[Engine | FileEngine[Any]] = (
        semgrep.Semgrep(),
        SecretsEngine(),
        zizmor.ZizmorEngine(),
        lizard.Lizard(),
    )
    stock = Stock(folders().advisories, fetch=False)
    audit = PipAuditEngine(stock.opened)
    return [(engine.name, engine.version) for engine in (*engines, audit)]
