"""The functions of Terraform that need nothing but their arguments.

Each takes its arguments, and answers None where the value is not known. None of them reads a
file, a clock or a random number: those that would are not here, so their value is unknown.
"""

from base64 import b64decode, b64encode
from collections.abc import Callable, Sequence
from dataclasses import replace
from ipaddress import ip_network
from itertools import chain, product

from mergegate.repo.engines.documents.nodes import Unreadable, parse
from mergegate.repo.engines.terraform.values import (
    Budget,
    is_null,
    is_open,
    listed,
    mapped,
    may_be_null,
    number,
    same,
    scalar,
    shown_number,
    unknown,
)
from mergegate.repo.facts.documents import MASKED, Form, Node

Arguments = Sequence[Node]
_Function = Callable[[Arguments], Node | None]
_MOST_ITEMS = 1_000


def said(line: int, text: str) -> Node | None:
    """What a JSON text says, all of it at ``line``; None where it is none."""
    try:
        roots = parse(text).roots
    except Unreadable:
        return None
    if len(roots) != 1:
        return None
    return Budget(_MOST_ITEMS * 20).moved(roots[0], line)


def _text(change: Callable[[str], str]) -> _Function:
    def changed(given: Arguments) -> Node | None:
        return (
            scalar(given[0].line, change(given[0].text)) if given[0].form is Form.SCALAR else None
        )

    return changed


def _test(holds: Callable[[str, str], bool]) -> _Function:
    def tested(given: Arguments) -> Node | None:
        return scalar(given[0].line, holds(given[0].text, given[1].text))

    return tested


def _concat(given: Arguments) -> Node | None:
    """What is not known of a list may be more items."""
    parts = [
        list(one.items) if one.form is Form.LIST else [unknown(given[0].line)] for one in given
    ]
    return listed(given[0].line, chain.from_iterable(parts))


def _merge(given: Arguments) -> Node | None:
    merged: dict[str, Node] = {}
    for one in given:
        if is_open(one):
            return None
        merged |= dict(one.entries)
    return mapped(given[0].line, merged)


def _itself(given: Arguments) -> Node | None:
    return given[0]


def _decoded(given: Arguments) -> Node | None:
    return said(given[0].line, given[0].text) if given[0].form is Form.SCALAR else given[0]


def _distinct(given: Arguments) -> Node | None:
    kept: list[Node] = []
    if len(given[0].items) > _MOST_ITEMS:
        return None
    for one in given[0].items:
        if not any(same(one, other) for other in kept):
            kept.append(one)
    return listed(given[0].line, kept)


def _flatten(given: Arguments) -> Node | None:
    def flat(items: Sequence[Node]) -> list[Node]:
        return [
            each for one in items for each in (flat(one.items) if one.form is Form.LIST else [one])
        ]

    return listed(given[0].line, flat(given[0].items))


def _compact(given: Arguments) -> Node | None:
    return listed(
        given[0].line, (one for one in given[0].items if not is_null(one) and one.text != "")
    )


def _coalesce(given: Arguments) -> Node | None:
    for one in given:
        if may_be_null(one):
            continue
        if is_open(one):
            return None
        if one.text or one.form is not Form.SCALAR:
            return one
    return None


def _coalescelist(given: Arguments) -> Node | None:
    return next((one for one in given if is_open(one) or one.items), None)


def _try(given: Arguments) -> Node | None:
    return given[0] if given and not is_open(given[0]) else None


def _lookup(given: Arguments) -> Node | None:
    value = given[0][given[1].text] if given[0].form is Form.MAP else None
    if value is not None and value.present:
        return value
    return given[2] if len(given) > 2 else None


def _element(given: Arguments) -> Node | None:
    at, items = number(given[1]), given[0].items
    return items[int(at) % len(items)] if at is not None and items else None


def _length(given: Arguments) -> Node | None:
    one = given[0]
    if any(map(is_open, one.items)):
        return None
    return scalar(given[0].line, len(one.text) if one.form is Form.SCALAR else len(one.children))


def _keys(given: Arguments) -> Node | None:
    return listed(given[0].line, (scalar(given[0].line, key) for key in sorted(given[0].keys)))


def _values(given: Arguments) -> Node | None:
    return listed(
        given[0].line, (value for _, value in sorted(given[0].entries, key=lambda one: one[0]))
    )


def _contains(given: Arguments) -> Node | None:
    verdicts = {same(one, given[1]) for one in given[0].items}
    if True in verdicts:
        return scalar(given[0].line, True)
    return None if None in verdicts else scalar(given[0].line, False)


def _join(given: Arguments) -> Node | None:
    items = given[1].items
    if any(one.form is not Form.SCALAR or one.tag for one in items):
        return None
    return scalar(given[0].line, given[0].text.join(one.text for one in items))


def _split(given: Arguments) -> Node | None:
    if not given[0].text:
        return None
    return listed(
        given[0].line, (scalar(given[0].line, one) for one in given[1].text.split(given[0].text))
    )


def _replace(given: Arguments) -> Node | None:
    """A pattern between slashes is an expression, which is not carried out."""
    old = given[1].text
    if not old or (old.startswith("/") and old.endswith("/")):
        return None
    return scalar(given[0].line, given[0].text.replace(old, given[2].text))


def _format(given: Arguments) -> Node | None:
    parts = given[0].text.replace("%%", "\0").replace("%d", "%s").replace("%v", "%s").split("%s")
    if "%" in "".join(parts) or len(parts) != len(given):
        return None
    filled = "".join(
        f"{part}{value.text}" for part, value in zip(parts, [*given[1:], Node()], strict=True)
    )
    return scalar(given[0].line, filled.replace("\0", "%"))


def _range(given: Arguments) -> Node | None:
    numbers = [number(one) for one in given]
    if None in numbers or not 0 < len(numbers) < 4:
        return None
    steps = range(*(int(one or 0) for one in numbers)) if numbers[-1] != 0 else range(0)
    if len(steps) > _MOST_ITEMS:
        return None
    return listed(given[0].line, (scalar(given[0].line, one) for one in steps))


def _most(choose: Callable[[list[float]], float]) -> _Function:
    def chosen(given: Arguments) -> Node | None:
        numbers = [found for one in given if (found := number(one)) is not None]
        return (
            shown_number(given[0].line, choose(numbers)) if len(numbers) == len(given) > 0 else None
        )

    return chosen


def _one(given: Arguments) -> Node | None:
    return given[0].items[0] if len(given[0].items) == 1 else None


def _zipmap(given: Arguments) -> Node | None:
    keys, values = given[0].items, given[1].items
    if len(keys) != len(values):
        return None
    return mapped(given[0].line, {key.text: value for key, value in zip(keys, values, strict=True)})


def _in_base64(text: str) -> str:
    """A secret that was masked stays what it is."""
    return text if MASKED in text else b64encode(text.encode()).decode()


def _from_base64(given: Arguments) -> Node | None:
    try:
        text = b64decode(given[0].text, validate=True).decode()
    except ValueError:
        return None
    return scalar(given[0].line, text)


def _cidrsubnet(given: Arguments) -> Node | None:
    more, at = number(given[1]), number(given[2])
    if more is None or at is None:
        return None
    network = ip_network(given[0].text, strict=False)
    room = network.max_prefixlen - network.prefixlen
    if not 0 <= more <= room or not 0 <= at < 2**more:
        return None
    length = network.prefixlen + int(more)
    first = int(network.network_address) + (int(at) << (network.max_prefixlen - length))
    return scalar(given[0].line, f"{type(network.network_address)(first)}/{length}")


def _setproduct(given: Arguments) -> Node | None:
    total = 1
    for one in given:
        total *= max(1, len(one.items))
        if total > _MOST_ITEMS:
            return None
    return listed(
        given[0].line,
        (listed(given[0].line, each) for each in product(*(one.items for one in given))),
    )


def _sort(given: Arguments) -> Node | None:
    return listed(given[0].line, sorted(given[0].items, key=lambda one: one.text))


def _reverse(given: Arguments) -> Node | None:
    return listed(given[0].line, reversed(given[0].items))


def _slice(given: Arguments) -> Node | None:
    first, last = number(given[1]), number(given[2])
    if first is None or last is None:
        return None
    return listed(given[0].line, given[0].items[int(first) : int(last)])


TOLERANT: dict[str, _Function] = {
    "coalesce": _coalesce,
    "coalescelist": _coalescelist,
    "concat": _concat,
    "jsonencode": _itself,
    "merge": _merge,
    "nonsensitive": _itself,
    "sensitive": _itself,
    "try": _try,
    "yamlencode": _itself,
}
"""Those that answer something of arguments that are not all known."""

STRICT: dict[str, _Function] = {
    "abs": _most(lambda given: abs(given[0])),
    "base64decode": _from_base64,
    "base64encode": _text(_in_base64),
    "cidrsubnet": _cidrsubnet,
    "compact": _compact,
    "contains": _contains,
    "distinct": _distinct,
    "element": _element,
    "endswith": _test(str.endswith),
    "flatten": _flatten,
    "format": _format,
    "join": _join,
    "jsondecode": _decoded,
    "keys": _keys,
    "length": _length,
    "lookup": _lookup,
    "lower": _text(str.lower),
    "max": _most(max),
    "min": _most(min),
    "one": _one,
    "range": _range,
    "replace": _replace,
    "reverse": _reverse,
    "setproduct": _setproduct,
    "slice": _slice,
    "sort": _sort,
    "split": _split,
    "startswith": _test(str.startswith),
    "strcontains": _test(lambda text, part: part in text),
    "title": _text(str.title),
    "tobool": _itself,
    "tolist": _itself,
    "tomap": _itself,
    "tonumber": _itself,
    "toset": _distinct,
    "tostring": _itself,
    "trimspace": _text(str.strip),
    "upper": _text(str.upper),
    "values": _values,
    "yamldecode": _decoded,
    "zipmap": _zipmap,
}
"""Those whose answer is unknown as soon as an argument is."""


def call(name: str, line: int, given: Arguments) -> Node:
    """What the function answers; unknown for one that is not listed, or not called as it should."""
    name = name.removeprefix("core::")
    function = TOLERANT.get(name)
    if function is None and not any(map(is_open, given)):
        function = STRICT.get(name)
    try:
        answer = function(given) if function and given else None
    except (IndexError, ValueError, OverflowError):
        answer = None
    if answer is None:
        return unknown(line)
    return replace(answer, line=line)
