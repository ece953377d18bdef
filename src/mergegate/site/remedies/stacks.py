"""What a site is built with or served by, as far as code is written differently for it."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from types import MappingProxyType

from mergegate.site.stack.facts import Technology

_SURE_ENOUGH = 50


class Stack(StrEnum):
    """The more particular first: Next.js before React, which it contains; servers last."""

    NEXT = "Next.js"
    NUXT = "Nuxt"
    SVELTEKIT = "SvelteKit"
    ASTRO = "Astro"
    GATSBY = "Gatsby"
    DOCUSAURUS = "Docusaurus"
    ANGULAR = "Angular"
    WORDPRESS = "WordPress"
    LARAVEL = "Laravel"
    DJANGO = "Django"
    RAILS = "Rails"
    SPHINX = "Sphinx"
    MKDOCS = "MkDocs"
    HUGO = "Hugo"
    JEKYLL = "Jekyll"
    REACT = "React"
    VUE = "Vue"
    VITE = "Vite"
    VERCEL = "Vercel"
    NETLIFY = "Netlify"
    EXPRESS = "Express"
    NGINX = "nginx"
    APACHE = "Apache"
    CADDY = "Caddy"
    CLOUDFLARE = "Cloudflare"


_NAMES: Mapping[str, Stack] = MappingProxyType(
    {
        **{stack.lower(): stack for stack in Stack},
        "apache http server": Stack.APACHE,
        "cloudflare pages": Stack.CLOUDFLARE,
        "material for mkdocs": Stack.MKDOCS,
        "mkdocs material": Stack.MKDOCS,
        "nuxt.js": Stack.NUXT,
        "openresty": Stack.NGINX,
        "read the docs": Stack.SPHINX,
        "ruby on rails": Stack.RAILS,
        "svelte kit": Stack.SVELTEKIT,
        "vue.js": Stack.VUE,
    }
)
"""Names in small letters, as data sets of technologies spell them."""


def stacks(technologies: Iterable[Technology]) -> tuple[Stack, ...]:
    """Those we write code for, in the order of :class:`Stack`; guesses below 50 % are left out."""
    sure = (one for one in technologies if one.confidence >= _SURE_ENOUGH)
    known = {_NAMES[name] for one in sure if (name := one.name.strip().lower()) in _NAMES}
    return tuple(stack for stack in Stack if stack in known)
