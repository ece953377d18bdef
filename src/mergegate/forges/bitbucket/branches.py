"""Branches of a repository on Bitbucket: commits by its ``src``, and our pull request.

A commit that names its parent is refused where the branch is at another one. A branch cannot be
replaced: what is to differ is committed on top.
https://developer.atlassian.com/cloud/bitbucket/rest/api-group-source/
"""

import re
import secrets
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from itertools import islice
from urllib.parse import quote

import httpx

from mergegate.core.errors import ForgeError, NotAllowed
from mergegate.forges.bitbucket.conversation import Discussion, Seal
from mergegate.forges.bitbucket.session import Form, Refusal, Session, granted
from mergegate.forges.bitbucket.shapes import (
    BranchingModel,
    BranchTip,
    Home,
    MadeCommit,
    PullRequest,
    Restriction,
    read,
)
from mergegate.forges.branches import (
    Branch,
    BranchMoved,
    ChangedFile,
    Committed,
    NewCommit,
    OwnChange,
    Source,
    recall,
)

_PLAIN_PATH = re.compile(r'[^\x00-\x1f\x7f"\\]+')
_UNTOLD = frozenset({httpx.codes.UNAUTHORIZED, httpx.codes.FORBIDDEN, httpx.codes.NOT_FOUND})
_MOVED = "the branch has moved on meanwhile, or is gone"
_LATER = "The commit was made, and another one was pushed after it, which this address shows"
_WRITE = (
    "Give an access token the scope `repository:write` beside `pullrequest:write`; an API token"
    " `write:repository:bitbucket`."
)


class RepositoryBranches:
    """The port :class:`~mergegate.forges.branches.Branches`."""

    def __init__(self, session: Session, repository: str) -> None:
        self._session = session
        self._path = f"/repositories/{repository}"

    def find(self, name: str) -> Branch | None:
        """The branch as it is now."""
        tip = self._tip(name)
        if tip is None:
            return None
        home = read(Home, self._session.get(self._path, "the repository"), "the repository")
        return Branch(
            name=name,
            tip=tip,
            is_default=home.mainbranch is not None and home.mainbranch.name == name,
            is_protected=self._is_protected(name),
        )

    def holds(self, commit: str, files: Sequence[ChangedFile]) -> bool:
        """Whether the commit has the files."""
        return all(self._content(commit, one.path) == one.content for one in files)

    def commit(self, new: NewCommit) -> Committed:
        """Make the commit on the branch as it is; a new branch begins at the parent."""
        files = [*new.files, *(new.restored if new.expected else ())]
        parent = new.expected or new.parent
        if new.expected and self._tip(new.branch) != new.expected:
            # A branch that is gone would be made anew.
            raise BranchMoved(_MOVED)
        form = _form({"message": new.message, "branch": new.branch, "parents": parent}, files)
        answer = self._session.send("POST", f"{self._path}/src", "a commit", form=form)
        if isinstance(answer, Refusal) and answer.status == httpx.codes.CONFLICT:
            raise BranchMoved(_MOVED)
        _may_write(answer, "a commit")
        return self._made(new.branch, parent)

    def remove(self, name: str, tip: str) -> None:
        """Delete the branch."""
        if self._tip(name) != tip:
            raise BranchMoved(_MOVED)
        _may_write(
            self._session.send("DELETE", self._at(name), "a branch of ours"), "a branch of ours"
        )

    def _made(self, branch: str, parent: str) -> Committed:
        """The commit that came of it: the answer that it was made does not name it."""
        tip = self._tip(branch)
        if tip is None:
            raise ForgeError("the commit was made, and its branch is gone since")
        told = self._session.get(f"{self._path}/commit/{tip}", "the new commit")
        said = read(MadeCommit, told, "the new commit")
        is_last = parent in {one.hash for one in said.parents}
        return Committed(commit=tip, url=said.links.html.href, remark="" if is_last else _LATER)

    def _tip(self, name: str) -> str | None:
        """The last commit of the branch; None where there is none."""
        answer = self._session.send("GET", self._at(name), "a branch")
        if isinstance(answer, Refusal) and answer.gone:
            return None
        return read(BranchTip, self._session.object(answer, "a branch"), "a branch").target.hash

    def _at(self, name: str) -> str:
        return f"{self._path}/refs/branches/{quote(name, safe='')}"

    def _content(self, commit: str, path: str) -> bytes | None:
        where = f"{self._path}/src/{commit}/{quote(path)}"
        answer = self._session.send("GET", where, "a file")
        if isinstance(answer, Refusal) and answer.gone:
            return None
        granted(answer, "a file")
        return answer if isinstance(answer, bytes) else None

    def _is_protected(self, name: str) -> bool:
        """Administrators are told; Bitbucket itself refuses those who may not push."""
        where, query = f"{self._path}/branch-restrictions", {"kind": "push"}
        answer = self._session.send("GET", where, "restrictions", query=query)
        if isinstance(answer, Refusal) and answer.status in _UNTOLD:
            return False
        rows = self._session.pages(where, "restrictions", query)
        said = (read(Restriction, row, "a restriction") for row in rows)
        found = [one for one in said if one.kind == "push"]
        if any(one.branch_match_kind == "glob" and fnmatchcase(name, one.pattern) for one in found):
            return True
        uses = [one.branch_type for one in found if one.branch_match_kind != "glob"]
        if not uses:
            return False
        told = self._session.get(f"{self._path}/effective-branching-model", "the branching model")
        model = read(BranchingModel, told, "the branching model")
        return any(model.holds(use, name) for use in uses)


def _may_write(answer: bytes | Refusal, what: str) -> None:
    try:
        granted(answer, what)
    except NotAllowed as error:
        is_scope = isinstance(answer, Refusal) and answer.status == httpx.codes.FORBIDDEN
        raise NotAllowed(error.what, remedy=_WRITE if is_scope else error.remedy) from error


def _form(fields: dict[str, str], files: Sequence[ChangedFile]) -> Form:
    """A multipart form; httpx has no place for what Bitbucket says of executables in a heading."""
    boundary = secrets.token_hex(24)
    parts = [*_field_parts(fields), *map(_file_part, files)]
    lines = b"".join(b"--%b\r\n%b\r\n" % (boundary.encode(), part) for part in parts)
    content = lines + b"--%b--\r\n" % boundary.encode()
    return Form(f"multipart/form-data; boundary={boundary}", content)


def _field_parts(fields: dict[str, str]) -> Iterator[bytes]:
    for name, text in fields.items():
        yield f'Content-Disposition: form-data; name="{name}"\r\n\r\n{text}'.encode()


def _file_part(file: ChangedFile) -> bytes:
    """The slash keeps a file called ``message`` from being taken for the message."""
    if not _PLAIN_PATH.fullmatch(file.path):
        raise ForgeError("a file whose name holds quotes or control characters cannot be sent")
    name = f"/{file.path}"
    mode = '; x-attributes="executable"' if file.executable else ""
    heading = f'Content-Disposition: form-data; name="{name}"; filename="{name}"{mode}'
    return f"{heading}\r\nContent-Type: application/octet-stream\r\n\r\n".encode() + file.content


def source(said: PullRequest, repository: str) -> Source | None:
    """Where a pull request comes from; None where Bitbucket does not tell its branch."""
    if said.source.branch is None or said.destination.branch is None:
        return None
    home = said.source.repository.full_name if said.source.repository else ""
    return Source(
        branch=said.source.branch.name,
        is_own=home.lower() == repository.lower(),
        into=said.destination.branch.name,
        is_open=said.state not in {"MERGED", "DECLINED", "SUPERSEDED"},
    )


_STATES = ("OPEN", "MERGED", "DECLINED")
_MOST_ROWS = 500
_WHAT = "our pull request"


class UpgradeRequests:
    """The port :class:`~mergegate.forges.branches.OwnChanges`."""

    def __init__(self, session: Session, repository: str, token: str) -> None:
        self._session = session
        self._repository = repository
        self._path = f"/repositories/{repository}/pullrequests"
        self._seal = Seal(token, repository)
        self._discussion = Discussion(session, self._path, self._seal)

    def ours(self, branch: str) -> Sequence[OwnChange]:
        """By the author, or where the token may not ask who it is, by our seal; newest first."""
        found = [one for state in _STATES for one in self._in(state, branch)]
        return sorted(found, key=lambda one: int(one.id), reverse=True)

    def open(self, branch: str, into: str, title: str, body: str) -> str:
        """A pull request that closes its branch once it is merged."""
        sides = {"source": {"branch": {"name": branch}}, "destination": {"branch": {"name": into}}}
        wanted = {"type": "pullrequest", **self._texts(title, body), **sides}
        made = self._session.write(
            "POST", self._path, _WHAT, wanted | {"close_source_branch": True}
        )
        return read(PullRequest, made, _WHAT).links.html.href

    def edit(self, own: OwnChange, title: str, body: str) -> None:
        """Title and text."""
        changed = {"type": "pullrequest", **self._texts(title, body)}
        self._session.write("PUT", f"{self._path}/{own.id}", _WHAT, changed, harmless=True)

    def close(self, own: OwnChange) -> None:
        """Declined, never merged."""
        self._session.write("POST", f"{self._path}/{own.id}/decline", _WHAT)

    def _texts(self, title: str, body: str) -> dict[str, str]:
        return {"title": title[:255], "description": self._seal.sealed(body)}

    def _in(self, state: str, branch: str) -> Iterator[OwnChange]:
        rows = self._session.pages(self._path, "our pull requests", {"state": state})
        for row in islice(rows, _MOST_ROWS):
            said = read(PullRequest, row, _WHAT)
            here = source(said, self._repository)
            memory = recall(said.description or "")
            if memory and here and here.is_own and here.branch == branch and self._is_ours(said):
                yield OwnChange(
                    id=str(said.id),
                    url=said.links.html.href,
                    memory=memory,
                    is_open=said.state == "OPEN",
                    is_merged=said.state == "MERGED",
                )

    def _is_ours(self, said: PullRequest) -> bool:
        me = self._discussion.known()
        if me is None:
            return self._seal.holds(said.description or "")
        return said.author is not None and said.author.uuid == me
