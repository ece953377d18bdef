"""Django, which has settings of its own for most headers."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from mergegate.site.security.patches.syntax import Cookie, Header, Syntax, quoted


def _headers(headers: Sequence[Header]) -> str:
    """See https://docs.djangoproject.com/en/6.0/ref/settings/ and its /ref/csp/."""
    own = [_SETTINGS[name](value) for name, value in headers if name in _SETTINGS]
    others = [(name, value) for name, value in headers if name not in _SETTINGS]
    return "\n".join([*(["# settings.py", *own] if own else []), *_middleware(others)])


def _middleware(headers: Sequence[Header]) -> list[str]:
    if not headers:
        return []
    return [
        "# a middleware, listed in MIDDLEWARE",
        *("def security_headers(get_response):", "    def middleware(request):"),
        "        response = get_response(request)",
        *(f"        response[{quoted(name)}] = {quoted(value)}" for name, value in headers),
        *("        return response", "", "    return middleware"),
    ]


def _hsts(value: str) -> str:
    parts = [part.strip().lower() for part in value.split(";")]
    age = next((part[8:] for part in parts if part.startswith("max-age=")), "")
    below = str("includesubdomains" in parts)
    return f"SECURE_HSTS_SECONDS = {age}\nSECURE_HSTS_INCLUDE_SUBDOMAINS = {below}"


def _policy(value: str) -> str:
    """Django 6.0 and later, with ``ContentSecurityPolicyMiddleware``."""
    directives = [part.split() for part in value.split(";") if part.split()]
    lines = [
        f"    {quoted(name)}: [{', '.join(map(quoted, sources))}],"
        if sources
        else f"    {quoted(name)}: True,"
        for name, *sources in directives
    ]
    middleware = "# with django.middleware.csp.ContentSecurityPolicyMiddleware (Django 6.0)"
    return "\n".join([middleware, "SECURE_CSP = {", *lines, "}"])


_SETTINGS: Mapping[str, Callable[[str], str]] = MappingProxyType(
    {
        "Strict-Transport-Security": _hsts,
        "Content-Security-Policy": _policy,
        "X-Frame-Options": lambda value: f"X_FRAME_OPTIONS = {quoted(value)}",
        "X-Content-Type-Options": lambda _: "SECURE_CONTENT_TYPE_NOSNIFF = True",
        "Referrer-Policy": lambda value: f"SECURE_REFERRER_POLICY = {quoted(value)}",
        "Cross-Origin-Opener-Policy": lambda value: (
            f"SECURE_CROSS_ORIGIN_OPENER_POLICY = {quoted(value)}"
        ),
    }
)


def _cookie(cookie: Cookie) -> str:
    is_token = "csrf" in cookie.name.lower()
    if not (cookie.is_session or is_token):
        flags = f"secure=True, httponly={cookie.http_only}, samesite={quoted(cookie.same_site)}"
        return f"response.set_cookie({quoted(cookie.name)}, value, {flags})"
    setting = "CSRF_COOKIE" if is_token else "SESSION_COOKIE"
    return "\n".join(
        [
            "# settings.py",
            f"{setting}_SECURE = True",
            f"{setting}_HTTPONLY = {cookie.http_only}",
            f"{setting}_SAMESITE = {quoted(cookie.same_site)}",
        ]
    )


DJANGO = Syntax(
    product="Django",
    language="python",
    technologies=frozenset({"Django"}),
    headers=_headers,
    cookie=_cookie,
    redirect="# settings.py\nSECURE_SSL_REDIRECT = True",
)
