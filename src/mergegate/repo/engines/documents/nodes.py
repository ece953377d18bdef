"""YAML (and so JSON) as nodes, under budgets: no object is built that a file could choose.

Literal secrets are taken out the moment a node is made.
"""

import re
from base64 import b64decode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import yaml

from mergegate.core.errors import EngineFailed
from mergegate.repo.facts.documents import MASKED, UNDECIDED, Form, Node
from mergegate.secrets.detectors import DETECTORS
from mergegate.secrets.mask import announces, mask_text, mask_words

GAP_SIGN = "\ue000"
"""Stands in a rendered text for what is not known before it is installed."""
_GAP = "${}"
STARS = "****"
"""What may be a secret by its name, and says nothing to a check."""
_SHORT = 200
_WORD = re.compile(r"[\w./:-]{0,19}", re.ASCII)
"""Most texts: too short for a token, and neither an assignment nor a command."""
_NAME = re.compile(r"(?:[A-Z][a-z]{2,20}){2,8}", re.ASCII)
"""Names of settings, of which long ones would look like a token."""

_SECRET_WORD = (
    r"(?:passw(?:or)?d|passphrase|(?<=[_-])pass(?![a-z])|secret(?:[_-]?key)?|token"
    r"|api[_-]?key|access[_-]?key|private[_-]?key|account[_-]?key|signing[_-]?key|encryption[_-]?key|credentials?)"
)
_SECRET_NAME = re.compile(
    rf"(?:^|[^a-z])[\w.-]*{_SECRET_WORD}(?:[_-]?(?:string|value|base|\d+))?$", re.IGNORECASE
)
_REFERENCE = re.compile(
    r"^$|^[$<%{/!`]|^arn:|\$\{|\{\{"
    r"|^(?:true|false|yes|no|null|none|on|off|all|auto|enabled|disabled|seconds|minutes|hours|days|\d{1,5})$"
    # Functions of Azure's templates.
    r"|^\[(?:list\w+|parameters|reference|variables|newGuid|guid|uniqueString)\([^\n]*\]$",
    re.IGNORECASE,
)
_PLACEHOLDER = re.compile(
    r"change[_-]?(?:me|it|this)|placeholder|example|dummy|fake|random[_-]?(?:secret|key|value|string|password)|minioadmin|your[_-]|replace|todo|\bx{3,}\b|\*{3}"
    r"|^\*+$|redacted|not[_-]?(?:a[_-]?)?secret|insert|^<.*>$|^\.\.\.$"
    r"|^test[_-]?(?:pass(?:word|wd)?|token|secret)\d*$",
    re.IGNORECASE,
)
_ROLE = re.compile(
    "8e3af657-a8ff-443c-a75c-2fe8c4bcb635|18d7d88d-d35e-4fb5-a5c3-7773c20a72d9"
    "|f58310d9-a9f6-439a-9e8d-f62e7b41a168|b24988ac-6180-42a0-ab88-20f7382dd24c"
    "|00482a5a-887f-4fb3-b363-3b7fe8e74483",
    re.IGNORECASE,
)
"""Azure's Owner, User Access Administrator, Role Based Access Control Administrator, Contributor
and Key Vault Administrator, which are called so in every account."""
_PUBLIC = tuple(
    re.compile(shape.pattern)
    for detector in DETECTORS.values()
    if detector.public
    for shape in detector.shapes
    if shape.pattern
)
"""Keys that their makers mean to be seen, whatever a file calls them."""
_ASSIGNED = re.compile(
    rf"(?<![\w.-])(?P<name>[\w.-]{{0,64}}?{_SECRET_WORD}(?:_(?:value|base|\d+))?)"
    r"(?P<sign>\s*=\s*|\s*:\s+)(?P<quote>['\"]?)(?P<value>[^\s'\";&|]+)",
    re.IGNORECASE,
)
_OPTION = re.compile(
    r"(?<![\w-])(?P<name>--?[\w-]{0,64}?(?:passw(?:or)?d|token|secret|api-key))(?P<sign>\s+)"
    r"(?P<quote>['\"]?)(?P<value>[^\s'\";&|-][^\s'\";&|]*)",
    re.IGNORECASE,
)
_IN_URL = re.compile(r"(?P<before>://[^/\s:@]*:)(?P<value>[^@\s/]+)@")
_TOKEN = re.compile(
    r"(?<![\w-])(?:(?:AKIA|ASIA)[0-9A-Z]{16}|gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{20,}"
    r"|xox[abprs]-[\w-]{10,}|sk_live_\w{16,}|AIza[\w-]{35}|npm_\w{36}|pypi-[\w-]{40,}"
    r"|eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]+)"
)
_PRIVATE_KEY = re.compile(
    r"-----BEGIN[A-Z ]*PRIVATE KEY-----.*?(?:-----END[A-Z ]*PRIVATE KEY-----|\Z)", re.DOTALL
)
_SUSPECT = re.compile(
    rf"{_SECRET_WORD}|://|PRIVATE KEY|AKIA|ASIA|gh[pousr]_|glpat|xox|sk_live|AIza|npm_|pypi-|eyJ",
    re.IGNORECASE,
)

_BASE64 = re.compile(r"[A-Za-z0-9+/]{24,100000}={0,2}")


def is_secret_name(name: str) -> bool:
    """Whether a variable or key of that name holds a secret by convention."""
    return len(name) < 200 and _SECRET_NAME.search(name) is not None


def is_literal_secret(value: str) -> bool:
    """Whether ``value`` under a secret's name is the secret, not a reference or a stand-in."""
    if any(one.search(value) for one in (_REFERENCE, _PLACEHOLDER, _ROLE)):
        return False
    return not any(one.fullmatch(value) for one in _PUBLIC)


def masked_text(text: str) -> str:
    """``text`` with tokens, passwords in addresses and assigned secrets replaced.

    What checks rest on stands as MASKED, what else may be a secret as stars.
    """
    if _WORD.fullmatch(text) or _NAME.fullmatch(text):
        return text
    return _remembered(text) if len(text) <= _SHORT else _masked_text(text)


def _masked_text(text: str) -> str:
    inside = _decoded(text)
    if inside and MASKED in (told := _masked_text(inside)):
        return told
    if _SUSPECT.search(text):
        text = _PRIVATE_KEY.sub(MASKED, text)
        text = _TOKEN.sub(MASKED, text)
        text = _IN_URL.sub(_mask_address, text)
        text = _OPTION.sub(_mask_value, _ASSIGNED.sub(_mask_value, text))
    return mask_text(text, is_literal_secret)


def _decoded(text: str) -> str:
    """What a text of base64 says; empty for anything else."""
    if len(text) % 4 or not _BASE64.fullmatch(text):
        return ""
    try:
        return b64decode(text, validate=True).decode()
    except ValueError:
        return ""


_remembered = lru_cache(maxsize=1 << 14)(_masked_text)
"""Most texts are short and stand in many places: keys, names, kinds."""


def masked_default(type: str, value: Node) -> Node:
    """The default of a parameter of Azure, which is a secret where its type says so."""
    return _masked(value) if type.lower().startswith("secure") else value


def masked_pairs(pairs: list[tuple[str, Node]]) -> list[tuple[str, Node]]:
    """A map's entries with the values of secrets masked.

    A secret is told by its key, by a ``name`` beside its ``value``, or by the key of the map
    that holds its ``value``, ``default`` or ``example``; the default of a parameter of
    CloudFormation by its ``NoEcho``. What only may be one by its name stands as stars.
    """
    named = next((value.text for key, value in pairs if key.lower() in {"name", "key"}), "")
    beside, maybe = is_secret_name(named), announces(named)

    type = next((value.text for key, value in pairs if key == "type"), "")
    is_hidden = any(key == "NoEcho" and value.is_true for key, value in pairs)
    maybe |= any(key == "format" and value.text == "password" for key, value in pairs)

    def shown(key: str, value: Node) -> Node:
        if key in {"defaultValue", "value"} and type.lower().startswith("secure"):
            return masked_default(type, value)
        if key == "defaultValue" and type:
            return value
        if is_secret_name(key) or (beside and _is_value(key)) or (is_hidden and key == "Default"):
            return _masked(value)
        doubtful = announces(key) or (maybe and _is_value(key))
        return _masked(value, STARS) if doubtful else value

    return [(key, shown(key, value)) for key, value in pairs]


def _is_value(key: str) -> bool:
    return key.lower() in {"value", "default", "defaultvalue", "example", "x-example"}


_EITHER = frozenset({"!If", "Fn::If"})
"""CloudFormation's choice between two values, behind the name of a condition."""


def _masked(value: Node, mark: str = MASKED) -> Node:
    if value.form is Form.MAP:
        children = (_masked_within(key, child, mark) for key, child in value.entries)
        return Node(value.line, Form.MAP, "", value.tag, value.keys, tuple(children))
    if value.tag in _EITHER:
        condition, *choices = value.items or (value,)
        return replace(value, children=(condition, *(_masked(one, mark) for one in choices)))
    is_plain = value.tag in {"", "!Sub"} and value.form is Form.SCALAR
    return Node(value.line, text=mark) if is_plain and is_literal_secret(value.text) else value


def _masked_within(key: str, child: Node, mark: str) -> Node:
    if key in _EITHER and child.items:
        return replace(_masked(replace(child, tag=key), mark), tag=child.tag)
    return _masked(child, mark) if _is_value(key) and not child.keys else child


def _as_command(items: Sequence[Node]) -> tuple[Node, ...]:
    """A list's items, with what stands behind an option for a password as stars."""
    if not any(item.text.startswith("-") for item in items):
        return tuple(items)
    shown = mask_words([item.text for item in items], is_literal_secret)
    return tuple(replace(item, text=text) for item, text in zip(items, shown, strict=True))


def _mask_value(match: re.Match[str]) -> str:
    if not is_literal_secret(match["value"]):
        return match[0]
    return f"{match['name']}{match['sign']}{match['quote']}{MASKED}"


def _mask_address(match: re.Match[str]) -> str:
    return match[0] if _REFERENCE.search(match["value"]) else f"{match['before']}{MASKED}@"


NODE_BUDGET = 200_000
"""A file, every alias counted as all that it stands for."""
DEPTH_BUDGET = 64
_MERGE = "<<"
_STANDARD_TAG = "tag:yaml.org,2002:"
_OURS = frozenset({UNDECIDED, "!null", "!document"})
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Unreadable(EngineFailed):
    """The text is no YAML that can be read in full; says why."""

    def __init__(
        self, what: str, *, is_syntax: bool = False, before: "Parsed | None" = None
    ) -> None:
        super().__init__(what)
        self.is_syntax = is_syntax
        """Whether it is no YAML at all, rather than beyond a budget."""
        self.before = before or Parsed(())
        """The whole documents before the error: what reads one after the other has them."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """A file's documents, and what is doubtful about them."""

    roots: tuple[Node, ...]
    duplicates: tuple[str, ...] = ()
    """Keys that stand twice in one map; readers disagree about which of them counts."""
    keyed_by_collections: frozenset[int] = frozenset()
    """Those of ``roots``, by number, in which a map or list stands where a key belongs: how an
    unrendered ``{{ }}`` reads as YAML."""


def parse(text: str, lines: Sequence[int] = ()) -> Parsed:
    """The documents of ``text``. Raises Unreadable on a syntax error or a spent budget.

    Of a rendered text ``lines`` has for each of its lines the one of the template that it came
    from, and GAP_SIGN stands for what is not known.
    """
    composer = _Composer(text, lines)
    try:
        composer.compose()
    except yaml.YAMLError as error:
        raise Unreadable(_reason(error), is_syntax=True, before=composer.parsed) from error
    return composer.parsed


def _reason(error: yaml.YAMLError) -> str:
    if isinstance(error, yaml.MarkedYAMLError) and error.problem_mark is not None:
        return f"it is not valid YAML: {error.problem} in line {error.problem_mark.line + 1}"
    return "it is not valid YAML: " + str(getattr(error, "reason", "unreadable characters"))


@dataclass(frozen=True, slots=True)
class _Anchored:
    node: Node
    size: int
    height: int


class _Composer:
    """Turns the event stream into nodes; events come one by one, so a budget ends it early."""

    def __init__(self, text: str, lines: Sequence[int] = ()) -> None:
        self._events: Iterator[yaml.Event] = yaml.parse(text, Loader=_LOADER)
        self._lines = lines
        self._anchors: dict[str, _Anchored] = {}
        self._used = 0
        self._roots: list[Node] = []
        self._duplicates: list[str] = []
        self._keyed: set[int] = set()

    @property
    def parsed(self) -> Parsed:
        """What was composed so far."""
        return Parsed(tuple(self._roots), tuple(self._duplicates), frozenset(self._keyed))

    def compose(self) -> None:
        """Read to the end: one node for each document that is not empty."""
        for event in self._events:
            if isinstance(event, yaml.DocumentStartEvent):
                self._anchors.clear()
                node, _ = self._value(next(self._events), 1)
                if node.children or node.text or node.is_open:
                    self._roots.append(node)

    def _value(self, event: yaml.Event, depth: int) -> tuple[Node, int]:
        """The node that begins with ``event``, and how many levels it has."""
        if not isinstance(event, yaml.NodeEvent):
            raise Unreadable("its structure breaks off", is_syntax=True)
        if isinstance(event, yaml.AliasEvent):
            return self._alias(event, depth)
        before = self._used
        self._spend(1, depth)
        node, height = self._composed(event, depth)
        if event.anchor:
            self._anchors[event.anchor] = _Anchored(node, self._used - before, height)
        return node, height

    def _composed(self, event: yaml.NodeEvent, depth: int) -> tuple[Node, int]:
        line = self._line(event)
        if isinstance(event, yaml.ScalarEvent):
            return self._scalar(line, event), 1
        if isinstance(event, yaml.SequenceStartEvent):
            return self._list(line, _local(event.tag), depth)
        tag = event.tag if isinstance(event, yaml.MappingStartEvent) else None
        return self._map(line, _local(tag), depth)

    def _scalar(self, line: int, event: yaml.ScalarEvent) -> Node:
        if self._lines and GAP_SIGN in event.value:
            text = masked_text(event.value.replace(GAP_SIGN, _GAP))
            return Node(line, text=text, tag=UNDECIDED)
        first = line + 1 if event.style == "|" and not self._lines else 0
        text = masked_text(event.value)
        return Node(line, text=text, tag=_local(event.tag), text_line=first)

    def _line(self, event: yaml.Event) -> int:
        line = _line(event)
        return self._lines[min(line, len(self._lines)) - 1] if self._lines else line

    def _alias(self, event: yaml.AliasEvent, depth: int) -> tuple[Node, int]:
        meant = self._anchors.get(event.anchor or "")
        if meant is None:
            raise Unreadable(f"line {_line(event)} refers to an anchor that is not complete there")
        self._spend(meant.size, depth + meant.height - 1)
        return meant.node, meant.height

    def _spend(self, nodes: int, depth: int) -> None:
        self._used += nodes
        if self._used > NODE_BUDGET:
            raise Unreadable(f"it has more than {NODE_BUDGET:,} values, aliases counted in full")
        if depth > DEPTH_BUDGET:
            raise Unreadable(f"it is nested more than {DEPTH_BUDGET} levels deep")

    def _list(self, line: int, tag: str, depth: int) -> tuple[Node, int]:
        items: list[Node] = []
        tallest = 0
        while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
            item, height = self._value(event, depth + 1)
            items.append(item)
            tallest = max(tallest, height)
        return Node(line, Form.LIST, tag=tag, children=_as_command(items)), tallest + 1

    def _map(self, line: int, tag: str, depth: int) -> tuple[Node, int]:
        pairs: list[tuple[str, Node]] = []
        merged: list[Node] = []
        tallest = 0
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            key, key_line = self._key(event, depth + 1)
            value, height = self._value(next(self._events), depth + 1)
            tallest = max(tallest, height)
            if key is None:
                tag = UNDECIDED
            elif key == _MERGE:
                merged.extend(value.each)
            else:
                pairs.append((key, _at_line(value, key_line)))
        self._note_duplicates(pairs)
        return self._finished(line, tag, pairs, merged), tallest + 1

    def _key(self, event: yaml.Event, depth: int) -> tuple[str | None, int]:
        """A key, None where it is not known, and its line."""
        node, _ = self._value(event, depth)
        if node.form is not Form.SCALAR:
            self._keyed.add(len(self._roots))
        return None if node.tag == UNDECIDED and self._lines else node.text, node.line

    def _note_duplicates(self, pairs: list[tuple[str, Node]]) -> None:
        seen: set[str] = set()
        for key, value in pairs:
            if key in seen:
                self._duplicates.append(f"{key} in line {value.line}")
            seen.add(key)

    def _finished(
        self, line: int, tag: str, pairs: list[tuple[str, Node]], merged: list[Node]
    ) -> Node:
        own = {key for key, _ in pairs}
        for source in merged:
            new = [(key, value) for key, value in source.entries if key not in own]
            own.update(key for key, _ in new)
            self._spend(len(new), 0)
            pairs = [*pairs, *new]
        pairs = masked_pairs(pairs)
        keys, values = tuple(key for key, _ in pairs), tuple(value for _, value in pairs)
        return Node(line, Form.MAP, tag=tag, keys=keys, children=values)


def _line(event: yaml.Event) -> int:
    return event.start_mark.line + 1 if event.start_mark else 1


def _at_line(value: Node, line: int) -> Node:
    """A collection stands where its key stands, not at its first entry a line below."""
    if value.form is Form.SCALAR or value.line == line:
        return value
    return Node(line, value.form, value.text, value.tag, value.keys, value.children)


def _local(tag: str | None) -> str:
    """The tag a file writes; none of those by which we say that a value is not known."""
    is_plain = not tag or tag == "!" or tag.startswith(_STANDARD_TAG)
    return "" if is_plain or tag in _OURS else tag or ""
