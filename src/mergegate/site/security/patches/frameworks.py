"""Frameworks and languages that answer requests themselves."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from mergegate.site.security.patches.syntax import Cookie, Header, Syntax, flag, quoted


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


def _next(headers: Sequence[Header]) -> str:
    """See https://nextjs.org/docs/app/api-reference/config/next-config-js/headers."""
    pairs = [
        f"          {{ key: {quoted(name)}, value: {quoted(value)} }}," for name, value in headers
    ]
    return "\n".join(
        [
            *("// next.config.js", "module.exports = {", "  async headers() {", "    return ["),
            *("      {", '        source: "/(.*)",', "        headers: [", *pairs, "        ],"),
            *("      },", "    ];", "  },", "};"),
        ]
    )


def _next_cookie(cookie: Cookie) -> str:
    """See https://nextjs.org/docs/app/api-reference/functions/cookies."""
    return f"(await cookies()).set({quoted(cookie.name)}, value, {{ {_options(cookie)} }});"


def _nuxt(headers: Sequence[Header]) -> str:
    """See https://nuxt.com/docs/guide/concepts/rendering#route-rules."""
    pairs = [f"        {quoted(name)}: {quoted(value)}," for name, value in headers]
    return "\n".join(
        [
            *("// nuxt.config.ts", "export default defineNuxtConfig({", "  routeRules: {"),
            *('    "/**": {', "      headers: {", *pairs, "      },", "    },", "  },", "});"),
        ]
    )


def _express(headers: Sequence[Header]) -> str:
    """See https://expressjs.com/en/api.html#res.set; helmet sets others of its own choice."""
    pairs = [f"    {quoted(name)}: {quoted(value)}," for name, value in headers]
    begin = ("// before the routes", "app.use((req, res, next) => {", "  res.set({")
    return "\n".join([*begin, *pairs, "  });", "  next();", "});"])


def _express_cookie(cookie: Cookie) -> str:
    """See https://expressjs.com/en/api.html#res.cookie and its express-session."""
    name, options = quoted(cookie.name), _options(cookie)
    if cookie.is_session:
        return f"app.use(session({{ name: {name}, cookie: {{ {options} }} }}));"
    return f"res.cookie({name}, value, {{ {options} }});"


def _options(cookie: Cookie) -> str:
    only, site = flag(cookie.http_only), quoted(cookie.same_site.lower())
    return f"secure: true, httpOnly: {only}, sameSite: {site}"


JAVASCRIPT = (
    Syntax(
        product="Next.js",
        language="js",
        technologies=frozenset({"Next.js"}),
        headers=_next,
        cookie=_next_cookie,
        powered_by="// next.config.js\nmodule.exports = { poweredByHeader: false };",
    ),
    Syntax(
        product="Nuxt",
        language="ts",
        technologies=frozenset({"Nuxt"}),
        headers=_nuxt,
    ),
    Syntax(
        product="Express",
        language="js",
        technologies=frozenset({"Express"}),
        headers=_express,
        cookie=_express_cookie,
        powered_by='app.disable("x-powered-by");',
    ),
)


def _rails(headers: Sequence[Header]) -> str:
    """See https://guides.rubyonrails.org/security.html#default-security-headers."""
    pairs = [f"  {quoted(name)} => {quoted(value)}," for name, value in headers]
    begin = ("# config/application.rb", "config.action_dispatch.default_headers.merge!(")
    return "\n".join([*begin, *pairs, ")"])


def _rails_cookie(cookie: Cookie) -> str:
    name, site = quoted(cookie.name), f":{cookie.same_site.lower()}"
    flags = f"secure: true, httponly: {flag(cookie.http_only)}, same_site: {site}"
    if not cookie.is_session:
        return f"cookies[{name}] = {{ value: value, {flags} }}"
    return (
        "# config/initializers/session_store.rb\n"
        f"Rails.application.config.session_store :cookie_store, key: {name}, {flags}"
    )


def _laravel(headers: Sequence[Header]) -> str:
    """See https://laravel.com/docs/middleware."""
    lines = [
        f"    $response->headers->set({quoted(name)}, {quoted(value)});" for name, value in headers
    ]
    return "\n".join(
        [
            "// a middleware, appended in bootstrap/app.php",
            *("public function handle(Request $request, Closure $next): Response", "{"),
            *("    $response = $next($request);", *lines, "    return $response;", "}"),
        ]
    )


def _laravel_cookie(cookie: Cookie) -> str:
    only, site = flag(cookie.http_only), cookie.same_site.lower()
    if not cookie.is_session:
        flags = f"secure: true, httpOnly: {only}, sameSite: '{site}'"
        return f"cookie({quoted(cookie.name)}, $value, {flags});"
    return "\n".join(
        [
            "// config/session.php",
            "'secure' => true,",
            f"'http_only' => {only},",
            f"'same_site' => '{site}',",
        ]
    )


def _spring(headers: Sequence[Header]) -> str:
    """See https://docs.spring.io/spring-security/reference/servlet/exploits/headers.html."""
    lines = [
        f"    .addHeaderWriter(new StaticHeadersWriter({quoted(name)}, {quoted(value)}))"
        for name, value in headers
    ]
    return "\n".join(["http.headers(headers -> headers", *lines, ");"])


def _spring_cookie(cookie: Cookie) -> str:
    if not cookie.is_session:
        flags = f".secure(true).httpOnly({flag(cookie.http_only)})"
        site = f".sameSite({quoted(cookie.same_site)})"
        return f"ResponseCookie.from({quoted(cookie.name)}, value){flags}{site}.build();"
    return "\n".join(
        [
            "# application.properties",
            f"server.servlet.session.cookie.name={cookie.name}",
            "server.servlet.session.cookie.secure=true",
            f"server.servlet.session.cookie.http-only={flag(cookie.http_only)}",
            f"server.servlet.session.cookie.same-site={cookie.same_site.lower()}",
        ]
    )


def _php(headers: Sequence[Header]) -> str:
    """See https://www.php.net/manual/en/function.header.php."""
    begin = ("<?php", "// before anything is printed")
    return "\n".join(
        [*begin, *(f"header({quoted(f'{name}: {value}')});" for name, value in headers)]
    )


def _php_cookie(cookie: Cookie) -> str:
    """See https://www.php.net/manual/en/session.configuration.php and its function.setcookie."""
    if not cookie.is_session:
        only, site = flag(cookie.http_only), f"'samesite' => '{cookie.same_site}'"
        flags = f"['secure' => true, 'httponly' => {only}, {site}]"
        return f"setcookie({quoted(cookie.name)}, $value, {flags});"
    return "\n".join(
        [
            "; php.ini",
            f"session.name = {cookie.name}",
            "session.cookie_secure = 1",
            f"session.cookie_httponly = {int(cookie.http_only)}",
            f"session.cookie_samesite = {cookie.same_site}",
        ]
    )


FRAMEWORKS = (
    *JAVASCRIPT,
    DJANGO,
    Syntax(
        product="Ruby on Rails",
        language="ruby",
        technologies=frozenset({"Ruby on Rails"}),
        headers=_rails,
        cookie=_rails_cookie,
        redirect="# config/environments/production.rb\nconfig.force_ssl = true",
    ),
    Syntax(
        product="Laravel",
        language="php",
        technologies=frozenset({"Laravel"}),
        headers=_laravel,
        cookie=_laravel_cookie,
        powered_by="; php.ini\nexpose_php = Off",
    ),
    Syntax(
        product="Spring",
        language="java",
        technologies=frozenset({"Spring"}),
        headers=_spring,
        cookie=_spring_cookie,
    ),
)
LANGUAGES = (
    Syntax(
        product="PHP",
        language="php",
        technologies=frozenset({"PHP"}),
        headers=_php,
        cookie=_php_cookie,
        powered_by="; php.ini\nexpose_php = Off",
    ),
)
