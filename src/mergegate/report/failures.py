"""What an error is called in the API, and what a stranger may be told of it."""

from mergegate.errors import MergegateError, PolicyError, TargetError, UsageError
from mergegate.model.service.scan import Failed
from mergegate.report.escape import visible

INTERNAL = Failed(
    "INTERNAL",
    "The scan ended in a mistake of this host. Its operator finds the reason in the log.",
)
LATE = Failed("SCAN_TIMEOUT", "The scan took longer than it may.")
BROKEN_BROWSER = Failed(
    "TARGET_NOT_ANALYSABLE",
    "The page could not be analysed: the browser ended or hung while it was open.",
)
OVERWHELMED = Failed(
    "TARGET_NOT_ANALYSABLE",
    "It could not be analysed: the scanner crashed on it, or would have used more than it may.",
)
NOT_CONNECTED = Failed(
    "PROVIDER_NOT_CONNECTED",
    "The account is not connected to the provider of the repository.",
)
AMBIGUOUS = Failed(
    "INVALID_REQUEST", "The account has more than one connection: name the provider."
)
_LONGEST = 500
_USUAL_CODES: tuple[tuple[type[MergegateError], str], ...] = (
    (PolicyError, "INVALID_POLICY"),
    (UsageError, "INVALID_REQUEST"),
    (TargetError, "TARGET_NOT_ANALYSABLE"),
)
"""Of errors that bring no code of their own."""


def failed(error: MergegateError) -> Failed:
    """The outcome that ``error`` is; :data:`INTERNAL` for one that tells of this machine.

    The remedy is left out: it speaks to a person at the command line.
    """
    code = error.code or next((name for kind, name in _USUAL_CODES if isinstance(error, kind)), "")
    if not code:
        return INTERNAL
    said = visible(error.what)[:_LONGEST].rstrip(".")
    return Failed(code, f"{said[:1].upper()}{said[1:]}.")
