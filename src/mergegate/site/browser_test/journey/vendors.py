"""Whose a host is: the third parties of ``third-party-web``, as Lighthouse names them."""

import json
from dataclasses import dataclass
from functools import cache
from urllib.parse import urlsplit

from mergegate.sandbox.process.node import packaged
from mergegate.site.address import registered


@dataclass(frozen=True, slots=True)
class _Known:
    hosts: dict[str, str]
    below: dict[str, str]
    """What ``*.`` stands before."""
    roots: dict[str, str]
    """Registered names of which one party alone is known."""


def vendor(url: str, own: str) -> str | None:
    """The third party behind ``url``; None when it is of the host ``own`` or nobody's.

    One that is not known is called by its registered name, such as ``example.net``.
    """
    host = _host(url)
    if not host or registered(host) == registered(own):
        return None
    known = _known()
    return known.hosts.get(host) or _below(known, host) or registered(host)


def _host(url: str) -> str:
    try:
        parts = urlsplit(url)
        return (parts.hostname or "") if parts.scheme in {"http", "https", "ws", "wss"} else ""
    except ValueError:
        return ""


def _below(known: _Known, host: str) -> str | None:
    labels = host.split(".")
    parents = (".".join(labels[at:]) for at in range(len(labels) - 1))
    wild = next((known.below[one] for one in parents if one in known.below), None)
    return wild or known.roots.get(registered(host)) or None


@cache
def _known() -> _Known:
    """Raises EngineMissing when the package is not installed."""
    data = packaged("third-party-web", "dist/entities-nostats.json").read_text(encoding="utf-8")
    hosts: dict[str, str] = {}
    below: dict[str, str] = {}
    roots: dict[str, str] = {}
    for entity in json.loads(data):
        for domain in entity["domains"]:
            plain = domain.removeprefix("*.")
            (below if plain != domain else hosts)[plain] = entity["name"]
            root = registered(plain)
            # A name of two parties tells neither.
            roots[root] = (
                entity["name"] if roots.get(root, entity["name"]) == entity["name"] else ""
            )
    return _Known(hosts, below, roots)
