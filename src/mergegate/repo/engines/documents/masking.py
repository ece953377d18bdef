"""Take literal secrets out of a document the moment it is read."""

import re

from mergegate.repo.facts.documents import MASKED, Form, Node

_SECRET_WORD = (
    r"(?:passw(?:or)?d|passphrase|(?<=[_-])pass(?![a-z])|secret(?:[_-]?key)?|token"
    r"|api[_-]?key|access[_-]?key|private[_-]?key|account[_-]?key|signing[_-]?key|encryption[_-]?key|credentials?)"
)
_SECRET_NAME = re.compile(
    rf"(?:^|[^a-z])[\w.-]*{_SECRET_WORD}(?:[_-]?(?:string|value|base|\d+))?$", re.IGNORECASE
)
_REFERENCE = re.compile(
    r"^$|^[$<%{/!]|\$\{|\{\{|^(?:true|false|yes|no|null|none|on|off|auto|\d{1,5})$", re.IGNORECASE
)
_PLACEHOLDER = re.compile(
    r"change[_-]?(?:me|it|this)|placeholder|example|dummy|your[_-]|replace|todo|\bx{3,}\b|\*{3}"
    r"|redacted|not[_-]?(?:a[_-]?)?secret|insert|^<.*>$|^\.\.\.$",
    re.IGNORECASE,
)
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


def is_secret_name(name: str) -> bool:
    """Whether a variable or key of that name holds a secret by convention."""
    return len(name) < 200 and _SECRET_NAME.search(name) is not None


def is_literal_secret(value: str) -> bool:
    """Whether ``value`` under a secret's name is the secret, not a reference or a stand-in."""
    return not _REFERENCE.search(value) and not _PLACEHOLDER.search(value)


def masked_text(text: str) -> str:
    """``text`` with tokens, passwords in addresses and assigned secrets replaced."""
    if not _SUSPECT.search(text):
        return text
    text = _PRIVATE_KEY.sub(MASKED, text)
    text = _TOKEN.sub(MASKED, text)
    text = _IN_URL.sub(_mask_address, text)
    return _OPTION.sub(_mask_value, _ASSIGNED.sub(_mask_value, text))


def masked_pairs(pairs: list[tuple[str, Node]]) -> list[tuple[str, Node]]:
    """A map's entries with the values of secrets masked.

    A secret is told by its key, by a ``name`` beside its ``value``, or by the key of the map
    that holds its ``value`` or ``default``.
    """
    named = next((value.text for key, value in pairs if key.lower() in {"name", "key"}), "")
    beside = is_secret_name(named)
    return [
        (key, _masked(value) if is_secret_name(key) or (beside and _is_value(key)) else value)
        for key, value in pairs
    ]


def _is_value(key: str) -> bool:
    return key.lower() in {"value", "default"}


def _masked(value: Node) -> Node:
    if value.form is Form.MAP:
        children = (
            _masked(child) if _is_value(key) and not child.keys else child
            for key, child in value.entries
        )
        return Node(value.line, Form.MAP, "", value.tag, value.keys, tuple(children))
    if value.form is Form.LIST or value.tag or not is_literal_secret(value.text):
        return value
    return Node(value.line, text=MASKED)


def _mask_value(match: re.Match[str]) -> str:
    if not is_literal_secret(match["value"]):
        return match[0]
    return f"{match['name']}{match['sign']}{match['quote']}{MASKED}"


def _mask_address(match: re.Match[str]) -> str:
    return match[0] if _REFERENCE.search(match["value"]) else f"{match['before']}{MASKED}@"
