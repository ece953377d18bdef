"""What a fix is made of: the issues it is for, a way to fill it in, and the code by stack."""

import string
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from types import MappingProxyType

from mergegate.site.audit.facts import Detail, LighthouseRun
from mergegate.site.audit.report import Issue
from mergegate.site.facts.stack import Technology
from mergegate.site.remedies.quoting import address

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


_NAMES: Mapping[str, Stack] = {
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
"""Names in small letters, as data sets of technologies spell them."""


def stacks(technologies: Iterable[Technology]) -> tuple[Stack, ...]:
    """Those we write code for, in the order of :class:`Stack`; guesses below 50 % are left out."""
    sure = (one for one in technologies if one.confidence >= _SURE_ENOUGH)
    known = {_NAMES[name] for one in sure if (name := one.name.strip().lower()) in _NAMES}
    return tuple(stack for stack in Stack if stack in known)


Slots = Mapping[str, str]
"""Values for a recipe's ``@@names``, each ready for the code that it will stand in."""


@dataclass(frozen=True)
class Page:
    """What is known of the page while fixes are written for it."""

    run: LighthouseRun
    issues: Sequence[Issue]
    """Worst first."""

    @cached_property
    def by_rule(self) -> Mapping[str, Issue]:
        """The issues by their audit."""
        return MappingProxyType({issue.rule: issue for issue in self.issues})

    def rows(self, *rules: str) -> tuple[Detail, ...]:
        """The details of the issues of ``rules``, in that order."""
        found = (self.by_rule[rule] for rule in rules if rule in self.by_rule)
        return tuple(row for issue in found for row in issue.details)

    def address(self, url: str) -> str | None:
        """:func:`quoting.address` of ``url``, seen from this page."""
        return address(url, self.run.final_url)

    def kind(self, url: str) -> str:
        """Lighthouse's resource type of a request; by its ending when it was not recorded."""
        known = next((load.kind for load in self.run.waterfall if load.url == url), "")
        return known or _by_ending(url)


@dataclass(frozen=True, slots=True)
class Recipe:
    """Code with ``@@name`` where a value goes."""

    language: str
    code: str
    check: str = ""
    """What is to be looked at before or after, a sentence."""

    def filled(self, slots: Slots) -> str:
        """The code; raises KeyError when a slot has no value."""
        return _Code(self.code).substitute(slots)


Fill = Callable[[Page, Sequence[Detail]], Slots | None]
"""Computes slots from the page and the details of the remedy's issues.

None when the page does not tell enough to write code.
"""


def nothing(_: Page, __: Sequence[Detail]) -> Slots:
    """No slots, for code that needs none."""
    return {}


@dataclass(frozen=True, slots=True)
class Remedy:
    """One way to put issues right; an entry of a TOML file beside this module."""

    key: str
    """Permanent: the id of the fix is made of it."""
    rules: tuple[str, ...]
    title: str
    explanation: str
    plain: Recipe | None = None
    """For any site."""
    stacks: Mapping[Stack, Recipe] = field(default_factory=dict)
    fill: Fill = nothing
    part: float = 1.0
    """How much of its issues it puts right, 0–1, by our judgement: it decides the order, and one
    that does not do all claims no savings."""


class _Code(string.Template):
    # A dollar sign is a variable in what we write for nginx, PHP and Svelte.
    delimiter = "@@"


def first(values: Iterable[str | None]) -> str | None:
    """The first that is there."""
    return next((value for value in values if value), None)


def _by_ending(url: str) -> str:
    path = url.split("?", 1)[0].split("#", 1)[0]
    if path.endswith((".js", ".mjs")):
        return "script"
    return "stylesheet" if path.endswith(".css") else ""
