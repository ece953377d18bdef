"""Manifests of Kubernetes: the values of a Secret, in Base64 or in clear."""

import re
from collections.abc import Iterator

from mergegate.core.severity import Confidence
from mergegate.secrets import filters
from mergegate.secrets.checksums import decoded
from mergegate.secrets.source import Hit, Source

_KIND = re.compile(r"kind(?<=\bkind)[\"']?:\s{0,4}[\"']?(?P<kind>\w+)")
_IS_SECRET = re.compile(r"kind(?<=\bkind)[\"']?:\s{0,4}[\"']?Secret\b")
_SECRET_DATA = re.compile(
    r"^(?P<blank>[ ]*)[\"']?(?P<kind>data|stringData)[\"']?:[ ]*\r?$"
    r"|[\"']?\b(?P<flow>data|stringData)[\"']?:\s{0,4}\{(?P<body>[^{}]{1,20000})\}",
    re.MULTILINE,
)
_VALUE = r"[\"']?(?P<value>[^\s\"'#,{}]{4,4000})[\"']?"
_ENTRY = re.compile(
    rf"(?P<blank>[ ]+)[\"']?[\w.-]{{1,100}}[\"']?:[ ]+(?:[|>][+-]?[ ]*\r?\n[ ]+)?{_VALUE}[ ]*\r?"
)
_FLOW_ENTRY = re.compile(rf"[\"']?[\w.-]{{1,100}}[\"']?:\s{{0,8}}{_VALUE}")
_NEAREST_KIND = 2000


def kubernetes(source: Source) -> Iterator[Hit]:
    """Entries of a Secret manifest: Base64 under ``data``, clear under ``stringData``."""
    if source.suffix not in {"", ".yml", ".yaml", ".json"} or not _IS_SECRET.search(source.text):
        return
    for section in _SECRET_DATA.finditer(source.text):
        if _kind_around(source.text, section) != "Secret":
            continue
        encoded = (section["kind"] or section["flow"]) == "data"
        for start, end in _entries(source.text, section):
            value = source.text[start:end]
            plain = decoded(value).decode("latin-1") if encoded else value
            if len(plain) >= 4 and not filters.is_placeholder(plain) and _is_confidential(plain):
                yield Hit(start, end, "kubernetes-secret", Confidence.MEDIUM, rank=3)


def _kind_around(text: str, section: re.Match[str]) -> str:
    """The kind that stands nearest in the same document."""
    start = max(text.rfind("\n---", 0, section.start()), section.start() - _NEAREST_KIND, 0)
    stop = text.find("\n---", section.end(), section.end() + _NEAREST_KIND)
    end = stop if stop >= 0 else section.end() + _NEAREST_KIND
    before = list(_KIND.finditer(text, start, section.start()))[-1:]
    behind = list(_KIND.finditer(text, section.end(), end))[:1]
    near = [(section.start() - one.end(), one["kind"]) for one in before]
    near += [(one.start() - section.end(), one["kind"]) for one in behind]
    return min(near)[1] if near else ""


def _is_confidential(plain: str) -> bool:
    return not (filters.is_common(plain) or filters.is_name(plain) or plain.isdigit())


def _entries(text: str, section: re.Match[str]) -> Iterator[tuple[int, int]]:
    if section["flow"]:
        entries = _FLOW_ENTRY.finditer(text, *section.span("body"))
        yield from (entry.span("value") for entry in entries)
        return
    position = section.end() + 1
    while match := _ENTRY.match(text, position):
        if len(match["blank"]) <= len(section["blank"]):
            return
        yield match.span("value")
        position = match.end() + 1
