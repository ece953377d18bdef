"""Secrets in one text that visitors get: the repository's detectors, with what a page is in mind.

A page is full of keys that are meant to be there. What is called a token in it is so often one of
those, or the visitor's own, that only a name that says "secret" makes a finding of it.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from mergegate.core.severity import Confidence
from mergegate.secrets.checksums import decoded
from mergegate.secrets.detectors import DETECTORS, Nearby
from mergegate.secrets.scan import hits, identity, masked, resolved, value_of
from mergegate.secrets.source import Hit, Source

ROLES = frozenset({"anon", "service_role"})
"""Supabase's: what such a token may do is certain."""
_LASTING_S = 90 * 24 * 3600
"""A session is over long before."""


def claim(token: str, now: float) -> str:
    """``anon`` or ``service_role`` (Supabase), else ``expired``, ``expiring`` or ``lasting``.

    ``now`` is in seconds since 1970. A token without an end, or with one far off, is lasting.
    """
    payload = _payload(token)
    role, end = payload.get("role"), payload.get("exp")
    if isinstance(end, int | float) and end < now:
        return "expired"
    if isinstance(role, str) and role in ROLES:
        return role
    if isinstance(end, int | float) and end < now + _LASTING_S:
        return "expiring"
    return "lasting"


def _payload(token: str) -> dict[str, Any]:
    try:
        payload = json.loads(decoded(token.split(".")[1]) or b"{}")
    except (ValueError, IndexError, RecursionError):
        return {}
    return payload if isinstance(payload, dict) else {}


MOST = 100
"""The most secrets found in one text."""
_MOST_HITS = 20_000
_LABEL = re.compile(
    r"(?<![\w$.-])(?P<label>[A-Za-z_$][\w$.-]{0,59})(?:[\"']|&quot;|&#34;)?\s{0,4}(?:[:=,(]|=>|\?\?|\|\|)\s{0,4}$"
)
_MOST_DIGITS = 5
"""The most digits in a name that a person gave."""
_FIELD = re.compile(
    r"name=[\"'](?P<label>[\w$.:\[\]-]{1,60})[\"'][^<>]{0,200}value=[\"']?$", re.IGNORECASE
)
_QUOTE = re.compile(r"(?:\\?[\"'`]|&quot;|&#34;|&#39;)$")
_VISITOR = re.compile(
    r"csrf|xsrf|authenticity|verification_?token|nonce|form_?(?:token|key|build_?id)|^_?_?token$"
    r"|session|captcha|anti_?forgery|state$",
    re.IGNORECASE,
)
"""Made for one visitor, or proving a form: not a leak."""
_ONE_PAYMENT = re.compile(r"(?:pi|seti|src|cs_live|cs_test|ek)_\w{3,300}")
"""Stripe's client secret of one payment, and short-lived keys, are made for the visitor's page."""
_SECRET = re.compile(
    r"secret|private|signing|encryption|master_?key|service_?(?:role|account|key)|admin_?key"
    r"|server_?key|passw(?:or)?d|passphrase",
    re.IGNORECASE,
)
_PASSWORD = re.compile(
    r"passw|pwd|passphrase|secret|(?:^|_|admin|auth|db|ftp|mail|root|smtp|sql|ssh|user)pass$",
    re.IGNORECASE,
)
"""A label such as ``ratingPass`` names a grade; minified texts are full of those."""
_BY_NAME = frozenset({"token-literal"})
_NEARBY = {
    other: tuple(
        (one.id, look)
        for one in DETECTORS.values()
        for look in one.looks
        if isinstance(look, Nearby) and look.other == other
    )
    for other in DETECTORS
}
_NEAR = 400


@dataclass(frozen=True, slots=True)
class Exposure:
    """One secret in a text, masked."""

    detector: str
    line: int
    column: int
    label: str
    masked: str
    identity: str
    confidence: Confidence
    claim: str = ""


def exposures(data: bytes, suffix: str, now: float) -> Iterator[Exposure]:
    """Every secret and key in ``data``, in order of place, at most MOST.

    ``suffix`` is that of the kind of text: ``.html``, ``.js``… ``now`` is in seconds since 1970.
    """
    source = Source(data, suffix)
    found = resolved(islice(hits(source), _MOST_HITS))
    kept = [one for hit in found if (one := _kept(source, hit))]
    for hit in _chosen(kept):
        yield _exposure(source, hit, now)


def _chosen(found: list[Hit]) -> list[Hit]:
    """The surest ones, in order of place: a page cannot hide a secret behind many keys."""
    surest = sorted(found, key=lambda hit: -hit.confidence)[:MOST]
    return sorted(surest, key=lambda hit: hit.start)


def label(text: str, start: int) -> str:
    """The name that the value at ``start`` is given to; empty when there is none."""
    before = text[max(0, start - 300) : start]
    found = _FIELD.search(before) or _LABEL.search(_QUOTE.sub("", before)[-80:])
    return found["label"] if found else ""


def _harmless(name: str) -> str:
    """``name``, unless it is a secret itself: what stands left of a colon may be one, too."""
    source = Source(name.encode(), ".js")
    made = sum(letter.isdigit() for letter in name) > _MOST_DIGITS
    return "" if made or next(hits(source), None) else name


def _kept(source: Source, hit: Hit) -> Hit | None:
    """The hit under the detector that it deserves in a page; None for what is no leak there."""
    if not DETECTORS[hit.detector].in_pages:
        return None
    if maker := _maker(source, hit):
        return replace(hit, detector=maker, confidence=Confidence.HIGH)
    name = label(source.text, hit.start)
    if hit.detector == "password-literal":
        return hit if not name or _PASSWORD.search(name) else None
    return _by_name(source, hit, name) if hit.detector in _BY_NAME else hit


def _maker(source: Source, hit: Hit) -> str:
    """The detector of a key without a shape of its own, by who is named close by; else empty."""
    for detector, look in _NEARBY[hit.detector]:
        around = source.lower[max(0, hit.start - _NEAR) : hit.end + _NEAR]
        value = value_of(source, hit)
        if re.fullmatch(look.pattern, value) and re.search(look.words, around):
            return detector
    return ""


def _by_name(source: Source, hit: Hit, name: str) -> Hit | None:
    visitor = _VISITOR.search(name) and "secret" not in name.lower()
    if visitor or _ONE_PAYMENT.fullmatch(source.text, hit.start, hit.end):
        return None
    if _SECRET.search(name):
        return hit
    if "write" in name.lower():
        return replace(hit, detector="segment-write-key", confidence=Confidence.LOW)
    return replace(hit, detector="browser-key", confidence=Confidence.LOW)


def _exposure(source: Source, hit: Hit, now: float) -> Exposure:
    value = value_of(source, hit)
    line, column, _ = source.place(hit.start, hit.end)
    said = claim(value, now) if hit.detector == "jwt" else ""
    return Exposure(
        detector=hit.detector,
        line=line,
        column=column,
        label=_harmless(label(source.text, hit.start)),
        masked=masked(value),
        identity=identity(hit.detector, value),
        confidence=Confidence.HIGH if said in ROLES else hit.confidence,
        claim=said,
    )
