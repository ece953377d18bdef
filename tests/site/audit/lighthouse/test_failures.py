"""Lighthouse's codes become errors that say what happened, without a word of the page's."""

import re

import pytest

from mergegate.core.errors import (
    EngineFailed,
    EngineTimeout,
    MergegateError,
    TargetNotAnalysable,
    TargetUnreachable,
    UsageError,
)
from mergegate.sandbox.process import node
from mergegate.site.audit.lighthouse.answer import Failure, refuse

BROWSER_ERRORS = {"CRI_TIMEOUT", "PARSING_PROBLEM", "READ_FAILED", "TRACING_ALREADY_STARTED"}
"""No page is to blame for them."""


def failure(code: str, *, status: str = "", reason: str = "") -> Failure:
    return Failure(code=code, status=status, reason=reason)


@pytest.mark.parametrize(
    ("failed", "kind", "what"),
    [
        (failure("DNS_FAILURE"), TargetUnreachable, "the host has no address"),
        (
            failure("FAILED_DOCUMENT_REQUEST", reason="net::ERR_CONNECTION_REFUSED"),
            TargetUnreachable,
            "the page could not be loaded (net::ERR_CONNECTION_REFUSED)",
        ),
        (
            failure("FAILED_DOCUMENT_REQUEST", reason="net::ERR_ABORTED"),
            TargetNotAnalysable,
            "the address answers with a file to save, or with nothing",
        ),
        (
            failure("INSECURE_DOCUMENT_REQUEST", reason="x net::ERR_CERT_DATE_INVALID. y"),
            TargetUnreachable,
            "the site's certificate is not valid (net::ERR_CERT_DATE_INVALID)",
        ),
        (
            failure("ERRORED_DOCUMENT_REQUEST", status="503"),
            TargetNotAnalysable,
            "the site answered 503 instead of a page",
        ),
        (
            failure("NOT_HTML", reason="application/pdf"),
            TargetNotAnalysable,
            "the address answers with no HTML page (application/pdf)",
        ),
        (
            failure("NOT_HTML", reason="text/html\x1b[31m"),
            TargetNotAnalysable,
            "the address answers with no HTML page",
        ),
        (failure("PAGE_HUNG"), TargetNotAnalysable, "the page stopped responding"),
        (failure("LATE"), EngineTimeout, "Lighthouse did not answer in time"),
        (failure("COOKIE_REFUSED"), UsageError, "the browser refuses a cookie"),
        (failure("SOMETHING_NEW"), EngineFailed, "Lighthouse failed (SOMETHING_NEW)"),
        (failure("</script>"), EngineFailed, "Lighthouse failed"),
    ],
)
def test_a_failure_says_what_happened(
    failed: Failure, kind: type[MergegateError], what: str
) -> None:
    error = refuse(failed)
    assert (type(error), error.what) == (kind, what)
    assert error.remedy


def test_every_code_that_voids_a_result_of_lighthouse_is_known() -> None:
    source = node.packaged("lighthouse", "core/lib/lh-error.js").read_text()
    definitions = re.findall(r"code: '([A-Z_]+)',(.*?)\n  }", source, re.DOTALL)
    void = {code for code, rest in definitions if "lhrRuntimeError: true" in rest}
    unknown = {code for code in void if isinstance(refuse(failure(code)), EngineFailed)}
    assert len(void) > 15
    assert unknown == BROWSER_ERRORS | {"ERRORED_DOCUMENT_REQUEST"}, "the last one has a status"
