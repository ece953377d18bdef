"""What axe-core finds on a page: WCAG 2 A and AA, and its advice on forms and images."""

from collections.abc import Mapping
from typing import Any

from mergegate.site.browser_test.facts import AxeNode, AxeViolation
from mergegate.site.browser_test.journey.bounds import Bounds
from mergegate.site.browser_test.journey.isolated import Isolated, library, script
from mergegate.site.browser_test.journey.links import element_of
from mergegate.site.browser_test.journey.telling import address, clean

_TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa")
_ADVICE = ("image-redundant-alt", "label-title-only", "empty-heading", "heading-order")
_SLOW = "color-contrast"
_LARGE = 15_000
"""Elements; comparing the colours of more takes minutes."""
_HUGE = 40_000
"""Elements; axe takes gigabytes for more."""


async def violations(
    world: Isolated, elements: int, bounds: Bounds
) -> tuple[tuple[AxeViolation, ...], tuple[str, ...]]:
    """One entry a rule that is broken, in the order of their names, and notes. Raises Stuck."""
    if elements > _HUGE:
        return (), (f"accessibility was not judged: {elements} elements are too many",)
    large = elements > _LARGE
    await world.run(_present(), within_s=bounds.step_s)
    found = await world.call(
        script("axe.js"),
        _TAGS,
        _ADVICE,
        [_SLOW] if large else [],
        bounds.nodes,
        within_s=bounds.axe_s,
    )
    notes = (f"{elements} elements are too many to compare their colours",) if large else ()
    return tuple(sorted((_violation(one) for one in found), key=lambda one: one.rule)), notes


def _present() -> str:
    """Define axe once; the value of it is no use to us."""
    source = library("axe-core", "axe.min.js")
    return f"if (typeof axe === 'undefined') {{ {source}\n }}; 0"


def _violation(told: Mapping[str, Any]) -> AxeViolation:
    return AxeViolation(
        rule=clean(told["rule"]),
        impact=clean(told["impact"]) or "minor",
        help=clean(told["help"]),
        help_url=address(told["helpUrl"]),
        tags=tuple(clean(tag) for tag in told["tags"]),
        nodes=tuple(
            AxeNode(element_of(one["element"]), clean(one["summary"])) for one in told["nodes"]
        ),
        count=int(told["count"]),
    )
