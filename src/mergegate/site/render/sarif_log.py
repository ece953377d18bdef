"""SARIF 2.1.0 for findings of a site: a location is a page's address, its part an element.

Every ``uri`` is absolute and without a base: no file of a repository is meant.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any
from urllib.parse import quote

from mergegate.core.render import escape, machine, wording
from mergegate.core.render import sarif_log as frame
from mergegate.site.level import Level
from mergegate.site.render.scanned import Scanned

_MOST_RESULTS = 5_000
_MOST_BYTES = 8_000_000
_MOST_NOTES = 100
_LONGEST_TEXT = 1_000
# Reserved characters and the sign of what is quoted already (RFC 3986, 2.2).
_KEPT = "%:/?#[]@!$&'()*+,;=~"
_STRAY_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")

Json = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """Where something is."""

    url: str
    line: int | None = None
    selector: str = ""
    snippet: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One result; all of its text is hostile."""

    id: str
    rule: str
    level: Level
    title: str
    text: str
    topic: str
    """What it is about: an area or a list."""
    spots: tuple[Spot, ...]
    """At least one."""
    reference: str = ""
    properties: tuple[tuple[str, Any], ...] = ()
    tags: tuple[str, ...] = ()
    """Of its rule, beside ``topic``."""
    of_rule: tuple[tuple[str, Any], ...] = ()
    """Properties of its rule, where viewers look for them; the first hit's count."""


def log(
    category: str,
    report: Scanned,
    hits: Sequence[Hit],
    notes: Sequence[str] = (),
    properties: Mapping[str, Any] = MappingProxyType({}),
) -> str:
    """One run with a result a hit, in their order; those that have no room are counted.

    ``category`` is the tool's name: viewers keep the logs of several apart by it. ``notes`` say
    what cut the scan short. There is room for 5,000 results in some eight megabytes.
    """
    results = machine.within([_result(one) for one in hits[:_MOST_RESULTS]], _MOST_BYTES)
    kept = hits[: len(results)]
    rules = {one.rule: one for one in reversed(kept)}
    order = {rule: number for number, rule in enumerate(sorted(rules))}
    descriptors = [_descriptor(rules[rule]) for rule in order]
    run = {
        "tool": {"driver": frame.driver(report.tool_version, descriptors)},
        "automationDetails": {"id": f"mergegate/{category}/"},
        "columnKind": "unicodeCodePoints",
        "invocations": [_invocation(report, notes, len(hits) - len(kept))],
        "results": [
            result | {"ruleIndex": order[hit.rule]}
            for hit, result in zip(kept, results, strict=True)
        ],
        "properties": dict(properties),
    }
    return frame.document(run)


def _descriptor(first: Hit) -> Json:
    described = {
        "id": _short(first.rule),
        "shortDescription": {"text": _short(first.title)},
        "defaultConfiguration": {"level": first.level.value},
        "properties": {"tags": [first.topic, *first.tags]} | dict(first.of_rule),
    }
    links = wording.plain_links([first.reference])
    return described | ({"helpUri": links[0]} if links else {})


def _invocation(report: Scanned, notes: Sequence[str], left_out: int) -> Json:
    broken = [one for one in report.engines if one.status in wording.BROKEN]
    said = [_note("error", wording.engine_note(one) or one.name) for one in broken]
    said += [_note("warning", one) for one in notes[:_MOST_NOTES]]
    if left_out:
        said.append(_note("warning", f"{left_out:,} more results are left out."))
    return frame.invocation(
        complete=not broken, notes=said, begun=report.created_at, ended=report.completed_at
    )


def _note(level: str, text: str) -> Json:
    return frame.note(level, _short(text))


def _result(hit: Hit) -> Json:
    """Its rule's place is known when it is known which results have room."""
    return {
        "ruleId": _short(hit.rule),
        "ruleIndex": 0,
        "level": hit.level.value,
        "message": {"text": frame.message(machine.short(hit.text, _LONGEST_TEXT))},
        "locations": [_location(spot) for spot in hit.spots],
        "partialFingerprints": {"mergegate/v1": escape.visible(hit.id)},
        "properties": {"topic": hit.topic} | dict(hit.properties),
    }


def _location(spot: Spot) -> Json:
    place: Json = {"artifactLocation": {"uri": _uri(spot.url)}}
    if spot.line is not None and spot.line > 0:
        place["region"] = {"startLine": spot.line}
    if not spot.selector:
        return {"physicalLocation": place}
    element = {"fullyQualifiedName": _short(spot.selector), "kind": "element"}
    snippet = {"decoratedName": _short(spot.snippet)} if spot.snippet else {}
    return {"physicalLocation": place, "logicalLocations": [element | snippet]}


def _uri(url: str) -> str:
    """Only what an address may hold; a cut one still names its page's site."""
    plain = _STRAY_PERCENT.sub("%25", escape.visible(url)[: machine.LONGEST_LINK])
    return quote(plain, safe=_KEPT)


def _short(text: str) -> str:
    return machine.short(text, _LONGEST_TEXT)
