"""Settings of a resource held to what is known of them; what is not known is never unsafe."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from mergegate.repo.facts.documents import MASKED, Form, Node
from mergegate.repo.facts.resources import (
    DOCUMENT,
    REFERENCE,
    UNKNOWN,
    Resource,
    found,
    is_known,
    plain,
)
from mergegate.repo.infrastructure import Absent, Companion, Condition, Demand, Subject, steps

_PORTS = re.compile(r"(\d{1,5})(?:\s*-\s*(\d{1,5}))?")
_EVERY_PORT = (0, 65535)


@dataclass(frozen=True, slots=True)
class Mentioned:
    """What companions of a root refer to."""

    is_there: bool = False
    """Whether there is one at all."""
    is_open: bool = False
    """Whether one refers to what is not known."""
    addresses: frozenset[str] = frozenset()
    texts: frozenset[str] = frozenset()


class Beside:
    """Resources by root and kind; what they refer to is read once."""

    def __init__(self, resources: Iterable[Resource] = ()) -> None:
        self._by_kind: dict[tuple[str, str], list[Resource]] = defaultdict(list)
        for one in resources:
            self._by_kind[one.root, one.kind].append(one)
        self._mentioned: dict[tuple[str, Companion], Mentioned] = {}

    def mentioned(self, root: str, companion: Companion) -> Mentioned:
        """What the companions in ``root`` refer to."""
        key = root, companion
        if key not in self._mentioned:
            of_kind = (self._by_kind.get((root, kind), ()) for kind in companion.kinds)
            self._mentioned[key] = _mentioned(companion, [one for each in of_kind for one in each])
        return self._mentioned[key]


def unsafe(subject: Subject, resource: Resource, beside: Beside) -> Iterator[Node]:
    """Each place where the setting is unsafe: the value, or what it is missing in.

    Of a resource that is one of two by a condition, what is unsafe in both is told as well, where
    the first has it.
    """
    told = list(_unsafe(subject, resource, beside))
    yield from told
    if not resource.either:
        return
    cases = [
        list(_unsafe(subject, replace(resource, properties=one), beside)) for one in resource.either
    ]
    known = {one.line for one in told}
    more = [[one for one in case if one.line not in known] for case in cases]
    yield from more[0] if len(more) > 1 and all(more) else ()


def _unsafe(subject: Subject, resource: Resource, beside: Beside) -> Iterator[Node]:
    first = steps(subject.each or subject.settings[0])[0]
    if subject.written_here and resource.properties[first].tag == DOCUMENT:
        return
    for scope in _scopes(subject, resource):
        if not all(meets(condition, scope) for condition in subject.only_where):
            continue
        ways = (list(_wrong(subject, scope, steps(one))) for one in subject.settings)
        wrong = next(filter(None, ways), [])  # of several that are wrong the first
        if wrong and _is_decided(subject, resource, beside):
            return
        yield from wrong


def _scopes(subject: Subject, resource: Resource) -> Iterator[Node]:
    """What ways begin in: the resource itself, or each of its blocks."""
    if not subject.each:
        yield from (resource.properties,) if resource.properties.form is Form.MAP else ()
        return
    for value, _ in found(resource.properties, steps(subject.each)):
        yield from (one for one in value.each if one.form is Form.MAP)


def _wrong(subject: Subject, scope: Node, way: tuple[str, ...]) -> Iterator[Node]:
    places = list(found(scope, way))
    values = [value for value, _ in places]
    if subject.safe.has and len(values) > 1 and holds(subject.safe, values) is not False:
        return  # what one item of a list has, the list has
    for value, holder in places:
        if not value.present:
            if subject.absent is Absent.UNSAFE:
                yield holder
        elif holds(subject.safe, (value,)) is False:
            worst = next((one for one in value.each if holds(subject.safe, (one,)) is False), value)
            yield next(iter(_secrets(worst)), worst) if subject.safe.secret is False else worst


def meets(condition: Condition, scope: Node) -> bool:
    """Whether a condition is known to hold."""
    values = [value for value, _ in found(scope, steps(condition.setting))]
    present = [one for one in values if one.present]
    if condition.present is not None:
        return _is_there(present) is condition.present
    if not present:
        return condition.absent
    if condition.partly:
        present = [_as_far_as_known(one) for one in present]
    if condition.to:
        ends = [value for value, _ in found(scope, steps(condition.to))]
        return any(_spans(condition, low, high) for low, high in zip(present, ends, strict=False))
    return holds(condition, present) is True


def _as_far_as_known(value: Node) -> Node:
    is_open = value.form is Form.SCALAR and value.tag in {UNKNOWN, REFERENCE}
    return Node(value.line, text=value.text) if is_open else value


def _is_there(values: Sequence[Node]) -> bool | None:
    """Whether there is a value, which nothing empty is; None where that is decided elsewhere."""
    said = [one for one in values if not _is_empty(one)]
    if any(is_known(one) or one.tag == REFERENCE for one in said):
        return True
    return None if said else False


def _is_empty(value: Node) -> bool:
    return is_known(value) and not value.children and not value.text and value.form is not Form.MAP


def _there(values: Sequence[Node], wanted: bool) -> bool | None:
    there = _is_there(values)
    return None if there is None else there is wanted


def _spans(condition: Condition, low: Node, high: Node) -> bool:
    ports = Node(low.line, text=f"{low.text}-{high.text or low.text}")
    return is_known(low) and is_known(high) and holds(condition, (ports,)) is True


def holds(demand: Demand, values: Sequence[Node]) -> bool | None:
    """Whether the values are as is demanded; None where that is not known."""
    texts = [one for value in values for one in value.each]
    verdicts = [
        *([_every(texts, demand.one_of)] if demand.one_of else ()),
        *([_some(texts, demand.any_of)] if demand.any_of else ()),
        *([_none(texts, demand.none_of)] if demand.none_of else ()),
        *([_beyond(texts, demand.beyond)] if demand.beyond else ()),
        *(_some(texts, (one,)) for one in demand.has),
        *([_each(texts, lambda text: _matches(demand.matches, text))] if demand.matches else ()),
        *([_each(texts, lambda text: _lacks(demand.lacks, text))] if demand.lacks else ()),
        *([_secret(texts, demand.secret)] if demand.secret is not None else ()),
        *([_numbers(texts, demand.at_least, demand.at_most)] if _limits(demand) else ()),
        *([_covered(texts, demand.covers)] if demand.covers else ()),
        *([_not(_covered(texts, demand.avoids))] if demand.avoids else ()),
        *([_there(values, demand.present)] if demand.present is not None else ()),
    ]
    return _all(verdicts)


def _limits(demand: Demand) -> bool:
    return demand.at_least is not None or demand.at_most is not None


def _all(verdicts: Iterable[bool | None]) -> bool | None:
    told = list(verdicts)
    return False if False in told else None if None in told else True


def _is(value: Node, wanted: Sequence[str]) -> bool | None:
    if not is_known(value):
        return None
    if value.form is not Form.SCALAR or value.tag:
        return False
    return value.text.lower() in {one.lower() for one in wanted}


def _every(values: Iterable[Node], wanted: Sequence[str]) -> bool | None:
    return _all(_is(one, wanted) for one in values)


def _some(values: Iterable[Node], wanted: Sequence[str]) -> bool | None:
    told = [_is(one, wanted) for one in values]
    return True if True in told else None if None in told else False


def _none(values: Iterable[Node], unwanted: Sequence[str]) -> bool | None:
    return _not(_some(values, unwanted))


def _beyond(values: Iterable[Node], known: Sequence[str]) -> bool | None:
    return _not(_every(values, known))


def _not(verdict: bool | None) -> bool | None:
    return None if verdict is None else not verdict


def _each(values: Iterable[Node], holds_of: Callable[[str], bool | None]) -> bool | None:
    return _all(holds_of(one.text) if is_known(one) and not one.tag else None for one in values)


def _matches(pattern: str, text: str) -> bool:
    return re.fullmatch(pattern, text, re.IGNORECASE | re.DOTALL) is not None


def _lacks(patterns: Sequence[str], text: str) -> bool:
    return not any(re.search(one, text, re.IGNORECASE) for one in patterns)


def _secret(values: Iterable[Node], wanted: bool) -> bool:
    return any(_secrets(one) for one in values) is wanted


def _secrets(value: Node) -> list[Node]:
    """Each secret that is written out in the value, a map of variables for example."""
    return [one for one in value.walk() if one.form is Form.SCALAR and one.text == MASKED]


def _numbers(values: Iterable[Node], least: int | None, most: int | None) -> bool | None:
    def fits(text: str) -> bool | None:
        if not re.fullmatch(r"-?\d{1,15}", text):
            return None
        number = int(text)
        return (least is None or number >= least) and (most is None or number <= most)

    return _each(values, fits)


def _covered(values: Iterable[Node], ports: Sequence[str]) -> bool | None:
    def covers(text: str) -> bool | None:
        match = _PORTS.fullmatch(text.strip())
        low, high = (int(match[1]), int(match[2] or match[1])) if match else _EVERY_PORT
        if match is None and text != "*":
            return None
        return any(low <= int(port) <= high for port in ports)

    told = [covers(one.text) if is_known(one) else None for one in values]
    return True if True in told else None if None in told else False


def _is_decided(subject: Subject, resource: Resource, beside: Beside) -> bool:
    """Whether a companion decides the matter or may do so, or none is there that could."""
    if (subject.unless_beside or subject.only_beside) and resource.alone:
        return True
    if subject.only_beside and not _stands_beside(subject.only_beside, resource, beside):
        return True
    return _stands_beside(subject.unless_beside, resource, beside)


def _stands_beside(companions: Iterable[Companion], resource: Resource, beside: Beside) -> bool:
    return any(
        _is_meant(companion, beside.mentioned(resource.root, companion), resource)
        for companion in companions
    )


def _mentioned(companion: Companion, resources: Iterable[Resource]) -> Mentioned:
    there = [
        one
        for one in resources
        if all(meets(condition, one.properties) for condition in companion.only_where)
    ]
    way = steps(companion.through)
    values = [
        value
        for one in there
        if way
        for node, _ in found(one.properties, way)
        for value in node.each
    ]
    addresses = frozenset(plain(one.text) for one in values if one.tag == REFERENCE)
    texts = frozenset(one.text for one in values if is_known(one))
    is_open = any(not is_known(one) and one.tag != REFERENCE for one in values)
    return Mentioned(bool(there), is_open, addresses, texts)


def _is_meant(companion: Companion, mentioned: Mentioned, resource: Resource) -> bool:
    if not companion.through:
        return mentioned.is_there
    if mentioned.is_open or plain(resource.address) in mentioned.addresses:
        return True
    if not companion.name or not mentioned.texts:
        return False
    named = (
        one for own, _ in found(resource.properties, steps(companion.name)) for one in own.each
    )
    return any(not is_known(one) or one.text in mentioned.texts for one in named)
