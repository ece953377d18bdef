"""What all checks of a page's visibility share: the rules, and points made of them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from urllib.parse import urlsplit

from mergegate.core.data_table import read_tables
from mergegate.core.severity import Severity
from mergegate.sandbox.fetched import Fetched
from mergegate.site.seo.report import Ground, Point, Theme
from mergegate.site.words import cut

_WALLS = frozenset({401, 403, 429, 503})
"""Statuses that turn robots away; such an address is not called missing."""
_ENTRANCE = re.compile(
    r"/(?:log-?in|sign-?in|signin|sso|oauth2?|auth|account|consent)\b", re.IGNORECASE
)


def leads_in(url: str) -> bool:
    """Whether visitors have to prove there who they are, or what they agree to."""
    return bool(_ENTRANCE.search(urlsplit(url).path))


def is_entrance(fetched: Fetched) -> bool:
    """Whether redirects end where visitors have to log in: what is behind is not known."""
    return len(fetched.answers) > 1 and leads_in(fetched.final_url)


def is_gone(fetched: Fetched) -> bool:
    """Whether the answer is an error, and not one that only turns robots away."""
    status = fetched.status
    return status is not None and status >= 400 and status not in _WALLS


GOOGLE = "https://developers.google.com/search/docs"
"""The address of Google's documentation of its search."""
_ID_DIGITS = 16
_MOST_EVIDENCE = 300
_MOST_QUOTED = 120
_MOST_MESSAGE = 600
_MOST_SNIPPET = 4_000
"""Characters; a longer snippet is not shown, as half of it would break the page."""
_EXAMPLES = 3
"""The most examples shown of what a rule found many times."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """What a check looks for; each stands once, in ``rules/<theme>.toml``."""

    id: str
    """Kebab-case and permanent."""
    theme: Theme
    severity: Severity
    ground: Ground = Ground.DOCUMENTED
    title: str
    """A few words; what is wrong."""
    message: str = ""
    """What is wrong and what it costs; empty where the check says what it saw."""
    remedy: str
    """What to change, one sentence."""
    snippet: str = ""
    """The same, ready to paste; empty where it depends on the page."""
    source: str
    """The address of what it rests on."""

    def point(
        self,
        url: str,
        message: str = "",
        *,
        place: str = "",
        selector: str = "",
        evidence: str = "",
        found: Sequence[str] = (),
        snippet: str = "",
        source: str = "",
        severity: Severity | None = None,
        count: int = 1,
    ) -> Point:
        """A point of this rule at ``url``; ``place`` tells several of one page apart.

        The id holds rule, path of the page and ``place``: neither host nor figures, so that it
        stays when the page moves from a preview to its public host. ``found`` are the things that
        break the rule: the first few are the evidence, their number the count. What is not given
        here is as the rule has it.
        """
        return Point(
            id=_identity(self.id, _path(url), place),
            theme=self.theme,
            rule=self.id,
            severity=self.severity if severity is None else severity,
            ground=self.ground,
            title=self.title,
            message=_writable(cut(message or self.message, _MOST_MESSAGE)),
            url=url,
            selector=selector,
            evidence=_writable(cut(evidence or examples(found), _MOST_EVIDENCE)),
            remedy=self.remedy,
            snippet=_writable(snippet or self.snippet) if len(snippet) <= _MOST_SNIPPET else "",
            source=source or self.source,
            count=len(found) or count,
        )


RULES = read_tables(Path(__file__).parents[1] / "rules", Rule)
"""Every rule by its id."""


def worst_first(points: Iterator[Point]) -> tuple[Point, ...]:
    """The points, each id once, ordered by severity, ground (documented first), theme, rule, id."""
    once = {one.id: one for one in points}
    return tuple(sorted(once.values(), key=_rank))


def quoted(text: str) -> str:
    """``text`` in quotation marks, shortened; it stays hostile."""
    return f"“{cut(text, _MOST_QUOTED)}”"


def examples(texts: Sequence[str]) -> str:
    """The first few different ones, one after the other, as evidence."""
    different = tuple(dict.fromkeys(cut(text, _MOST_QUOTED) for text in texts if text))
    rest = len(different) - _EXAMPLES
    return ", ".join(different[:_EXAMPLES]) + (f" and {rest} more" if rest > 0 else "")


def attribute(text: str) -> str:
    """``text`` as it stands in the quotes of an attribute."""
    return text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")


def _identity(*parts: str) -> str:
    digest = sha256("\0".join(parts).encode("utf-8", "backslashreplace"))
    return digest.hexdigest()[:_ID_DIGITS]


def _writable(text: str) -> str:
    r"""``text`` without halves of letters, which ``\ud800`` in JSON makes and no file can hold."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _path(url: str) -> str:
    try:
        return urlsplit(url).path or "/"
    except ValueError:
        return ""


def _rank(one: Point) -> tuple[object, ...]:
    return (
        -one.severity,
        tuple(Ground).index(one.ground),
        tuple(Theme).index(one.theme),
        one.rule,
        one.id,
    )
