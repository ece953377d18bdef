"""What the DevTools protocol says of an error, in our words: message and stack."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mergegate.site.browser_test.facts import Fault, ScriptFault, StackFrame

_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
MOST = 500
"""Characters of a message."""
MOST_URL = 2000
_ROOM = 8


def clean(text: object, most: int = MOST) -> str:
    """One line of at most ``most`` characters; empty for what is no text."""
    if not isinstance(text, str):
        return ""
    plain = text[: most * _ROOM].encode("utf-8", "replace").decode("utf-8")
    flat = " ".join(_CONTROLS.sub(" ", plain).split())
    return flat if len(flat) <= most else f"{flat[: most - 1]}…"


def address(text: object) -> str:
    """A URL as it is, cut when it is longer than any server takes."""
    if not isinstance(text, str):
        return ""
    plain = text[:MOST_URL].encode("utf-8", "replace").decode("utf-8")
    return _CONTROLS.sub("", plain)


_MOST_FRAMES = 10
_MOST_WORDS = 10
_STACK = re.compile(r"\n\s+at .*", re.DOTALL)
_PLACE = re.compile(r"%[sdifoOc]")
_IN_PROMISE = "(in promise)"


def thrown(details: Mapping[str, Any]) -> ScriptFault:
    """An uncaught error, or a rejection that nobody handled (``Runtime.ExceptionDetails``)."""
    rejected = _IN_PROMISE in str(details.get("text", ""))
    frames = frames_of(details.get("stackTrace")) or _place(details)
    message = _value(details.get("exception") or {}) or clean(details.get("text"))
    return ScriptFault(
        fault=Fault.REJECTION if rejected else Fault.UNCAUGHT,
        message=message,
        url=frames[0].url if frames else "",
        frames=frames,
    )


def spoken(arguments: Sequence[Mapping[str, Any]]) -> str:
    """What ``console.error`` was given, as the console shows it."""
    words = [_value(one) for one in arguments[:_MOST_WORDS]]
    first = arguments[0] if arguments else {}
    return clean(" ".join(_filled(words) if first.get("type") == "string" else words))


def frames_of(stack: Mapping[str, Any] | None) -> tuple[StackFrame, ...]:
    """Innermost first; lines and columns from 1, where the protocol counts from 0."""
    called = (stack or {}).get("callFrames", ())
    return tuple(
        StackFrame(
            address(one["url"]),
            int(one["lineNumber"]) + 1,
            int(one["columnNumber"]) + 1,
            clean(one["functionName"], 100),
        )
        for one in called[:_MOST_FRAMES]
        if one.get("url")
    )


def _place(details: Mapping[str, Any]) -> tuple[StackFrame, ...]:
    """Where a script does not even parse there is no stack."""
    url = address(details.get("url"))
    if not url:
        return ()
    line, column = int(details.get("lineNumber", 0)), int(details.get("columnNumber", 0))
    return (StackFrame(url, line + 1, column + 1),)


def _value(remote: Mapping[str, Any]) -> str:
    """A ``Runtime.RemoteObject`` as text; an error without its stack."""
    if remote.get("subtype") == "error":
        return clean(_STACK.sub("", str(remote.get("description", ""))))
    if "value" in remote and not isinstance(remote["value"], dict | list):
        shown = remote["value"]
        return clean(shown if isinstance(shown, str) else json.dumps(shown))
    return clean(_previewed(remote) or remote.get("description") or remote.get("type"))


def _previewed(remote: Mapping[str, Any]) -> str:
    preview = remote.get("preview") or {}
    pairs = [f"{one['name']}: {one.get('value', '…')}" for one in preview.get("properties", ())]
    return f"{{{', '.join(pairs)}}}" if pairs and "subtype" not in preview else ""


def _filled(words: Sequence[str]) -> Iterator[str]:
    """``%s`` and its kin replaced by what follows; ``%c`` is for the eye alone."""
    rest = iter(words[1:])

    def fill(place: re.Match[str]) -> str:
        word = next(rest, place[0])
        return "" if place[0] == "%c" else word

    yield _PLACE.sub(fill, words[0])
    yield from rest
