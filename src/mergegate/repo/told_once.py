"""What two rules tell of one line, where both mean the same fact: the graver one stays."""

from collections.abc import Iterable, Sequence

from mergegate.core.finding import Finding
from mergegate.core.severity import Kind

_LITERAL = frozenset(
    {
        "aws-secret-in-settings",
        "terraform-hardcoded-database-password",
        "terraform-provider-hardcoded-credentials",
    }
)
"""The rules about a password or key that stands in a configuration, which is a secret as well."""


def told_once(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings without those that say again what a graver one says of the same line.

    Of two that weigh the same the secret stays: it knows what to revoke.
    """
    found = tuple(findings)
    secrets = _by_line(one for one in found if one.kind is Kind.SECRET)
    literals = _by_line(one for one in found if one.rule_id in _LITERAL)
    dropped = set()
    for line in secrets.keys() & literals.keys():
        worst = max(one.severity for one in secrets[line])
        less = literals if worst >= max(one.severity for one in literals[line]) else secrets
        dropped |= {one.id for one in less[line]}
    return tuple(one for one in found if one.id not in dropped)


def _by_line(findings: Iterable[Finding]) -> dict[tuple[str, int], Sequence[Finding]]:
    by_line: dict[tuple[str, int], list[Finding]] = {}
    for one in findings:
        by_line.setdefault((one.place.file, one.place.start_line), []).append(one)
    return {line: tuple(each) for line, each in by_line.items()}
