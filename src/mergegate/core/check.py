"""A check: a pure function from facts to findings, and the rules that it looks after."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from mergegate.core.finding import Finding
from mergegate.core.rule import Rule
from mergegate.core.severity import Aspect
from mergegate.core.tree import Skipped


@dataclass(frozen=True, slots=True)
class Check:
    """What to run, on which facts, and for which part of the scan."""

    id: str
    """The id of its rule; kebab-case and permanent."""
    aspect: Aspect
    needs: tuple[type, ...]
    """The facts that ``run`` takes, in order of its parameters."""
    run: Callable[..., Iterable[Finding | Skipped]]
    """Findings, and the files of which not all was judged."""
    rules: Callable[[], Iterable[Rule]]
    """Every rule that a finding of the check may be stamped from; asked for when they are listed,
    since hundreds of them are read from files."""


@dataclass(frozen=True, slots=True)
class Missing:
    """Stands where a fact could not be gathered."""

    reason: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Passed:
    """The check ran and found nothing."""

    check: str
    limited: tuple[Skipped, ...] = ()
    """Files of which it did not judge everything."""


@dataclass(frozen=True, slots=True)
class Failed:
    """The check ran and found something."""

    check: str
    findings: tuple[Finding, ...]
    limited: tuple[Skipped, ...] = ()
    """Files of which it did not judge everything."""


@dataclass(frozen=True, slots=True)
class Unrun:
    """The check could not run; never the same as passed."""

    check: str
    reason: str
    remedy: str = ""


Outcome = Passed | Failed | Unrun


def apply(check: Check, facts: dict[type, Any]) -> Outcome:
    """Run ``check`` on ``facts``; a missing fact makes it unrun, with the fact's reason."""
    given = [facts.get(need, Missing(f"{need.__name__} was not gathered")) for need in check.needs]
    for fact in given:
        if isinstance(fact, Missing):
            return Unrun(check.id, fact.reason, fact.remedy)
    return _outcome(check.id, tuple(check.run(*given)))


def _outcome(check: str, told: Sequence[Finding | Skipped]) -> Outcome:
    findings = tuple(one for one in told if isinstance(one, Finding))
    limited = tuple(one for one in told if isinstance(one, Skipped))
    return Failed(check, findings, limited) if findings else Passed(check, limited)
