"""Frameworks of Node.js that answer requests themselves."""

from collections.abc import Sequence

from mergegate.site.security.patches.syntax import Cookie, Header, Syntax, flag, quoted


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
