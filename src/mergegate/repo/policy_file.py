"""Read a policy: all its mistakes at once, by line, in plain words, quoting nothing of it."""

import difflib
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import yaml
from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from mergegate.core.errors import PolicyError
from mergegate.core.languages import LANGUAGES
from mergegate.repo.settings import (
    MOST_ALTERNATIVES,
    Dismissal,
    FixPolicy,
    Glob,
    MinimumScores,
    ModelLimits,
    ModelPolicy,
    ModelPrice,
    Paths,
    Policy,
    SitePolicy,
    alternatives,
)

LARGEST_BYTES = 256 * 1024
_MOST_BRACKETS = 1000
"""The parser's time grows with the square of the depth."""
_MOST_TOLD = 20
_MOST_HELD = 1_000_000
"""Globs times paths: in the worst case some 15 seconds."""
_MOST_CANDIDATES = 2_000
_LONGEST_NAME = 100
"""To look for what was meant takes the product of both."""
NO_FILE = "it is no file: links are not followed"
REMEDY = "`mergegate policy --schema` prints what the file may hold."

Where = tuple[str, ...]
"""The way to a value: names and positions."""


@dataclass(frozen=True, slots=True, order=True)
class Mistake:
    """One thing that is wrong; ``what`` holds no text of the policy."""

    line: int
    """From 1; 0 for the whole file."""
    what: str
    name: str = ""
    """What the policy says there: for identity, never shown."""
    entry: int = 0
    """Which of its list it is, from 1, where the line holds others; a base counts otherwise."""

    @property
    def said(self) -> str:
        """What is wrong, without the line."""
        return f"entry {self.entry}: {self.what}" if self.entry else self.what

    def __str__(self) -> str:
        return f"line {self.line}: {self.said}" if self.line else self.said


@dataclass(frozen=True, slots=True)
class PolicyDocument:
    """A policy as it was read, with the line of every value."""

    policy: Policy
    mistakes: tuple[Mistake, ...] = ()
    """Why it cannot be followed; ``policy`` is then the default."""
    lines: Mapping[Where, int] = field(default_factory=dict)
    content: object = None
    """As it is written, mistakes and all: names in it are looked for whatever else is wrong."""


class _Loader(yaml.SafeLoader):
    """Leaves dates as they are written, so that one that is none has its line."""


_Loader.yaml_implicit_resolvers = {
    first: [one for one in resolvers if one[0] != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def read_policy(content: bytes) -> PolicyDocument:
    """The policy in ``content``, or every mistake in it."""
    if len(content) > LARGEST_BYTES:
        return _broken([Mistake(0, f"it is larger than {LARGEST_BYTES >> 10} KiB")])
    try:
        document, lines, twice = _loaded(content.decode("utf-8"))
    except UnicodeDecodeError as error:
        return _broken([Mistake(content[: error.start].count(b"\n") + 1, "it is not UTF-8")])
    except yaml.YAMLError as error:
        return _broken([_no_yaml(error)])
    except (RecursionError, ValueError):
        return _broken([Mistake(0, "it is not valid YAML")])
    try:
        policy = Policy.model_validate(document if document is not None else {})
    except ValidationError as error:
        policy, wrong = Policy(), [_mistake(one, lines) for one in error.errors()]
    else:
        policy, wrong = Policy() if twice else policy, []
    return PolicyDocument(policy, tuple(sorted({*twice, *wrong})), lines, document)


def parse_policy(content: bytes, where: str) -> Policy:
    """The policy in ``content``; raises PolicyError that names every mistake."""
    document = read_policy(content)
    refuse(document.mistakes, where)
    return document.policy


def refuse(mistakes: Sequence[Mistake], where: str) -> None:
    """Raise PolicyError for the ``mistakes`` of the policy called ``where``, if there are any."""
    if mistakes:
        raise PolicyError(f"{where}: {told(mistakes)}", remedy=REMEDY)


def told(mistakes: Sequence[Mistake]) -> str:
    """All of them in one line, the first of very many."""
    return "; ".join(told_apart(mistakes))


def told_apart(mistakes: Sequence[Mistake]) -> list[str]:
    """A line each, the first of very many."""
    more = len(mistakes) - _MOST_TOLD
    return [*map(str, mistakes[:_MOST_TOLD]), *([f"and {more:,} more"] if more > 0 else [])]


def _broken(mistakes: Iterable[Mistake]) -> PolicyDocument:
    return PolicyDocument(Policy(), tuple(sorted(set(mistakes))))


def _loaded(text: str) -> tuple[Any, Mapping[Where, int], list[Mistake]]:
    """The document, its lines, and names that stand twice.

    YAML without aliases: a policy needs none, and they can grow without bound.
    """
    if text.count("[") + text.count("{") > _MOST_BRACKETS:
        raise yaml.YAMLError("nested too deeply")
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        if isinstance(event, yaml.AliasEvent):
            raise yaml.MarkedYAMLError(
                problem="aliases are not allowed", problem_mark=cast("yaml.Mark", event.start_mark)
            )
    loader = _Loader(text)
    try:
        node = loader.get_single_node()
        if node is None:
            return None, {}, []
        lines: dict[Where, int] = {}
        twice: list[Mistake] = []
        for way, line in _places(node, ()):
            if way in lines:
                twice.append(Mistake(line, f"the same name stands in line {lines[way]} already"))
            lines[way] = line
        return loader.construct_document(node), lines, twice
    finally:
        loader.dispose()


def _places(node: yaml.Node, way: Where) -> Iterator[tuple[Where, int]]:
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            inside = (*way, str(key.value))
            yield inside, key.start_mark.line + 1
            yield from _places(value, inside)
    elif isinstance(node, yaml.SequenceNode):
        for number, value in enumerate(node.value):
            inside = (*way, str(number))
            yield inside, value.start_mark.line + 1
            yield from _places(value, inside)


_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_TOKEN = re.compile(r"['\"](?:[^\w\s]{1,3}|<[a-z ]+>)['\"]")
"""What the parser calls the parts of YAML itself."""


def _no_yaml(error: yaml.YAMLError) -> Mistake:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    problem = getattr(error, "problem", None) or (str(error) if mark is None else "")
    if "'\\t'" in problem:
        problem = "a tab stands where blanks are wanted"
    plain = _QUOTED.sub(lambda hit: hit[0] if _TOKEN.fullmatch(hit[0]) else "…", problem)
    if not isinstance(error, yaml.MarkedYAMLError):  # its text shows the character
        plain = "" if mark or getattr(error, "character", None) is not None else plain
    why = f": {' '.join(plain.split())[:200]}" if plain else ""
    return Mistake(mark.line + 1 if mark else 0, f"it is not valid YAML{why}")


_PARTS: Mapping[Where, type[BaseModel]] = {
    (): Policy,
    ("paths",): Paths,
    ("suppressions",): Dismissal,
    ("fixes",): FixPolicy,
    ("model",): ModelPolicy,
    ("model", "limits"): ModelLimits,
    ("model", "price"): ModelPrice,
    ("site",): SitePolicy,
    ("site", "minimum-scores"): MinimumScores,
}
_WORDS: Mapping[str, str] = {
    "missing": "`{last}` is missing",
    "invalid_key": "a name is wanted: put it into quotes",
    "literal_error": "{expected} is wanted",
    "string_type": "text is wanted: put it into quotes",
    "string_pattern_mismatch": "a version is wanted, such as 0.1.0",
    "string_too_short": "text is wanted, and it is empty",
    "string_too_long": "at most {max_length} characters are taken",
    "float_type": "a number is wanted",
    "float_parsing": "a number is wanted",
    "int_type": "a whole number is wanted",
    "int_parsing": "a whole number is wanted",
    "int_from_float": "a whole number is wanted",
    "greater_than_equal": "a number of at least {ge} is wanted",
    "less_than_equal": "a number of at most {le} is wanted",
    "tuple_type": "a list is wanted",
    "model_type": "settings by name are wanted, `name: value`",
    "mapping_type": "settings by name are wanted, `name: value`",
    "dict_type": "settings by name are wanted, `name: value`",
    "value_error": "{error}",
}
_CHOICE = re.compile(r"'([^']*)'")
_DATE = "a date is wanted, such as 2027-01-31"


def _mistake(said: ErrorDetails, lines: Mapping[Where, int]) -> Mistake:
    way = tuple(map(str, said["loc"]))
    kind = said["type"]
    if kind == "extra_forbidden":
        known = [one.alias or name for name, one in _part(way).model_fields.items()]
        what = f"there is no such setting{_near(way[-1], known)}"
    elif kind.startswith("date"):
        what = _DATE
    else:
        words = _WORDS.get(kind, "this is not what is wanted here")
        what = words.format(last=way[-1] if way else "", **said.get("ctx", {}))
        if kind == "literal_error":
            what += _near(str(said.get("input")), _CHOICE.findall(said["ctx"]["expected"]))
    name = _settings(way)
    named = f"`{name}`: " if name and kind not in ("missing", "extra_forbidden") else ""
    return Mistake(_line(way, lines), f"{named}{what}", str(said.get("input"))[:_LONGEST_NAME])


def _line(way: Where, lines: Mapping[Where, int]) -> int:
    """The line of the value, or of the nearest that holds it."""
    return next((lines[way[:end]] for end in range(len(way), 0, -1) if way[:end] in lines), 0)


def _named(way: Where) -> Where:
    """``way`` without positions."""
    return tuple(one for one in way if not one.isdigit())


def _part(way: Where) -> type[BaseModel]:
    return _PARTS.get(_named(way[:-1]), Policy)


def _settings(way: Where) -> str:
    """The settings on ``way`` as we call them; what the policy itself names is left out."""
    said: list[str] = []
    for one in _named(way):
        part = _PARTS.get(tuple(said))
        if part is None or one not in {
            field.alias or name for name, field in part.model_fields.items()
        }:
            break
        said.append(one)
    return ".".join(said)


def _near(name: str, known: Iterable[str]) -> str:
    found = difflib.get_close_matches(name[:_LONGEST_NAME], list(known), n=1, cutoff=0.6)
    return f"; the nearest is `{found[0]}`" if found else ""


def unknown_rules(document: PolicyDocument, known: Callable[[], Collection[str]]) -> list[Mistake]:
    """Every rule that the policy names and that is none; ``known`` is asked where it names any."""
    content = document.content
    said = [(way, way[-1]) for way, _ in _at(content, ("rules", _EACH))]
    said += _texts(content, ("suppressions", _EACH, "rule"))
    rules = known() if said else ()
    # With a slash it is a rule of another scanner, whose findings are imported.
    strays = [(way, rule) for way, rule in said if rule not in rules and "/" not in rule]
    what = "there is no such rule"
    return _strays(
        strays, what, lambda rule: _near(rule, rules), "; `mergegate rules` lists them", document
    )


def idle_globs(document: PolicyDocument, tree: Collection[str], fits: "Fits") -> list[Mistake]:
    """Every glob that fits no path of ``tree``; ``fits`` tells whether one does.

    Nothing is said where they are so many that it would take longer than a scan.
    """
    globs = list(_globs(document.content))
    many = sum(alternatives(glob) for _, glob in globs) > MOST_ALTERNATIVES
    if many or len(globs) * len(tree) > _MOST_HELD:
        return []
    strays = [(way, glob) for way, glob in globs if not fits(glob, tree)]
    names = _names(tree) if strays else []
    what = "no file here has such a path"
    return _strays(strays, what, lambda glob: _near(glob.rstrip("/*"), names), "", document)


Fits = Callable[[str, Collection[str]], bool]


def _strays(
    strays: Sequence[tuple[Where, str]],
    what: str,
    near: Callable[[str], str],
    otherwise: str,
    document: PolicyDocument,
) -> list[Mistake]:
    """A mistake for each name that is none, the first of them with what was meant."""
    return [
        Mistake(
            _line(way, document.lines),
            f"{what}{(near(name) if number < _MOST_TOLD else '') or otherwise}",
            name,
            _entry(way, document.lines),
        )
        for number, (way, name) in enumerate(strays)
    ]


def _entry(way: Where, lines: Mapping[Where, int]) -> int:
    """Which of its list the value is, from 1; 0 where it has its line to itself."""
    if not way[-1].isdigit():
        return 0
    at = int(way[-1])
    beside = ((*way[:-1], str(other)) for other in (at - 1, at + 1))
    return at + 1 if lines.get(way) in [lines.get(one) for one in beside] else 0


_GLOB = TypeAdapter[str](Glob)


def _globs(content: object) -> Iterator[tuple[Where, str]]:
    """Those that can be held against a tree."""
    ways = ("paths", "exclude", _EACH), (_ACCEPTED, _EACH), ("suppressions", _EACH, "path")
    for place, text in (one for way in ways for one in _texts(content, way)):
        try:
            glob = _GLOB.validate_python(text)
        except ValidationError:
            continue
        if place[0] != _ACCEPTED or glob not in LANGUAGES:
            yield place, glob


_ACCEPTED = "accept-unsearched"
_EACH = "*"


def _texts(content: object, way: Where) -> list[tuple[Where, str]]:
    """The texts at ``way``, each with its place; ``*`` is every name or position."""
    return [(place, one) for place, one in _at(content, way) if isinstance(one, str)]


def _at(content: object, way: Where, done: Where = ()) -> Iterator[tuple[Where, object]]:
    if not way:
        yield done, content
        return
    inside: Iterable[tuple[object, object]] = ()
    if isinstance(content, dict):
        inside = content.items()
    elif isinstance(content, list):
        inside = ((str(number), one) for number, one in enumerate(content))
    for name, one in inside:
        if isinstance(name, str) and way[0] in (_EACH, name):
            yield from _at(one, way[1:], (*done, name))


def _names(tree: Iterable[str]) -> list[str]:
    """Paths and folders that may have been meant, the shallow ones first."""
    begun = {path[: _LONGEST_NAME + 1] for path in tree}
    folders = {path[:at] for path in begun for at, sign in enumerate(path) if sign == "/"}
    ordered = sorted({*folders, *begun, *LANGUAGES}, key=lambda one: (one.count("/"), one))
    return [one for one in ordered if len(one) <= _LONGEST_NAME][:_MOST_CANDIDATES]
