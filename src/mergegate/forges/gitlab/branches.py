"""Branches of a project on GitLab: commits by its commits API, and our merge request.

A commit on a branch is refused where one of its files was touched after the commit that it is said
to be of; GitLab knows no condition for the branch itself. So the branch is looked at just before,
and what the commit stands on just after. https://docs.gitlab.com/api/commits/ (read for 18)
"""

import base64
from collections.abc import Iterator, Sequence
from http import HTTPStatus
from itertools import islice
from typing import Any

from gitlab.exceptions import GitlabCreateError, GitlabGetError

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
from mergegate.forges.gitlab.connection import PAGE, Connection, asking, every
from mergegate.forges.gitlab.notes import posted

_MOST_CHANGES = 300
_MOST_TITLE = 255
_LATE = "The branch moved on in that moment: the commit stands on what was pushed then"


class ProjectBranches:
    """The port :class:`~mergegate.forges.branches.Branches`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def find(self, name: str) -> Branch | None:
        """The branch as it is now; a wildcard may be what protects it."""
        with asking("show a branch"):
            try:
                said = self._connection.project.branches.get(name).asdict()
            except GitlabGetError as error:
                if error.response_code == HTTPStatus.NOT_FOUND:
                    return None
                raise
            return Branch(
                name=name,
                tip=str(said["commit"]["id"]),
                is_default=said["default"] is True,
                is_protected=said["protected"] is True,
            )

    def holds(self, commit: str, files: Sequence[ChangedFile]) -> bool:
        """Whether the commit has the files."""
        return all(
            (found := self._file(one.path, commit)) is not None
            and base64.b64decode(found["content"]) == one.content
            for one in files
        )

    def commit(self, new: NewCommit) -> Committed:
        """Make the commit; modes stay as they are."""
        replaces = new.expected != new.parent
        body: dict[str, Any] = {
            "branch": new.branch,
            "commit_message": new.message,
            "actions": list(self._actions(new, replaces=replaces)),
        }
        if replaces:
            body |= {"start_sha": new.parent, "force": new.expected is not None}
        now = self.find(new.branch)
        if (now.tip if now else None) != new.expected:
            raise _moved()
        made = self._made(body, new)
        is_there = new.parent in made["parent_ids"]
        return Committed(
            commit=str(made["id"]),
            url=str(made.get("web_url") or ""),
            remark="" if is_there else _LATE,
        )

    def remove(self, name: str, tip: str) -> None:
        """Delete the branch."""
        now = self.find(name)
        if now is None or now.tip != tip:
            raise _moved()
        with asking("delete a branch"):
            self._connection.project.branches.delete(name)

    def _made(self, body: dict[str, Any], new: NewCommit) -> dict[str, Any]:
        with asking("make a commit"):
            try:
                return dict(self._connection.project.commits.create(body).asdict())
            except GitlabCreateError as error:
                if error.response_code == HTTPStatus.BAD_REQUEST:
                    now = self.find(new.branch)
                    if (now.tip if now else None) != new.expected:
                        raise _moved() from error
                raise

    def _actions(self, new: NewCommit, *, replaces: bool) -> Iterator[dict[str, Any]]:
        for one in new.files:
            found = self._file(one.path, new.parent)
            if found is None:
                raise BranchMoved("a file that is to change is not there any more")
            yield {
                "action": "update",
                "file_path": one.path,
                "content": base64.b64encode(one.content).decode(),
                "encoding": "base64",
            } | ({} if replaces else {"last_commit_id": found["last_commit_id"]})

    def _file(self, path: str, ref: str) -> dict[str, Any] | None:
        with asking("show a file"):
            try:
                return dict(self._connection.project.files.get(path, ref=ref).asdict())
            except GitlabGetError as error:
                if error.response_code == HTTPStatus.NOT_FOUND:
                    return None
                raise


def _moved() -> BranchMoved:
    return BranchMoved("the branch has moved on meanwhile, or is gone")


def source(said: dict[str, Any]) -> Source | None:
    """Where a merge request comes from; None where GitLab does not tell its branch."""
    branch, into = said.get("source_branch"), said.get("target_branch")
    if not isinstance(branch, str) or not isinstance(into, str):
        return None
    home, here = said.get("source_project_id"), said.get("target_project_id")
    return Source(
        branch=branch,
        is_own=home is not None and home == here,
        into=into,
        is_open=said.get("state") not in {"closed", "merged"},
    )


class UpgradeRequests:
    """The port :class:`~mergegate.forges.branches.OwnChanges`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._requests = connection.project.mergerequests

    def ours(self, branch: str) -> Sequence[OwnChange]:
        """By the author's id and our marker, both."""
        with asking("list our merge requests"):
            found = self._requests.list(
                iterator=True, per_page=PAGE, source_branch=branch, state="all",
                author_id=self._connection.own_id, order_by="created_at", sort="desc",
            )  # fmt: skip
            rows = islice(every(found), _MOST_CHANGES)
            return [one for said in rows if (one := self._own_change(said))]

    def open(self, branch: str, into: str, title: str, body: str) -> str:
        """A merge request; GitLab deletes its branch once it is merged."""
        wanted = {"source_branch": branch, "target_branch": into, "remove_source_branch": True}
        with asking("open a merge request"):
            made = self._requests.create(wanted | _texts(title, body)).asdict()
            return str(made["web_url"])

    def edit(self, own: OwnChange, title: str, body: str) -> None:
        """Title and text."""
        with asking("edit our merge request"):
            self._requests.update(int(own.id), _texts(title, body))

    def close(self, own: OwnChange) -> None:
        """Closed, never merged."""
        with asking("close our merge request"):
            self._requests.update(int(own.id), {"state_event": "close"})

    def _own_change(self, said: dict[str, Any]) -> OwnChange | None:
        memory = recall(str(said.get("description") or ""))
        here = said.get("source_project_id") == said.get("target_project_id")
        if memory is None or not here or not self._connection.wrote(said):
            return None
        return OwnChange(
            id=str(int(said["iid"])),
            url=str(said["web_url"]),
            memory=memory,
            is_open=said["state"] == "opened",
            is_merged=said["state"] == "merged",
        )


def _texts(title: str, body: str) -> dict[str, str]:
    return {"title": title[:_MOST_TITLE], "description": posted(body)}
