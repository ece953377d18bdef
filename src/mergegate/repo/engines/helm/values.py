"""Values of a chart: how they are read, compared and written, under a budget.

They are what YAML knows, and one more: UNKNOWN, for what nobody decides before the chart is
installed. In a text GAP stands for the part that is not known.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, final

import yaml

from mergegate.repo.engines.documents.nodes import GAP_SIGN
from mergegate.repo.engines.terraform.values import Budget, Spent

GAP: Final = GAP_SIGN
"""Stands in a text for what is not known."""
TEXT_BUDGET = 512 * 1024
"""Characters of one text."""
DEPTH_BUDGET = 60
"""Values within values."""
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_INTEGER = re.compile(r"[-+]?(?:0x[\da-fA-F]+|0o[0-7]+|0b[01]+|\d[\d_]*)")
_FLOAT = re.compile(r"[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?")
_WORDS: dict[str, object] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE", "yes", "Yes", "YES", "y", "Y"), True),
    **dict.fromkeys(("on", "On", "ON"), True),
    **dict.fromkeys(("false", "False", "FALSE", "no", "No", "NO", "n", "N"), False),
    **dict.fromkeys(("off", "Off", "OFF"), False),
}
_STANDARD_TAG = "tag:yaml.org,2002:"


class Undecided(Exception):
    """The outcome rests on something that is not known."""


@final
class Unknown:
    """The class of UNKNOWN alone."""

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN: Final = Unknown()


class Version(dict[str, object]):
    """A version of a cluster, which is written as its text."""


def is_open(value: object) -> bool:
    """Whether a value, or a part of a text, is not known."""
    return value is UNKNOWN or (isinstance(value, str) and GAP in value)


def truth(value: object) -> bool:
    """Whether Go takes a value for true. Raises Undecided."""
    if value is UNKNOWN or (isinstance(value, str) and value and not value.strip(GAP)):
        raise Undecided
    return bool(value)


def walk(value: object, budget: Budget, depth: int = 0) -> Iterator[object]:
    """The value and all in it, each paid for; raises Spent for what is nested without end."""
    budget.spend()
    if depth > DEPTH_BUDGET:
        raise Spent
    yield value
    if isinstance(value, dict):
        for one in value.values():
            yield from walk(one, budget, depth + 1)
    elif isinstance(value, list):
        for one in value:
            yield from walk(one, budget, depth + 1)


def copied(value: object, budget: Budget, depth: int = 0) -> object:
    """A copy that shares no map and no list."""
    if not isinstance(value, dict | list):
        return value
    budget.spend(len(value) + 1)
    if depth > DEPTH_BUDGET:
        raise Spent
    if isinstance(value, list):
        return [copied(one, budget, depth + 1) for one in value]
    pairs = {key: copied(one, budget, depth + 1) for key, one in value.items()}
    return Version(pairs) if isinstance(value, Version) else pairs


def shown(value: object) -> str:
    """A value as Go prints it."""
    if isinstance(value, str):
        return value
    made = _SHOWN.get(type(value))
    return made(value) if made else GAP


def _decimal(value: float) -> str:
    if value.is_integer() and abs(value) < 1e21:
        return str(int(value))
    return re.sub(r"e([+-])(\d)$", r"e\g<1>0\2", repr(value))


_SHOWN: Mapping[type, Callable[[Any], str]] = {
    Unknown: lambda _: GAP,
    type(None): lambda _: "<nil>",
    bool: lambda value: str(value).lower(),
    int: str,
    float: _decimal,
    Version: lambda value: shown(value.get("Version")),
    dict: lambda value: f"map[{' '.join(f'{key}:{shown(one)}' for key, one in ordered(value))}]",
    list: lambda value: f"[{' '.join(map(shown, value))}]",
}


def ordered(value: dict[str, object]) -> list[tuple[str, object]]:
    """The entries of a map as Go walks over them."""
    return sorted(value.items())


def merged(into: dict[str, object], more: dict[str, object], *, over: bool) -> dict[str, object]:
    """``into`` with what ``more`` has; ``over`` says whether that counts more."""
    for key, value in more.items():
        here = into.get(key)
        if isinstance(here, dict) and isinstance(value, dict):
            merged(here, value, over=over)
        elif over or key not in into:
            into[key] = value
    return into


def read(text: str, budget: Budget) -> object:
    """The first document of a YAML text. Raises ValueError where it is none."""
    try:
        return _Reader(text, budget).document()
    except yaml.YAMLError as error:
        raise ValueError("it is not valid YAML") from error


class _Reader:
    """Builds plain values from events; what an alias stands for is shared, and never changed."""

    def __init__(self, text: str, budget: Budget) -> None:
        self._events = yaml.parse(text, Loader=_LOADER)
        self._budget = budget
        self._anchors: dict[str, object] = {}

    def document(self) -> object:
        for event in self._events:
            if isinstance(event, yaml.DocumentStartEvent):
                return self._value(next(self._events), 0)
        return None

    def _value(self, event: yaml.Event, depth: int) -> object:
        self._budget.spend()
        if depth > DEPTH_BUDGET:
            raise ValueError("it is nested too deeply")
        if isinstance(event, yaml.AliasEvent):
            return copied(self._anchors.get(event.anchor or ""), self._budget, depth)
        if isinstance(event, yaml.ScalarEvent):
            value = scalar(event.value) if _is_plain(event) else event.value
        elif isinstance(event, yaml.SequenceStartEvent):
            value = self._list(depth)
        else:
            value = self._map(depth)
        if isinstance(event, yaml.NodeEvent) and event.anchor:
            self._anchors[event.anchor] = value
        return value

    def _list(self, depth: int) -> list[object]:
        items: list[object] = []
        while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
            items.append(self._value(event, depth + 1))
        return items

    def _map(self, depth: int) -> object:
        pairs: dict[str, object] = {}
        given: list[object] = []
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            key = self._value(event, depth + 1)
            value = self._value(next(self._events), depth + 1)
            if key == "<<":
                given += value if isinstance(value, list) else [value]
            else:
                pairs[key if isinstance(key, str) else shown(key)] = value
        for one in given:
            if isinstance(one, dict):
                pairs = {**one, **pairs}
        return UNKNOWN if any(GAP in key for key in pairs) else pairs


def _is_plain(event: yaml.ScalarEvent) -> bool:
    return bool(event.implicit[0]) and (event.tag is None or event.tag == _STANDARD_TAG)


def scalar(text: str) -> object:
    """What a text without quotes stands for."""
    if text in _WORDS:
        return _WORDS[text]
    if text and not text.strip(GAP):
        return UNKNOWN
    if len(text) < 40 and _INTEGER.fullmatch(text):
        octal = re.fullmatch(r"[-+]?0[0-7]+", text)
        try:
            return int(text, 8 if octal else 0)
        except ValueError:
            return text
    return float(text) if len(text) < 40 and _FLOAT.fullmatch(text) else text


class _Dumper(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):  # type: ignore[misc]
    def ignore_aliases(self, data: object) -> bool:
        """Go's writer knows no aliases."""
        del data
        return True


_Dumper.add_representer(Unknown, lambda dumper, _: dumper.represent_str(GAP))
_Dumper.add_representer(Version, lambda dumper, value: dumper.represent_dict(value))


def written(value: object) -> str:
    """A value as YAML, without the line break at its end."""
    text = yaml.dump(
        value, Dumper=_Dumper, default_flow_style=False, allow_unicode=True, width=1 << 20
    )
    return text.removesuffix("...\n").rstrip("\n")
