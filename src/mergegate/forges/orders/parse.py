"""The text of a comment → the order it holds: pure."""

import datetime as dt
import re
from collections.abc import Callable, Mapping

from mergegate.forges.orders.lines import order_line
from mergegate.forges.orders.nouns import (
    Explain,
    Help,
    Ignore,
    Misread,
    NotAnOrder,
    Order,
    Rescan,
    Unignore,
)

MOST_REASON = 500
MOST_DAYS = 366
_IGNORE = "/mergegate ignore ID until YYYY-MM-DD because REASON"
_HELP = "/mergegate help"
_ID = re.compile(r"[0-9a-f]{10,64}", re.IGNORECASE | re.ASCII)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_PARTS = re.compile(
    r"(?P<id>\S+)\s+until\s+(?P<until>\S+)\s+because\s+(?P<reason>\S.*)", re.IGNORECASE
)
_NO_ID = "An ID is the finding's id, or at least its first ten characters"


def parse(body: str, today: dt.date) -> Order | NotAnOrder | Misread:
    """The order in a comment's ``body``; only its first line that is one counts."""
    line = order_line(body)
    if line is None:
        return NotAnOrder()
    words = line.split(maxsplit=2)
    if len(words) == 1:
        return Misread("A command is missing", _HELP)
    read = _VERBS.get(words[1].lower())
    if read is None:
        return Misread("There is no such command", _HELP)
    return read(words[2].strip() if len(words) > 2 else "", today)


def _bare(order: Order, usage: str) -> Callable[[str, dt.date], Order | Misread]:
    def read(rest: str, _: dt.date) -> Order | Misread:
        return Misread("This command takes nothing more", usage) if rest else order

    return read


def _named(order: Callable[[str], Order], usage: str) -> Callable[[str, dt.date], Order | Misread]:
    def read(rest: str, _: dt.date) -> Order | Misread:
        return order(rest.lower()) if _ID.fullmatch(rest) else Misread(_NO_ID, usage)

    return read


def _ignore(rest: str, today: dt.date) -> Order | Misread:
    parts = _PARTS.fullmatch(rest)
    if parts is None:
        return Misread("An id, a date and a reason are needed, in this order", _IGNORE)
    if not _ID.fullmatch(parts["id"]):
        return Misread(_NO_ID, _IGNORE)
    until = _day(parts["until"])
    mistake = _wrong_day(until, today) or _wrong_reason(parts["reason"])
    if until is None or mistake:
        return Misread(mistake, _IGNORE)
    return Ignore(id=parts["id"].lower(), until=until, reason=parts["reason"])


def _day(text: str) -> dt.date | None:
    try:
        return dt.date.fromisoformat(text) if _DAY.fullmatch(text) else None
    except ValueError:
        return None


def _wrong_day(until: dt.date | None, today: dt.date) -> str:
    if until is None:
        return "There is no such date"
    if until <= today:
        return "The date has to lie in the future"
    if (until - today).days > MOST_DAYS:
        return "A finding can be ignored for a year at most"
    return ""


def _wrong_reason(reason: str) -> str:
    if len(reason) > MOST_REASON:
        return f"The reason may have {MOST_REASON} characters at most"
    if not reason.isprintable():
        return "The reason holds characters that cannot be seen"
    return ""


_VERBS: Mapping[str, Callable[[str, dt.date], Order | Misread]] = {
    "rescan": _bare(Rescan(), "/mergegate rescan"),
    "help": _bare(Help(), _HELP),
    "ignore": _ignore,
    "unignore": _named(Unignore, "/mergegate unignore ID"),
    "explain": _named(Explain, "/mergegate explain ID"),
}
