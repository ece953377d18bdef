"""What a repository scan works with: engines, checks, memory, advisories.

Nothing of it is loaded before it is asked for: the libraries of all engines take longer than most
commands.
"""

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from mergegate.core.progress import Progress, silent, unheard
from mergegate.core.severity import Aspect
from mergegate.repo.settings import advisory_source, folders
from mergegate.sandbox.git.repository import Repository

if TYPE_CHECKING:
    from mergegate.packages import advisories
    from mergegate.packages.advisories import Stock
    from mergegate.repo.advice import Open
    from mergegate.repo.engines.duplication import DuplicationFinder
    from mergegate.repo.scan import Toolbox
    from mergegate.sandbox.engines.engine import Memory
    from mergegate.sandbox.engines.runner import Source


def scan_toolbox(
    *,
    fetch: bool,
    cached: bool,
    cache: Path | None = None,
    doubted: bool = False,
    progress: "Progress | None" = None,
    aspects: frozenset[Aspect] = frozenset(Aspect),
    renewed_after: dt.timedelta | None = None,
    tell: Callable[[str], None] = unheard,
    advice: "Advised | None" = None,
    owner: str | None = None,
) -> "Toolbox":
    """What a repository scan works with.

    ``fetch`` allows an ecosystem to be fetched that the advisory store lacks, or that was imported
    longer ago than ``renewed_after``; ``tell`` hears of it. ``cached`` allows to keep engines'
    answers for the next scan: in the folder ``cache``, else where all scans of this account keep
    them. ``doubted`` is either where others write it, as other steps and jobs of a pipeline do.
    ``advice`` says who may be asked about fixes; None for nobody.
    What is for none of the ``aspects`` is not loaded, and its languages are not searched. ``owner``
    is who owns the repository at GitHub, empty where it is not there; None leaves that to the
    clone's own address.
    """
    from mergegate.core.plans import REPOSITORY  # noqa: PLC0415
    from mergegate.repo.cache import AnswerCache, RunMemory  # noqa: PLC0415
    from mergegate.repo.checks import all_checks  # noqa: PLC0415
    from mergegate.repo.engines.duplication import DuplicationFinder  # noqa: PLC0415
    from mergegate.repo.policy import choose_policy  # noqa: PLC0415
    from mergegate.repo.scan import Toolbox  # noqa: PLC0415

    answers = cache / folders().answers.name if cache else folders().answers
    memory = RunMemory(AnswerCache(answers) if cached else None)
    wanted = Aspect.DEPENDENCIES in aspects
    stock = _stock(fetch, renewed_after, tell) if wanted else None
    return Toolbox(
        sources=partial(sources, memory, stock, DuplicationFinder(), aspects=aspects, owner=owner),
        checks=all_checks(),
        scoring=REPOSITORY,
        choose_policy=choose_policy,
        progress=progress or silent,
        doubts_cache=doubted,
        advice=_advice(advice, answers if cached and not doubted else None),
    )


@dataclass(frozen=True, slots=True)
class Advised:
    """A scan that may ask a language model, where policy and environment name one."""

    environment: Mapping[str, str] = field(repr=False)
    from_fork: bool = False
    prompts: list[str] | None = None
    """Collects what would be sent; then nothing is."""


def _advice(advised: Advised | None, answers: Path | None) -> "Open":
    from mergegate.repo.advice import nobody, opened  # noqa: PLC0415
    from mergegate.repo.cache import AnswerCache  # noqa: PLC0415

    if advised is None:
        return nobody
    memory = AnswerCache(answers) if answers else None
    return opened(advised.environment, memory, from_fork=advised.from_fork, prompts=advised.prompts)


def _stock(fetch: bool, renewed_after: dt.timedelta | None, tell: Callable[[str], None]) -> "Stock":
    from mergegate.packages import advisories  # noqa: PLC0415

    places = folders()
    return advisories.Stock(
        places.advisories,
        fetch,
        source=advisory_source() or advisories.DEFAULT_BASE,
        renewed_after=renewed_after,
        aside=places.cache / places.advisories.name,
        tell=tell,
    )


def sources(
    memory: "Memory",
    stock: "Stock | None",
    duplicates: "DuplicationFinder",
    repository: Repository | None,
    base: str | None,
    *,
    aspects: frozenset[Aspect] = frozenset(Aspect),
    owner: str | None = None,
) -> "Sequence[Source]":
    """Every engine, the slowest first; without a ``stock`` none that is about dependencies."""
    from mergegate.repo.engines import files  # noqa: PLC0415

    found = files.sources(memory, duplicates, repository, base, aspects, owner=owner)
    if stock is None:
        return found
    from mergegate.repo.engines import dependencies  # noqa: PLC0415

    return (*found, *dependencies.sources(stock, memory))


def update_advisories(source: str | None, ecosystems: Sequence[str]) -> "advisories.Updated":
    """Fill the store from ``source`` or OSV's public dumps; raises StoreError."""
    from mergegate.packages import advisories  # noqa: PLC0415

    store = folders().advisories
    return advisories.update(source or advisories.DEFAULT_BASE, store, ecosystems=ecosystems)


def advisories_status() -> "advisories.StoreStatus | None":
    """What the store holds; None when there is none; raises StoreError."""
    from mergegate.packages import advisories  # noqa: PLC0415

    return advisories.status(folders().advisories)


def engine_versions() -> Sequence[tuple[str, Callable[[], str]]]:
    """Each engine's name and how to ask for its version, which raises EngineMissing."""
    from mergegate.packages.advisories import Stock  # noqa: PLC0415
    from mergegate.repo.cache import RunMemory  # noqa: PLC0415
    from mergegate.repo.engines import dependencies, files  # noqa: PLC0415

    audit = dependencies.pip_audit(Stock(folders().advisories, fetch=False), RunMemory())
    foreign = [(engine.name, engine.version) for engine in files.FOREIGN]
    return [*foreign, (audit.name, audit.version)]
