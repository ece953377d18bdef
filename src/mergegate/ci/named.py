"""Which finding an order names by the beginning of its id."""

from collections.abc import Sequence

from mergegate.core.errors import UsageError
from mergegate.core.finding import Finding
from mergegate.core.report import Report
from mergegate.forges.orders import WHOLE_ID
from mergegate.repo.policy import named_by

_MOST_NAMED = 5


class Declined(UsageError):
    """The order was understood and heard, and is not carried out; its author is told why."""


def meant(given: str, report: Report) -> tuple[str, Finding | None]:
    """The whole id that somebody means and its finding; a whole id may be one of none.

    Raises Declined.
    """
    fixed = report.comparison.fixed if report.comparison else ()
    aside = (one.finding for one in report.suppressed)
    known = {one.id: one for one in (*fixed, *aside, *report.findings)}
    fitting = named_by(given, sorted(known))
    if len(fitting) > 1:
        raise ambiguous(fitting)
    if not fitting and len(given) < WHOLE_ID:
        raise Declined(
            "no finding of this change has this id", remedy="The summary names those that stand."
        )
    id = fitting[0] if fitting else given
    return id, known.get(id)


def ambiguous(fitting: Sequence[str]) -> Declined:
    """What to say where ``fitting`` all begin as was given."""
    return Declined(
        f"{len(fitting)} findings have an id that begins so",
        remedy=f"Give the order with one of these: {', '.join(fitting[:_MOST_NAMED])}.",
    )
