"""Screenshots of a page at rest, its failing elements boxed."""

import base64
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from playwright.async_api import CDPSession

from mergegate.sandbox.visit import Device
from mergegate.site.browser_test.facts import AxeNode, AxeViolation, Screenshot
from mergegate.site.browser_test.journey.isolated import (
    Bounds,
    Isolated,
    Stuck,
    library,
    script,
)
from mergegate.site.browser_test.journey.telling import address, clean, element_of
from mergegate.site.impact import ADVICE, MILD, is_advice

_TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa")
_ADVISED = ("image-redundant-alt", "label-title-only", "empty-heading", "heading-order")
_COLOURS = "color-contrast"
"""The one rule that asks where each element is painted: it takes as long as all others together."""
_MILDER = [{one.rule: one.pattern for one in table.values()} for table in (MILD, ADVICE)]


async def violations(
    world: Isolated, elements: int, bounds: Bounds, *, colours: bool
) -> tuple[AxeViolation, ...]:
    """One entry a rule that is broken, in the order of their names; raises Stuck.

    The rule about colours is judged alone, or all others are: so that a page which is too long for
    the one has the other.
    """
    if elements > (bounds.coloured if colours else bounds.elements):
        raise Stuck(f"{elements:,} elements are too many")
    if await world.run("typeof axe", within_s=bounds.step_s) == "undefined":
        await world.run(f"{library('axe-core', 'axe.min.js')}\n; 0", within_s=bounds.step_s)
    only = [_COLOURS] if colours else []
    given = (_TAGS, _ADVISED, only, [_COLOURS], _MILDER, bounds.nodes)
    found = await world.call(script("axe.js"), *given, within_s=bounds.axe_s)
    return tuple(sorted((_violation(one) for one in found), key=lambda one: one.rule))


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


_QUALITIES = (70, 45, 25)
_WORST_FIRST = ("critical", "serious", "moderate", "minor")
_WIDEST = 1350
_OF_INTEREST = ("cat.forms", "cat.text-alternatives")


@dataclass(frozen=True, slots=True)
class View:
    """A window to look through; pixels."""

    device: Device
    width: int
    height: int


VIEWS = (View(Device.DESKTOP, 1350, 940), View(Device.MOBILE, 412, 823))


def view_of(device: Device) -> View:
    """The view with which a page is loaded on ``device``."""
    return next(one for one in VIEWS if one.device is device)


async def resize(session: CDPSession, view: View) -> None:
    """Look through ``view`` from here on, without loading the page again."""
    await session.send(
        "Emulation.setDeviceMetricsOverride",
        {
            "width": view.width,
            "height": view.height,
            "deviceScaleFactor": 1,
            "mobile": view.device is Device.MOBILE,
        },
    )


@dataclass(frozen=True, slots=True)
class Camera:
    """What pictures of one page are taken with."""

    session: CDPSession
    world: Isolated
    bounds: Bounds


@dataclass(frozen=True, slots=True)
class _Frame:
    """What of a page is in the picture, in its own pixels."""

    width: int
    height: int
    scale: float
    """The picture's scale; a page not made for small windows is shown whole, as phones do."""


async def picture(camera: Camera, view: View, page: str, boxed: Sequence[str]) -> Screenshot:
    """The page from its top down, as high as the bounds allow; raises Stuck."""
    limit = camera.bounds.step_s
    await resize(camera.session, view)
    await camera.world.call(script("still.js"), within_s=limit)
    frame = await _frame(camera, view)
    drawn = await camera.world.call(script("boxes.js"), list(boxed), frame.height, within_s=limit)
    try:
        image = await _small_enough(camera, view, frame)
    finally:
        await camera.world.run("globalThis.boxes?.remove(), 0", within_s=limit)
    return Screenshot(page, str(view.device), image, tuple(drawn))


def worst(violations: Iterable[AxeViolation], most: int) -> tuple[str, ...]:
    """Selectors of the elements to box: of forms and images first, then by impact; no advice."""
    ranked = sorted(violations, key=_rank)
    told = ([node for node in one.nodes if not _is_advice(one, node)] for one in ranked)
    selectors = (node.element.selector for nodes in told for node in nodes[:3])
    return tuple(dict.fromkeys(one for one in selectors if one not in {"", "html"}))[:most]


def _is_advice(one: AxeViolation, node: AxeNode) -> bool:
    return is_advice(one.rule, [node.summary])


def _rank(one: AxeViolation) -> tuple[bool, int, str]:
    interesting = any(tag in _OF_INTEREST for tag in one.tags)
    impact = one.impact if one.impact in _WORST_FIRST else "minor"
    return (not interesting, _WORST_FIRST.index(impact), one.rule)


async def _frame(camera: Camera, view: View) -> _Frame:
    metrics = await camera.session.send("Page.getLayoutMetrics")
    width = max(view.width, min(int(metrics["cssLayoutViewport"]["clientWidth"]), _WIDEST))
    scale = view.width / width
    content = int(metrics["cssContentSize"]["height"])
    least, most = round(view.height / scale), round(camera.bounds.picture_height / scale)
    return _Frame(width, min(max(content, least), most), scale)


async def _small_enough(camera: Camera, view: View, frame: _Frame) -> bytes:
    """Worse, and at last no higher than the window, to keep to ``picture_bytes``."""
    for quality in _QUALITIES:
        image = await _captured(camera.session, frame, quality)
        if len(image) <= camera.bounds.picture_bytes:
            return image
    window = replace(frame, height=min(frame.height, round(view.height / frame.scale)))
    return await _captured(camera.session, window, _QUALITIES[-1])


async def _captured(session: CDPSession, frame: _Frame, quality: int) -> bytes:
    clip = {"x": 0, "y": 0, "width": frame.width, "height": frame.height, "scale": frame.scale}
    answer = await session.send(
        "Page.captureScreenshot",
        {"format": "jpeg", "quality": quality, "clip": clip, "captureBeyondViewport": True},
    )
    return base64.b64decode(answer["data"])
