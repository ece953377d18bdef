"""The rules a content security policy is held to."""

from mergegate.core.severity import Severity
from mergegate.site.security.checks.csp.policy import HEADER
from mergegate.site.security.checks.flaw import Rule
from mergegate.site.security.report import Area

_MDN = "https://developer.mozilla.org/en-US/docs/Web/HTTP"
_GUIDE = f"{_MDN}/Guides/CSP"
_DIRECTIVES = f"{_MDN}/Reference/Headers/Content-Security-Policy"
_SHEET = "https://cheatsheetseries.owasp.org/cheatsheets/Content_Security_Policy_Cheat_Sheet.html"
_START = "; ".join(
    (
        *("default-src 'self'", "object-src 'none'", "base-uri 'self'"),
        *("form-action 'self'", "frame-ancestors 'self'"),
    )
)
"""A first policy that lets a page use its own origin alone."""


def _rule(
    id: str,
    severity: Severity,
    title: str,
    remedy: str,
    reference: str,
    *,
    cwe: str = "CWE-693",
    fix: str = "",
) -> Rule:
    return Rule(
        id=id,
        area=Area.HEADERS,
        severity=severity,
        title=title,
        remedy=remedy,
        cwe=cwe,
        reference=reference,
        header=HEADER,
        fix=fix,
    )


MISSING = _rule(
    "csp-missing",
    Severity.HIGH,
    "No Content Security Policy",
    "Send a Content-Security-Policy header that lists where scripts, styles and frames come from.",
    _GUIDE,
    fix=_START,
)
REPORT_ONLY = _rule(
    "csp-report-only",
    Severity.HIGH,
    "The Content Security Policy only reports",
    "Send the policy as Content-Security-Policy once its reports are quiet.",
    f"{_MDN}/Reference/Headers/Content-Security-Policy-Report-Only",
)
NO_SCRIPTS = _rule(
    "csp-without-script-src",
    Severity.HIGH,
    "The Content Security Policy leaves scripts open",
    "Add a script-src, or a default-src, that names where scripts may come from.",
    f"{_DIRECTIVES}/script-src",
    cwe="CWE-79",
)
UNSAFE_INLINE = _rule(
    "csp-unsafe-inline",
    Severity.HIGH,
    "The Content Security Policy allows inline scripts",
    "Replace 'unsafe-inline' with a fresh nonce for each answer, or with hashes of your inline "
    "scripts.",
    f"{_GUIDE}#inline_javascript",
    cwe="CWE-79",
)
WIDE_SCRIPTS = _rule(
    "csp-wide-script-src",
    Severity.HIGH,
    "The Content Security Policy allows scripts from anywhere",
    "Name the hosts that scripts come from, or trust them by nonce and 'strict-dynamic'.",
    f"{_GUIDE}#strict_csp",
    cwe="CWE-79",
)
UNSAFE_EVAL = _rule(
    "csp-unsafe-eval",
    Severity.MEDIUM,
    "The Content Security Policy allows eval",
    "Drop 'unsafe-eval'; where only WebAssembly needs it, use 'wasm-unsafe-eval'.",
    f"{_GUIDE}#eval_and_similar_apis",
    cwe="CWE-79",
)
SHORT_NONCE = _rule(
    "csp-short-nonce",
    Severity.MEDIUM,
    "A nonce can be guessed",
    "Make each nonce of at least 128 random bits, anew for each answer.",
    "https://www.w3.org/TR/CSP3/#security-nonces",
    cwe="CWE-79",
)
BYPASSABLE = _rule(
    "csp-bypassable-host",
    Severity.LOW,
    "The Content Security Policy trusts a host that serves anyone's scripts",
    "Trust your scripts by nonce or hash, or narrow the source down to the folder you use.",
    _SHEET,
    cwe="CWE-829",
)
OBJECTS = _rule(
    "csp-object-src-open",
    Severity.LOW,
    "The Content Security Policy leaves object and embed open",
    "Add object-src 'none'.",
    f"{_DIRECTIVES}/object-src",
)
BASE = _rule(
    "csp-base-uri-open",
    Severity.LOW,
    "The Content Security Policy leaves the base address open",
    "Add base-uri 'self', or 'none' when the page has no base element; it does not fall back to "
    "default-src.",
    f"{_DIRECTIVES}/base-uri",
)
ANCESTORS = _rule(
    "csp-frame-ancestors-missing",
    Severity.INFO,
    "Framing is limited by X-Frame-Options alone",
    "Add frame-ancestors with the same meaning; it does not fall back to default-src.",
    f"{_DIRECTIVES}/frame-ancestors",
    cwe="CWE-1021",
)
FORMS = _rule(
    "csp-form-action-open",
    Severity.INFO,
    "The Content Security Policy leaves open where forms are sent",
    "Add form-action 'self' and whatever else your forms are sent to; it does not fall back to "
    "default-src.",
    f"{_DIRECTIVES}/form-action",
)
STYLES = _rule(
    "csp-unsafe-inline-style",
    Severity.INFO,
    "The Content Security Policy allows inline styles",
    "Move styles to files, or give them a nonce or a hash.",
    f"{_DIRECTIVES}/style-src",
)
# The Observatory deducts 20 points where this touches more than images. Browsers match http://host
# with https://host too, and block what is really asked for over http: little is left to gain.
INSECURE = _rule(
    "csp-insecure-source",
    Severity.LOW,
    "The Content Security Policy names sources over http",
    "Write the sources with https, or without a scheme.",
    f"{_MDN}/Reference/Headers/Content-Security-Policy#scheme-source",
    cwe="CWE-319",
)
SYNTAX = _rule(
    "csp-ignored-source",
    Severity.LOW,
    "A source in the Content Security Policy is not what it looks like",
    "Put keywords, nonces and hashes in single quotes, and 'none' on its own.",
    f"{_MDN}/Reference/Headers/Content-Security-Policy#fetch_directive_syntax",
)
UNKNOWN = _rule(
    "csp-unknown-directive",
    Severity.LOW,
    "The Content Security Policy has a directive that no browser knows",
    "Correct its name, or the semicolon before it.",
    f"{_DIRECTIVES}#directives",
)
REPEATED = _rule(
    "csp-repeated-directive",
    Severity.LOW,
    "The Content Security Policy says a directive twice",
    "Join both lists: browsers drop the second one.",
    "https://www.w3.org/TR/CSP3/#parse-serialized-policy",
)
UNHEARD = _rule(
    "csp-ignored-in-meta",
    Severity.LOW,
    "The Content Security Policy has directives that a meta element cannot hold",
    "Send the policy as a header.",
    "https://html.spec.whatwg.org/multipage/semantics.html#attr-meta-http-equiv-content-security-policy",
)
