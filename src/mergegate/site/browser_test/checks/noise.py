"""What browsers report as an error and is known to be none, and why."""

import re
from dataclasses import dataclass

from mergegate.site.browser_test.facts import Fault, ScriptFault

_MESSAGES = frozenset({Fault.UNCAUGHT, Fault.REJECTION, Fault.CONSOLE})
_REQUESTS = frozenset({Fault.REQUEST})
_EXTENSION = re.compile(r"(?:chrome|moz|safari(?:-web)?|ms-browser)-extension:", re.IGNORECASE)
_SEARCHED = 2_000


@dataclass(frozen=True, slots=True)
class Noise:
    """One known kind of it."""

    pattern: re.Pattern[str]
    """Found in the message."""
    faults: frozenset[Fault]
    reason: str
    """Why it is none, or no more than a warning: a clause."""
    dropped: bool = True
    """A warning otherwise, whatever it would have been."""
    bare: bool = False
    """Only without a stack."""


def _noise(
    pattern: str, faults: frozenset[Fault], reason: str, *, dropped: bool = True, bare: bool = False
) -> Noise:
    return Noise(re.compile(pattern, re.IGNORECASE), faults, reason, dropped, bare)


KNOWN = (
    _noise(
        r"ResizeObserver loop (?:limit exceeded|completed with undelivered notifications)",
        _MESSAGES,
        "the browser delivers the rest in the next frame (Resize Observer, 3.4.6)",
    ),
    _noise(
        r"^(?:Uncaught |Error: )*(?:\(in promise\) )?AbortError\b"
        r"|\bsignal is aborted without reason|\bThe user aborted a request",
        _MESSAGES,
        "the page gave up its own request",
    ),
    _noise(
        r"\bplay\(\) (?:failed because the user didn't interact|request was interrupted)",
        _MESSAGES,
        "browsers let no page play sound before a person has touched it",
    ),
    _noise(
        r"^Failed to load resource:",
        frozenset({Fault.CONSOLE}),
        "the request that failed is told by itself",
    ),
    _noise(
        r"\bERR_ABORTED\b",
        _REQUESTS,
        "the page, or its end, cancelled the request",
    ),
    _noise(
        r"\bERR_BLOCKED_BY_CLIENT\b|^blocked: inspector",
        _REQUESTS,
        "the browser of the scan did not let it out",
    ),
    _noise(
        r"^(?:Uncaught )?Script error\.?$",
        frozenset({Fault.UNCAUGHT}),
        "the browser hides errors of another origin's script that is loaded without CORS",
        dropped=False,
        bare=True,
    ),
    _noise(
        r"\bERR_(?:TUNNEL_CONNECTION_FAILED|PROXY_CONNECTION_FAILED|NETWORK_CHANGED)\b",
        _REQUESTS,
        "it may be the way out of the scan that did not let it through",
        dropped=False,
    ),
)
"""The first that fits counts."""


def known(fault: ScriptFault) -> Noise | None:
    """The kind of noise that ``fault`` is; None when it counts in full."""
    if _of_an_extension(fault):
        return Noise(_EXTENSION, _MESSAGES, "it is an extension's, not the site's")
    message = fault.message[:_SEARCHED]
    for one in KNOWN:
        fits = fault.fault in one.faults and not (one.bare and fault.frames)
        if fits and one.pattern.search(message):
            return one
    return None


def _of_an_extension(fault: ScriptFault) -> bool:
    frames = fault.frames[:1]
    return any(_EXTENSION.match(url) for url in (fault.url, *(one.url for one in frames)))
