"""A content security policy for a page that has none: derived from what it loads, and proved.

Proved means: the page was loaded in a browser under the policy, and nothing was forbidden to it and
no script threw that did not throw before. No policy is proposed that lets in inline handlers, eval
or inline scripts as a whole; what needs those is told as what would break.
"""

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial

from mergegate.core.web_address import origin as origin_of
from mergegate.sandbox.browser import Chromium
from mergegate.sandbox.browser.attach import attached
from mergegate.sandbox.fetched import Fetched
from mergegate.sandbox.visit import Visit
from mergegate.site.rendering import Bounds, Load, Worn, load
from mergegate.site.security.facts import NONCE, PolicyBreach, PolicyTrial
from mergegate.site.security.proposed_policy import (
    FETCHES,
    MOST_HASHES,
    SELF,
    Needs,
    policy,
    with_forms,
    written,
)

INLINE = "inline"
OBSERVING = (
    "default-src 'none'; script-src 'report-sample'; style-src 'report-sample'; "
    "object-src 'none'; base-uri 'none'"
)
"""Reports everything that a page does; a list without any source allows nothing."""


def try_policy(visit: Visit, page: Fetched, chromium: Chromium) -> PolicyTrial:
    """Find a policy for the page that it works under; two to five loads.

    ``page`` is the same page as it was sent: who may frame it stays as it is. Raises EngineMissing,
    EngineFailed or EngineTimeout.
    """
    return asyncio.run(_try(visit, page, chromium, Bounds()))


async def _try(visit: Visit, page: Fetched, chromium: Chromium, bounds: Bounds) -> PolicyTrial:
    async with attached(chromium) as browser:
        loader = partial(load, browser, chromium, visit, bounds)
        return _told(await _tried(loader, page))


def _told(trial: PolicyTrial) -> PolicyTrial:
    """Addresses lose their query, which may hold what should not be repeated."""
    plain = (replace(one, blocked=one.blocked.partition("?")[0]) for one in trial.breaches)
    return replace(trial, breaches=tuple(dict.fromkeys(plain)))


_ROUNDS = 4
_PATIENCE_S = 120.0
"""Seconds after which no further round begins."""
_MOST_TOLD = 50
_HANDLERS = "script-src-attr"
_TALKATIVE = "script-src 'report-sample'"
"""Allows nothing more, and has the browser quote what it forbids."""


Loader = Callable[[Worn], Awaitable[Load]]
"""Loads the page under a policy."""


async def _tried(loader: Loader, page: Fetched) -> PolicyTrial:
    """The strictest policy under which the page does what it did, or what breaks under it."""
    before = await loader(Worn(policy=OBSERVING, reports=True))
    if before.page.failure:
        return PolicyTrial(policy="", failure=f"The page was not loaded: {before.page.failure}.")
    needs = _bounded(_observed(before))
    trial = PolicyTrial(policy="")
    deadline = time.monotonic() + _PATIENCE_S
    for _ in range(_ROUNDS):
        after, trial = await _trial(loader, page, needs, before)
        loosened = _bounded(_loosened(needs, trial, after))
        is_over = trial.proved or trial.failure or time.monotonic() > deadline
        if is_over or loosened == needs:
            break
        needs = loosened
    return trial


async def _trial(
    loader: Loader, page: Fetched, needs: Needs, before: Load
) -> tuple[Load, PolicyTrial]:
    """One round: the page as it is under the policy that ``needs`` make, and what came of it."""
    nonce = secrets.token_hex(16) if needs.nonces else ""
    made = policy(needs, before.page.document.url, page)
    worn = made.replace(NONCE, nonce).replace("script-src", _TALKATIVE, 1)
    after = await loader(Worn(policy=worn, nonce=nonce))
    return after, _outcome(made, needs, before, after)


def _outcome(made: str, needs: Needs, before: Load, after: Load) -> PolicyTrial:
    """The trial's outcome; breaches of the site's own policies are not counted."""
    known = {_what(one) for one in before.enforced}
    heard = (*after.enforced, *_unheard_handlers(after))
    breaches = tuple(one for one in heard if _what(one) not in known)
    errors = tuple(one for one in after.errors if one not in before.errors)
    failure = _failure(after)
    return PolicyTrial(
        policy=made,
        breaches=breaches[:_MOST_TOLD],
        errors=errors[:_MOST_TOLD],
        proved=not (breaches or errors or failure),
        nonces=needs.nonces,
        failure=failure,
    )


def _unheard_handlers(after: Load) -> tuple[PolicyBreach, ...]:
    """Some Chromiums look at an inline event handler only when it is called for."""
    told = any(one.directive == _HANDLERS for one in after.enforced)
    if told or not after.page.document.handlers:
        return ()
    return (PolicyBreach(directive=_HANDLERS, blocked=INLINE),)


def _failure(after: Load) -> str:
    """Why it cannot be told what would break; empty when that was seen."""
    if after.page.failure:
        return f"Under it the page could not be looked at: {after.page.failure}."
    return "" if after.whole else "It is not proved: the page does more than is listened to."


def _what(breach: PolicyBreach) -> tuple[str, str, str]:
    """The key by which breaches are compared; the quote is left out, as one of two may lack it."""
    return breach.directive, breach.blocked, breach.source


def _loosened(needs: Needs, trial: PolicyTrial, after: Load) -> Needs:
    """The needs extended by what broke, as far as that is safe; new inline code by its kind."""
    for breach in trial.breaches:
        needs = _allowing(needs, breach, after)
    broken = {one.directive for one in trial.breaches if one.blocked == INLINE}
    scripts = frozenset(one for kind, one in after.hashes if kind == "script")
    if "script-src-elem" in broken and scripts - needs.scripts:
        # Other hashes than the first time: it changes, and only its server can tell it is its own.
        # What scripts insert themselves is known by its hash even so.
        known = needs.scripts | scripts if needs.nonces else frozenset()
        needs = replace(needs, nonces=True, scripts=known)
    if "style-src-elem" in broken:
        needs = replace(needs, inline_styles=True)
    return needs


def _bounded(needs: Needs) -> Needs:
    if len(needs.scripts) > MOST_HASHES:
        needs = replace(needs, nonces=True, scripts=frozenset())
    if len(needs.styles) > MOST_HASHES:
        needs = replace(needs, inline_styles=True)
    return replace(needs, styles=frozenset()) if needs.inline_styles else needs


_GOVERNED_BY = {"script-src-elem": "script-src", "style-src-elem": "style-src"}
_OWN_TOO = frozenset({"object-src", "base-uri"})
"""Directives that do not allow the page's own origin unless it is needed."""
_SCHEMES = {
    "data": ("data:", frozenset({"img-src", "font-src", "media-src", "connect-src"})),
    "blob": ("blob:", frozenset({"img-src", "media-src", "connect-src", "worker-src"})),
}
"""What may be allowed as a whole where it cannot bring a script."""


def _observed(load: Load) -> Needs:
    """The needs of a page that was loaded under a report-only policy."""
    needs = with_forms(Needs(), load.page.document.forms, load.page.document.url)
    for breach in load.reported:
        needs = _allowing(needs, breach, load)
    hashes = {kind: {one for of, one in load.hashes if of == kind} for kind in ("script", "style")}
    return replace(needs, scripts=frozenset(hashes["script"]), styles=frozenset(hashes["style"]))


def _allowing(needs: Needs, breach: PolicyBreach, load: Load) -> Needs:
    """The needs extended by what ``breach`` asks for where that is safe; else unchanged."""
    page = load.page.document.url
    directive = _GOVERNED_BY.get(breach.directive, breach.directive)
    if directive == "style-src-attr":
        return replace(needs, style_attributes=True)
    if breach.blocked == "wasm-eval":
        return needs.and_from("script-src", ["'wasm-unsafe-eval'"])
    if breach.blocked in _SCHEMES:
        scheme, allowed = _SCHEMES[breach.blocked]
        return needs.and_from(directive, [scheme]) if directive in allowed else needs
    if directive not in {*FETCHES, "base-uri"}:
        return needs
    return needs.and_from(directive, _origins(breach.blocked, directive, page, load.led))


def _origins(url: str, directive: str, page: str, led: Sequence[tuple[str, str]]) -> list[str]:
    """Sources for the address, and for all that it leads to; of a frame only its origin is told."""
    reached = {url: None}
    for start, end in led:  # in the order in which they were followed
        if start in reached or (directive == "frame-src" and origin_of(start) == url):
            reached[end] = None
    origins = dict.fromkeys(map(_origin, reached))
    foreign = [written(one, page) for one in origins if one not in {"", origin_of(page)}]
    own = [SELF] if directive in _OWN_TOO and origin_of(page) in origins else []
    return [*own, *foreign]


def _origin(url: str) -> str:
    """The origin of an address, a WebSocket's too."""
    if url.startswith(("ws://", "wss://")):
        return origin_of(f"http{url.removeprefix('ws')}").replace("http", "ws", 1)
    return origin_of(url)
