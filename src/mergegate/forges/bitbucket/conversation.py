"""Comments, threads and answers on a pull request of Bitbucket, by the ports."""

import hashlib
import hmac
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import httpx

from mergegate.core.errors import ForgeError, OffDiff
from mergegate.forges.bitbucket.session import Refusal, Session, granted
from mergegate.forges.bitbucket.shapes import Account, Remembered, comment, read
from mergegate.forges.marker import is_summary, marked
from mergegate.forges.publication import Comment, Remark, Thread

# Every form that `model.marker` reads, so that nothing is believed that the seal does not cover.
_HIDDEN = re.compile(
    r"^(?:<!-- |\[//\]: # \()(mergegate:(?:state|finding|upgrades) [\w=-]+)(?: -->|\))$",
    re.MULTILINE,
)
_SEAL = re.compile(r"^\[//\]: # \(mergegate:seal ([0-9a-f]{64})\)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Seal:
    """The seal of one token on one pull request."""

    token: str
    pull_request: str
    """Repository and number."""

    def sealed(self, body: str) -> str:
        """``body`` and, if it hides something, the seal of what it hides."""
        plain = unsealed(body)
        value = self._value(plain)
        if value is None:
            return plain
        return f"{plain.rstrip()}\n\n[//]: # (mergegate:seal {value})"

    def holds(self, body: str) -> bool:
        """Whether we sealed what ``body`` hides."""
        said, true = _SEAL.search(body), self._value(body)
        return bool(said and true and hmac.compare_digest(said[1], true))

    def author(self, comments: Iterable[Remembered]) -> str | None:
        """The author of the oldest sealed comment; ``comments`` are oldest first."""
        return next((one.author for one in comments if self.holds(one.body)), None)

    def _value(self, body: str) -> str | None:
        """The seal of the hidden lines alone, for a forge may change a text's white space."""
        hidden = _HIDDEN.findall(body)
        if not hidden:
            return None
        message = "\n".join(("mergegate seal 1", self.pull_request, *hidden))
        return hmac.new(self.token.encode(), message.encode(), hashlib.sha256).hexdigest()


def unsealed(body: str) -> str:
    """``body`` without seals, and without the white space before them."""
    return _SEAL.sub("", body).rstrip() if _SEAL.search(body) else body


MOST_CHARACTERS = 32_768
_TYPE = "pullrequest_comment"
_NAMELESS = frozenset({401, 403, 404})


class Discussion:
    """The ports :class:`~mergegate.forges.ports.Conversation` and ``Replies``.

    Reads all comments, keeps those that this token's account wrote.

    Bitbucket says at ``/user`` who that is, unless the token may not ask; then the seal tells
    (:mod:`.seal`). Without either, nothing that stands there is taken for ours: it is neither
    believed nor touched.
    """

    def __init__(self, session: Session, path: str, seal: Seal) -> None:
        self._session = session
        self._path = path
        self._seal = seal
        self._me: str | None = None
        self._asked = False

    @property
    def me(self) -> str | None:
        """UUID of our account as far as it is known by now."""
        return self._me

    def known(self) -> str | None:
        """UUID of our account; None where the token may not ask. Raises ForgeError."""
        self._ask()
        return self._me

    def ours(self) -> Sequence[Remembered]:
        """What our account wrote, oldest first, seals taken off; raises ForgeError."""
        self._ask()
        found = self._session.pages(self._comments, "the comments")
        everyone = sorted(filter(None, map(comment, found)), key=lambda one: one.id)
        self._me = self._me or self._seal.author(everyone)
        return [_plain(one) for one in everyone if self._me and one.author == self._me]

    def post(self, body: str, **place: Any) -> Remembered:
        """A new comment; ``place`` is Bitbucket's ``inline`` or ``parent``.

        Raises OffDiff where there is no such line, ForgeError for all else.
        """
        sent = {**self._content(body), **place}
        answer = self._session.send("POST", self._comments, "a new comment", body=sent)
        if "inline" in place and _off_diff(answer):
            raise OffDiff("Bitbucket takes no comment on these lines")
        written = comment(self._session.object(answer, "a new comment"))
        if written is None:
            raise ForgeError("Bitbucket did not keep a new comment")
        self._me = self._me or written.author or None
        return _plain(written)

    def comments(self) -> Sequence[Comment]:
        """Our own summary comments, oldest first; raises ForgeError."""
        ours = (one for one in self.ours() if not one.inline and not one.answer)
        return [_comment(one) for one in ours if is_summary(one.body)]

    def write(self, body: str) -> Comment:
        """A new comment; raises ForgeError."""
        return _comment(self.post(body))

    def reply(self, comment_id: str, body: str) -> None:
        """A comment below another; raises ForgeError."""
        self.post(body, parent={"type": _TYPE, "id": _number(comment_id)})

    def acknowledge(self, comment_id: str, done: bool) -> None:
        """Nothing: Bitbucket's API knows no reactions. The reply says what there is to say."""

    def edit(self, comment_id: str, body: str) -> None:
        """Another text for a comment of ours; raises ForgeError."""
        path, content = self._comment(comment_id), self._content(body)
        self._session.write("PUT", path, "a comment of ours", content)

    def remove(self, comment_id: str) -> None:
        """Away with a comment; one that is gone already is no failure. Raises ForgeError."""
        answer = self._session.send("DELETE", self._comment(comment_id), "a comment of ours")
        _granted_but(answer, "a comment of ours", httpx.codes.NOT_FOUND, httpx.codes.GONE)

    def resolve(self, id: str) -> None:
        """Close a thread by its first comment; raises ForgeError."""
        path = f"{self._comment(id)}/resolve"
        answer = self._session.send("POST", path, "a thread of ours", harmless=True)
        # 409: "the comment has already been resolved".
        _granted_but(answer, "a thread of ours", httpx.codes.CONFLICT)

    def reopen(self, id: str) -> None:
        """Open a thread by its first comment; raises ForgeError."""
        answer = self._session.send("DELETE", f"{self._comment(id)}/resolve", "a thread of ours")
        # 404: "the comment has not been resolved", or is gone.
        _granted_but(answer, "a thread of ours", httpx.codes.NOT_FOUND)

    @property
    def _comments(self) -> str:
        return f"{self._path}/comments"

    def _comment(self, id: str) -> str:
        return f"{self._comments}/{_number(id)}"

    def _content(self, body: str) -> dict[str, Any]:
        sealed = self._seal.sealed(body)
        if len(sealed) > MOST_CHARACTERS:
            raise ForgeError(
                f"Bitbucket takes no comment of more than {MOST_CHARACTERS} characters"
            )
        return {"type": _TYPE, "content": {"raw": sealed}}

    def _ask(self) -> None:
        if self._asked:
            return
        self._asked = True
        answer = self._session.send("GET", "/user", "the token's account")
        if isinstance(answer, Refusal) and answer.status in _NAMELESS:
            return
        said = self._session.object(answer, "the token's account")
        self._me = read(Account, said, "the token's account").uuid or None


def _plain(said: Remembered) -> Remembered:
    return replace(said, body=unsealed(said.body))


def _number(id: str) -> int:
    if not (id.isascii() and id.isdigit()):
        raise ForgeError("a comment's id on Bitbucket is a number")
    return int(id[:20])


def _off_diff(answer: bytes | Refusal) -> bool:
    return isinstance(answer, Refusal) and answer.status == httpx.codes.BAD_REQUEST


def _granted_but(answer: bytes | Refusal, what: str, *fine: int) -> None:
    if not (isinstance(answer, Refusal) and answer.status in fine):
        granted(answer, what)


class PullRequestReviews:
    """The port :class:`~mergegate.forges.ports.Reviews`."""

    def __init__(self, discussion: Discussion) -> None:
        self._discussion = discussion

    def threads(self) -> Sequence[Thread]:
        """The threads that we opened, oldest first; raises ForgeError."""
        ours = self._discussion.ours()
        return [self._thread(one) for one in ours if _opens_thread(one)]

    def open(self, remark: Remark) -> None:
        """A new thread on the new file's lines; raises OffDiff or ForgeError."""
        inline: dict[str, str | int] = {"path": remark.path, "to": remark.end_line}
        if remark.start_line < remark.end_line:
            # Not in the published schema, but kept and shown as a range.
            inline["start_to"] = remark.start_line
        self._discussion.post(remark.body, inline=inline)

    def edit(self, thread: Thread, body: str) -> None:
        """Another text for the first comment of a thread of ours; raises ForgeError."""
        self._discussion.edit(thread.comment_id, body)

    def resolve(self, thread: Thread) -> None:
        """Close it; raises ForgeError."""
        self._discussion.resolve(thread.id)

    def reopen(self, thread: Thread) -> None:
        """Open it again; raises ForgeError."""
        self._discussion.reopen(thread.id)

    def _thread(self, first: Remembered) -> Thread:
        """A thread bears the number of its first comment."""
        return Thread(
            id=str(first.id),
            comment_id=str(first.id),
            body=first.body,
            resolved=first.resolved,
            resolved_by_us=first.resolved and first.resolved_by == self._discussion.me,
        )


def _comment(said: Remembered) -> Comment:
    return Comment(id=str(said.id), body=said.body)


def _opens_thread(said: Remembered) -> bool:
    return said.inline and not said.answer and marked(said.body) is not None
