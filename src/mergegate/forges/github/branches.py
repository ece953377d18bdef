"""Branches of a repository on GitHub: commits through its Git data, and our pull request.

A commit is made of blobs and trees, which keeps the modes of files, and a branch is led there by
the one operation that names the commit it must be at before: REST takes every descendant.
"""

import base64
import binascii
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from mergegate.core.errors import ForgeError, NotAllowed
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
from mergegate.forges.github.client import Client, Purpose, Unseen, cut, maybe, pick
from mergegate.forges.github.conversation import Identity

_READ, _WRITE = "contents: read", "contents: write"
_REPOSITORY = Purpose("show the repository", "metadata: read")
_BRANCH = Purpose("show a branch", _READ)
_RULES = Purpose("show the rules of a branch", "metadata: read")
_NO_PUSH = frozenset({"pull_request", "update", "merge_queue"})
"""Rules by which a branch is changed through pull requests alone, or by nobody."""
_FILE = Purpose("show a file of a branch", _READ)
_COMMIT = Purpose("make a commit", _WRITE)
_LEAD = Purpose("lead a branch to a commit", _WRITE)
_NOTHING = "0" * 40
"""Stands for a branch that is not there (https://docs.github.com/en/graphql/reference/git)."""
_WORKFLOWS = ".github/workflows/"
_UPDATE = """mutation($repository: ID!, $updates: [RefUpdate!]!) {
  updateRefs(input: {repositoryId: $repository, refUpdates: $updates}) { clientMutationId }
}
"""
_FILE_MODE, _EXECUTABLE_MODE = "100644", "100755"


class GitBranches:
    """The port :class:`~mergegate.forges.branches.Branches`."""

    def __init__(self, door: Client, repository: str) -> None:
        self._door = door
        self._path = f"/repos/{repository}"

    def find(self, name: str) -> Branch | None:
        """The branch as it is now."""
        try:
            said = self._door.send("GET", f"{self._path}/branches/{quote(name, safe='')}", _BRANCH)
        except Unseen:
            return None
        default = pick(self._repository(), str, "default_branch")
        # A branch that was renamed is shown under its new name.
        if pick(said, str, "name") != name:
            return None
        return Branch(
            name=name,
            tip=pick(said, str, "commit", "sha"),
            is_default=name == default,
            is_protected=pick(said, bool, "protected") or self._is_ruled(name),
        )

    def holds(self, commit: str, files: Sequence[ChangedFile]) -> bool:
        """Whether the commit has the files; GitHub shows none of more than a MiB so."""
        return all(self._content(commit, one.path) == one.content for one in files)

    def commit(self, new: NewCommit) -> Committed:
        """Make the commit and lead the branch there."""
        try:
            return self._committed(new)
        except NotAllowed as error:
            if any(one.path.startswith(_WORKFLOWS) for one in new.files):
                raise NotAllowed(
                    "GitHub refused a commit that changes a workflow",
                    remedy="That takes a token of an App or a person that may write contents and"
                    " workflows; a job's own token never may: apply the patch by hand.",
                ) from error
            raise

    def remove(self, name: str, tip: str) -> None:
        """Delete the branch."""
        self._lead(name, before=tip, after=_NOTHING, force=True)

    def _committed(self, new: NewCommit) -> Committed:
        data = f"{self._path}/git"
        parent = self._door.send("GET", f"{data}/commits/{new.parent}", _COMMIT)
        tree = {
            "base_tree": pick(parent, str, "tree", "sha"),
            "tree": [self._entry(one) for one in new.files],
        }
        made = pick(self._door.send("POST", f"{data}/trees", _COMMIT, body=tree), str, "sha")
        body = {"message": new.message, "tree": made, "parents": [new.parent]}
        commit = self._door.send("POST", f"{data}/commits", _COMMIT, body=body)
        found = Committed(commit=pick(commit, str, "sha"), url=maybe(commit, str, "html_url") or "")
        force = new.expected not in (None, new.parent)
        self._lead(new.branch, before=new.expected or _NOTHING, after=found.commit, force=force)
        return found

    def _entry(self, file: ChangedFile) -> dict[str, Any]:
        body = {"content": base64.b64encode(file.content).decode(), "encoding": "base64"}
        blob = self._door.send("POST", f"{self._path}/git/blobs", _COMMIT, body=body)
        mode = _EXECUTABLE_MODE if file.executable else _FILE_MODE
        return {"path": file.path, "mode": mode, "type": "blob", "sha": pick(blob, str, "sha")}

    def _lead(self, name: str, *, before: str, after: str, force: bool) -> None:
        """GitHub's words for a branch that moved are not documented, so the branch is looked at."""
        update = {"name": f"refs/heads/{name}", "beforeOid": before, "afterOid": after}
        variables = {
            "repository": pick(self._repository(), str, "node_id"),
            "updates": [{**update, "force": force}],
        }
        try:
            self._door.ask(_UPDATE, variables, _LEAD)
        except ForgeError as error:
            now = self.find(name)
            tip = now.tip if now else _NOTHING
            if tip == after:
                return  # it was done, and the answer got lost
            if tip != before:
                raise BranchMoved("the branch has moved on meanwhile, or is gone") from error
            raise

    def _is_ruled(self, name: str) -> bool:
        """Whether a ruleset keeps pushes away, which a token may be allowed to bypass."""
        path = f"{self._path}/rules/branches/{quote(name, safe='')}"
        try:
            rules = self._door.pages(path, _RULES)
        except Unseen:
            return False  # an older server has none
        return any(maybe(one, str, "type") in _NO_PUSH for one in rules)

    def _repository(self) -> Any:
        return self._door.send("GET", self._path, _REPOSITORY)

    def _content(self, commit: str, path: str) -> bytes | None:
        query = {"ref": commit}
        try:
            said = self._door.send(
                "GET", f"{self._path}/contents/{quote(path, safe='')}", _FILE, query=query
            )
        except Unseen:
            return None
        try:
            return base64.b64decode(maybe(said, str, "content") or "")
        except binascii.Error:
            return None


def source(pull: Any, repository: str) -> Source | None:
    """Where a pull request comes from; None where GitHub does not tell its branch."""
    branch, into = maybe(pull, str, "head", "ref"), maybe(pull, str, "base", "ref")
    if branch is None or into is None:
        return None
    home = maybe(pull, str, "head", "repo", "full_name") or ""
    return Source(
        branch=branch,
        is_own=home.lower() == repository.lower(),
        into=into,
        is_open=maybe(pull, str, "state") != "closed",
    )


_LIST = Purpose("list our pull requests", "pull-requests: read")
_OPEN = Purpose("open a pull request", "pull-requests: write")
_EDIT = Purpose("edit our pull request", "pull-requests: write")
_TITLE = 256
_SWITCH = (
    "Tick “Allow GitHub Actions to create and approve pull requests” in the settings of the"
    " repository, or give the job the token of an App."
)


class UpgradePulls:
    """The port :class:`~mergegate.forges.branches.OwnChanges`."""

    def __init__(self, door: Client, repository: str, identity: Identity) -> None:
        self._door = door
        self._repository = repository
        self._pulls = f"/repos/{repository}/pulls"
        self._identity = identity

    def ours(self, branch: str) -> Sequence[OwnChange]:
        """By the author's number and our marker, both."""
        owner = self._repository.partition("/")[0]
        query = {"state": "all", "head": f"{owner}:{branch}", "sort": "created"}
        rows = self._door.pages(self._pulls, _LIST, query | {"direction": "desc"})
        return [found for row in rows if (found := self._own_change(row))]

    def open(self, branch: str, into: str, title: str, body: str) -> str:
        """A pull request that people with write access may push to."""
        wanted = {"title": cut(title, _TITLE), "body": body, "head": branch, "base": into}
        try:
            return pick(self._door.send("POST", self._pulls, _OPEN, body=wanted), str, "html_url")
        except NotAllowed as error:
            raise NotAllowed(error.what, remedy=f"{error.remedy} {_SWITCH}") from error

    def edit(self, own: OwnChange, title: str, body: str) -> None:
        """Title and text."""
        changed = {"title": cut(title, _TITLE), "body": body}
        self._door.send("PATCH", f"{self._pulls}/{own.id}", _EDIT, body=changed)

    def close(self, own: OwnChange) -> None:
        """Closed, never merged."""
        path = f"{self._pulls}/{own.id}"
        self._door.send("PATCH", path, _EDIT, body={"state": "closed"})

    def _own_change(self, row: Any) -> OwnChange | None:
        memory = recall(maybe(row, str, "body") or "")
        home = maybe(row, str, "head", "repo", "full_name") or ""
        is_ours = maybe(row, int, "user", "id") == self._identity.account.id
        if memory is None or not is_ours or home.lower() != self._repository.lower():
            return None
        return OwnChange(
            id=str(pick(row, int, "number")),
            url=pick(row, str, "html_url"),
            memory=memory,
            is_open=pick(row, str, "state") == "open",
            is_merged=maybe(row, str, "merged_at") is not None,
        )
