"""Frameworks and languages that answer requests themselves."""

from collections.abc import Callable, Mapping, Sequence

from mergegate.checks.security_scan.patches.syntax import Cookie, Header, Syntax, flag, quoted


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
    """See https://expressjs.com/en/api.html#res.cookie."""
    options = _options(cookie)
    return (
        f"res.cookie({quoted(cookie.name)}, value, {{ {options} }});\n"
        f"// express-session: session({{ name: {quoted(cookie.name)}, cookie: {{ {options} }} }})"
    )


def _options(cookie: Cookie) -> str:
    only, site = flag(cookie.http_only), quoted(cookie.same_site.lower())
    return f"secure: true, httpOnly: {only}, sameSite: {site}"


def _django(headers: Sequence[Header]) -> str:
    """See https://docs.djangoproject.com/en/6.0/ref/settings/ and its /ref/csp/."""
    own = [_DJANGO[name](value) for name, value in headers if name in _DJANGO]
    others = [(name, value) for name, value in headers if name not in _DJANGO]
    return "\n".join([*(["# settings.py", *own] if own else []), *_django_middleware(others)])


def _django_middleware(headers: Sequence[Header]) -> list[str]:
    if not headers:
        return []
    return [
        "# a middleware, listed in MIDDLEWARE",
        *("def security_headers(get_response):", "    def middleware(request):"),
        "        response = get_response(request)",
        *(f"        response[{quoted(name)}] = {quoted(value)}" for name, value in headers),
        *("        return response", "", "    return middleware"),
    ]


def _django_hsts(value: str) -> str:
    parts = [part.strip().lower() for part in value.split(";")]
    age = next((part[8:] for part in parts if part.startswith("max-age=")), "")
    below = str("includesubdomains" in parts)
    return f"SECURE_HSTS_SECONDS = {age}\nSECURE_HSTS_INCLUDE_SUBDOMAINS = {below}"


def _django_policy(value: str) -> str:
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


_DJANGO: Mapping[str, Callable[[str], str]] = {
    "Strict-Transport-Security": _django_hsts,
    "Content-Security-Policy": _django_policy,
    "X-Frame-Options": lambda value: f"X_FRAME_OPTIONS = {quoted(value)}",
    "X-Content-Type-Options": lambda _: "SECURE_CONTENT_TYPE_NOSNIFF = True",
    "Referrer-Policy": lambda value: f"SECURE_REFERRER_POLICY = {quoted(value)}",
    "Cross-Origin-Opener-Policy": lambda value: (
        f"SECURE_CROSS_ORIGIN_OPENER_POLICY = {quoted(value)}"
    ),
}


def _django_cookie(cookie: Cookie) -> str:
    setting = "CSRF_COOKIE" if "csrf" in cookie.name.lower() else "SESSION_COOKIE"
    return "\n".join(
        [
            "# settings.py",
            f"{setting}_SECURE = True",
            f"{setting}_HTTPONLY = {cookie.http_only}",
            f"{setting}_SAMESITE = {quoted(cookie.same_site)}",
        ]
    )


def _rails(headers: Sequence[Header]) -> str:
    """See https://guides.rubyonrails.org/security.html#default-security-headers."""
    pairs = [f"  {quoted(name)} => {quoted(value)}," for name, value in headers]
    begin = ("# config/application.rb", "config.action_dispatch.default_headers.merge!(")
    return "\n".join([*begin, *pairs, ")"])


def _rails_cookie(cookie: Cookie) -> str:
    site = f":{cookie.same_site.lower()}"
    flags = f"secure: true, httponly: {flag(cookie.http_only)}, same_site: {site}"
    return (
        "# config/initializers/session_store.rb\n"
        f"Rails.application.config.session_store :cookie_store, key: {quoted(cookie.name)}, {flags}"
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
    return "\n".join(
        [
            "// config/session.php",
            "'secure' => true,",
            f"'http_only' => {flag(cookie.http_only)},",
            f"'same_site' => '{cookie.same_site.lower()}',",
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
    """See https://www.php.net/manual/en/session.configuration.php."""
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
    Syntax(
        product="Next.js",
        language="js",
        technologies=frozenset({"Next.js"}),
        headers=_next,
        cookie=_next_cookie,
        banner="// next.config.js\nmodule.exports = { poweredByHeader: false };",
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
        banner='app.disable("x-powered-by");',
    ),
    Syntax(
        product="Django",
        language="python",
        technologies=frozenset({"Django"}),
        headers=_django,
        cookie=_django_cookie,
        redirect="# settings.py\nSECURE_SSL_REDIRECT = True",
    ),
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
        banner="; php.ini\nexpose_php = Off",
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
        banner="; php.ini\nexpose_php = Off",
    ),
)
