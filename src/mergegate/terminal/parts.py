"""The parts of a repository scan, as options name them."""

from mergegate.core.errors import UsageError
from mergegate.core.severity import Aspect
from mergegate.terminal.output import meant

PARTS = ", ".join(Aspect)


def parts_of(only: str | None) -> frozenset[Aspect]:
    """The parts that ``only`` names, all without; raises UsageError."""
    if only is None:
        return frozenset(Aspect)
    parts = [part.strip() for part in only.split(",")]
    stray = next((part for part in parts if part not in [*Aspect]), None)
    if stray is not None:
        raise UsageError(
            f"--only {only!r}: {stray!r} is no part of a scan",
            remedy=f"{meant(stray, Aspect)}The parts are {PARTS}.",
        )
    return frozenset(map(Aspect, parts))
