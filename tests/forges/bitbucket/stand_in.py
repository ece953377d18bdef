"""A Bitbucket Cloud of one repository: who is there, and what stands there."""

import base64
from collections import defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from tests.forges.bitbucket.contract import Exchange
from tests.forges.git_store import GitStore

REPOSITORY = "example/shop"
NUMBER = 7
HEAD = "a1" * 20
READS = frozenset({"GET"})
_ALL = frozenset({"account", "pullrequest", "write", "admin"})


@dataclass(frozen=True)
class Someone:
    """An account, and what the token that speaks for it may do."""

    uuid: str
    name: str
    scopes: frozenset[str] = _ALL

    @property
    def shape(self) -> dict[str, Any]:
        kind = "user" if "account" in self.scopes else "app_user"
        return {"type": kind, "uuid": self.uuid, "display_name": self.name}


BOT = Someone("{00000000-0000-4000-8000-00000000b070}", "Mergegate")
TOKEN = Someone(
    "{00000000-0000-4000-8000-000000070ce0}", "token", frozenset({"pullrequest", "write"})
)
OTHER_TOKEN = Someone(
    "{00000000-0000-4000-8000-000000071ce0}", "other", frozenset({"pullrequest", "write"})
)
READER = Someone(
    "{00000000-0000-4000-8000-0000000ead00}", "reader", frozenset({"account", "pullrequest"})
)
PERSON = Someone("{00000000-0000-4000-8000-0000000ffff0}", "Alice")
AUTHORIZATIONS = {
    "Bearer bot-secret": BOT,
    "Bearer token-secret": TOKEN,
    "Bearer other-secret": OTHER_TOKEN,
    "Bearer reader-secret": READER,
    f"Basic {base64.b64encode(b'bot@example.org:api-secret').decode()}": BOT,
}


class Refused(Exception):
    """An answer that is not a success."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


@dataclass
class Bitbucket:
    """What stands there."""

    url: str = ""
    head: str = HEAD
    opener: Someone = PERSON
    wrote: list[Someone | None] = field(default_factory=list)
    """Each commit's author, None where no account has the address."""
    branch: str = "topic"
    state: str = "OPEN"
    """Of the pull request."""
    home: str = REPOSITORY
    """The repository that the pull request's branch lies in."""
    store: GitStore | None = None
    """Where the objects lie; without it there are no branches."""
    branches: dict[str, str] = field(default_factory=dict)
    """Branches beside those of the pull request, and the commits that they are at."""
    main: str = "main"
    restrictions: list[dict[str, Any]] = field(default_factory=list)
    pulls: list[dict[str, Any]] = field(default_factory=list)
    """Pull requests that somebody opened, oldest first."""
    diff: dict[str, int] = field(default_factory=lambda: {"app.py": 400})
    """Path → number of its lines."""
    comments: dict[int, dict[str, Any]] = field(default_factory=dict)
    reports: dict[str, dict[str, Any]] = field(default_factory=dict)
    annotations: dict[str, dict[str, Any]] = field(default_factory=lambda: defaultdict(dict))
    statuses: dict[str, dict[str, Any]] = field(default_factory=dict)
    permissions: dict[str, str] = field(default_factory=dict)
    per_page: int = 100
    next_page: str = ""
    """Where the list of comments goes on instead of here."""
    tired: deque[tuple[int, dict[str, str]]] = field(default_factory=deque)
    """Refusals to give before anything is done."""
    before: list[tuple[str, Callable[[], None]]] = field(default_factory=list)
    """Once each: a pattern of method and path, and what happens before such a request is served."""
    exchanges: list[Exchange] = field(default_factory=list)
    seen: list[tuple[str, str | None]] = field(default_factory=list)
    """Of every request: its address as sent, and its authorization."""
    lock: Lock = field(default_factory=Lock)

    def comment(self, who: Someone, raw: str, **more: Any) -> int:
        """A new comment by ``who``, however it came about."""
        id = len(self.comments) + 1
        self.comments[id] = {
            "type": "pullrequest_comment",
            "id": id,
            "content": {"raw": raw.rstrip(), "markup": "markdown"},
            "user": who.shape,
            "deleted": False,
            "pending": False,
            "resolution": None,
            **more,
        }
        return id

    def settle(self, id: int, who: Someone) -> None:
        """``who`` resolves the thread."""
        self.comments[id]["resolution"] = {"type": "comment_resolution", "user": who.shape}

    def standing(self) -> list[dict[str, Any]]:
        """Comments that are not deleted."""
        return [one for one in self.comments.values() if not one["deleted"]]

    def lead(self, name: str, tip: str | None) -> None:
        """The branch ``name`` is at ``tip``, or gone."""
        if tip is None:
            del self.branches[name]
        else:
            self.branches[name] = tip

    def writes(self) -> list[Exchange]:
        """What was sent to change something."""
        return [one for one in self.exchanges if one.method not in READS]
