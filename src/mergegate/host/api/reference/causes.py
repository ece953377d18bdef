"""What to do about each code of an answer, and what each code of a failed scan means."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from mergegate.host.api.problems import Code


@dataclass(frozen=True, slots=True)
class Cause:
    """Why a scan has no result, or not a whole one."""

    meaning: str
    remedy: str
    """One or two sentences; backticks mark code."""


ANSWERS: Mapping[Code, str] = MappingProxyType(
    {
        Code.INVALID_REQUEST: "Mend what `errors` names. Unknown fields are refused too.",
        Code.TARGET_NOT_ALLOWED: "Name a public address on port 80 or 443, or have the operator "
        "allow the host by `MERGEGATE_ALLOW_HOSTS`.",
        Code.UNSUPPORTED_BUDGET_VERSION: "Save the budget anew from an audit of this host.",
        Code.UNAUTHORIZED: "Send a key that is valid in `X-API-Key`; the operator makes them by "
        "`mergegate keys create`.",
        Code.FORBIDDEN: "Use a key with the scope that the detail names.",
        Code.NOT_FOUND: "Compare the path with this reference.",
        Code.SCAN_NOT_FOUND: "Compare the identifier, the tool and the account of the key. Results "
        "are kept for 90 days unless the operator says otherwise.",
        Code.METHOD_NOT_ALLOWED: "Use a method that `Allow` names.",
        Code.REQUEST_TIMEOUT: "Send the request again, without pauses in it.",
        Code.PROVIDER_NOT_CONNECTED: "Have the operator connect the account by "
        "`mergegate connections add`.",
        Code.IDEMPOTENCY_CONFLICT: "Use a new `Idempotency-Key` for a new request.",
        Code.PAYLOAD_TOO_LARGE: "Send less: a body holds at most 1 MiB.",
        Code.UNSUPPORTED_MEDIA_TYPE: "Send JSON in UTF-8, uncompressed, with `Content-Type: "
        "application/json`.",
        Code.TARGET_UNREACHABLE: "See that the page answers from outside, and scan again.",
        Code.TARGET_NOT_ANALYSABLE: "See that the address answers with HTML that a browser shows.",
        Code.SCAN_COOLDOWN: "Wait for `Retry-After`; paid plans have no cooldown.",
        Code.RATE_LIMITED: "Wait for `Retry-After`.",
        Code.HEADERS_TOO_LARGE: "Send fewer or shorter headers.",
        Code.INTERNAL_ERROR: "Give the operator the `X-Request-Id`: the log has the reason.",
        Code.SCAN_FAILED: "The detail says why; see the codes of scans below.",
        Code.OVERLOADED: "Wait for `Retry-After`. What was accepted is not dropped.",
        Code.SCAN_TIMEOUT: "Where `Location` is given the scan goes on: ask there. Where not, it "
        "took longer than it may.",
    }
)
"""Code of an answer → what to do."""
_RENEW = "Renew the token by `mergegate connections add`"
SCANS: Mapping[str, Cause] = MappingProxyType(
    {
        "INCOMPLETE": Cause(
            "An essential engine did not run. What the others found stands in the result.",
            "`engines` and the detail say which, and how to repair it; then scan again.",
        ),
        "INVALID_POLICY": Cause(
            "The repository's `.mergegate.yml` cannot be read.",
            "Mend it: `mergegate policy` checks it.",
        ),
        "INVALID_REQUEST": Cause(
            "The request was accepted and turned out not to be possible.",
            "The detail says what to change.",
        ),
        "PROVIDER_NOT_CONNECTED": Cause(
            "The account's connection was removed after the scan was accepted.",
            "Connect it again by `mergegate connections add`.",
        ),
        "PROVIDER_TOKEN_REVOKED": Cause(
            "The provider does not know the connection's token any more.", f"{_RENEW}."
        ),
        "PROVIDER_ACCESS_DENIED": Cause(
            "The token may not read the repository, or there is none of this name: providers do "
            "not say which.",
            f"Compare owner and name. {_RENEW}, with one that may read its contents.",
        ),
        "PROVIDER_UNREACHABLE": Cause(
            "The provider does not answer, answers nonsense, or asks to be left alone for longer.",
            "Scan again later.",
        ),
        "BRANCH_NOT_FOUND": Cause(
            "The repository has no branch of that name.", "Push it, or name another."
        ),
        "COMMIT_NOT_FOUND": Cause(
            "The commit is not on that branch, or the provider does not hand it out.",
            "Push it, or name the branch that it is on.",
        ),
        "REPOSITORY_TOO_LARGE": Cause(
            "The repository is larger than the host fetches.",
            "Scan it where it lies, by `mergegate scan` without `--remote`.",
        ),
        "TARGET_NOT_ALLOWED": Cause(
            "The name or a redirect of the page leads where no scan may go.",
            ANSWERS[Code.TARGET_NOT_ALLOWED],
        ),
        "TARGET_UNREACHABLE": Cause("The page does not answer.", ANSWERS[Code.TARGET_UNREACHABLE]),
        "TARGET_NOT_ANALYSABLE": Cause(
            "The page is no HTML, or it or the repository brought a scanner down.",
            "Scan again; what brings a scanner down each time, tell the operator.",
        ),
        "UNSUPPORTED_BUDGET_VERSION": Cause(
            "The budget is of another version than this host reads.",
            ANSWERS[Code.UNSUPPORTED_BUDGET_VERSION],
        ),
        "SCAN_TIMEOUT": Cause(
            "The scan took longer than it may.",
            "Scan again; if it stays so, scan less, or by `mergegate` without `--remote`.",
        ),
        "CANCELLED": Cause("Somebody called the scan off.", "Start another if it is still wanted."),
        "WORKER_LOST": Cause(
            "Each worker that took the scan up was lost before its end.",
            "Start it once more; the operator finds in the log what became of the workers.",
        ),
        "SUPERSEDED": Cause(
            "Of a change: a newer state of it is scanned in its place.",
            "Nothing: the newer one is answered.",
        ),
        "CHANGE_CLOSED": Cause(
            "Of a change: it was merged or closed before its scan began.",
            "Nothing; a change that is opened again is scanned again.",
        ),
        "HOOK_REMOVED": Cause(
            "Of a change: the webhook that told of it has been removed.",
            "Nothing, if that was meant; else `mergegate hooks add`.",
        ),
        "ORDER_NOT_HEARD": Cause(
            "Of a comment: its author may not give orders there.",
            "Have somebody comment who may write to the repository.",
        ),
        "PUBLISHING_FAILED": Cause(
            "Of a change: the forge did not take the answer, or not all of it.",
            "Compare the token's permissions, then comment `/mergegate rescan`.",
        ),
        "INTERNAL": Cause(
            "A mistake of the host's own.",
            "Give the operator the identifier of the scan: the log has the reason.",
        ),
    }
)
"""Code of a scan's ``error`` → what it means and what to do."""


def remedy(code: str) -> str:
    """What to do about a scan that ended with ``code``; empty for a code of another release."""
    known = SCANS.get(code)
    return known.remedy if known else ""
