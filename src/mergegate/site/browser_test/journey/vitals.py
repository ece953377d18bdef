"""Core web vitals of one load, as Google's library counts them."""

from typing import Any

from mergegate.site.browser_test.facts import Vitals
from mergegate.site.browser_test.journey.isolated import Isolated, library, script

# The library waits for an idle moment to count an input; a page that is not drawn has none.
_AT_ONCE = "globalThis.requestIdleCallback = (work) => setTimeout(work);"


def watch() -> str:
    """Source that counts from the beginning of a document on; raises EngineMissing."""
    found = library("web-vitals", "dist/web-vitals.iife.js")
    return f"if (self === top) {{ {_AT_ONCE}\n{found};\n{script('vitals.js')} }}"


async def vitals(world: Isolated, *, within_s: float) -> Vitals:
    """As they are now; raises Stuck."""
    told = await world.run("({...globalThis.vitals})", within_s=within_s)
    return Vitals(
        lcp=_milliseconds(told, "lcp"),
        inp=_milliseconds(told, "inp"),
        fcp=_milliseconds(told, "fcp"),
        ttfb=_milliseconds(told, "ttfb"),
        cls=_number(told, "cls", 4),
    )


def _milliseconds(told: dict[str, Any], name: str) -> float | None:
    return _number(told, name, 1)


def _number(told: dict[str, Any], name: str, digits: int) -> float | None:
    value = told.get(name)
    return round(float(value), digits) if isinstance(value, int | float) and value >= 0 else None
