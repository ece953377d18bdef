"""One repository as GitHub remembers it, and who comes to it with which token."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.forges.git_store import GitStore

REPOSITORY = "acme/shop"
NUMBER = 7
HEAD, LATER, BASE = "a" * 40, "b" * 40, "c" * 40
BOT_ID = 41898282
# Beyond 32 bits, as GitHub's comments are by now.
_FIRST_ID = 3_000_000_000
_MINUTE = 80


@dataclass(frozen=True, kw_only=True)
class Account:
    """Who a token speaks for."""

    id: int
    login: str
    type: str = "User"

    @property
    def said(self) -> dict[str, Any]:
        return {"id": self.id, "login": self.login, "type": self.type}


@dataclass(frozen=True, kw_only=True)
class Token:
    """What a token may write; without ``sees`` the repository does not exist for it."""

    account: Account
    writes: frozenset[str] = frozenset()
    sees: bool = True

    @property
    def is_app(self) -> bool:
        return self.account.type == "Bot"


ACTIONS = Account(id=BOT_ID, login="github-actions[bot]", type="Bot")
PERSON = Account(id=1001, login="mallory")
MAINTAINER = Account(id=1002, login="erin")
_USUAL = frozenset({"pull-requests", "issues", "checks", "statuses", "security-events"})
TOKENS = {
    "ghs-usual": Token(account=ACTIONS, writes=_USUAL),
    "ghs-resolver": Token(account=ACTIONS, writes=_USUAL | {"contents"}),
    "ghs-app": Token(account=ACTIONS, writes=_USUAL | {"contents", "workflows"}),
    "ghs-fork": Token(account=ACTIONS),
    "ghs-hidden": Token(account=ACTIONS, writes=_USUAL, sees=False),
    "ghp-erin": Token(account=MAINTAINER, writes=_USUAL | {"contents"}),
    "ghp-mallory": Token(account=PERSON, writes=frozenset({"pull-requests"})),
}


@dataclass(frozen=True)
class Answer:
    """Status, JSON and headers."""

    status: int
    said: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Request:
    """One request as the routes see it."""

    verb: str
    path: str
    query: Mapping[str, str]
    body: Any
    token: Token


class Refused(Exception):
    """An answer with an error."""

    def __init__(self, status: int, message: str, *errors: Mapping[str, str], **headers: str):
        super().__init__(message)
        said = {"message": message, "errors": list(errors), "status": str(status)}
        named = {name.replace("_", "-"): text for name, text in headers.items()}
        self.answer = Answer(status, said, named)


@dataclass
class Hub:
    """One repository with one pull request, and everything that was said about it."""

    now: Callable[[], float]
    head: str = HEAD
    base: str = BASE
    branch: str = "topic"
    """The branch of the pull request; empty once it was deleted."""
    state: str = "open"
    home: str = REPOSITORY
    """The repository that it lies in."""
    refs: dict[str, str] = field(default_factory=dict)
    """Other branches, and the commits that they are at."""
    protected: set[str] = field(default_factory=set)
    rules: dict[str, list[str]] = field(default_factory=dict)
    """Branch → the types of the rules that a ruleset has for it."""
    default: str = "main"
    store: GitStore | None = None
    """Where the objects lie; without it nothing is committed."""
    may_open: bool = True
    """Whether Actions may create pull requests."""
    opener: str = "ada"
    wrote: list[str | None] = field(default_factory=list)
    """The login of each commit's author, None where no account has the address."""
    pulls: list[dict[str, Any]] = field(default_factory=list)
    """As the list of pull requests shows them."""
    diff: dict[str, list[range]] = field(default_factory=dict)
    """Path → the hunks' lines of the new file."""
    comments: list[dict[str, Any]] = field(default_factory=list)
    threads: list[dict[str, Any]] = field(default_factory=list)
    runs: list[dict[str, Any]] = field(default_factory=list)
    statuses: list[dict[str, Any]] = field(default_factory=list)
    sarifs: list[dict[str, Any]] = field(default_factory=list)
    issues: list[dict[str, Any]] = field(default_factory=list)
    reactions: list[tuple[int, str]] = field(default_factory=list)
    permissions: dict[str, str] = field(default_factory=dict)
    is_secured: bool = True
    """Whether code scanning is on."""
    troubles: list[tuple[str, Answer]] = field(default_factory=list)
    """Once each: a pattern of ``VERB path`` and what is answered instead."""
    interludes: list[tuple[str, Callable[[], None]]] = field(default_factory=list)
    """Each time: a pattern and what happens before the answer, for runs at the same time."""
    log: list[str] = field(default_factory=list)
    writes: list[float] = field(default_factory=list)
    """When content was made, for the limit of a minute."""
    last_id: int = _FIRST_ID

    def next_id(self) -> int:
        self.last_id += 1
        return self.last_id

    def tips(self) -> dict[str, str]:
        """Every branch of the repository, and the commit that it is at."""
        own = {self.branch: self.head} if self.branch and self.home == REPOSITORY else {}
        return {"main": self.base} | own | self.refs

    def lead(self, name: str, tip: str | None) -> None:
        """The branch ``name`` is at ``tip``, or gone."""
        if name == self.branch and tip is None:
            self.branch = ""
        elif name == self.branch:
            self.head = tip or ""
        elif tip is None:
            self.refs.pop(name, None)
        else:
            self.refs[name] = tip

    def takes(self, path: str, commit: str, lines: range) -> None:
        """Refuses what is not in one hunk of the head's diff."""
        if commit != self.head:
            raise Refused(422, "Validation Failed", {"field": "commit_id", "code": "invalid"})
        hunks = self.diff.get(path, [])
        if not any(lines[0] in hunk and lines[-1] in hunk for hunk in hunks):
            name = "pull_request_review_thread.line"
            said = {"code": "custom", "field": name, "message": f"{name} must be part of the diff"}
            raise Refused(422, "Validation Failed", said)

    def limit(self) -> None:
        """Eighty writes of content a minute, then a pause."""
        now = self.now()
        self.writes[:] = [when for when in self.writes if when > now - 60]
        if len(self.writes) >= _MINUTE:
            message = "You have exceeded a secondary rate limit. Please wait a few minutes"
            raise Refused(403, f"{message} before you try again.", Retry_After="60")
        self.writes.append(now)
