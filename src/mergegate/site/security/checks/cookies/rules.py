"""The rules cookies are held to."""

from mergegate.core.severity import Severity
from mergegate.site.security.checks.flaw import Rule
from mergegate.site.security.report import Area

_COOKIES = "https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Set-Cookie"
_SESSIONS = (
    "https://cheatsheetseries.owasp.org/cheatsheets/Session_Management_Cheat_Sheet.html#cookies"
)


def _rule(
    id: str, severity: Severity, title: str, remedy: str, cwe: str, *, reference: str = _COOKIES
) -> Rule:
    return Rule(
        id=id,
        area=Area.COOKIES,
        severity=severity,
        title=title,
        remedy=remedy,
        cwe=cwe,
        reference=reference,
        header="Set-Cookie",
    )


SESSION_SECURE = _rule(
    "session-cookie-without-secure",
    Severity.CRITICAL,
    "A session cookie goes over http",
    "Set the session cookie with Secure.",
    "CWE-614",
    reference=_SESSIONS,
)
SESSION_HTTP_ONLY = _rule(
    "session-cookie-without-httponly",
    Severity.CRITICAL,
    "Scripts can read a session cookie",
    "Set the session cookie with HttpOnly.",
    "CWE-1004",
    reference=_SESSIONS,
)
BY_SCRIPT = _rule(
    "session-cookie-by-script",
    Severity.MEDIUM,
    "A script keeps the session in a cookie",
    "Let the server set the session cookie, with HttpOnly, and keep it from scripts.",
    "CWE-1004",
    reference=_SESSIONS,
)
SESSION_SAME_SITE = _rule(
    "session-cookie-without-samesite",
    Severity.LOW,
    "A session cookie leaves SameSite to the browser",
    "Set the session cookie with SameSite=Lax, or Strict.",
    "CWE-1275",
    reference=_SESSIONS,
)
SESSION_CROSS_SITE = _rule(
    "session-cookie-samesite-none",
    Severity.INFO,
    "A session cookie is sent from other sites",
    "Use SameSite=Lax unless the site works inside of others; then check the origin of requests.",
    "CWE-1275",
    reference=_SESSIONS,
)
SESSION_DOMAIN = _rule(
    "session-cookie-for-subdomains",
    Severity.INFO,
    "A session cookie goes to every subdomain",
    "Leave Domain out, so that only the host that set the cookie gets it.",
    "CWE-200",
    reference=_SESSIONS,
)
SECURE = _rule(
    "cookie-without-secure",
    Severity.LOW,
    "A cookie goes over http",
    "Set the cookie with Secure.",
    "CWE-614",
)
SAME_SITE = _rule(
    "cookie-samesite-invalid",
    Severity.LOW,
    "SameSite has no known value",
    "Use SameSite=Lax, Strict, or None with Secure.",
    "CWE-1275",
)
NONE_INSECURE = _rule(
    "cookie-samesite-none-without-secure",
    Severity.MEDIUM,
    "Browsers refuse a cookie for SameSite=None without Secure",
    "Add Secure to the cookie.",
    "CWE-614",
    reference=f"{_COOKIES}#none",
)
PARTITIONED = _rule(
    "cookie-partitioned-without-secure",
    Severity.LOW,
    "Browsers refuse a cookie for Partitioned without Secure",
    "Add Secure to the cookie.",
    "CWE-614",
    reference=f"{_COOKIES}#partitioned",
)
PREFIX = _rule(
    "cookie-prefix-broken",
    Severity.MEDIUM,
    "Browsers refuse a cookie for its prefix",
    "Set __Secure- cookies with Secure, and __Host- cookies with Secure, Path=/ and no Domain.",
    "CWE-16",
    reference=f"{_COOKIES}#cookie_prefixes",
)
