"""The engines that look at each file of a repository, and what finds repetition among all."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from mergegate.core.severity import Aspect
from mergegate.repo.engines import helm, lizard, manifests, markers, semgrep, terraform, zizmor
from mergegate.repo.engines.duplication import DuplicationFinder
from mergegate.repo.facts.code import CodeMatches, CodeMetrics, Duplication, Markers
from mergegate.repo.facts.documents import Workflows
from mergegate.sandbox.engines.engine import FileEngine, Memory
from mergegate.sandbox.engines.runner import Source, per_file, whole_tree
from mergegate.sandbox.git.repository import Repository
from mergegate.secrets.engine import SecretsEngine
from mergegate.secrets.fact import fact
from mergegate.secrets.found import Secrets
from mergegate.secrets.history import ChangeSearch

FOREIGN: Sequence[FileEngine[Any]] = (
    semgrep.Semgrep(),
    SecretsEngine(),
    zizmor.ZizmorEngine(),
    lizard.Lizard(),
)
"""Those whose versions are not ours."""
_IAC = Aspect.IAC


def sources(
    memory: Memory,
    duplicates: DuplicationFinder,
    repository: Repository | None,
    base: str | None,
    aspects: frozenset[Aspect],
    *,
    owner: str | None = None,
) -> Sequence[Source]:
    """The slowest first; ``owner`` is who owns the repository at GitHub, as a CI or host says.

    Where nobody says so it is the one that the clone's own address names.
    """
    if owner is None:
        owner = repository.owner_at_github() if repository else ""
    return (
        per_file(semgrep.Semgrep(aspects), semgrep.fact, CodeMatches, semgrep.SEARCHES, memory),
        per_file(lizard.Lizard(), lizard.fact, CodeMetrics, {Aspect.QUALITY}, memory),
        _secrets(memory, repository, base),
        per_file(
            markers.MarkerSearch(), markers.fact, Markers, frozenset(Aspect), memory, searches=()
        ),
        helm.source(memory),
        terraform.source(memory),
        manifests.source(memory),
        per_file(
            zizmor.ZizmorEngine(), partial(zizmor.fact, owner=owner), Workflows, {_IAC}, memory
        ),
        replace(whole_tree(duplicates, Duplication, {Aspect.QUALITY}), proves=False),
    )


def _secrets(memory: Memory, repository: Repository | None, base: str | None) -> Source:
    """Those of the tree; with a base those of the change's commits too."""
    plain = per_file(SecretsEngine(), fact, Secrets, {Aspect.SECRETS}, memory)
    if repository is None or base is None:
        return plain
    return replace(plain, gather=ChangeSearch(repository, base, memory).gather)
