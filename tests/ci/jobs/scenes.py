"""One change on each of the three forges behind one set of words, for what must hold on all."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import pytest

from mergegate.forges.marker import Hiding
from tests.ci.jobs.bitbucket_job import PullRequest
from tests.ci.jobs.clones import WEAK_LINE
from tests.ci.jobs.conftest import Pull
from tests.ci.jobs.gitlab_job import MergeRequest
from tests.ci.jobs.meeting import meeting
from tests.conftest import Run
from tests.forges.bitbucket.server import Handler
from tests.forges.bitbucket.stand_in import PERSON as ALICE
from tests.forges.github.hub import NUMBER
from tests.forges.github.hub import PERSON as MALLORY
from tests.forges.gitlab_stand_in import EVE
from tests.sandbox.git.test_repository import git

ELSEWHERE = "f" * 40
"""A commit that the job does not have."""
_COMMENTS = f"/issues/{NUMBER}/comments"


class Scene(Protocol):
    """A change, its clone, and the job that answers it."""

    hiding: Hiding

    @property
    def root(self) -> Path:
        """The work tree."""
        ...

    def push(self, files: Mapping[str, str]) -> str:
        """A commit on the change; its name."""
        ...

    def ci(self, *arguments: str, **environment: str) -> Run:
        """``mergegate ci`` in a new run."""
        ...

    def call(self, branch: str, title: str = "") -> None:
        """Name the branch and the change otherwise."""
        ...

    def move_on(self) -> None:
        """Somebody pushes while the job runs."""
        ...

    def stranger_says(self, comment: str, remark: str) -> None:
        """Somebody else writes below the change and beside its line of ``app.yaml``."""
        ...

    def meet_before_writing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Two runs that are about to write a comment wait for each other."""
        ...

    @property
    def comments(self) -> list[str]:
        """Ours, on the change itself."""
        ...

    @property
    def remarks(self) -> list[str]:
        """Ours, on lines."""
        ...

    @property
    def by_strangers(self) -> list[str]: ...

    @property
    def judged(self) -> list[str]:
        """The commits that have a verdict."""
        ...

    @property
    def plain(self) -> str:
        """All else that was said, as JSON: checks, annotations, statuses, reports."""
        ...

    @property
    def written(self) -> int:
        """How often a new comment was written on the change itself."""
        ...


@dataclass
class OnGitHub:
    pull: Pull
    branch: str = "topic"
    title: str = ""
    hiding: Hiding = Hiding.HTML

    @property
    def root(self) -> Path:
        return self.pull.root

    def push(self, files: Mapping[str, str]) -> str:
        for name in files:
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
        return self.pull.push(dict(files))

    def ci(self, *arguments: str, **environment: str) -> Run:
        event = self.pull.event()["pull_request"]
        event["head"]["sha"] = self.pushed
        event |= {"title": self.title, "head": event["head"] | {"ref": self.branch}}
        return self.pull.ci(*arguments, environment=environment, pull_request=event)

    def call(self, branch: str, title: str = "") -> None:
        self.branch, self.title = branch, title

    @property
    def pushed(self) -> str:
        return git(self.root, "rev-parse", "refs/heads/topic")

    def move_on(self) -> None:
        self.pull.hub.head = ELSEWHERE

    def stranger_says(self, comment: str, remark: str) -> None:
        hub = self.pull.hub
        hub.comments.append({"id": 1, "body": comment, "user": MALLORY.said})
        first = {"id": "PRRC_1", "databaseId": 1, "body": remark, "author": MALLORY}
        place = {"place": ("app.yaml", WEAK_LINE, WEAK_LINE), "comments": [first]}
        hub.threads.append({"id": "PRRT_1", "isResolved": False, "resolvedBy": None, **place})

    def meet_before_writing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        del monkeypatch
        self.pull.hub.interludes.append((r"^POST \S+/issues/\d+/comments$", meeting()))

    @property
    def comments(self) -> list[str]:
        said = self.pull.hub.comments
        return [one["body"] for one in said if one["user"]["id"] != MALLORY.id]

    @property
    def remarks(self) -> list[str]:
        return [one["body"] for one in self._firsts() if one["author"] != MALLORY]

    @property
    def by_strangers(self) -> list[str]:
        said = self.pull.hub.comments
        comments = [one["body"] for one in said if one["user"]["id"] == MALLORY.id]
        return comments + [one["body"] for one in self._firsts() if one["author"] == MALLORY]

    def _firsts(self) -> list[dict[str, Any]]:
        return [one["comments"][0] for one in self.pull.hub.threads]

    @property
    def judged(self) -> list[str]:
        return [one["head_sha"] for one in self.pull.hub.runs]

    @property
    def plain(self) -> str:
        return json.dumps(self.pull.hub.runs)

    @property
    def written(self) -> int:
        return sum(line.startswith("POST") and _COMMENTS in line for line in self.pull.hub.log)


@dataclass
class OnGitLab:
    request: MergeRequest
    branch: str = "topic"
    title: str = ""
    hiding: Hiding = Hiding.HTML

    @property
    def root(self) -> Path:
        return self.request.clone.root

    def push(self, files: Mapping[str, str]) -> str:
        return self.request.push(files)

    def ci(self, *arguments: str, **environment: str) -> Run:
        named = {"CI_MERGE_REQUEST_SOURCE_BRANCH_NAME": self.branch}
        titled = {"CI_MERGE_REQUEST_TITLE": self.title, "CI_COMMIT_TITLE": self.title}
        return self.request.ci(*arguments, **named, **titled, **environment)

    def call(self, branch: str, title: str = "") -> None:
        self.branch, self.title = branch, title

    def move_on(self) -> None:
        self.request.project.moved_to = ELSEWHERE

    def stranger_says(self, comment: str, remark: str) -> None:
        project = self.request.project
        project.write(EVE, comment)
        place = {"old_path": "app.yaml", "new_path": "app.yaml", "new_line": WEAK_LINE}
        project.discuss(EVE, remark, {"position_type": "text", **project.refs, **place})

    def meet_before_writing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        del monkeypatch
        post = ("POST", r"/merge_requests/\d+/notes$", meeting())
        self.request.site.before += [post, post]

    @property
    def comments(self) -> list[str]:
        return self.request.notes

    @property
    def remarks(self) -> list[str]:
        return [one["body"] for one in self.request.threads if one["author"]["id"] != EVE.id]

    @property
    def by_strangers(self) -> list[str]:
        said = self.request.project.notes
        return [one["body"] for one in said if one["author"]["id"] == EVE.id]

    @property
    def judged(self) -> list[str]:
        return [commit for commit, _ in self.request.statuses]

    @property
    def plain(self) -> str:
        return json.dumps(self.request.project.statuses)

    @property
    def written(self) -> int:
        return self.request.site.count("POST", r"/merge_requests/\d+/notes$")


@dataclass
class OnBitbucket:
    request: PullRequest
    branch: str = "topic"
    hiding: Hiding = Hiding.REFERENCE

    @property
    def root(self) -> Path:
        return self.request.clone.root

    def push(self, files: Mapping[str, str]) -> str:
        return self.request.push(files)

    def ci(self, *arguments: str, **environment: str) -> Run:
        return self.request.ci(*arguments, BITBUCKET_BRANCH=self.branch, **environment)

    def call(self, branch: str, title: str = "") -> None:
        """Pipelines tell no title."""
        self.branch = branch

    def move_on(self) -> None:
        self.request.moved_to = ELSEWHERE

    def stranger_says(self, comment: str, remark: str) -> None:
        site = self.request.site
        site.comment(ALICE, comment)
        site.comment(ALICE, remark, inline={"path": "app.yaml", "to": WEAK_LINE})

    def meet_before_writing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        meet = meeting()

        def post(handler: Handler) -> None:
            if re.search(r"/pullrequests/\d+/comments$", handler.path):
                meet()
            handler._answer()

        monkeypatch.setattr(Handler, "do_POST", post)

    @property
    def comments(self) -> list[str]:
        return self.request.comments

    @property
    def remarks(self) -> list[str]:
        threads = (one for one in self.request.threads if one["user"]["uuid"] != ALICE.uuid)
        return [one["content"]["raw"] for one in threads]

    @property
    def by_strangers(self) -> list[str]:
        standing = self.request.site.standing()
        return [one["content"]["raw"] for one in standing if one["user"]["uuid"] == ALICE.uuid]

    @property
    def judged(self) -> list[str]:
        return list(self.request.site.reports)

    @property
    def plain(self) -> str:
        site = self.request.site
        return json.dumps([site.reports, dict(site.annotations), site.statuses])

    @property
    def written(self) -> int:
        posts = (one for one in self.request.site.exchanges if one.method == "POST")
        return sum(one.path.endswith("/comments") and "inline" not in one.sent for one in posts)
