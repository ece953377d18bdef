"""Prove a policy: load the page under it, see what breaks, allow what is safe, and try again."""

import secrets
import time
from dataclasses import dataclass, replace

from playwright.async_api import Browser

from mergegate.sandbox.browser import Chromium
from mergegate.sandbox.fetched import Fetched
from mergegate.sandbox.visit import Visit
from mergegate.site.rendering import Bounds, Load, Worn, load
from mergegate.site.security.facts import NONCE, PolicyBreach, PolicyTrial
from mergegate.site.security.policy_trial.needs import INLINE, Needs, allowing, observed
from mergegate.site.security.policy_trial.writing import OBSERVING, ancestors_of, policy

_ROUNDS = 4
_PATIENCE_S = 120.0
"""After which no further round begins."""
_MOST_HASHES = 30
"""Of inline elements; a longer header is one that servers refuse."""
_MOST_TOLD = 50
_HANDLERS = "script-src-attr"
_TALKATIVE = "script-src 'report-sample'"
"""Allows nothing more, and has the browser quote what it forbids."""


@dataclass(frozen=True, slots=True)
class TrialTools:
    """What a trial works with."""

    browser: Browser
    chromium: Chromium
    visit: Visit
    page: Fetched
    """As it was sent, with the headers that it has today."""
    bounds: Bounds

    async def loaded(self, worn: Worn) -> Load:
        """The page under a policy."""
        return await load(self.browser, self.chromium, self.visit, self.bounds, worn)


async def tried(bench: TrialTools) -> PolicyTrial:
    """The strictest policy under which the page does what it did, or what breaks under it."""
    before = await bench.loaded(Worn(policy=OBSERVING, reports=True))
    if before.page.failure:
        return PolicyTrial(policy="", failure=f"The page was not loaded: {before.page.failure}.")
    needs = _bounded(observed(before))
    trial = PolicyTrial(policy="")
    deadline = time.monotonic() + _PATIENCE_S
    for _ in range(_ROUNDS):
        after, trial = await _trial(bench, needs, before)
        loosened = _bounded(_loosened(needs, trial, after))
        is_over = trial.proved or trial.failure or time.monotonic() > deadline
        if is_over or loosened == needs:
            break
        needs = loosened
    return trial


async def _trial(bench: TrialTools, needs: Needs, before: Load) -> tuple[Load, PolicyTrial]:
    nonce = secrets.token_hex(16) if needs.nonces else ""
    written = policy(needs, before.page.document.url, ancestors_of(bench.page))
    worn = written.replace(NONCE, nonce).replace("script-src", _TALKATIVE, 1)
    after = await bench.loaded(Worn(policy=worn, nonce=nonce))
    return after, _outcome(written, needs, before, after)


def _outcome(written: str, needs: Needs, before: Load, after: Load) -> PolicyTrial:
    """What the site's own policies forbid already is not held against the new one."""
    known = {_what(one) for one in before.enforced}
    heard = (*after.enforced, *_unheard_handlers(after))
    breaches = tuple(one for one in heard if _what(one) not in known)
    errors = tuple(one for one in after.errors if one not in before.errors)
    failure = _failure(after)
    return PolicyTrial(
        policy=written,
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
    """Why nobody can tell what would break; empty when that was seen."""
    if after.page.failure:
        return f"Under it the page could not be looked at: {after.page.failure}."
    return "" if after.whole else "It is not proved: the page does more than is listened to."


def _what(breach: PolicyBreach) -> tuple[str, str, str]:
    """Where two policies forbid the same, only one may quote it."""
    return breach.directive, breach.blocked, breach.source


def _loosened(needs: Needs, trial: PolicyTrial, after: Load) -> Needs:
    """With what broke allowed, as far as that is safe; inline code that is new, by its kind."""
    for breach in trial.breaches:
        needs = allowing(needs, breach, after)
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
    if len(needs.scripts) > _MOST_HASHES:
        needs = replace(needs, nonces=True, scripts=frozenset())
    if len(needs.styles) > _MOST_HASHES:
        needs = replace(needs, inline_styles=True)
    return replace(needs, styles=frozenset()) if needs.inline_styles else needs
