"""What the functions of a template answer, of values that are known; of others nothing is known."""

import re
from collections.abc import Callable, Mapping, Sequence

from mergegate.repo.facts.documents import Form, Node
from mergegate.repo.facts.resources import GAP, NULL, REFERENCE, UNKNOWN, is_known

_LONGEST = 64 * 1024
"""Characters of a text that is put together."""
MOST_ITEMS = 1_000
_PLACE = re.compile(r"\{\{|\}\}|\{(\d{1,3})(?::[^{}]*)?\}")

Function = Callable[[int, Sequence[Node]], Node]


def unknown(line: int) -> Node:
    """A value that the template does not decide."""
    return Node(line, text=GAP, tag=UNKNOWN)


def scalar(line: int, value: object) -> Node:
    """A text, number or truth."""
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return Node(line, text=text) if len(text) <= _LONGEST else unknown(line)


def listed(line: int, items: Sequence[Node]) -> Node:
    """A list."""
    return Node(line, Form.LIST, children=tuple(items))


def mapped(line: int, entries: Mapping[str, Node]) -> Node:
    """A map."""
    return Node(line, Form.MAP, keys=tuple(entries), children=tuple(entries.values()))


def nothing(line: int) -> Node:
    """What stands for no value."""
    return Node(line, tag=NULL)


def truth(value: Node) -> bool | None:
    """Whether a value is true; None where that is not known."""
    if not is_known(value) or value.form is not Form.SCALAR:
        return None
    return {"true": True, "false": False}.get(value.text.lower())


def _part(line: int, values: Sequence[Node]) -> Node:
    """A map's value or a list's item; names of properties do not tell small from large."""
    holder, key = values[:2]
    if holder.tag == REFERENCE:
        return holder
    if not is_known(holder) or not is_known(key) or key.form is not Form.SCALAR:
        return unknown(line)
    if holder.form is Form.LIST:
        at = _number(key)
        return (
            holder.children[at]
            if at is not None and 0 <= at < len(holder.children)
            else unknown(line)
        )
    found = next((one for name, one in holder.entries if name.lower() == key.text.lower()), None)
    return unknown(line) if found is None else found


def _part_or_null(line: int, values: Sequence[Node]) -> Node:
    """As :func:`_part`, but nothing where it is missing."""
    holder, key = values[:2]
    if holder.tag == NULL:
        return holder
    if is_known(holder) and is_known(key) and holder.form is Form.MAP:
        names = {name.lower() for name in holder.keys}
        return _part(line, values) if key.text.lower() in names else nothing(line)
    return _part(line, values)


def same(one: Node, other: Node) -> bool | None:
    """Whether two values are equal; None where that is not known."""
    if NULL in {one.tag, other.tag} and all(is_known(each) for each in (one, other)):
        return one.tag == other.tag
    if not is_known(one) or not is_known(other) or one.children or other.children:
        return None
    return one.form is other.form and one.text == other.text


def _number(value: Node) -> int | None:
    return int(value.text) if re.fullmatch(r"-?\d{1,12}", value.text) else None


def _concat(line: int, values: Sequence[Node]) -> Node:
    if any(one.form is Form.LIST for one in values):
        return listed(line, [item for one in values for item in (one.items or (one,))
                             if one.children or not is_known(one)])  # fmt: skip
    if not all(map(_is_text, values)):
        return unknown(line)
    return scalar(line, "".join(one.text for one in values))


def _is_text(value: Node) -> bool:
    return is_known(value) and value.form is Form.SCALAR and value.tag != NULL


def _format(line: int, values: Sequence[Node]) -> Node:
    if not values or not all(map(_is_text, values)):
        return unknown(line)
    pattern, *given = values

    def put(match: re.Match[str]) -> str:
        if match[1] is None:
            return match[0][0]
        return given[int(match[1])].text if int(match[1]) < len(given) else match[0]

    return scalar(line, _PLACE.sub(put, pattern.text))


def _union(line: int, values: Sequence[Node]) -> Node:
    if any(one.form is Form.LIST for one in values):
        return _concat(line, values)
    if not all(is_known(one) and one.form is Form.MAP for one in values):
        return unknown(line)
    entries: dict[str, Node] = {}
    for one in values:
        for key, value in one.entries:
            both = key in entries and entries[key].form is Form.MAP and value.form is Form.MAP
            entries[key] = _union(line, (entries[key], value)) if both else value
    return mapped(line, entries)


def _coalesce(line: int, values: Sequence[Node]) -> Node:
    return next((one for one in values if one.tag != NULL), nothing(line))


def _empty(line: int, values: Sequence[Node]) -> Node:
    value = values[0]
    if not is_known(value):
        return unknown(line)
    return scalar(line, not value.text and not value.children)


def _contains(line: int, values: Sequence[Node]) -> Node:
    holder, wanted = values[:2]
    if not is_known(holder) or not _is_text(wanted):
        return unknown(line)
    if holder.form is Form.MAP:
        return scalar(line, wanted.text.lower() in {key.lower() for key in holder.keys})
    if holder.form is Form.SCALAR:
        return scalar(line, wanted.text in holder.text)
    if not all(map(is_known, holder.items)):
        return unknown(line)
    return scalar(line, any(one.text == wanted.text for one in holder.items if not one.children))


def _all_of(deciding: bool) -> Function:
    def answer(line: int, values: Sequence[Node]) -> Node:
        told = [truth(one) for one in values]
        if deciding in told:
            return scalar(line, deciding)
        return unknown(line) if None in told or not told else scalar(line, not deciding)

    return answer


def _not(line: int, values: Sequence[Node]) -> Node:
    told = truth(values[0])
    return unknown(line) if told is None else scalar(line, not told)


def _equals(line: int, values: Sequence[Node]) -> Node:
    told = same(values[0], values[1])
    return unknown(line) if told is None else scalar(line, told)


def _of_numbers(answer: Callable[[int, int], object]) -> Function:
    def function(line: int, values: Sequence[Node]) -> Node:
        numbers = [_number(one) if _is_text(one) else None for one in values]
        if len(numbers) != 2 or numbers[0] is None or numbers[1] is None:
            return unknown(line)
        return scalar(line, answer(numbers[0], numbers[1]))

    return function


def _of_text(answer: Callable[[str], object]) -> Function:
    def function(line: int, values: Sequence[Node]) -> Node:
        known = len(values) == 1 and _is_text(values[0])
        return scalar(line, answer(values[0].text)) if known else unknown(line)

    return function


def _length(line: int, values: Sequence[Node]) -> Node:
    value = values[0]
    if not is_known(value):
        return unknown(line)
    return scalar(line, len(value.text) if value.form is Form.SCALAR else len(value.children))


def _range(line: int, values: Sequence[Node]) -> Node:
    first, count = (_number(one) if _is_text(one) else None for one in values[:2])
    if first is None or count is None or not 0 <= count <= MOST_ITEMS:
        return unknown(line)
    return listed(line, [scalar(line, first + at) for at in range(count)])


def _end(at: int) -> Function:
    def answer(line: int, values: Sequence[Node]) -> Node:
        items = values[0].items
        return items[at] if items and is_known(values[0]) else unknown(line)

    return answer


def _split(line: int, values: Sequence[Node]) -> Node:
    if not all(map(_is_text, values)) or not values[1].text:
        return unknown(line)
    return listed(line, [scalar(line, one) for one in values[0].text.split(values[1].text)])


def _join(line: int, values: Sequence[Node]) -> Node:
    if not all(map(_is_text, (*values[0].items, values[1]))) or not is_known(values[0]):
        return unknown(line)
    return scalar(line, values[1].text.join(one.text for one in values[0].items))


def _replace(line: int, values: Sequence[Node]) -> Node:
    if len(values) != 3 or not all(map(_is_text, values)) or not values[1].text:
        return unknown(line)
    return scalar(line, values[0].text.replace(values[1].text, values[2].text))


def _object(line: int, values: Sequence[Node]) -> Node:
    keys, given = values[::2], values[1::2]
    if len(keys) != len(given) or not all(map(_is_text, keys)):
        return unknown(line)
    return mapped(line, {key.text: one for key, one in zip(keys, given, strict=True)})


def _json(line: int, values: Sequence[Node]) -> Node:
    text = values[0].text.strip() if _is_text(values[0]) else ""
    if text == "null":
        return nothing(line)
    return scalar(line, text) if re.fullmatch(r"true|false|-?\d{1,12}", text) else unknown(line)


def _address(line: int, values: Sequence[Node]) -> Node:
    """The address of a resource, as far as it is written here; a built-in role's says which."""
    if not all(map(_is_text, values)):
        return Node(line, text=GAP, tag=REFERENCE)
    return scalar(line, "/".join(one.text for one in values))


_ADDRESSES = (
    "extensionresourceid", "managementgroupresourceid", "resourceid", "subscriptionresourceid",
    "tenantresourceid",
)  # fmt: skip
FUNCTIONS: Mapping[str, tuple[int, Function]] = {
    "add": (2, _of_numbers(lambda a, b: a + b)),
    "and": (1, _all_of(False)),
    "array": (1, lambda line, values: listed(line, values[0].items or values)),
    "bool": (1, _of_text(lambda text: text.lower() in {"true", "1"})),
    "coalesce": (1, _coalesce),
    "concat": (1, _concat),
    "contains": (2, _contains),
    "createarray": (0, listed),
    "createobject": (0, _object),
    "empty": (1, _empty),
    "equals": (2, _equals),
    "false": (0, lambda line, _: scalar(line, False)),
    "first": (1, _end(0)),
    "format": (1, _format),
    "greater": (2, _of_numbers(lambda a, b: a > b)),
    "greaterorequals": (2, _of_numbers(lambda a, b: a >= b)),
    "int": (1, _of_text(str)),
    "join": (2, _join),
    "json": (1, _json),
    "last": (1, _end(-1)),
    "length": (1, _length),
    "less": (2, _of_numbers(lambda a, b: a < b)),
    "lessorequals": (2, _of_numbers(lambda a, b: a <= b)),
    "mul": (2, _of_numbers(lambda a, b: a * b)),
    "not": (1, _not),
    "null": (0, lambda line, _: nothing(line)),
    "or": (1, _all_of(True)),
    "part": (2, _part),
    "partornull": (2, _part_or_null),
    "range": (2, _range),
    "replace": (3, _replace),
    "split": (2, _split),
    "string": (1, _of_text(str)),
    "sub": (2, _of_numbers(lambda a, b: a - b)),
    "tolower": (1, _of_text(str.lower)),
    "toupper": (1, _of_text(str.upper)),
    "trim": (1, _of_text(str.strip)),
    "true": (0, lambda line, _: scalar(line, True)),
    "union": (2, _union),
    **dict.fromkeys(_ADDRESSES, (1, _address)),
}
"""By name in small letters: the fewest arguments that it takes, and what it answers."""
