"""Web servers."""

import json
from collections.abc import Sequence
from xml.sax.saxutils import quoteattr

from mergegate.site.security.patches.syntax import Cookie, Header, Syntax, flag, quoted


def _vercel(headers: Sequence[Header]) -> str:
    """See https://vercel.com/docs/project-configuration#headers."""
    pairs = [{"key": name, "value": value} for name, value in headers]
    return json.dumps({"headers": [{"source": "/(.*)", "headers": pairs}]}, indent=2)


def _headers_file(headers: Sequence[Header]) -> str:
    """Return a file ``_headers``, as Netlify and Cloudflare Pages document it alike."""
    return "\n".join(["/*", *(f"  {name}: {value}" for name, value in headers)])


def _cloudfront(headers: Sequence[Header]) -> str:
    """See https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/."""
    lines = [
        f"  headers[{quoted(name.lower())}] = {{ value: {quoted(value)} }};"
        for name, value in headers
    ]
    return "\n".join(
        [
            "// a CloudFront function for the viewer response",
            *("function handler(event) {", "  var headers = event.response.headers;", *lines),
            *("  return event.response;", "}"),
        ]
    )


HOSTS = (
    Syntax(
        product="Vercel",
        language="json",
        technologies=frozenset({"Vercel"}),
        headers=_vercel,
    ),
    Syntax(
        product="Netlify",
        language="text",
        technologies=frozenset({"Netlify"}),
        headers=_headers_file,
    ),
    Syntax(
        product="Cloudflare Pages",
        language="text",
        technologies=frozenset({"Cloudflare Pages"}),
        headers=_headers_file,
    ),
    Syntax(
        product="Amazon CloudFront",
        language="js",
        technologies=frozenset({"Amazon CloudFront", "Amazon S3"}),
        headers=_cloudfront,
    ),
)


def _nginx(headers: Sequence[Header]) -> str:
    """See https://nginx.org/en/docs/http/ngx_http_headers_module.html."""
    lines = [f'add_header {name} "{value}" always;' for name, value in headers]
    return "\n".join(
        [
            "# server { … }; a location with an add_header of its own repeats these, and one that",
            "# the application sends too arrives twice: proxy_hide_header NAME; drops the other",
            *lines,
        ]
    )


def _nginx_cookie(cookie: Cookie) -> str:
    """See https://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_cookie_flags."""
    only = " httponly" if cookie.http_only else ""
    flags = f"secure{only} samesite={cookie.same_site.lower()}"
    return f"# beside proxy_pass; nginx 1.19.3 or later\nproxy_cookie_flags {cookie.name} {flags};"


def _apache(headers: Sequence[Header]) -> str:
    """See https://httpd.apache.org/docs/2.4/mod/mod_headers.html.

    It keeps two tables, and sends what is in both: what the application put into the other one has
    to go.
    """
    lines = [
        line
        for name, value in headers
        for line in (f"Header onsuccess unset {name}", f'Header always set {name} "{value}"')
    ]
    return "\n".join(["# virtual host or .htaccess, with mod_headers", *lines])


def _apache_cookie(cookie: Cookie) -> str:
    """Of whichever table: mod_php and mod_proxy_http use another one than CGI and FastCGI."""
    only = "; HttpOnly" if cookie.http_only else ""
    name = cookie.name.replace(".", r"\.")
    flags = f"; Secure{only}; SameSite={cookie.same_site}"
    lines = [
        f'Header {table} edit Set-Cookie "^({name}=.*)$" "$1{flags}"'
        for table in ("onsuccess", "always")
    ]
    return "\n".join(["# with mod_headers", *lines])


def _caddy(headers: Sequence[Header]) -> str:
    """See https://caddyserver.com/docs/caddyfile/directives/header.

    Deferred, they take the place of what the application behind it sends.
    """
    lines = [f'\t{name} "{value}"' for name, value in headers]
    return "\n".join(["header {", *lines, "\tdefer", "}"])


def _iis(headers: Sequence[Header]) -> str:
    """See https://learn.microsoft.com/iis/configuration/system.webserver/httpprotocol/."""
    lines = [
        f"        <add name={quoteattr(name)} value={quoteattr(value)} />"
        for name, value in headers
    ]
    return "\n".join(
        [
            *("<configuration>", "  <system.webServer>", "    <httpProtocol>"),
            *("      <customHeaders>", *lines, "      </customHeaders>", "    </httpProtocol>"),
            *("  </system.webServer>", "</configuration>"),
        ]
    )


def _iis_cookie(cookie: Cookie) -> str:
    """See https://learn.microsoft.com/dotnet/api/system.web.configuration.httpcookiessection."""
    flags = f'requireSSL="true" httpOnlyCookies="{flag(cookie.http_only)}"'
    return f'<system.web>\n  <httpCookies {flags} sameSite="{cookie.same_site}" />\n</system.web>'


SERVERS = (
    Syntax(
        product="nginx",
        language="nginx",
        technologies=frozenset({"nginx", "OpenResty"}),
        headers=_nginx,
        cookie=_nginx_cookie,
        server_banner="server_tokens off;",
        protocols="ssl_protocols TLSv1.2 TLSv1.3;",
        redirect="server {\n    listen 80;\n    return 301 https://$host$request_uri;\n}",
    ),
    Syntax(
        product="Apache",
        language="apache",
        technologies=frozenset({"Apache HTTP Server", "LiteSpeed"}),
        headers=_apache,
        cookie=_apache_cookie,
        server_banner="ServerTokens Prod\nServerSignature Off",
        protocols="SSLProtocol -all +TLSv1.2 +TLSv1.3",
        redirect=(
            "RewriteEngine On\nRewriteCond %{HTTPS} !=on\n"
            "RewriteRule ^ https://%{HTTP_HOST}%{REQUEST_URI} [R=301,L]"
        ),
    ),
    Syntax(
        product="Caddy",
        language="caddyfile",
        technologies=frozenset({"Caddy"}),
        headers=_caddy,
        server_banner="header -Server",
        protocols="tls {\n\tprotocols tls1.2 tls1.3\n}",
    ),
    Syntax(
        product="IIS",
        language="xml",
        technologies=frozenset({"Microsoft IIS", "ASP.NET"}),
        headers=_iis,
        cookie=_iis_cookie,
        server_banner=(
            "<system.webServer>\n  <security>\n"
            '    <requestFiltering removeServerHeader="true" />\n'
            "  </security>\n</system.webServer>"
        ),
        powered_by=(
            "<system.webServer>\n  <httpProtocol>\n    <customHeaders>\n"
            '      <remove name="X-Powered-By" />\n'
            "    </customHeaders>\n  </httpProtocol>\n</system.webServer>"
        ),
    ),
)
