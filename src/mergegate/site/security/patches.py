"""Remedies as code, in the syntax of what the site is built with.

A check says which header ends a flaw; here it is written down for the server, framework or host
that was recognised. The bare header always stays, last, for every other product.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from html import escape
from itertools import islice
from pathlib import Path
from xml.sax.saxutils import quoteattr

from jinja2 import Environment, StrictUndefined, Template

from mergegate.core.data_table import read_table
from mergegate.site.facts.document import Document, Link, Script
from mergegate.site.facts.stack import Stack
from mergegate.site.security.facts import NONCE
from mergegate.site.security.origins import names_version
from mergegate.site.security.report import Flaw, Patch

HTTP = "HTTP"
POLICY = "Content-Security-Policy"
SET_COOKIE = "Set-Cookie"
Header = tuple[str, str]
"""Name and value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cookie:
    """A cookie as it should be set."""

    name: str
    http_only: bool
    same_site: str
    """``Strict``, ``Lax`` or ``None``."""
    is_session: bool = False
    """Whether it is the one that a framework sets by its settings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Syntax:
    """How headers are set in one server, framework or host; fields of code are Jinja templates."""

    product: str
    language: str
    """The code's, as Markdown's fences name it."""
    technologies: tuple[str, ...]
    """What the rules of ``site/stack`` call what is configured like that."""
    headers: str
    """Sends headers, which mean nothing to any of the languages (:func:`plain`)."""
    lines: Mapping[str, str] = field(default_factory=dict)
    """What sends a header in a way of its own, by the header's name."""
    cookie: str = ""
    """Sets a cookie; empty where it is not set there."""
    settings: Mapping[str, str] = field(default_factory=dict)
    """What ends a flaw that is about no header of ours, by the id of its rule."""

    def patch(self, code: str) -> Patch:
        """A remedy for the product."""
        return Patch(product=self.product, code=code, language=self.language)

    def with_headers(self, headers: Sequence[Header]) -> str:
        """The code that sends ``headers``."""
        own = [(self.lines[name], value) for name, value in headers if name in self.lines]
        return _rendered(
            self.headers,
            lines=[_rendered(line, value=value) for line, value in own],
            headers=[one for one in headers if one[0] not in self.lines],
        )

    def with_cookie(self, cookie: Cookie) -> str:
        """The code that sets ``cookie`` so; empty where it is not set there."""
        return _rendered(
            self.cookie,
            name=cookie.name,
            http_only=cookie.http_only,
            only="true" if cookie.http_only else "false",
            site=cookie.same_site,
            is_session=cookie.is_session,
        )


SYNTAXES = tuple(read_table(Path(__file__).with_name("patches.toml"), Syntax, "product").values())
"""What is nearer to the site's own code first."""


def _rendered(source: str, **values: object) -> str:
    return _template(source).render(values).removesuffix("\n")


@cache
def _template(source: str) -> Template:
    return _environment().from_string(source)


@cache
def _environment() -> Environment:
    """Code for people, in many languages: what goes into it is told to be harmless first."""
    made = Environment(  # noqa: S701 - no HTML: what shows it escapes it
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    made.filters |= {"quoted": json.dumps, "attribute": quoteattr, "words": str.split}
    made.tests["startswith"] = str.startswith
    return made


_NAME = re.compile(r"[A-Za-z][A-Za-z0-9-]{0,80}")
_PLAIN = re.compile(r"[A-Za-z0-9 '*:/.;,=()_+@?&~\[\]-]{0,8000}")
"""What no server's or framework's configuration takes for more than text: a header may repeat what
the site sent, and a patch is pasted."""
_COOKIE_NAME = re.compile(r"[A-Za-z0-9_.-]{1,100}")
_NONCE = re.compile(r"'nonce-[^']*'", re.IGNORECASE)
_FRESH = f"'nonce-{NONCE}'"
_SITES = {"strict": "Strict", "lax": "Lax", "none": "None"}


def header(patch: Patch) -> Header | None:
    """The header of a bare patch; None for any other one."""
    name, colon, value = patch.code.partition(": ")
    return (name, value) if patch.product == HTTP and colon and _NAME.fullmatch(name) else None


def fresh(patch: Patch) -> Patch:
    """The value without a nonce that the site once sent, which a patch would repeat for ever."""
    return replace(patch, code=_NONCE.sub(_FRESH, patch.code)) if header(patch) else patch


def plain(one: Header) -> bool:
    """Whether it can be written in every syntax as it stands."""
    return bool(_PLAIN.fullmatch(one[1]))


def cookie(value: str, *, is_session: bool) -> Cookie | None:
    """What a patch's ``Set-Cookie`` asks for; None when its name is not one to be pasted."""
    pair, *flags = (part.strip() for part in value.split(";"))
    name = pair.partition("=")[0]
    if not _COOKIE_NAME.fullmatch(name):
        return None
    said = dict(one.lower().partition("=")[::2] for one in flags)
    site = _SITES.get(said.get("samesite", ""), "Lax")
    only = "httponly" in said
    return Cookie(name=name, http_only=only, same_site=site, is_session=is_session)


def asked_for(flaws: Iterable[Flaw]) -> Sequence[Header]:
    """Every header that ends a flaw, each name once, cookies left out; the first value counts."""
    found: dict[str, str] = {}
    for one in flaws:
        for patch in one.patches:
            asked = header(patch)
            if asked and asked[0] != SET_COOKIE:
                found.setdefault(*asked)
    return tuple(found.items())


_RULES = frozenset({"sri-missing", "sri-malformed", "sri-without-crossorigin"})


def wanted(flaws: Iterable[Flaw], document: Document) -> tuple[str, ...]:
    """Addresses of the files whose hash ends a flaw, each once.

    Without a version in its address a file changes, and its hash would only break the page.
    """
    found = (one.src if isinstance(one, Script) else one.href for _, one in _of(flaws, document))
    return tuple(dict.fromkeys(url for url in found if names_version(url)))


def tags(flaws: Iterable[Flaw], document: Document, hashes: Mapping[str, str]) -> Mapping[str, str]:
    """The element that ends a flaw, by the flaw's id; ``hashes`` are by address."""
    pairs = ((one.id, _tag(element, hashes)) for one, element in _of(flaws, document))
    return {id: tag for id, tag in pairs if tag}


def _of(flaws: Iterable[Flaw], document: Document) -> Iterator[tuple[Flaw, Script | Link]]:
    """The flaws of files' integrity, each with the element that loads the file."""
    scripts = {one.selector: one for one in document.scripts if one.src}
    links = {one.selector: one for one in document.linked("stylesheet")}
    elements: dict[str, Script | Link] = {**links, **scripts}
    for one in flaws:
        if one.rule in _RULES and one.selector in elements:
            yield one, elements[one.selector]


def _tag(element: Script | Link, hashes: Mapping[str, str]) -> str:
    """Empty where the hash is not known."""
    if isinstance(element, Link):
        known = hashes.get(element.href, "")
        begin = f'<link rel="stylesheet" href="{escape(element.href)}"'
        return f'{begin} integrity="{known}" crossorigin="anonymous">' if known else ""
    known = hashes.get(element.src, "")
    kind = f' type="{escape(element.type)}"' if element.type else ""
    begin = f'<script{kind} src="{escape(element.src)}"'
    return f'{begin} integrity="{known}" crossorigin="anonymous"></script>' if known else ""


_MOST = 2
"""Products that a remedy is written for."""
_SURE = 50
"""Percent: a technology below that is a guess."""
_SAME_SETTING = {"redirect-over-http": "https-not-enforced"}
_POLICIES = frozenset(
    {
        *("csp-missing", "csp-report-only", "csp-without-script-src", "csp-wide-script-src"),
        *("csp-unsafe-inline", "csp-unsafe-eval"),
    }
)
"""Rules that a site breaks whose policy has to be made anew; others are mended in their own."""
_SESSION = "session-cookie-"
"""How rules about the cookie of a session begin."""


def needs_policy(flaws: Iterable[Flaw]) -> bool:
    """Whether the site has no content security policy, or none that keeps scripts out."""
    return any(one.rule in _POLICIES for one in flaws)


def localised(
    flaws: Sequence[Flaw], stack: Stack, *, policy: str = "", tags: Mapping[str, str] | None = None
) -> tuple[Flaw, ...]:
    """The same flaws in the same order, each with its remedy in the detected products' syntax.

    ``policy`` is a content security policy made for this page, for one that has none that helps.
    ``tags`` are elements with their integrity, ready to paste, by the id of the flaw they end.
    """
    syntaxes = _detected(stack)
    return tuple(_localised(one, syntaxes, policy, (tags or {}).get(one.id, "")) for one in flaws)


def together(flaws: Iterable[Flaw], stack: Stack) -> tuple[Patch, ...]:
    """The headers that these flaws ask for, as one piece of code a product.

    What a product cannot be told in a fixed line, such as a nonce, the bare form has alone.
    """
    headers = asked_for(flaws)
    bare = "\n".join(f"{name}: {value}" for name, value in headers)
    patches = _nearest(_of_headers(syntax, headers) for syntax in _detected(stack))
    last = (Patch(product=HTTP, code=bare, language="http"),) if headers else ()
    return (*patches, *last)


def _detected(stack: Stack) -> tuple[Syntax, ...]:
    names = {one.name for one in stack.technologies if one.confidence >= _SURE}
    return tuple(one for one in SYNTAXES if names.intersection(one.technologies))


def _nearest(patches: Iterable[Patch | None]) -> tuple[Patch, ...]:
    """The first of those that there are."""
    return tuple(islice((one for one in patches if one and one.code), _MOST))


def _localised(one: Flaw, syntaxes: Sequence[Syntax], policy: str, tag: str) -> Flaw:
    if tag:
        return replace(one, patches=(Patch(product="HTML", code=tag, language="html"),))
    bare = _bare(one, policy)
    is_session = one.rule.startswith(_SESSION)
    asked = filter(None, map(header, bare))
    written = [patch for each in asked for patch in _written(each, syntaxes, is_session)]
    return replace(one, patches=(*_settings(one, syntaxes), *written, *bare))


def _bare(one: Flaw, policy: str) -> tuple[Patch, ...]:
    if not (policy and one.rule in _POLICIES):
        return tuple(map(fresh, one.patches))
    return (Patch(product=HTTP, code=f"{POLICY}: {policy}", language="http"),)


def _written(asked: Header, syntaxes: Sequence[Syntax], is_session: bool) -> tuple[Patch, ...]:
    if asked[0] == SET_COOKIE:
        return _nearest(_of_cookie(syntax, asked[1], is_session) for syntax in syntaxes)
    return _nearest(_of_headers(syntax, [asked]) for syntax in syntaxes)


def _of_headers(syntax: Syntax, headers: Sequence[Header]) -> Patch | None:
    """The patch of the headers that are safe to write down and never change; None without any."""
    fixed = [one for one in headers if plain(one)]
    return syntax.patch(syntax.with_headers(fixed)) if fixed else None


def _of_cookie(syntax: Syntax, value: str, is_session: bool) -> Patch | None:
    wanted = cookie(value, is_session=is_session)
    return syntax.patch(syntax.with_cookie(wanted)) if wanted else None


def _settings(one: Flaw, syntaxes: Sequence[Syntax]) -> tuple[Patch, ...]:
    """What is no header but a setting."""
    rule = _SAME_SETTING.get(one.rule, one.rule)
    return _nearest(
        syntax.patch(_rendered(syntax.settings[rule]))
        for syntax in syntaxes
        if rule in syntax.settings
    )
