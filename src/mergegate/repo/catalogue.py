"""What is published about every rule: checks, engines' audits, detectors and our own rules."""

from mergegate.core.rule import RuleCard


def rule_cards() -> tuple[RuleCard, ...]:
    """All that is published about rules, sorted by id."""
    return tuple(one for _, one in sorted(cards().items()))


def cards() -> dict[str, RuleCard]:
    """Rules first: a check that only passes rules on has no findings under its own name."""
    from mergegate.repo import rules  # noqa: PLC0415 - like all checks it takes longer than most commands
    from mergegate.repo.checks import all_checks, card  # noqa: PLC0415
    from mergegate.repo.checks.secrets import CARDS as SECRET_CARDS  # noqa: PLC0415
    from mergegate.repo.checks.workflows.audits import CARDS as WORKFLOW_CARDS  # noqa: PLC0415

    published = (
        *(card(known) for known in all_checks() if known.id not in _PASSING_ON),
        *WORKFLOW_CARDS,
        *SECRET_CARDS.values(),
        *rules.catalogue().cards.values(),
    )
    return {one.id: one for one in published}


_PASSING_ON = frozenset(
    {"code-security", "infrastructure-rules", "secrets", "secrets-in-history", "workflow-audit"}
)
