"""Input as a person would give it, for the time until the next paint; it changes nothing anywhere.

From then on the page can reach nothing at all: its door is shut, whatever asks and by whichever
method, so that no form is sent, no link is followed and no button orders, deletes or signs out.
"""

import asyncio
import contextlib
from typing import Any

from playwright.async_api import BrowserContext, Error, Page, Route

from mergegate.sandbox.browser.page_proxy import PageProxy
from mergegate.site.browser_test.journey.bounds import Bounds
from mergegate.site.browser_test.journey.isolated import Isolated, Stuck, script

_WORDS = (
    "log.?out|log.?off|sign.?out|abmelden|d[ée]connexion|delete|remove|destroy|erase|clear|reset"
    "|l[öo]schen|entfernen|supprimer|eliminar|borrar|buy|pay|order|purchase|checkout|donate"
    "|kaufen|bezahlen|zahlen|bestellen|acheter|payer|comprar|pagar|submit|send|save|senden"
    "|speichern|envoyer|enregistrer|enviar|guardar|subscribe|unsubscribe|cancel|confirm|accept"
    "|agree|approve|publish|vote|post|print|download|upload|install|call|share"
)
_TARGETS = 3
_KEYS = ("Tab", "Tab", "Shift", "Escape")
_COUNTED_S = 1.5
_LOOK_EVERY_S = 0.1


async def touch(page: Page, world: Isolated, door: PageProxy, bounds: Bounds) -> tuple[str, ...]:
    """Shut ``door``; move, click and press keys where it is harmless; notes. Raises Stuck."""
    door.shut()
    targets = await world.call(script("targets.js"), _WORDS, _TARGETS, within_s=bounds.step_s)
    try:
        async with asyncio.timeout(bounds.step_s):
            broken_off = await _counting(page.context)
            await _press(page, targets)
    except TimeoutError as error:
        raise Stuck("it does not answer to input", hangs=True) from error
    except Error as error:
        raise Stuck("it is gone") from error
    await _counted(world, bounds)
    return tuple(_notes(broken_off))


async def _counting(context: BrowserContext) -> list[str]:
    """The methods of what its pages ask for from here on, as it comes: broken off before the door.

    To know them is to tell what input would have changed; that nothing gets out is the door's work.
    """
    broken_off: list[str] = []

    async def refuse(route: Route) -> None:
        broken_off.append(route.request.method)
        with contextlib.suppress(Error):  # it is gone with its page
            await route.abort("blockedbyclient")

    await context.route("**/*", refuse)
    return broken_off


async def _press(page: Page, targets: list[dict[str, Any]]) -> None:
    for target in targets:
        await page.mouse.move(target["x"], target["y"])
        await page.mouse.click(target["x"], target["y"])
        if target["kind"] == "field":
            await page.keyboard.press("a")
    for key in _KEYS:
        await page.keyboard.press(key)


async def _counted(world: Isolated, bounds: Bounds) -> None:
    """Wait until the library has counted an input; fast ones may never be."""
    for _ in range(int(_COUNTED_S / _LOOK_EVERY_S)):
        if await world.run("'inp' in globalThis.vitals", within_s=bounds.step_s):
            return
        await asyncio.sleep(_LOOK_EVERY_S)


def _notes(broken_off: list[str]) -> list[str]:
    changing = sum(one not in {"GET", "HEAD", "OPTIONS"} for one in broken_off)
    return [f"input set off {changing} requests that change state: broken off"] if changing else []
