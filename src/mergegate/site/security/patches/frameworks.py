"""Frameworks and languages that answer requests themselves."""

from collections.abc import Sequence

from mergegate.site.security.patches.django import DJANGO
from mergegate.site.security.patches.javascript import JAVASCRIPT
from mergegate.site.security.patches.syntax import Cookie, Header, Syntax, flag, quoted


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
