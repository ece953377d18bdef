"""The parts of webhook payloads that are needed, GitHub's above all; all in them is hostile."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from mergegate.core.errors import UsageError
from mergegate.core.strict_json import strict_json
from mergegate.forges.variables import is_repository
from mergegate.sandbox.files.stage import read_regular
from mergegate.sandbox.git.names import is_branch, is_commit

_LARGEST_BYTES = 25 * 1024 * 1024
"""GitHub delivers no larger payload."""
_REMEDY = "GitHub's runner writes it; run `mergegate ci` inside a job, and do not overwrite it."


def _checked(fits: Callable[[str], bool], what: str) -> AfterValidator:
    def check(text: str) -> str:
        if not fits(text):
            raise ValueError(f"not {what}")
        return text

    return AfterValidator(check)


def _no_halves(text: str) -> str:
    """Half of a surrogate pair cannot be written down again."""
    return text.encode("utf-8", "replace").decode("utf-8")


Commit = Annotated[str, _checked(is_commit, "a full commit")]
Branch = Annotated[str, _checked(is_branch, "a branch's name")]
RepositoryName = Annotated[str, _checked(is_repository, "a repository's name")]
Number = Annotated[int, Field(gt=0, lt=2**63)]
Text = Annotated[str, AfterValidator(_no_halves)]


class Said(BaseModel):
    """The part of a payload that is needed."""

    model_config = ConfigDict(extra="ignore", strict=True, frozen=True, defer_build=True)


class Repo(Said):
    """A repository."""

    full_name: RepositoryName


class HomeRepo(Repo):
    """The repository that the event happened in."""

    default_branch: Branch


class Side(Said):
    """One side of a pull request."""

    sha: Commit
    ref: Branch
    repo: Repo | None
    """None when the fork has been deleted."""


class PullRequest(Said):
    """A pull request."""

    number: Number
    head: Side
    base: Side


class Edit(Said):
    """What an edit has changed: its former values."""

    base: dict[str, object] | None = None


class PullRequestEvent(Said):
    """``pull_request`` and its kin, such as ``pull_request_target``."""

    pull_request: PullRequest
    action: Text = ""
    changes: Edit | None = None

    @property
    def is_edited(self) -> bool:
        """Whether title or text were edited, and nothing that is scanned or measured from."""
        return self.action == "edited" and not (self.changes and self.changes.base)


class MergeGroup(Said):
    """What a merge queue would merge."""

    head_sha: Commit
    head_ref: str
    base_sha: Commit
    base_ref: str


class MergeGroupEvent(Said):
    """``merge_group``."""

    merge_group: MergeGroup


class PushEvent(Said):
    """``push``."""

    before: Commit
    ref: str
    repository: HomeRepo


class Issue(Said):
    """An issue, or the talk of a pull request."""

    number: Number
    pull_request: dict[str, Any] | None = None
    """Only there for a pull request."""


class IssueCommentEvent(Said):
    """``issue_comment``."""

    issue: Issue


class RunRef(Said):
    """A pull request that a run belongs to; none are listed for forks."""

    number: Number


class Run(Said):
    """A workflow run."""

    id: Number
    run_attempt: Number = 1
    head_sha: Commit
    head_branch: Branch | None
    head_repository: Repo | None
    event: Text
    conclusion: Text | None
    pull_requests: tuple[RunRef, ...] = Field((), strict=False)


class WorkflowRunEvent(Said):
    """``workflow_run``."""

    workflow_run: Run


class Deployed(Said):
    """What was deployed; ``ref`` may be a branch, a tag or a commit."""

    sha: Commit
    ref: Text


class DeploymentStatus(Said):
    """How far a deployment has come."""

    state: Text
    environment_url: Text | None = None
    """Where it can be seen; empty when the deployer does not say."""


class DeploymentStatusEvent(Said):
    """``deployment_status``."""

    deployment: Deployed
    deployment_status: DeploymentStatus


Payload = TypeVar("Payload", bound=Said)


def read(file: Path | None, kind: type[Payload]) -> Payload:
    """The event in the runner's file; raises UsageError when it is not what GitHub sends."""
    if file is None:
        raise UsageError("the variable GITHUB_EVENT_PATH is not set", remedy=_REMEDY)
    return parse(_content(file), kind)


def parse(content: bytes, kind: type[Payload]) -> Payload:
    """The event in ``content``; raises UsageError that names the field, never what it holds."""
    try:
        return kind.model_validate(_document(content))
    except ValidationError as error:
        mistake = error.errors(include_input=False, include_url=False)[0]
        where = ".".join(str(part) for part in mistake["loc"]) or "the document"
        what = mistake["msg"].removeprefix("Value error, ")
        raise UsageError(f"the event file: {where}: {what}", remedy=_REMEDY) from None


def _content(file: Path) -> bytes:
    try:
        content = read_regular(file, _LARGEST_BYTES + 1)
    except OSError as error:
        raise UsageError(
            f"the event file cannot be read: {error.strerror}", remedy=_REMEDY
        ) from error
    if len(content) > _LARGEST_BYTES:
        raise UsageError("the event file is larger than 25 MiB", remedy=_REMEDY)
    return content


def _document(content: bytes) -> Any:
    try:
        return strict_json(content)
    except ValueError as error:
        raise UsageError("the event file is not valid JSON", remedy=_REMEDY) from error
