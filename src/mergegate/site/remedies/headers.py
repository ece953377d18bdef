"""Code for response headers that protect the page, in the syntax of what serves it."""

from collections.abc import Mapping
from types import MappingProxyType

from mergegate.site.remedies.remedy import Page, Recipe, Remedy, Slots, Stack

_WANTED: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "csp-xss": (
            "Content-Security-Policy-Report-Only",
            "script-src 'self'; object-src 'none'; base-uri 'self'",
        ),
        "clickjacking-mitigation": ("X-Frame-Options", "SAMEORIGIN"),
        "has-hsts": ("Strict-Transport-Security", "max-age=86400"),
        "origin-isolation": ("Cross-Origin-Opener-Policy", "same-origin-allow-popups"),
        "is-on-https": ("Content-Security-Policy", "upgrade-insecure-requests"),
    }
)
_SYNTAXES: Mapping[str, str] = MappingProxyType(
    {
        "plain": "{name}: {value}",
        "indented": "  {name}: {value}",
        "nginx": 'add_header {name} "{value}" always;',
        "apache": 'Header always set {name} "{value}"',
        "caddy": 'header {name} "{value}"',
        "javascript": '  response.setHeader("{name}", "{value}");',
        "object": '        {{ "key": "{name}", "value": "{value}" }},',
        "property": '      "{name}": "{value}",',
        "ruby": '  "{name}" => "{value}",',
        "python": '        response["{name}"] = "{value}"',
        "php": '    header( "{name}: {value}" );',
        "laravel": '        $response->headers->set("{name}", "{value}");',
    }
)
"""One header; no value of the page is ever part of it."""


def _lines(page: Page) -> Slots | None:
    wanted = [header for rule, header in _WANTED.items() if rule in page.by_rule]
    written = {
        syntax: "\n".join(line.format(name=name, value=value) for name, value in wanted)
        for syntax, line in _SYNTAXES.items()
    }
    # JSON allows no comma after the last.
    return {**written, "json": written["object"].removesuffix(",")}


HEADERS: tuple[Remedy, ...] = (
    Remedy(
        key="security-headers",
        rules=tuple(_WANTED),
        title="Send headers that protect the page",
        explanation=(
            "A policy that only reports blocks nothing: allow what the console names, then drop "
            "-Report-Only. Raise the max-age of Strict-Transport-Security from a day to a year "
            "once all of the site works over HTTPS. X-Frame-Options keeps the page out of the "
            "frames of other sites."
        ),
        recipes={
            None: Recipe("http", "@@plain"),
            Stack.NEXT: Recipe(
                "javascript",
                """// next.config.mjs
export default {
  async headers() {
    return [{
      source: "/:path*",
      headers: [
@@object
      ],
    }];
  },
};""",
            ),
            Stack.NUXT: Recipe(
                "typescript",
                """// nuxt.config.ts
export default defineNuxtConfig({
  routeRules: {
    "/**": { headers: {
@@property
    } },
  },
});""",
            ),
            Stack.SVELTEKIT: Recipe(
                "javascript",
                """// src/hooks.server.js
export async function handle({ event, resolve }) {
  const response = await resolve(event);
  const wanted = {
@@property
  };
  for (const [name, value] of Object.entries(wanted)) response.headers.set(name, value);
  return response;
}""",
            ),
            Stack.WORDPRESS: Recipe(
                "php",
                """<?php
add_action( 'send_headers', function () {
@@php
} );""",
            ),
            Stack.LARAVEL: Recipe(
                "php",
                """<?php
// app/Http/Middleware/SecurityHeaders.php
namespace App\\Http\\Middleware;

class SecurityHeaders
{
    public function handle($request, \\Closure $next)
    {
        $response = $next($request);
@@laravel
        return $response;
    }
}""",
                "Append it to the web middleware in bootstrap/app.php.",
            ),
            Stack.DJANGO: Recipe(
                "python",
                """# middleware.py; name the function in MIDDLEWARE
def security_headers(get_response):
    def middleware(request):
        response = get_response(request)
@@python
        return response

    return middleware""",
                "SecurityMiddleware has settings for some: SECURE_HSTS_SECONDS, X_FRAME_OPTIONS.",
            ),
            Stack.RAILS: Recipe(
                "ruby",
                """# config/application.rb
config.action_dispatch.default_headers.merge!(
@@ruby
)""",
            ),
            Stack.VERCEL: Recipe(
                "json",
                """{
  "headers": [
    {
      "source": "/(.*)",
      "headers": [
@@json
      ]
    }
  ]
}""",
                "In vercel.json.",
            ),
            Stack.NETLIFY: Recipe("text", "/*\n@@indented", "In the file _headers."),
            Stack.EXPRESS: Recipe(
                "javascript",
                """app.use((request, response, next) => {
@@javascript
  next();
});""",
                "Before the routes; the package helmet sets these and more.",
            ),
            Stack.NGINX: Recipe(
                "nginx",
                "@@nginx",
                "A location with add_header of its own loses those of the server block.",
            ),
            Stack.APACHE: Recipe("apache", "@@apache", "It needs mod_headers."),
            Stack.CADDY: Recipe("caddy", "@@caddy"),
            Stack.CLOUDFLARE: Recipe(
                "text", "/*\n@@indented", "In the file _headers of Pages or of a Worker's assets."
            ),
        },
        slots=_lines,
        part=0.5,
    ),
)
