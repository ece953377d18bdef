"""Why Lighthouse has no result, as an error that says what to do next."""

import re
from collections.abc import Mapping
from types import MappingProxyType

from mergegate.core.errors import (
    EngineFailed,
    EngineTimeout,
    MergegateError,
    TargetNotAnalysable,
    TargetUnreachable,
    UsageError,
)
from mergegate.site.audit.lighthouse.answer import Failure

LATE = "LATE"
"""The worker's own code, for a run that it gave up."""
_OPEN_IT = "Open the address in a browser of your own to see."
_ANSWERS = "Check the address, and that the site is up."
_PAGE = "Give the address of a page."
_PROTECTED = "Give the headers or cookies that open the page, or another address."
_SERVER = "The site has to answer with a page before it can be audited."
_WAIT = "Try again later, or less often."

_UNREACHABLE: Mapping[str, str] = MappingProxyType(
    {
        "DNS_FAILURE": "the host has no address",
        "FAILED_DOCUMENT_REQUEST": "the page could not be loaded",
        "NO_DOCUMENT_REQUEST": "the page was not requested",
        "INSECURE_DOCUMENT_REQUEST": "the site's certificate is not valid",
        "CHROME_INTERSTITIAL_ERROR": "Chromium refused to open the page",
    }
)
_REMEDIES: Mapping[str, str] = MappingProxyType(
    {
        "INSECURE_DOCUMENT_REQUEST": "Give the site a certificate that browsers trust.",
        "CHROME_INTERSTITIAL_ERROR": "Check the address; there are ports that no browser opens.",
    }
)
"""Of those to which the usual advice is no help."""
_REDIRECTS = "net::ERR_TOO_MANY_REDIRECTS"
_ABORTED = "net::ERR_ABORTED"
_NOT_ANALYSABLE: Mapping[str, str] = MappingProxyType(
    {
        "NOT_HTML": "the address answers with no HTML page",
        "NO_FCP": "the page painted nothing",
        "NO_LCP": "the page painted no content",
        "PAGE_HUNG": "the page stopped responding",
        "TARGET_CRASHED": "the page crashed its browser tab",
        "PROTOCOL_TIMEOUT": "the page kept the browser from answering",
        "NO_SPEEDLINE_FRAMES": "the page showed nothing while it loaded",
        "SPEEDINDEX_OF_ZERO": "the page showed nothing while it loaded",
        "NO_SCREENSHOTS": "the page showed nothing while it loaded",
        "INVALID_SPEEDLINE": "the page showed nothing while it loaded",
        "NO_TRACING_STARTED": "the load of the page could not be recorded",
        "NO_RESOURCE_REQUEST": "the load of the page could not be recorded",
        "NO_NAVSTART": "the load of the page could not be recorded",
        "NO_DCL": "the page's document never finished loading",
    }
)
_NET_ERROR = re.compile(r"net::ERR_[A-Z0-9_]{1,60}")
_MIME_TYPE = re.compile(r"[a-z0-9.+-]{1,40}/[a-z0-9.+-]{1,60}")
_STATUS = re.compile(r"[1-5][0-9]{2}")


def refuse(failure: Failure) -> MergegateError:
    """The error to raise; nothing of the page is in it but a status, a type or Chromium's code."""
    status = _STATUS.fullmatch(failure.status)
    if failure.code == "ERRORED_DOCUMENT_REQUEST" and status:
        return _errored(int(status[0]))
    if failure.code == LATE:
        return too_late()
    if failure.code == "COOKIE_REFUSED":
        return UsageError("the browser refuses a cookie", remedy="Check its name and value.")
    if failure.code in _UNREACHABLE:
        return _unloaded(failure)
    if failure.code in _NOT_ANALYSABLE:
        return TargetNotAnalysable(_NOT_ANALYSABLE[failure.code] + _why(failure), remedy=_OPEN_IT)
    return EngineFailed(
        f"Lighthouse failed{_named(failure.code)}", remedy="Run the audit again; then report it."
    )


def too_late() -> EngineTimeout:
    """The page, or Lighthouse over it, took longer than allowed."""
    return EngineTimeout(
        "Lighthouse did not answer in time",
        remedy="The page may never come to rest; run the audit again to see.",
    )


def _unloaded(failure: Failure) -> MergegateError:
    if failure.code == "FAILED_DOCUMENT_REQUEST" and _ABORTED in failure.reason:
        return TargetNotAnalysable(
            "the address answers with a file to save, or with nothing", remedy=_PAGE
        )
    if _REDIRECTS in failure.reason:
        return TargetUnreachable("the address redirects without an end", remedy=_OPEN_IT)
    remedy = _REMEDIES.get(failure.code, _ANSWERS)
    return TargetUnreachable(_UNREACHABLE[failure.code] + _why(failure), remedy=remedy)


def _errored(status: int) -> TargetNotAnalysable:
    remedy = {401: _PROTECTED, 403: _PROTECTED, 404: _ANSWERS, 429: _WAIT}.get(status, _SERVER)
    return TargetNotAnalysable(f"the site answered {status} instead of a page", remedy=remedy)


def _why(failure: Failure) -> str:
    found = _NET_ERROR.search(failure.reason) or _MIME_TYPE.fullmatch(failure.reason)
    return f" ({found[0]})" if found else ""


def _named(code: str) -> str:
    return f" ({code})" if re.fullmatch(r"[A-Za-z_]{1,60}", code) else ""
