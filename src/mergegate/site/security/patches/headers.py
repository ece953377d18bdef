"""Headers that patches hold, read back from their bare form."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from mergegate.site.security.facts import NONCE
from mergegate.site.security.patches.syntax import Cookie, Header
from mergegate.site.security.report import Flaw, Patch

HTTP = "HTTP"
POLICY = "Content-Security-Policy"
SET_COOKIE = "Set-Cookie"
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
    """Without a nonce that the site once sent: who pasted that would send it for ever."""
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
