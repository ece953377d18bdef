"""A project with one merge request as GitLab keeps it: notes, threads, statuses, issues, rights."""

import difflib
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.forges.gitlab_commands import commands, without

Said = dict[str, Any]

MOST_CHARACTERS = 1_000_000
MOST_STATUS_CHARACTERS = 255
AT = "2026-11-21T10:00:00.000Z"
DEVELOPER = 30
_NO_LINE = 'Note {:line_code=>["can\'t be blank", "must be a valid line code"]}'


class Refusal(Exception):
    """An answer that is no success."""

    def __init__(self, status: int, message: Any, headers: Mapping[str, str] = {}) -> None:
        super().__init__(message)
        self.status, self.message, self.headers = status, message, headers


@dataclass
class User:
    id: int
    username: str
    level: int = 0
    state: str = "active"
    email: str = ""
    """The address that it shows to everybody."""

    @property
    def said(self) -> Said:
        return {"id": self.id, "username": self.username, "name": self.username, "state": "active"}


def commit_of(files: Mapping[str, str]) -> str:
    return hashlib.sha1(repr(sorted(files.items())).encode()).hexdigest()


@dataclass
class Project:
    path: str = "group/sub/app"
    number: int = 7
    author: int = 99
    emails: list[str] = field(default_factory=list)
    """The address of each commit's author."""
    base: dict[str, str] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    hidden_diffs: set[str] = field(default_factory=set)
    old_names: dict[str, str] = field(default_factory=dict)
    users: list[User] = field(default_factory=list)
    discussions: list[Said] = field(default_factory=list)
    statuses: list[Said] = field(default_factory=list)
    pipelines: dict[int, str] = field(default_factory=dict)
    """The commit that each is about."""
    branches: dict[int | None, str] = field(default_factory=dict)
    """The ref of each pipeline; a merge request's is none of a branch."""
    issues: list[Said] = field(default_factory=list)
    awards: list[tuple[int, int, str]] = field(default_factory=list)
    obeyed: list[str] = field(default_factory=list)
    """Every quick action that was run, first first."""
    source_project: int | None = 5
    """Where the merge request's branch lies; None once that fork is gone."""
    source_branch: str = "topic"
    state: str = "opened"
    filters: bool = True
    """Whether it knows the filters of lists; a version that does not ignores them."""
    last_id: int = 100

    @property
    def head(self) -> str:
        return commit_of(self.files)

    @property
    def refs(self) -> Said:
        base = commit_of(self.base)
        return {"base_sha": base, "start_sha": base, "head_sha": self.head}

    @property
    def notes(self) -> list[Said]:
        return [note for one in self.discussions for note in one["notes"]]

    def push(self, files: dict[str, str]) -> str:
        """The source branch moves; GitLab says so in a note of its own."""
        self.files = files
        self._discuss(self._note(User(self.author, "ada"), "added 1 commit", system=True))
        return self.head

    def request(self) -> Said:
        author = next((one for one in self.users if one.id == self.author), None)
        told: Said = {"author": author.said} if author else {}
        told |= {"source_branch": self.source_branch, "target_branch": "main", "state": self.state}
        told |= {"source_project_id": self.source_project, "target_project_id": 5}
        return {"id": 1, "iid": self.number, "sha": self.head, "diff_refs": self.refs, **told}

    def diffs(self) -> list[Said]:
        names = sorted(self.base.keys() | self.files.keys())
        told = [self._diff(name) for name in names if name not in self.old_names.values()]
        return [one for one in told if one is not None]

    def _diff(self, name: str) -> Said | None:
        old_name = self.old_names.get(name, name)
        old, new = self.base.get(old_name, ""), self.files.get(name, "")
        if old == new and old_name == name:
            return None
        rows = difflib.unified_diff(old.splitlines(True), new.splitlines(True))
        hidden = name in self.hidden_diffs
        return {
            "old_path": old_name,
            "new_path": name,
            "diff": "" if hidden else "".join(list(rows)[2:]),
            "collapsed": hidden,
            "too_large": False,
            "new_file": old_name not in self.base,
            "renamed_file": old_name != name,
            "deleted_file": name not in self.files,
        }

    # Notes and threads

    def write(self, user: User, body: str) -> Said:
        """A note; its quick actions are run and taken out."""
        note = self._note(user, self._obeyed(body))
        self._discuss(note)
        return note

    def discuss(self, user: User, body: str, position: Said | None) -> Said:
        """A thread; one on a line needs a line of the diff."""
        text = self._obeyed(body)
        if position is not None:
            self._check(position)
        note = self._note(user, text, type="DiffNote" if position else "DiscussionNote")
        if position:
            note["position"] = position
        return self._discuss(note, alone=False)

    def reply(self, user: User, discussion: str, body: str) -> Said:
        """In the thread; a single note becomes one by it, which may then block the merge."""
        said = self.discussion(discussion)
        note = self._note(user, self._obeyed(body), type="DiscussionNote")
        if said["individual_note"]:
            said["individual_note"] = False
            said["notes"][0] |= {"type": "DiscussionNote", "resolvable": True}
        said["notes"].append(note)
        return note

    def edit(self, user: User, note: Said, body: str) -> Said:
        self._may_change(user, note)
        note["body"] = self._obeyed(body)
        return note

    def delete(self, user: User, note: Said) -> None:
        self._may_change(user, note)
        for one in self.discussions:
            one["notes"] = [kept for kept in one["notes"] if kept is not note]
        self.discussions = [one for one in self.discussions if one["notes"]]

    def resolve(self, user: User, discussion: str, resolved: bool) -> Said:
        if user.level < DEVELOPER and user.id != self.author:
            raise Refusal(403, "403 Forbidden")
        said = self.discussion(discussion)
        for note in said["notes"]:
            if note["resolvable"]:
                note["resolved"] = resolved
                note["resolved_by"] = user.said if resolved else None
        return said

    def discussion(self, id: str) -> Said:
        for one in self.discussions:
            if one["id"] == id:
                return one
        raise Refusal(404, "404 Discussion Not Found")

    def note(self, id: int) -> Said:
        for one in self.notes:
            if one["id"] == id:
                return one
        raise Refusal(404, "404 Note Not Found")

    def _obeyed(self, body: str) -> str:
        if len(body) > MOST_CHARACTERS:
            raise Refusal(400, 'Note {:note=>["is too long (maximum is 1000000 characters)"]}')
        found = sorted(commands(body))
        self.obeyed += found
        text = without(body) if found else body.strip()
        if found and not text:
            raise Refusal(202, {"commands_changes": {}, "summary": [f"Ran {found}"]})
        return text

    def _note(
        self, user: User, body: str, *, type: str | None = None, system: bool = False
    ) -> Said:
        self.last_id += 1
        return {
            "id": self.last_id, "type": type, "body": body, "author": user.said, "system": system,
            "created_at": AT, "updated_at": AT, "noteable_id": 1, "noteable_type": "MergeRequest",
            "noteable_iid": self.number, "project_id": 5, "resolvable": type is not None,
            "resolved": False, "resolved_by": None, "confidential": False, "internal": False,
        }  # fmt: skip

    def _discuss(self, note: Said, *, alone: bool = True) -> Said:
        id = hashlib.sha1(str(note["id"]).encode()).hexdigest()
        said = {"id": id, "individual_note": alone, "notes": [note]}
        self.discussions.append(said)
        return said

    def _may_change(self, user: User, note: Said) -> None:
        if note["system"] or note["author"]["id"] != user.id:
            raise Refusal(403, "403 Forbidden")

    # Lines

    def _check(self, position: Said) -> None:
        if {name: position.get(name) for name in self.refs} != self.refs:
            raise Refusal(400, 'Note {:position=>["is incomplete"]}')
        codes = self.line_codes(position["old_path"], position["new_path"])
        place = (position.get("old_line"), position.get("new_line"))
        if place not in codes:
            raise Refusal(400, f"400 Bad request - {_NO_LINE}")
        self._check_range(position.get("line_range"), codes)

    def _check_range(self, said: Said | None, codes: Mapping[Any, tuple[str, str | None]]) -> None:
        """Stricter than GitLab, which stores a wrong range and shows it wrongly."""
        for edge in (said or {}).values():
            place = (edge["old_line"], edge["new_line"])
            if codes.get(place) != (edge["line_code"], edge["type"]):
                raise Refusal(400, "400 Bad request - position[line_range] is invalid")

    def line_codes(
        self, old_path: str, new_path: str
    ) -> dict[tuple[int | None, int | None], tuple[str, str | None]]:
        """By (old line, new line), as a thread must name them: GitLab's code and type of a line."""
        name = hashlib.sha1(new_path.encode()).hexdigest()
        old = self.base.get(old_path, "").splitlines()
        new = self.files.get(new_path, "").splitlines()
        found: dict[tuple[int | None, int | None], tuple[str, str | None]] = {}
        for group in difflib.SequenceMatcher(None, old, new).get_grouped_opcodes(3):
            for tag, first, last, start, end in group:
                if tag == "equal":
                    for step in range(last - first):
                        a, b = first + step + 1, start + step + 1
                        found[a, b] = (f"{name}_{a}_{b}", None)
                    continue
                # Removed lines come first, so that the old count stands behind them.
                behind = last + 1 if old else 0
                for line in range(start + 1, end + 1):
                    found[None, line] = (f"{name}_{behind}_{line}", "new")
                for line in range(first + 1, last + 1):
                    found[line, None] = (f"{name}_{line}_{start + 1}", "old")
        return found

    # Everything else

    def set_status(self, user: User, commit: str, said: Said) -> Said:
        pipeline = said.get("pipeline_id")
        if pipeline is not None and self.pipelines.get(pipeline) != commit:
            raise Refusal(404, "404 Pipeline for pipeline_id, sha and ref Not Found")
        if user.level < DEVELOPER:
            raise Refusal(403, "403 Forbidden")
        for name in ("description", "target_url"):
            if len(said.get(name) or "") > MOST_STATUS_CHARACTERS:
                raise Refusal(400, {name: ["is too long (maximum is 255 characters)"]})
        self.statuses.append(said | {"sha": commit})
        return {
            "id": len(self.statuses), "sha": commit, "status": said["state"], "name": said["name"],
            "target_url": said.get("target_url"), "description": said.get("description"),
            "pipeline_id": pipeline, "author": user.said, "created_at": AT,
        }  # fmt: skip

    def award(self, user: User, note: int, name: str) -> Said:
        self.note(note)
        if (user.id, note, name) in self.awards:
            raise Refusal(404, "404 Award Emoji Name has already been taken Not Found")
        self.awards.append((user.id, note, name))
        return {"id": len(self.awards), "name": name, "user": user.said, "awardable_id": note}

    def member(self, id: int) -> Said:
        for user in self.users:
            if user.id == id and user.level:
                return user.said | {"state": user.state, "access_level": user.level}
        raise Refusal(404, "404 Not found")

    def create_issue(self, user: User, said: Said) -> Said:
        number = len(self.issues) + 1
        issue = {
            "id": 1000 + number, "iid": number, "state": "opened", "author": user.said,
            "web_url": f"https://gitlab.example.org/{self.path}/-/issues/{number}",
            "title": said["title"], "description": self._obeyed(said.get("description", "")),
        }  # fmt: skip
        self.issues.append(issue)
        return issue

    def update_issue(self, number: int, said: Said) -> Said:
        issue = self.issues[number - 1]
        if "description" in said:
            issue["description"] = self._obeyed(said["description"])
        issue["title"] = said.get("title", issue["title"])
        states = {"close": "closed", "reopen": "opened"}
        issue["state"] = states.get(said.get("state_event", ""), issue["state"])
        return issue
