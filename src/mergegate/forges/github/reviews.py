"""Review threads on lines of the pull request."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from mergegate.core.errors import NotAllowed, OffDiff
from mergegate.forges.github.client import Client, Purpose, encodable, maybe, pick
from mergegate.forges.github.conversation import Account, Identity
from mergegate.forges.marker import marked
from mergegate.forges.publication import Remark, Thread

_NEEDS = "pull-requests: write"
_READ = Purpose("list the review threads", "pull-requests: read")
_OPEN = Purpose("comment on lines of the change", _NEEDS)
_EDIT = Purpose("edit a review comment", _NEEDS)
# GitHub asks for write access to the code here, and the refusal does not say so:
# https://github.com/orgs/community/discussions/44650
_RESOLVE = Purpose("resolve a review thread", "contents: write")
_REOPEN = Purpose("reopen a review thread", "contents: write")

_DOCUMENTS = Path(__file__).with_name("reviews.graphql").read_text("utf-8").split("\n\n")
_THREADS, _SET_BODY, _CLOSE, _UNCLOSE = (f"{one.rstrip()}\n" for one in _DOCUMENTS[1:])
_PATH = ("repository", "pullRequest", "reviewThreads")

_FOLD = (
    "<!-- mergegate:folded -->\n**No longer found** in the latest scan of this pull request.\n\n"
    "<details><summary>What it was</summary>\n\n"
)
_FOLD_END = "\n\n</details>"


class ReviewThreads:
    """Threads whose first comment is ours.

    A token without write access to the code may not resolve a thread. Rather than ask every team
    for it, the text of our own comment is folded then and says that the finding is gone.
    """

    def __init__(
        self, door: Client, repository: str, number: int, head: str, identity: Identity
    ) -> None:
        self._door = door
        self._owner, self._name = repository.split("/")
        self._number = number
        self._head = head
        self._identity = identity
        self._folded: set[str] = set()
        self._resolved: set[str] = set()
        self._may_resolve = True

    def threads(self) -> Sequence[Thread]:
        """Our threads that name a finding, oldest first, as GitHub lists them."""
        variables = {"owner": self._owner, "name": self._name, "number": self._number}
        nodes = self._door.graph_pages(_THREADS, variables, _PATH, _READ)
        found = [thread for node in nodes if (thread := self._thread(node)) is not None]
        self._folded = {thread.id for thread in found if _is_folded(thread.body)}
        self._resolved = {thread.id for thread in found if thread.resolved}
        return [_unfolded(thread) for thread in found]

    def open(self, remark: Remark) -> None:
        """A new thread; raises OffDiff when its lines are not in the diff of the head."""
        if not encodable(remark.path):
            raise OffDiff("GitHub takes no comment on a file whose name is not UTF-8")
        path = f"/repos/{self._owner}/{self._name}/pulls/{self._number}/comments"
        self._door.send("POST", path, _OPEN, body=_located(remark, self._head))

    def edit(self, thread: Thread, body: str) -> None:
        """Another text for its first comment."""
        self._door.ask(_SET_BODY, {"id": thread.comment_id, "body": body}, _EDIT)
        self._folded.discard(thread.id)

    def resolve(self, thread: Thread) -> None:
        """Close it, or fold its text where the token may not."""
        if self._may_resolve:
            try:
                self._door.ask(_CLOSE, {"id": thread.id}, _RESOLVE)
            except NotAllowed:
                self._may_resolve = False
            else:
                return
        self.edit(thread, _FOLD + thread.body + _FOLD_END)
        self._folded.add(thread.id)

    def reopen(self, thread: Thread) -> None:
        """Open it and unfold its text, whichever of the two was done."""
        if thread.id in self._folded:
            self.edit(thread, thread.body)
        if thread.id in self._resolved:
            self._door.ask(_UNCLOSE, {"id": thread.id}, _REOPEN)

    def _thread(self, node: Any) -> Thread | None:
        comment = next(iter(pick(node, list, "comments", "nodes")), None)
        body = maybe(comment, str, "body") or ""
        us = self._identity.account
        if marked(body) is None or maybe(comment, int, "author", "databaseId") != us.id:
            return None
        resolved = pick(node, bool, "isResolved")
        return Thread(
            id=pick(node, str, "id"),
            comment_id=pick(comment, str, "id"),
            body=body,
            resolved=resolved,
            resolved_by_us=resolved and _is_by(us, node),
        )


def _is_by(us: Account, node: Any) -> bool:
    """Whether we resolved it. The schema has a user there: an app's bot may come as null."""
    who = maybe(node, dict, "resolvedBy")
    return us.is_app if who is None else maybe(who, int, "databaseId") == us.id


def _located(remark: Remark, head: str) -> dict[str, Any]:
    body = {
        "body": remark.body,
        "commit_id": head,
        "path": remark.path,
        "line": remark.end_line,
        "side": "RIGHT",
    }
    # "start line must precede the end line", says GitHub when both are the same.
    several = remark.start_line < remark.end_line
    return body | {"start_line": remark.start_line, "start_side": "RIGHT"} if several else body


def _is_folded(body: str) -> bool:
    return _plain(body).startswith(_FOLD) and _plain(body).endswith(_FOLD_END)


def _unfolded(thread: Thread) -> Thread:
    """The thread with its former text; closed by us, unless a person resolved it too."""
    if not _is_folded(thread.body):
        return thread
    body = _plain(thread.body).removeprefix(_FOLD).removesuffix(_FOLD_END)
    by_us = thread.resolved_by_us or not thread.resolved
    return replace(thread, body=body, resolved=True, resolved_by_us=by_us)


def _plain(body: str) -> str:
    """A person's edit in the browser leaves CRLF behind."""
    return body.replace("\r\n", "\n").rstrip()
