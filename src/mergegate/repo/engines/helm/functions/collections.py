"""Lists and maps."""

from collections.abc import Callable, Iterator, Mapping

from mergegate.repo.engines.helm.values import (
    UNKNOWN,
    Undecided,
    is_open,
    merged,
    ordered,
    shown,
    truth,
)

LONGEST = 10_000
"""Items of a list that a function makes out of numbers."""


def _known(value: object) -> object:
    """A key or number, which is known."""
    if is_open(value) or isinstance(value, dict | list):
        raise Undecided
    return value


def _map(value: object) -> dict[str, object]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise Undecided
    return value


def _list(value: object) -> list[object]:
    if value is None:
        return []
    if not isinstance(value, list):
        raise Undecided
    return value


def _index(value: object, *steps: object) -> object:
    for step in steps:
        key = _known(step)
        if isinstance(value, dict):
            value = value.get(str(key))
        elif isinstance(value, list) and isinstance(key, int):
            value = value[key] if key >= 0 else UNKNOWN
        elif value is not None:
            raise Undecided
    return value


def _dict(*pairs: object) -> dict[str, object]:
    values = [*pairs[1::2], ""] if len(pairs) % 2 else pairs[1::2]
    return {shown(_known(key)): value for key, value in zip(pairs[::2], values, strict=True)}


def _get(source: object, key: object) -> object:
    return _map(source).get(str(_known(key)), "")


def _dig(*given: object) -> object:
    *keys, default, source = given
    value = source
    for key in keys:
        inside = _map(value)
        if str(_known(key)) not in inside:
            return default
        value = inside[str(key)]
    return value


def _pick(source: object, *keys: object) -> dict[str, object]:
    wanted = {str(_known(key)) for key in keys}
    return {key: value for key, value in _map(source).items() if key in wanted}


def _omit(source: object, *keys: object) -> dict[str, object]:
    dropped = {str(_known(key)) for key in keys}
    return {key: value for key, value in _map(source).items() if key not in dropped}


def _pluck(key: object, *sources: object) -> list[object]:
    name = str(_known(key))
    return [_map(one)[name] for one in sources if name in _map(one)]


def _set(source: object, key: object, value: object) -> dict[str, object]:
    into = _map(source)
    into[shown(_known(key))] = value
    return into


def _unset(source: object, key: object) -> dict[str, object]:
    into = _map(source)
    into.pop(str(_known(key)), None)
    return into


def _merge(into: object, *more: object) -> dict[str, object]:
    result = _map(into)
    for one in more:
        merged(result, _map(one), over=False)
    return result


def _merge_over(into: object, *more: object) -> dict[str, object]:
    result = _map(into)
    for one in more:
        merged(result, _map(one), over=True)
    return result


def _copy(value: object) -> object:
    if isinstance(value, dict):
        return {key: _copy(one) for key, one in value.items()}
    return [_copy(one) for one in value] if isinstance(value, list) else value


def _first(items: object) -> object:
    sequence = items if isinstance(items, str) and not is_open(items) else _list(items)
    return sequence[0] if sequence else None


def _last(items: object) -> object:
    return _list(items)[-1] if _list(items) else None


def _slice(items: object, *bounds: int) -> object:
    sequence = items if isinstance(items, str) and not is_open(items) else _list(items)
    if any(one < 0 for one in bounds):
        raise Undecided
    return sequence[slice(*(bounds or (None,)) if len(bounds) != 1 else (bounds[0], None))]


def _uniq(items: object) -> list[object]:
    found: list[object] = []
    for one in _list(items):
        if one not in found:
            found.append(one)
    return found


def _without(items: object, *dropped: object) -> list[object]:
    return [one for one in _list(items) if one not in dropped]


def _chunk(size: int, items: object) -> list[object]:
    sequence = _list(items)
    return [sequence[at : at + size] for at in range(0, len(sequence), size)]


def _sorted(items: object) -> list[str]:
    return sorted(map(shown, _list(items)))


def _keys(*sources: object) -> list[object]:
    return [key for one in sources for key in sorted(_map(one))]


def _values(source: object) -> list[object]:
    return [value for _, value in ordered(_map(source))]


def _numbers(start: int, stop: int, step: int = 1) -> list[object]:
    numbers = range(start, stop, step)
    if len(numbers) > LONGEST:
        raise Undecided
    return list(numbers)


def _seq(*given: int) -> str:
    start, stop = (given[0] if given[1:] else 1), given[-1]
    step = given[1] if given[2:] else 1 if stop >= start else -1
    return " ".join(map(str, _numbers(start, stop + (1 if step > 0 else -1), step)))


def _compact(items: object) -> list[object]:
    return [one for one in _list(items) if truth(one)]


def _with_must(
    pairs: Mapping[str, Callable[..., object]],
) -> Iterator[tuple[str, Callable[..., object]]]:
    """Most have a second name, under which they stop where they fail."""
    for name, function in pairs.items():
        yield name, function
        yield f"must{name[0].upper()}{name[1:]}", function


KNOWING: Mapping[str, Callable[..., object]] = dict(
    _with_must(
        {
            "has": lambda item, items: item in _list(items),
            "uniq": _uniq,
            "without": _without,
            "sortAlpha": _sorted,
            "until": lambda count: _numbers(0, count, 1 if count >= 0 else -1),
            "untilStep": _numbers,
            "seq": _seq,
            "chunk": _chunk,
            "slice": _slice,
        }
    )
)
MOVING: Mapping[str, Callable[..., object]] = dict(
    _with_must(
        {
            "index": _index,
            "dict": _dict,
            "list": lambda *items: list(items),
            "tuple": lambda *items: list(items),
            "get": _get,
            "hasKey": lambda source, key: str(_known(key)) in _map(source),
            "dig": _dig,
            "pick": _pick,
            "omit": _omit,
            "pluck": _pluck,
            "keys": _keys,
            "values": _values,
            "first": _first,
            "last": _last,
            "rest": lambda items: _list(items)[1:],
            "initial": lambda items: _list(items)[:-1],
            "append": lambda items, item: [*_list(items), item],
            "push": lambda items, item: [*_list(items), item],
            "prepend": lambda items, item: [item, *_list(items)],
            "concat": lambda *lists: [item for one in lists for item in _list(one)],
            "reverse": lambda items: _list(items)[::-1],
            "compact": _compact,
        }
    )
)
WRITING: Mapping[str, Callable[..., object]] = dict(_with_must({"deepCopy": _copy}))
CHANGING: Mapping[str, Callable[..., object]] = dict(
    _with_must({"set": _set, "unset": _unset, "merge": _merge, "mergeOverwrite": _merge_over})
)
