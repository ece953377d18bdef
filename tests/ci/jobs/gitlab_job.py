"""A merge request on the stand-in of GitLab, with a real clone to scan."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from tests.ci.jobs.clones import CHEAP, REPOSITORY, Clone
from tests.conftest import Mergegate, Run
from tests.forges.gitlab_project import Project
from tests.forges.gitlab_stand_in import ADA, BOT, BOT_TOKEN, EVE, JOB_TOKEN, GitLab, running
from tests.forges.jobs import GITLAB_REQUEST

FIRST_PIPELINE = 1200


@dataclass
class Hosted(Project):
    """The project, whose commits are those of the clone."""

    path: str = REPOSITORY
    clone: Clone | None = None
    moved_to: str = ""
    """The head that somebody has pushed meanwhile."""

    @property
    def head(self) -> str:
        assert self.clone
        return self.moved_to or self.clone.head

    @property
    def refs(self) -> dict[str, Any]:
        assert self.clone
        fork = self.clone.fork
        return {"base_sha": fork, "start_sha": fork, "head_sha": self.head}


@dataclass
class MergeRequest:
    """The merge request, its clone, and the job that answers it."""

    site: GitLab
    project: Hosted
    clone: Clone
    mergegate: Mergegate
    pipelines: int = 0

    def push(self, files: Mapping[str, str]) -> str:
        return self.clone.push(files)

    def ci(self, *arguments: str, **environment: str) -> Run:
        """``mergegate ci`` in a new pipeline of the merge request."""
        self.pipelines += 1
        number = FIRST_PIPELINE + self.pipelines
        self.project.base = self.clone.files(self.clone.fork)
        self.project.files = self.clone.files("topic")
        self.project.pipelines[number] = self.clone.checked_out
        request = "refs/merge-requests/7/head"
        self.project.branches[number] = environment.get("CI_COMMIT_BRANCH", request)
        given = {**self._job(), "CI_PIPELINE_ID": str(number), **environment}
        return self.mergegate("ci", *CHEAP, *arguments, env=given, cwd=self.clone.outside)

    def _job(self) -> dict[str, str]:
        clone = self.clone
        return GITLAB_REQUEST | {
            "CI_API_V4_URL": self.site.api,
            "CI_COMMIT_SHA": clone.checked_out,
            "CI_JOB_TOKEN": JOB_TOKEN,
            "CI_MERGE_REQUEST_DIFF_BASE_SHA": clone.fork,
            "CI_MERGE_REQUEST_PROJECT_PATH": REPOSITORY,
            "CI_MERGE_REQUEST_SOURCE_PROJECT_PATH": REPOSITORY,
            "CI_MERGE_REQUEST_TITLE": "An honest title",
            "CI_PROJECT_DIR": str(clone.root),
            "CI_PROJECT_PATH": REPOSITORY,
            "MERGEGATE_REPORT": str(clone.report),
            "MERGEGATE_TOKEN": BOT_TOKEN,
        }

    @property
    def notes(self) -> list[str]:
        """Of ours on the merge request itself."""
        said = (one for one in self.project.notes if one["type"] is None and not one["system"])
        return [one["body"] for one in said if one["author"]["id"] == BOT.id]

    @property
    def threads(self) -> list[dict[str, Any]]:
        """The first notes of the threads on lines."""
        return [one["notes"][0] for one in self.project.discussions if not one["individual_note"]]

    @property
    def open_threads(self) -> int:
        return sum(not one["resolved"] for one in self.threads)

    @property
    def statuses(self) -> list[tuple[str, str]]:
        """Commit and state, in order."""
        return [(one["sha"], one["state"]) for one in self.project.statuses]


@contextmanager
def merge_request_of(clone: Clone, mergegate: Mergegate) -> Iterator[MergeRequest]:
    """In the end nothing was against GitLab's contract, and no text was obeyed."""
    project = Hosted(clone=clone, users=[BOT, ADA, EVE])
    site = GitLab(project=project)
    with running(site):
        yield MergeRequest(site, project, clone, mergegate)
    assert not site.offences
    assert not project.obeyed
