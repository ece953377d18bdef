"""A content security policy for a page that has none: derived from what it loads, and proved.

Proved means: the page was loaded in a browser under the policy, and nothing was forbidden to it and
no script threw that did not throw before. No policy is proposed that lets in inline handlers, eval
or inline scripts as a whole; what needs those is told as what would break.
"""

import asyncio
from dataclasses import replace

from mergegate.sandbox.browser import Chromium
from mergegate.sandbox.browser.attach import attached
from mergegate.sandbox.fetched import Fetched
from mergegate.sandbox.visit import Visit
from mergegate.site.rendering import Bounds
from mergegate.site.security.facts import PolicyTrial
from mergegate.site.security.policy_trial.markup import proposed
from mergegate.site.security.policy_trial.trial import TrialTools, tried

__all__ = ["proposed", "try_policy"]
_BOUNDS = Bounds()


def try_policy(
    visit: Visit, page: Fetched, chromium: Chromium, *, bounds: Bounds = _BOUNDS
) -> PolicyTrial:
    """Find a policy for the page that it works under; two to five loads.

    ``page`` is the same page as it was sent: who may frame it stays as it is. Raises EngineMissing,
    EngineFailed or EngineTimeout.
    """
    return asyncio.run(_try(visit, page, chromium, bounds))


async def _try(visit: Visit, page: Fetched, chromium: Chromium, bounds: Bounds) -> PolicyTrial:
    async with attached(chromium) as browser:
        return _told(await tried(TrialTools(browser, chromium, visit, page, bounds)))


def _told(trial: PolicyTrial) -> PolicyTrial:
    """Addresses lose their query, which may hold what nobody should repeat."""
    plain = (replace(one, blocked=one.blocked.partition("?")[0]) for one in trial.breaches)
    return replace(trial, breaches=tuple(dict.fromkeys(plain)))
