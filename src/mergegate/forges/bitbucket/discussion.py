"""The comments of one pull request: which are ours, and new ones."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import httpx

from mergegate.core.errors import ForgeError, OffDiff
from mergegate.forges.bitbucket.seal import Seal, unsealed
from mergegate.forges.bitbucket.session import Refusal, Session, granted
from mergegate.forges.bitbucket.shapes import Account, Remembered, comment, read

MOST_CHARACTERS = 32_768
_TYPE = "pullrequest_comment"
_NAMELESS = frozenset({401, 403, 404})


class Discussion:
    """Reads all comments, keeps those that this token's account wrote.

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

    def answer(self, id: str, body: str) -> None:
        """A comment below another; raises ForgeError."""
        self.post(body, parent={"type": _TYPE, "id": _number(id)})

    def edit(self, id: str, body: str) -> None:
        """Another text for a comment; raises ForgeError."""
        self._session.write("PUT", self._comment(id), "a comment of ours", self._content(body))

    def delete(self, id: str) -> None:
        """Away with a comment; one that is gone already is no failure. Raises ForgeError."""
        answer = self._session.send("DELETE", self._comment(id), "a comment of ours")
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
