"""Texts: what is written, cut, joined and put in quotes."""

import json
import re
from collections.abc import Callable, Mapping
from posixpath import basename, dirname, isabs, normpath, splitext

from mergegate.repo.engines.helm.values import GAP, TEXT_BUDGET, Undecided, shown
from mergegate.repo.engines.terraform.values import Spent

_VERB = re.compile(r"%([-+# 0]*)(\d*)(?:\.(\d*))?([a-zA-Z%])")


def text(value: object) -> str:
    """A value as a function of texts takes it."""
    return "" if value is None else shown(value)


def _of_length(count: int, one: str = " ") -> str:
    if count * len(one) > TEXT_BUDGET:
        raise Spent
    return one * max(0, count)


def _quoted(value: object) -> str:
    return json.dumps(text(value), ensure_ascii=False)


def _quote(*values: object) -> str:
    return " ".join(_quoted(one) for one in values if one is not None)


def _squote(*values: object) -> str:
    return " ".join(f"'{shown(one)}'" for one in values if one is not None)


def _indent(count: int, value: object) -> str:
    before = _of_length(count)
    lines = text(value).split("\n")
    _of_length(len(lines), before)
    return "\n".join(before + line for line in lines)


def _print(*values: object) -> str:
    """As Go does it, with a blank between two that are no texts."""
    parts: list[str] = []
    for at, value in enumerate(values):
        if at and not isinstance(value, str) and not isinstance(values[at - 1], str):
            parts.append(" ")
        parts.append(shown(value))
    return "".join(parts)


def _printf(pattern: object, *values: object) -> str:
    left = list(values)

    def one(match: re.Match[str]) -> str:
        flags, width, places, verb = match.groups()
        if verb == "%":
            return "%"
        if not left:
            raise Undecided
        made = _formatted(left.pop(0), verb, places)
        length = min(int(width or 0), TEXT_BUDGET)
        if "-" in flags:
            return made.ljust(length)
        return made.zfill(length) if "0" in flags else made.rjust(length)

    made = _VERB.sub(one, text(pattern))
    if left:
        raise Undecided
    return made


def _formatted(value: object, verb: str, places: str | None) -> str:
    if GAP in shown(value):
        return GAP
    if verb == "q":
        return _quoted(value)
    if verb in "feg" and isinstance(value, int | float):
        return f"{value:.{min(int(places or 6), 20)}{verb}}"
    if verb in "xX" and isinstance(value, int):
        return f"{value:{verb}}"
    if verb == "c" and isinstance(value, int):
        return chr(value)
    shortened = shown(value)
    return shortened[: int(places)] if verb == "s" and places else shortened


def _join(separator: object, items: object) -> str:
    parts = items if isinstance(items, list) else [items]
    between = text(separator)
    _of_length(len(parts), between)
    return between.join(map(shown, (one for one in parts if one is not None)))


def _replace(old: str, new: str, value: object) -> str:
    source = text(value)
    _of_length(source.count(old) + 1, new or " ")
    return source.replace(old, new)


def _truncated(count: int, value: object) -> str:
    source = text(value)
    return source[:count] if count >= 0 else source[count:]


def _substring(start: int, end: int, value: object) -> str:
    source = text(value)
    return source[max(0, start) : end if end >= 0 else None]


def _split(separator: str, value: object) -> dict[str, object]:
    return {f"_{at}": one for at, one in enumerate(_parts(separator, value))}


def _parts(separator: str, value: object) -> list[object]:
    source = text(value)
    return list(source.split(separator) if separator else source)


def _split_n(separator: str, count: int, value: object) -> dict[str, object]:
    parts = text(value).split(separator, count - 1)
    return {f"_{at}": one for at, one in enumerate(parts)}


def _snake(value: object, sign: str = "_") -> str:
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[\s_-]+", " ", text(value))
    return sign.join(words.lower().split())


def _camel(value: object) -> str:
    return "".join(one[:1].upper() + one[1:] for one in re.split(r"[_\s-]+", text(value)))


def _title(value: object) -> str:
    return re.sub(r"(?<!\w)\w", lambda match: match[0].upper(), text(value))


def _trimmed(value: object, signs: str = " \t\r\n") -> str:
    return text(value).strip(signs)


def _wrapped(width: int, value: object) -> str:
    lines, line = [], ""
    for word in text(value).split():
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}".lstrip()
    return "\n".join([*lines, line])


KNOWING: Mapping[str, Callable[..., object]] = {
    "trunc": _truncated,
    "substr": _substring,
    "split": _split,
    "splitList": _parts,
    "splitn": _split_n,
    "contains": lambda part, value: part in text(value),
    "hasPrefix": lambda part, value: text(value).startswith(part),
    "hasSuffix": lambda part, value: text(value).endswith(part),
    "repeat": lambda count, value: _of_length(whole_length(count), text(value)),
    "snakecase": _snake,
    "kebabcase": lambda value: _snake(value, "-"),
    "camelcase": _camel,
    "swapcase": lambda value: text(value).swapcase(),
    "initials": lambda value: "".join(one[0] for one in text(value).split()),
    "wrap": _wrapped,
    "abbrev": lambda width, value: (
        text(value) if len(text(value)) <= width else text(value)[: width - 3] + "..."
    ),
    "plural": lambda one, many, count: one if count == 1 else many,
    "base": lambda value: basename(text(value).rstrip("/")) or "/",
    "dir": lambda value: dirname(text(value)) or ".",
    "clean": lambda value: normpath(text(value)),
    "ext": lambda value: splitext(text(value))[1],
    "isAbs": lambda value: isabs(text(value)),
    "osIsAbs": lambda value: isabs(text(value)),
    "osExt": lambda value: splitext(text(value))[1],
    "osClean": lambda value: normpath(text(value)),
    "osBase": lambda value: basename(text(value)),
    "osDir": lambda value: dirname(text(value)) or ".",
    "toStrings": lambda items: list(map(shown, items)),
}
WRITING: Mapping[str, Callable[..., object]] = {
    "toString": shown,
    "quote": _quote,
    "squote": _squote,
    "indent": _indent,
    "nindent": lambda count, value: "\n" + _indent(count, value),
    "print": _print,
    "println": lambda *values: " ".join(map(shown, values)) + "\n",
    "printf": _printf,
    "cat": lambda *values: " ".join(shown(one) for one in values if one is not None),
    "join": _join,
    "replace": _replace,
    "trim": _trimmed,
    "trimAll": lambda signs, value: text(value).strip(signs),
    "trimSuffix": lambda part, value: text(value).removesuffix(part),
    "trimPrefix": lambda part, value: text(value).removeprefix(part),
    "trimall": lambda signs, value: text(value).strip(signs),
    "upper": lambda value: text(value).upper(),
    "lower": lambda value: text(value).lower(),
    "title": _title,
    "untitle": lambda value: text(value)[:1].lower() + text(value)[1:],
    "nospace": lambda value: re.sub(r"\s+", "", text(value)),
}


def whole_length(count: object) -> int:
    """How often a text is repeated."""
    return count if isinstance(count, int) else 0
