"""What a way to write response headers down is, and how it quotes."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass

Header = tuple[str, str]
"""Name and value, which mean nothing to any of the languages (``headers.plain``)."""


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
    """One server, framework or host."""

    product: str
    language: str
    """Of the code, as Markdown's fences name it."""
    technologies: frozenset[str]
    """What the rules of ``site/stack`` call what is configured like that."""
    headers: Callable[[Sequence[Header]], str]
    """The code that sends these headers."""
    cookie: Callable[[Cookie], str] | None = None
    """The code that sets this cookie so; None where it is not set there."""
    server_banner: str = ""
    """The code that hides the version in ``Server``; empty where there is none."""
    powered_by: str = ""
    """The code that hides ``X-Powered-By``; empty where it is not sent."""
    protocols: str = ""
    """The code that ends TLS below 1.2; empty where that is not set there."""
    redirect: str = ""
    """The code that leads from http to https; empty where it is not done there."""


def quoted(text: str) -> str:
    """As JavaScript, JSON, Python, Ruby, PHP and Java read it alike, without ``$`` and ``#``."""
    return json.dumps(text)


def flag(value: bool) -> str:
    """``true`` or ``false``."""
    return "true" if value else "false"
