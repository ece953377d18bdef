"""What Bitbucket Cloud answers, with the fields that are read here."""

from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from mergegate.core.errors import ForgeError


class _Said(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


_Shape = TypeVar("_Shape", bound=_Said)


class Account(_Said):
    """Somebody; ``uuid`` is the one name that cannot be chosen."""

    uuid: str = ""
    account_id: str | None = None


class _Content(_Said):
    raw: str = ""


class _Inline(_Said):
    path: str = ""


class _Resolution(_Said):
    type: str = ""
    user: Account | None = None


class _Parent(_Said):
    id: int


class _Comment(_Said):
    id: int
    content: _Content = _Content()
    user: Account | None = None
    """None when the account is gone."""
    inline: _Inline | None = None
    parent: _Parent | None = None
    deleted: bool = False
    pending: bool = False
    resolution: _Resolution | None = None


class _Author(_Said):
    user: Account | None = None
    """None where no account has the commit's address."""


class _Commit(_Said):
    hash: str = ""


class Authored(_Said):
    """A commit of a pull request, as far as it tells who wrote it."""

    author: _Author = _Author()


class _Named(_Said):
    name: str = ""


class _Repository(_Said):
    full_name: str = ""


class _Side(_Said):
    commit: _Commit | None = None
    """None when the branch's repository is gone."""
    branch: _Named | None = None
    repository: _Repository | None = None


class _Link(_Said):
    href: str = ""


class _Links(_Said):
    html: _Link = _Link()


class PullRequest(_Said):
    """A pull request, with the fields that are read here."""

    id: int = 0
    state: str = ""
    description: str | None = None
    source: _Side = _Side()
    destination: _Side = _Side()
    author: Account | None = None
    """None when the account is gone."""
    links: _Links = _Links()

    @property
    def head(self) -> str:
        """The last commit, which Bitbucket shortens to twelve digits here; empty when gone."""
        return self.source.commit.hash if self.source.commit else ""


class Permission(_Said):
    """What somebody may do in the repository."""

    permission: str = "none"
    user: Account | None = None


class Restriction(_Said):
    """What is not allowed on some branches."""

    kind: str = ""
    branch_match_kind: str = "glob"
    """``glob``, or ``branching_model``: then ``branch_type`` says which."""
    pattern: str = ""
    branch_type: str = ""


class _Kind(_Said):
    kind: str
    prefix: str


class BranchingModel(_Said):
    """What branches are called that a restriction names by their use."""

    branch_types: tuple[_Kind, ...] = ()
    development: _Named | None = None
    production: _Named | None = None

    def holds(self, use: str, name: str) -> bool:
        """Whether the branch called ``name`` has that use."""
        one = {"development": self.development, "production": self.production}.get(use)
        if one is not None:
            return one.name == name
        return any(each.kind == use and name.startswith(each.prefix) for each in self.branch_types)


class BranchTip(_Said):
    """A branch."""

    target: _Commit


class MadeCommit(_Said):
    """A commit, as far as it tells what it stands on."""

    parents: tuple[_Commit, ...] = ()
    links: _Links = _Links()


class Home(_Said):
    """A repository."""

    mainbranch: _Named | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """A comment on a pull request, by any author."""

    id: int
    author: str
    """UUID; empty when the account is gone."""
    body: str
    inline: bool
    """Whether it stands on lines."""
    answer: bool
    """Whether it answers another comment."""
    resolved: bool
    resolved_by: str
    """UUID; empty when it is not resolved, or by an account that is gone."""


def comment(said: dict[str, Any]) -> Remembered | None:
    """The comment in ``said``; None when it is deleted or a draft. Raises ForgeError."""
    shape = read(_Comment, said, "a comment")
    if shape.deleted or shape.pending:
        return None
    resolution = shape.resolution
    if resolution == _Resolution():
        # An empty object says nothing: taken for open, the worst is a refused second resolving.
        resolution = None
    return Remembered(
        id=shape.id,
        author=shape.user.uuid if shape.user else "",
        body=shape.content.raw,
        inline=shape.inline is not None,
        answer=shape.parent is not None,
        resolved=resolution is not None,
        resolved_by=resolution.user.uuid if resolution and resolution.user else "",
    )


def read(shape: type[_Shape], said: dict[str, Any], what: str) -> _Shape:
    """``said`` as a ``shape``; raises ForgeError."""
    try:
        return shape.model_validate(said)
    except ValidationError as error:
        raise ForgeError(f"Bitbucket's answer for {what} has an unknown shape") from error
