"""Our account on GitHub, and what we write in conversations: comments, replies, the issue."""

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from mergegate.core.errors import ForgeError
from mergegate.forges.github.client import Client, Purpose, Unseen, cut, maybe, pick
from mergegate.forges.marker import is_summary
from mergegate.forges.ports import Standing
from mergegate.forges.publication import Comment

_BOT = "[bot]"
_VIEWER = "query Viewer { viewer { login databaseId } }"


@dataclass(frozen=True, slots=True)
class Account:
    """An account by GitHub's number: a login can be given up and taken by another."""

    id: int
    login: str

    @property
    def is_app(self) -> bool:
        """Whether it is an app's bot: GitHub registers no login of a person with brackets."""
        return self.login.endswith(_BOT)


class Identity:
    """Asks once, and only when somebody wants to know.

    ``GET /user`` refuses the tokens of workflows and apps; GraphQL's ``viewer`` answers every
    kind, on every server with that server's own number: ``github-actions[bot]`` is 41898282 on
    github.com and something else on an Enterprise Server.
    """

    def __init__(self, door: Client) -> None:
        self._door = door

    @cached_property
    def account(self) -> Account:
        """Raises ForgeError."""
        said = self._door.ask(_VIEWER, {}, Purpose("say whose token this is"))
        return Account(pick(said, int, "viewer", "databaseId"), pick(said, str, "viewer", "login"))


_NEEDS = "pull-requests: write"
_REPLY = Purpose("answer a comment", _NEEDS)
_REACT = Purpose("react to a comment", _NEEDS)


def _number(comment_id: str) -> int:
    """It comes from an event, and goes into an address."""
    if not (comment_id.isascii() and comment_id.isdecimal()):
        raise ForgeError("The comment to answer has no number")
    return int(comment_id)


# With an underscore for accounts that a company manages, brackets for an app's bot.
_LOGIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}(?:\[bot\])?")
_ASK = Purpose("say what a commenter may do here", "metadata: read")


class Collaborators:
    """GitHub folds its roles into four words: ``maintain`` is write, ``triage`` is read."""

    def __init__(self, door: Client, repository: str) -> None:
        self._door = door
        self._path = f"/repos/{repository}/collaborators"

    def standing(self, account: str) -> Standing:
        """NONE for what is no login, for strangers, and for words that we do not know."""
        if not _LOGIN.fullmatch(account):
            return Standing.NONE
        try:
            said = self._door.send("GET", f"{self._path}/{account}/permission", _ASK)
        except Unseen:
            return Standing.NONE
        try:
            return Standing(pick(said, str, "permission"))
        except ValueError:
            return Standing.NONE


_COMMITS = Purpose("say who wrote the commits", "pull-requests: read")
_MOST_COMMITS = 250
"""GitHub lists no more of a pull request."""


class PullAuthors:
    """Who opened the pull request, and the authors and committers of its commits."""

    def __init__(self, door: Client, repository: str, number: int, opener: str | None) -> None:
        self._door = door
        self._path = f"/repos/{repository}/pulls/{number}/commits"
        self._opener = opener

    def authors(self) -> frozenset[str]:
        """Logins; raises ForgeError."""
        rows = list(self._door.pages(self._path, _COMMITS))
        if len(rows) >= _MOST_COMMITS:
            raise ForgeError(f"GitHub tells of {_MOST_COMMITS} commits at most")
        who = (maybe(row, str, role, "login") for row in rows for role in ("author", "committer"))
        return frozenset(login.lower() for login in (self._opener, *who) if login)


_MARKER = "<!-- mergegate:ledger -->"
_LABEL = "mergegate"
_TITLE = 256
_FIND = Purpose("look for the issue of the default branch", "issues: read")
_POST = Purpose("write the issue of the default branch", "issues: write")


class Issue:
    """Our issue, known by author and marker: a copied marker in another's issue does not count."""

    def __init__(self, door: Client, repository: str, identity: Identity) -> None:
        self._door = door
        self._issues = f"/repos/{repository}/issues"
        self._identity = identity

    def post(self, title: str, body: str, open: bool) -> str:
        """Write the issue; its address, empty when there is none and none is wanted."""
        wanted = {
            "title": cut(title, _TITLE),
            "body": f"{body.rstrip()}\n\n{_MARKER}",
            "state": "open" if open else "closed",
        }
        known = self._known()
        if known is not None:
            return self._update(known, wanted)
        return self._create(wanted) if open else ""

    def _known(self) -> Any:
        """The oldest of ours; a second one was written at the same time, and is left alone."""
        query = {
            "creator": self._identity.account.login,
            "state": "all",
            "sort": "created",
            "direction": "asc",
        }
        rows = self._door.pages(self._issues, _FIND, query)
        return next((row for row in rows if self._is_ours(row)), None)

    def _is_ours(self, row: Any) -> bool:
        return (
            maybe(row, int, "user", "id") == self._identity.account.id
            and maybe(row, dict, "pull_request") is None
            and _MARKER in (maybe(row, str, "body") or "").splitlines()
        )

    def _update(self, known: Any, wanted: dict[str, str]) -> str:
        changed = {key: text for key, text in wanted.items() if maybe(known, str, key) != text}
        if changed:
            path = f"{self._issues}/{pick(known, int, 'number')}"
            self._door.send("PATCH", path, _POST, body=changed)
        return pick(known, str, "html_url")

    def _create(self, wanted: dict[str, str]) -> str:
        """Open the issue with our label, which GitHub drops where the token may not make it."""
        body = {"title": wanted["title"], "body": wanted["body"], "labels": [_LABEL]}
        return pick(self._door.send("POST", self._issues, _POST, body=body), str, "html_url")


_READ = Purpose("list the comments", "pull-requests: read")
_WRITE = Purpose("write the summary comment", _NEEDS)
_EDIT = Purpose("edit the summary comment", _NEEDS)
_REMOVE = Purpose("remove a second summary comment", _NEEDS)


class IssueComments:
    """GitHub keeps the conversation of a pull request with the issue of the same number."""

    def __init__(self, door: Client, repository: str, number: int, identity: Identity) -> None:
        self._door = door
        self._issues = f"/repos/{repository}/issues"
        self._list = f"{self._issues}/{number}/comments"
        self._identity = identity

    def comments(self) -> Sequence[Comment]:
        """Our comments with the summary's marker, oldest first, as GitHub lists them."""
        rows = self._door.pages(self._list, _READ)
        candidates = [row for row in rows if is_summary(maybe(row, str, "body") or "")]
        return [_comment(row) for row in candidates if self._is_ours(row)]

    def write(self, body: str) -> Comment:
        """A new comment."""
        return _comment(self._door.send("POST", self._list, _WRITE, body={"body": body}))

    def edit(self, comment_id: str, body: str) -> None:
        """Another text."""
        self._door.send("PATCH", self._at(comment_id), _EDIT, body={"body": body})

    def remove(self, comment_id: str) -> None:
        """Delete it; no error when another run was faster."""
        with suppress(Unseen):
            self._door.send("DELETE", self._at(comment_id), _REMOVE)

    def reply(self, comment_id: str, body: str) -> None:
        """A comment of its own, for there are no threads; ``body`` says which it answers."""
        _number(comment_id)
        self._door.send("POST", self._list, _REPLY, body={"body": body})

    def acknowledge(self, comment_id: str, done: bool) -> None:
        """Thumbs up when done, a puzzled face when refused; twice is once."""
        path = f"{self._issues}/comments/{_number(comment_id)}/reactions"
        self._door.send("POST", path, _REACT, body={"content": "+1" if done else "confused"})

    def _is_ours(self, row: Any) -> bool:
        """Whether we are the author, told by the number: a copy of our marker has another."""
        return maybe(row, int, "user", "id") == self._identity.account.id

    def _at(self, comment_id: str) -> str:
        return f"{self._issues}/comments/{comment_id}"


def _comment(row: Any) -> Comment:
    return Comment(id=str(pick(row, int, "id")), body=pick(row, str, "body"))
