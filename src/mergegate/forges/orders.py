"""Comment commands: what a comment orders, who may order it, and what it changes.

What is decided here rests on the comment's event and the platform's answer about its author;
nothing is carried out, and the texts of the answers are in ``ci/replies.py``.
"""

import datetime as dt
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from mergegate.core.errors import UsageError
from mergegate.forges.marker import State, Waiver
from mergegate.forges.ports import Standing


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A comment on a change, as its event tells."""

    repository: str
    """``owner/name``; on GitLab with subgroups."""
    number: int
    """The number of the pull request."""
    comment_id: str
    body: str
    account: str
    """What the platform is asked for the author's standing by: a login, or Bitbucket's UUID."""
    insider: bool
    """Whether the platform says that the author is one of the project's people."""
    at: str
    """When it was written, ISO 8601."""


@dataclass(frozen=True, slots=True)
class Rescan:
    """Scan the change again, as it stood when the comment was written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ignore:
    """Set a finding aside for a while."""

    id: str
    """The finding's id, or at least its first ten characters; lower case."""
    until: dt.date
    """The first day on which it counts again."""
    reason: str
    """One line of 1–500 visible characters; hostile all the same."""


@dataclass(frozen=True, slots=True)
class Unignore:
    """Let a finding count again."""

    id: str


@dataclass(frozen=True, slots=True)
class Explain:
    """Tell what a finding is, why it matters and what to do."""

    id: str


@dataclass(frozen=True, slots=True)
class ShowFix:
    """Answer with the patch that mends a finding, or commit it where the policy allows that."""

    id: str


@dataclass(frozen=True, slots=True)
class Help:
    """Tell which orders there are."""


Order = Rescan | Ignore | Unignore | Explain | ShowFix | Help


@dataclass(frozen=True, slots=True)
class NotAnOrder:
    """The comment speaks to people."""


@dataclass(frozen=True, slots=True)
class Misread:
    """The comment speaks to us, and cannot be understood."""

    reason: str
    """What is wrong, one sentence; holds nothing of the comment."""
    hint: str
    """How it is written, for a code span."""


_MOST_CHARACTERS = 65_536
_ORDER = re.compile(r"/mergegate(?!\S)", re.IGNORECASE)
_FENCE = re.compile(r"(`{3,}|~{3,})(.*)")
_CLOSING = re.compile(r" {0,3}(`{3,}|~{3,})[ \t]*")
# A fence in a list or a quote ends where those end, which takes a whole parser to know.
_NESTED_FENCE = re.compile(r"[ \t>*+\-.)\d]*(?:`{3}|~{3})")
# Such HTML may hold empty lines, and hides what it holds.
_HIDING = re.compile(r" {0,3}<(?:!|\?|pre\b|script\b|style\b|textarea\b)", re.IGNORECASE)
# A quote, HTML, or the definition of a link goes on until the paragraph ends.
_CLAIMING = re.compile(r" {0,3}(?:>|<|\[)")


def order_line(body: str) -> str | None:
    """The first line that begins with ``/mergegate`` as a word; None when there is none."""
    fence = ""
    claimed = False
    for line in _lines(body[:_MOST_CHARACTERS]):
        if fence:
            fence = "" if _closes(line, fence) else fence
        elif opened := _opens(line):
            fence = opened
        elif _NESTED_FENCE.match(line) or _HIDING.match(line):
            return None
        elif not line.strip(" \t"):
            claimed = False
        elif _CLAIMING.match(line):
            claimed = True
        elif not claimed and _ORDER.match(line):
            return line.rstrip()
    return None


def _lines(body: str) -> list[str]:
    """Markdown ends a line at these three and at nothing else."""
    return body.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _opens(line: str) -> str:
    """The fence that ``line`` opens; empty when it opens none."""
    found = _FENCE.fullmatch(line)
    if found is None or (found[1][0] == "`" and "`" in found[2]):
        return ""
    return found[1]


def _closes(line: str, fence: str) -> bool:
    found = _CLOSING.fullmatch(line)
    return bool(found and found[1].startswith(fence))


MOST_REASON = 500
MOST_DAYS = 366
_IGNORE = "/mergegate ignore ID until YYYY-MM-DD because REASON"
_HELP = "/mergegate help"
WHOLE_ID = 20
"""Characters of a finding's id."""
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
    "fix": _named(ShowFix, "/mergegate fix ID"),
}


MOST_WAIVERS = 50
MOST_CHARACTERS = 4_000
"""The limit of all reasons and owners together: the state has to fit into a comment."""
_OWNER = 100


def waive(state: State, order: Ignore | Unignore, owner: str, today: dt.date) -> State:
    """``state`` with the dismissal added, replaced or removed, and without expired ones.

    ``owner`` is who gave the order, by the platform's name. Raises UsageError when the comment
    can hold no more.
    """
    kept = tuple(one for one in standing_waivers(state, today) if not _same(one.id, order.id))
    if isinstance(order, Unignore):
        return replace(state, waivers=kept)
    waivers = (*kept, _waiver(order, owner))
    if len(waivers) > MOST_WAIVERS or sum(map(_size, waivers)) > MOST_CHARACTERS:
        raise UsageError(
            "this pull request cannot remember another dismissal",
            remedy="Write the lasting ones into `.mergegate.yml`, and lift them here.",
        )
    return replace(state, waivers=waivers)


def lift(state: State, id: str) -> tuple[Waiver, ...]:
    """The dismissals that an order to count ``id`` again would remove."""
    return tuple(one for one in state.waivers if _same(one.id, id))


def standing_waivers(state: State, today: dt.date) -> tuple[Waiver, ...]:
    """The waivers that still hold; one with a damaged date does not."""
    return tuple(one for one in state.waivers if _holds(one, today))


def _waiver(order: Ignore, owner: str) -> Waiver:
    return Waiver(
        id=order.id, reason=order.reason, owner=owner[:_OWNER], expires=order.until.isoformat()
    )


def _holds(waiver: Waiver, today: dt.date) -> bool:
    try:
        return today < dt.date.fromisoformat(waiver.expires)
    except (ValueError, TypeError):
        return False


def _same(one: str, other: str) -> bool:
    """A finding may be named by its whole id or by its beginning."""
    return one.startswith(other) or other.startswith(one)


def _size(waiver: Waiver) -> int:
    return len(waiver.reason) + len(waiver.owner)


_WRITERS = frozenset({Standing.WRITE, Standing.ADMIN})


def may_write(standing: Standing) -> bool:
    """Whether somebody of that standing may write to the repository."""
    return standing in _WRITERS


class Ruling(StrEnum):
    """What becomes of an order."""

    GRANTED = "granted"
    REFUSED = "refused"
    """The author belongs to the project and may not do this: say so."""
    UNHEARD = "unheard"
    """An outsider: no answer at all, a line in the log; else anybody could make us write."""


def decide(order: Order, standing: Standing, *, insider: bool) -> Ruling:
    """The ruling on ``order``; ``standing`` is the author's, read from the platform now.

    ``insider``: the platform counts the author among the project's people. READ does not say so,
    for everybody may read a public repository.
    """
    if may_write(standing):
        return Ruling.GRANTED
    if not insider or standing is Standing.NONE:
        return Ruling.UNHEARD
    return Ruling.GRANTED if needed(order) is Standing.READ else Ruling.REFUSED


def needed(order: Order) -> Standing:
    """The least standing that the order takes of somebody who belongs to the project."""
    return Standing.READ if isinstance(order, Explain | ShowFix | Help) else Standing.WRITE
