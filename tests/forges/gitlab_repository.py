"""Branches, commits and further merge requests of a project, over the objects of a test's clone."""

import base64
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from tests.forges.git_store import GitStore
from tests.forges.gitlab_project import DEVELOPER, Refusal, User

Said = dict[str, Any]
OWN, FORK = 5, 77
_CHANGED = "You are attempting to update a file that has changed since you started editing it."
_EXISTS = "A branch called '{}' already exists. Switch to that branch in order to make changes"


@dataclass
class Repository:
    """What GitLab knows of one."""

    store: GitStore
    branches: dict[str, str] = field(default_factory=dict)
    """Name → the commit that it is at."""
    default: str = "main"
    protected: set[str] = field(default_factory=set)
    requests: list[Said] = field(default_factory=list)
    """The merge requests that somebody opened from a branch of it, oldest first."""

    def branch(self, quoted: str) -> Said:
        name = unquote(quoted)
        if name not in self.branches:
            raise Refusal(404, "404 Branch Not Found")
        protected = name in self.protected
        tip = {"id": self.branches[name]}
        return {
            "name": name,
            "commit": tip,
            "default": name == self.default,
            "protected": protected,
        }

    def remove(self, user: User, quoted: str) -> None:
        name = self.branch(quoted)["name"]
        self._may_push(user, name)
        del self.branches[name]

    def file(self, quoted: str, ref: str) -> Said:
        path = unquote(quoted)
        content = self.store.content(ref, path)
        if content is None:
            raise Refusal(404, "404 File Not Found")
        return {
            "file_path": path,
            "encoding": "base64",
            "content": base64.b64encode(content).decode(),
            "ref": ref,
            "last_commit_id": self.store.last_for(ref, path),
            "execute_filemode": self.store.mode(ref, path) == "100755",
        }

    def commit(self, user: User, asked: Said) -> Said:
        """Update files; the mode of each stays."""
        name = asked["branch"]
        self._may_push(user, name)
        start = asked.get("start_sha")
        if start and name in self.branches and not asked.get("force"):
            raise Refusal(400, _EXISTS.format(name))
        parent = start or self.branches.get(name)
        if parent is None:
            raise Refusal(400, "You can only create or edit files when you are on a branch")
        entries = dict(
            self._entry(parent, one, is_new=start is not None) for one in asked["actions"]
        )
        tree = self.store.tree(self.store.tree_of(parent), entries)
        made = self.store.commit(tree, [parent], asked["commit_message"])
        self.branches[name] = made
        url = f"https://gitlab.example.org/group/sub/app/-/commit/{made}"
        return {
            "id": made,
            "message": asked["commit_message"],
            "parent_ids": [parent],
            "web_url": url,
        }

    def _entry(self, parent: str, one: Said, *, is_new: bool) -> tuple[str, tuple[str, str]]:
        path = one["file_path"]
        assert (one["action"], one["encoding"]) == ("update", "base64")
        if self.store.content(parent, path) is None:
            raise Refusal(400, "A file with this name doesn't exist")
        known = one.get("last_commit_id")
        if known and not is_new and self.store.last_for(parent, path) != known:
            raise Refusal(400, _CHANGED)
        oid = self.store.blob(base64.b64decode(one["content"]))
        return path, (self.store.mode(parent, path), oid)

    def listed(self, query: dict[str, list[str]]) -> list[Said]:
        branch, author = query["source_branch"][0], int(query["author_id"][0])
        assert (query["state"], query["sort"]) == (["all"], ["desc"])
        found = [one for one in self.requests if one["source_branch"] == branch]
        return [one for one in found if one["author"]["id"] == author][::-1]

    def open(self, user: User, asked: Said) -> Said:
        number = 100 + len(self.requests)
        made = {
            "id": 9000 + number, "iid": number, "state": "opened", "author": user.said,
            "title": asked["title"], "description": asked["description"],
            "source_branch": asked["source_branch"], "target_branch": asked["target_branch"],
            "source_project_id": OWN, "target_project_id": OWN,
            "web_url": f"https://gitlab.example.org/group/sub/app/-/merge_requests/{number}",
        }  # fmt: skip
        self.requests.append(made)
        return made

    def edit(self, number: int, asked: Said) -> Said:
        found = next((one for one in self.requests if one["iid"] == number), None)
        if found is None:
            raise Refusal(404, "404 Not found")
        states = {"close": "closed", "reopen": "opened"}
        found["state"] = states.get(asked.get("state_event", ""), found["state"])
        found |= {name: asked[name] for name in ("title", "description") if name in asked}
        return found

    def _may_push(self, user: User, name: str) -> None:
        if user.level < DEVELOPER or name in self.protected:
            raise Refusal(403, "You are not allowed to push into this branch")
