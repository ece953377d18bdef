"""A site tool's findings as SARIF 2.1.0: a location is a page's address, its part an element.

Every ``uri`` is absolute and without a base: no file of a repository is meant. It is for viewers
and for stores of findings; GitHub's code scanning shows files alone, do not upload it.
"""

import re
from typing import Any
from urllib.parse import quote

from mergegate.core.render import escape, machine, wording
from mergegate.site.level import Level
from mergegate.site.render.layout import NOT_JUDGED, Finding, Layout, Spot

_MOST_RESULTS = 5_000
_MOST_BYTES = 8_000_000
_MOST_NOTES = 100
_MOST_SPOTS = 20
_LONGEST_TEXT = 1_000
# Reserved characters and the sign of what is quoted already (RFC 3986, 2.2).
_KEPT = "%:/?#[]@!$&'()*+,;=~"
_STRAY_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
_LEVELS = {Level.ERROR: "error", Level.WARNING: "warning", Level.INFO: "note"}

Json = dict[str, Any]


def render(layout: Layout) -> str:
    """One run with a result a finding, in their order; those that have no room are counted.

    Viewers keep the logs of several tools apart by the category. There is room for 5,000 results
    in some eight megabytes.
    """
    found = layout.findings
    results = machine.within([_result(one) for one in found[:_MOST_RESULTS]], _MOST_BYTES)
    kept = found[: len(results)]
    rules = {one.rule: one for one in reversed(kept)}
    order = {rule: number for number, rule in enumerate(sorted(rules))}
    descriptors = [_descriptor(rules[rule]) for rule in order]
    run = {
        "tool": {"driver": machine.sarif_driver(layout.report.tool_version, descriptors)},
        "automationDetails": {"id": f"mergegate/{layout.category}/"},
        "columnKind": "unicodeCodePoints",
        "invocations": [_invocation(layout, len(found) - len(kept))],
        "results": [
            result | {"ruleIndex": order[one.rule]}
            for one, result in zip(kept, results, strict=True)
        ],
        "properties": dict(layout.properties),
    }
    return machine.sarif_document(run)


def _descriptor(first: Finding) -> Json:
    described = {
        "id": _short(first.rule),
        "shortDescription": {"text": _short(first.title)},
        "defaultConfiguration": {"level": _LEVELS[first.level]},
        "properties": {"tags": [first.topic, *first.rule_tags]} | dict(first.rule_properties),
    }
    links = wording.plain_links(first.references[:1])
    return described | ({"helpUri": links[0]} if links else {})


def _invocation(layout: Layout, left_out: int) -> Json:
    report = layout.report
    broken = [one for one in report.engines if one.status in wording.BROKEN]
    said = [_note("error", wording.engine_note(one) or one.name) for one in broken]
    said += [_note("error", f"{NOT_JUDGED}: {one}") for one in report.gaps[:_MOST_NOTES]]
    said += [_note("warning", one) for one in layout.notes[:_MOST_NOTES]]
    if left_out:
        said.append(_note("warning", f"{left_out:,} more results are left out."))
    return machine.sarif_invocation(
        complete=not (broken or report.gaps),
        notes=said,
        begun=report.created_at,
        ended=report.completed_at,
    )


def _note(level: str, text: str) -> Json:
    return machine.sarif_note(level, _short(text))


def _result(one: Finding) -> Json:
    """The SARIF result; its ``ruleIndex`` is set once it is known which results have room."""
    return {
        "ruleId": _short(one.rule),
        "ruleIndex": 0,
        "level": _LEVELS[one.level],
        "message": {"text": machine.sarif_message(machine.short(one.text, _LONGEST_TEXT))},
        "locations": [_location(spot) for spot in one.spots[:_MOST_SPOTS]],
        "partialFingerprints": {"mergegate/v1": escape.visible(one.id)},
        "properties": {"topic": one.topic} | dict(one.properties),
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
