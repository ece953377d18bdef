"""Code for servers and hosts: caching, compression, HTTP/2."""

import re

from mergegate.site.remedies.remedy import NOTHING, Page, Recipe, Remedy, Slots, Stack

_HASHED = "Only for files whose names change with their content; the HTML itself stays fresh."
_YEAR = "public, max-age=31536000, immutable"
_UNCOMPRESSED = re.compile(r"no compression", re.IGNORECASE)


def _uncompressed(page: Page) -> Slots | None:
    rows = page.rows("document-latency-insight")
    return NOTHING if any(_UNCOMPRESSED.search(row.text) for row in rows) else None


_CACHE = Remedy(
    key="cache",
    rules=("cache-insight",),
    title="Let browsers keep static files for a year",
    explanation=f"Later visits need not load them again; the first, and the score, stay. {_HASHED}",
    recipes={
        None: Recipe("http", f"Cache-Control: {_YEAR}", "The header of the answers."),
        Stack.NEXT: Recipe(
            "javascript",
            """// next.config.mjs
export default {
  async headers() {
    return [
      {
        source: "/assets/:path*",
        headers: [{ key: "Cache-Control", value: "public, max-age=31536000, immutable" }],
      },
    ];
  },
};""",
            "Next.js does it for /_next/static by itself; this is for files in public/assets.",
        ),
        Stack.NUXT: Recipe(
            "typescript",
            """// nuxt.config.ts
export default defineNuxtConfig({
  routeRules: {
    "/assets/**": { headers: { "cache-control": "public, max-age=31536000, immutable" } },
  },
});""",
        ),
        Stack.LARAVEL: Recipe(
            "apache",
            """# public/.htaccess
<IfModule mod_headers.c>
  <FilesMatch "-[A-Za-z0-9_-]{8}\\.(css|js|woff2|png|jpe?g|webp|avif|svg)$">
    Header set Cache-Control "public, max-age=31536000, immutable"
  </FilesMatch>
</IfModule>""",
            "The pattern matches the names that Vite gives to built files.",
        ),
        Stack.DJANGO: Recipe(
            "python",
            """# settings.py
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
# in MIDDLEWARE, right after SecurityMiddleware:
#     "whitenoise.middleware.WhiteNoiseMiddleware",""",
            "It needs the package whitenoise, and collectstatic on every deployment.",
        ),
        Stack.RAILS: Recipe(
            "ruby",
            """# config/environments/production.rb
config.public_file_server.headers = {
  "cache-control" => "public, max-age=31536000, immutable"
}""",
        ),
        Stack.VERCEL: Recipe(
            "json",
            """{
  "headers": [
    {
      "source": "/assets/(.*)",
      "headers": [{ "key": "Cache-Control", "value": "public, max-age=31536000, immutable" }]
    }
  ]
}""",
            "In vercel.json.",
        ),
        Stack.NETLIFY: Recipe(
            "text", f"/assets/*\n  Cache-Control: {_YEAR}", "In the file _headers."
        ),
        Stack.EXPRESS: Recipe(
            "javascript",
            'app.use("/assets", express.static("dist/assets", { maxAge: "1y", immutable: true }));',
        ),
        Stack.NGINX: Recipe(
            "nginx",
            f"""location ~* \\.(?:css|js|woff2|png|jpe?g|webp|avif|svg)$ {{
    add_header Cache-Control "{_YEAR}";
}}""",
            "A location with add_header of its own loses those of the server block: repeat them.",
        ),
        Stack.APACHE: Recipe(
            "apache",
            f"""<FilesMatch "\\.(css|js|woff2|png|jpe?g|webp|avif|svg)$">
  Header set Cache-Control "{_YEAR}"
</FilesMatch>""",
            "It needs mod_headers.",
        ),
        Stack.CADDY: Recipe(
            "caddy",
            f"""@static path *.css *.js *.woff2 *.png *.jpg *.webp *.avif *.svg
header @static Cache-Control "{_YEAR}\"""",
        ),
        Stack.CLOUDFLARE: Recipe(
            "text",
            f"/assets/*\n  Cache-Control: {_YEAR}",
            "In the file _headers of Pages or of a Worker's assets; elsewhere the origin, or a "
            "cache rule, sets it.",
        ),
    },
)
_COMPRESSION = Remedy(
    key="compression",
    rules=("document-latency-insight",),
    title="Compress text",
    explanation="HTML, CSS and JavaScript shrink to a third or less.",
    recipes={
        None: Recipe(
            "http",
            "Content-Encoding: br",
            "What the answer should carry; where it is switched on depends on the server.",
        ),
        Stack.EXPRESS: Recipe(
            "javascript",
            """import compression from "compression";

app.use(compression());""",
            "Before the routes; it needs the package compression. A proxy in front does it better.",
        ),
        Stack.RAILS: Recipe(
            "ruby",
            """# config/application.rb
config.middleware.insert_before ActionDispatch::Static, Rack::Deflater""",
            "A proxy in front does it better.",
        ),
        Stack.NGINX: Recipe(
            "nginx",
            """gzip on;
gzip_comp_level 5;
gzip_min_length 1024;
gzip_vary on;
gzip_types text/css application/javascript application/json image/svg+xml text/plain;""",
            "text/html is compressed in any case; brotli needs a module.",
        ),
        Stack.APACHE: Recipe(
            "apache",
            "AddOutputFilterByType DEFLATE text/html text/css application/javascript "
            "application/json image/svg+xml",
            "It needs mod_deflate.",
        ),
        Stack.CADDY: Recipe("caddy", "encode zstd gzip"),
    },
    slots=_uncompressed,
)
_HTTP2 = Remedy(
    key="http2",
    rules=("modern-http-insight",),
    title="Switch HTTP/2 on",
    explanation="Browsers speak it over HTTPS alone.",
    recipes={
        Stack.NGINX: Recipe(
            "nginx",
            """listen 443 ssl;
http2 on;""",
            "nginx 1.25.1 or newer; older ones take listen 443 ssl http2.",
        ),
        Stack.APACHE: Recipe("apache", "Protocols h2 http/1.1", "It needs mod_http2."),
        Stack.EXPRESS: Recipe(
            "nginx",
            """listen 443 ssl;
http2 on;
location / {
    proxy_pass http://127.0.0.1:3000;
}""",
            "Express does not speak it: put nginx or another proxy in front of it.",
        ),
    },
)
SERVING: tuple[Remedy, ...] = (_CACHE, _COMPRESSION, _HTTP2)
