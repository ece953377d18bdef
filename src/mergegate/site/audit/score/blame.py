"""Who made a page exceed its budget: a vendor that the budget did not know, or a request.

A budget holds totals and the names of vendors. All that a vendor without a name in it brings is
beyond the budget; of the rest nobody knows what was there before, so the largest is named.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from math import fsum
from urllib.parse import urlsplit

from mergegate.site.audit.budget import Budget, Key, Measured, Request, Share

_SCRIPT = "script"


def culprit(key: Key, budget: Budget, measured: Measured) -> str:
    """The new vendor, or the request, that adds most to ``key``; empty when nothing points at one.

    New vendors are to blame when their part of the figure is at least half of the part that is
    too much. Requests are counted by host or vendor: one request is no more than any other.
    """
    shares = _shares(key, measured)
    new = [one for one in shares if one.vendor is not None and one.vendor not in budget.vendors]
    if new and _explains(new, shares, _too_much(key, budget, measured)):
        return _largest(new, _vendor)
    old = [one for one in shares if one.vendor is None or one.vendor in budget.vendors]
    return _largest(old, _origin if key is Key.REQUEST_COUNT else _address)


def heaviest_request(vendor: str, measured: Measured) -> str:
    """The address of the vendor's heaviest request; its name when no request is known."""
    own = [one for one in measured.requests if one.vendor == vendor]
    heaviest = min(own, key=lambda one: (-one.transfer_bytes, one.url), default=None)
    return heaviest.url if heaviest else vendor


def _shares(key: Key, measured: Measured) -> list[Share]:
    """What was measured of ``key``; else, of what grows with it, the weight of the requests."""
    told = [one for one in measured.shares if one.key is key and one.amount > 0]
    return told or [
        Share(key, one.url, one.vendor, weight)
        for one in measured.requests
        if (weight := _weight(key, one)) > 0
    ]


def _weight(key: Key, request: Request) -> int:
    if key is Key.REQUEST_COUNT:
        return 1
    if key is Key.CLS:
        return 0  # what shifts a page need not be heavy
    if key in {Key.SCRIPT_BYTES, Key.TBT}:
        return request.transfer_bytes if request.kind == _SCRIPT else 0
    return request.transfer_bytes


def _too_much(key: Key, budget: Budget, measured: Measured) -> float:
    """The part of the figure that lies above the limit, 0–1."""
    actual = measured.figures.of(key)
    return (actual - budget.limits.of(key)) / actual


def _explains(new: Sequence[Share], whole: Sequence[Share], too_much: float) -> bool:
    """Parts are compared, not amounts: weight may stand for milliseconds."""
    return 2 * _total(new) >= too_much * _total(whole)


def _total(shares: Iterable[Share]) -> float:
    # Exact, so that the order of the requests does not matter.
    return fsum(one.amount for one in shares)


def _largest(shares: Iterable[Share], name: Callable[[Share], str]) -> str:
    groups = defaultdict[str, list[Share]](list)
    for one in shares:
        groups[name(one)].append(one)
    return min(groups, key=lambda group: (-_total(groups[group]), group), default="")


def _address(share: Share) -> str:
    return share.url


def _vendor(share: Share) -> str:
    return share.vendor or ""


def _origin(share: Share) -> str:
    """The vendor, else the host; the address itself when it has none (``data:``, ``blob:``)."""
    try:
        return share.vendor or urlsplit(share.url).hostname or share.url
    except ValueError:
        return share.url
