"""What a page becomes in a browser: its document, its requests, the cookies of its scripts.

A page is loaded in a context of its own, as a new visitor; under a content security policy if one
is to be tried (``site/security/policy_trial``). Nothing is judged here.
"""

import asyncio

from mergegate.sandbox.browser import Chromium
from mergegate.sandbox.browser.attach import attached
from mergegate.sandbox.visit import Visit
from mergegate.site.rendering.header import Worn
from mergegate.site.rendering.listening import Bounds
from mergegate.site.rendering.loading import Load, load
from mergegate.site.security.facts import RenderedPage

__all__ = ["Bounds", "Load", "Worn", "load", "render"]
_BOUNDS = Bounds()


def render(
    visit: Visit, chromium: Chromium, *, csp: str | None = None, bounds: Bounds = _BOUNDS
) -> RenderedPage:
    """The page after its scripts ran, under the policy ``csp`` if it is given.

    A page that cannot be opened, hangs or takes its renderer down has a ``failure``, and what was
    seen of it until then. Raises EngineMissing, EngineFailed or EngineTimeout.
    """
    return asyncio.run(_render(visit, chromium, csp, bounds))


async def _render(
    visit: Visit, chromium: Chromium, csp: str | None, bounds: Bounds
) -> RenderedPage:
    async with attached(chromium) as browser:
        worn = Worn(policy=csp) if csp is not None else None
        return (await load(browser, chromium, visit, bounds, worn)).page
