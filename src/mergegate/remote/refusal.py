"""What a host says instead of a result → an error that tells the caller what to do."""

from collections.abc import Callable, Mapping

from mergegate.core.errors import (
    EngineFailed,
    EngineTimeout,
    MergegateError,
    TargetNotAllowed,
    TargetNotAnalysable,
    TargetUnreachable,
    UnsupportedBudgetVersion,
    UsageError,
)
from mergegate.remote.exchange import Problem

_Kind = Callable[..., MergegateError]
_KEY = "MERGEGATE_API_KEY may have expired or been revoked; `mergegate keys create` makes another."
_SCOPE = "It needs the scope `repo` for repositories, `site` for the other tools."
_CONNECT = "Connect it in the host's settings, or with `mergegate connections` there."
_CONNECTION = "Renew the token of the provider's connection at the host."
_AGAIN = "Scan again; if it stays so, ask whoever runs the host."
_ADDRESS = "--remote takes the address that the host's paths begin at, without `/api`."

_BY_CODE: Mapping[str, tuple[_Kind, str, str]] = {
    "UNAUTHORIZED": (UsageError, "{host} does not accept the key", _KEY),
    "FORBIDDEN": (UsageError, "the key may not ask {host} for this", _SCOPE),
    "SCAN_NOT_FOUND": (UsageError, "{host} does not know the scan any more", "Start it again."),
    "PROVIDER_NOT_CONNECTED": (
        UsageError,
        "{host} has no connection to the repository's provider{detail}",
        _CONNECT,
    ),
    "PROVIDER_TOKEN_REVOKED": (
        EngineFailed,
        "the provider does not accept the token that {host} keeps for it{detail}",
        _CONNECTION,
    ),
    "PROVIDER_ACCESS_DENIED": (
        EngineFailed,
        "the token that {host} keeps may not read the repository, or there is none{detail}",
        _CONNECTION,
    ),
    "PROVIDER_UNREACHABLE": (
        EngineFailed,
        "the repository's provider does not answer {host}{detail}",
        _AGAIN,
    ),
    "BRANCH_NOT_FOUND": (
        EngineFailed,
        "{host} does not find the branch at the provider{detail}",
        "Push it first.",
    ),
    "COMMIT_NOT_FOUND": (
        EngineFailed,
        "{host} does not find the commit at the provider{detail}",
        "Push it first.",
    ),
    "REPOSITORY_TOO_LARGE": (
        EngineFailed,
        "the repository is larger than {host} scans{detail}",
        "Scan it here, without --remote.",
    ),
    "INVALID_REQUEST": (UsageError, "{host} does not take the request{detail}", ""),
    "PAYLOAD_TOO_LARGE": (UsageError, "{host} does not take so large a request", ""),
    "UNSUPPORTED_MEDIA_TYPE": (UsageError, "{host} does not take JSON here", _ADDRESS),
    "IDEMPOTENCY_CONFLICT": (
        EngineFailed,
        "{host} takes the request for a repetition of another one",
        _AGAIN,
    ),
    "TARGET_NOT_ALLOWED": (
        TargetNotAllowed,
        "{host} does not visit that address{detail}",
        "A host visits public addresses alone, and those that whoever runs it allows.",
    ),
    "TARGET_UNREACHABLE": (TargetUnreachable, "{host} does not reach the page{detail}", ""),
    "TARGET_NOT_ANALYSABLE": (
        TargetNotAnalysable,
        "{host}: the page cannot be analysed{detail}",
        "",
    ),
    "UNSUPPORTED_BUDGET_VERSION": (
        UnsupportedBudgetVersion,
        "{host} does not read budgets of this version",
        "`mergegate audit URL --save-budget FILE` writes one.",
    ),
    "SCAN_TIMEOUT": (EngineTimeout, "the scan took longer than {host} lets one take{detail}", ""),
    "CANCELLED": (
        EngineFailed,
        "the scan was called off at {host}",
        "Scan again; who calls an equal scan off ends this one too.",
    ),
    "SCAN_FAILED": (EngineFailed, "the scan failed at {host}{detail}", _AGAIN),
    "RATE_LIMITED": (EngineFailed, "the key has asked {host} too often{detail}", "Try it later."),
    "OVERLOADED": (EngineFailed, "{host} has too much to do{detail}", "Try it later."),
}
_UNKNOWN_PATH = "there is no Mergegate API at {host}"
_BY_STATUS: Mapping[int, tuple[_Kind, str, str]] = {
    400: _BY_CODE["INVALID_REQUEST"],
    401: _BY_CODE["UNAUTHORIZED"],
    403: _BY_CODE["FORBIDDEN"],
    404: (UsageError, _UNKNOWN_PATH, _ADDRESS),
    405: (UsageError, _UNKNOWN_PATH, _ADDRESS),
    413: _BY_CODE["PAYLOAD_TOO_LARGE"],
    415: _BY_CODE["UNSUPPORTED_MEDIA_TYPE"],
    429: _BY_CODE["RATE_LIMITED"],
    503: _BY_CODE["OVERLOADED"],
}
_SERVER_ERRORS = 500
_REDIRECTS = range(300, 400)


def refusal(problem: Problem, host: str) -> MergegateError:
    """The error that ``problem`` is; ``host`` names who said it."""
    if problem.status in _REDIRECTS:
        where = f" to {problem.elsewhere}" if problem.elsewhere else ""
        return UsageError(
            f"{host} redirects{where}, and the key goes to no other address",
            remedy="Give --remote the address that answers itself.",
        )
    known = _BY_CODE.get(problem.code) or _BY_STATUS.get(problem.status)
    if known is None:
        return _unknown(problem, host)
    kind, what, remedy = known
    detail = f": {problem.detail}" if problem.detail else ""
    return kind(what.format(host=host, detail=detail), remedy=remedy)


def failure(code: str, detail: str, host: str) -> MergegateError:
    """The error that a scan, which was accepted, ended with."""
    if code in _BY_CODE:
        return refusal(Problem(0, code, detail), host)
    return refusal(Problem(0, "SCAN_FAILED", detail), host)


def cooldown(name: str, wait_s: float | None, *, asked: bool) -> EngineFailed:
    """Of an account on a free plan; ``asked`` when its end was to be waited for."""
    when = f"in {minutes(wait_s)}" if wait_s is not None else "later"
    remedy = "Raise --timeout to wait for it." if asked else "Add --wait to wait for it."
    return EngineFailed(
        f"{name} audits this site again {when}: the account has used up its audits of the month "
        "without waiting",
        remedy=remedy,
    )


def minutes(seconds: float) -> str:
    """``a minute``, ``12 minutes``."""
    number = max(1, round(seconds / 60))
    return "a minute" if number == 1 else f"{number} minutes"


def _unknown(problem: Problem, host: str) -> MergegateError:
    why = f": {problem.detail}" if problem.detail else ""
    if problem.status >= _SERVER_ERRORS:
        return EngineFailed(f"{host} answers {problem.status}{why}", remedy=_AGAIN)
    return UsageError(f"{host} refuses the request ({problem.status}){why}")
