"""The engines that look at each file of a repository, and what finds repetition among all."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from mergegate.core.roles import role_of
from mergegate.core.severity import Aspect
from mergegate.core.tree import display
from mergegate.repo.engines import documents, lizard, markers, semgrep, zizmor
from mergegate.repo.engines.duplication import DuplicationFinder
from mergegate.repo.facts.code import CodeMatches, CodeMetrics, Duplication, Markers
from mergegate.repo.facts.documents import Documents, Workflows
from mergegate.sandbox.engines.engine import Answers, FileEngine, Memory
from mergegate.sandbox.engines.runner import Source, per_file, whole_tree
from mergegate.sandbox.git.repository import Repository
from mergegate.secrets.engine import SecretsEngine
from mergegate.secrets.fact import AddedLine, fact, history
from mergegate.secrets.found import FileSecrets, Secrets

FOREIGN: Sequence[FileEngine[Any]] = (
    semgrep.Semgrep(),
    SecretsEngine(),
    zizmor.ZizmorEngine(),
    lizard.Lizard(),
)
"""Those whose versions are not ours."""
_CODE, _IAC = Aspect.CODE, Aspect.IAC


def sources(
    memory: Memory,
    duplicates: DuplicationFinder,
    repository: Repository | None,
    base: str | None,
) -> Sequence[Source]:
    """The slowest first."""
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
    )


def _secrets(
    repository: Repository | None, base: str | None, answers: Answers[FileSecrets]
) -> Secrets:
    past = history(_added(repository, base), role_of) if repository and base else ()
    return fact(answers, past)


def _added(repository: Repository, base: str) -> Iterator[AddedLine]:
    for added in repository.added_lines(base):
        text = added.text.decode("utf-8", "surrogateescape")
        yield AddedLine(added.commit, display(added.raw_path), added.line, text)
