"""The bodies that the API takes: strict, so that a typing error never starts another scan."""

import json
from typing import Annotated, Any, Literal, TypeVar

from pydantic import (
    AfterValidator,
    AliasGenerator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
)
from pydantic.alias_generators import to_camel

from mergegate.core.errors import UsageError
from mergegate.sandbox.git.repository import is_branch, is_commit
from mergegate.site.address import LONGEST
from mergegate.site.audit.wire.budget import BudgetOut
from mergegate.site.seo.run import keywords_of

_OWNER = r"^[A-Za-z0-9_][A-Za-z0-9_.\-]{0,99}(/[A-Za-z0-9_][A-Za-z0-9_.\-]{0,99}){0,20}$"
_REPO = r"^[A-Za-z0-9_.\-]{0,99}[A-Za-z0-9_\-][A-Za-z0-9_.\-]{0,99}$"
_LONGEST_REPO = 100
_SHA = r"^[0-9a-f]{40}([0-9a-f]{24})?$"
_LONGEST_NAME = 255
_KEYWORDS = r"^[^,]{0,100}(,[^,]{0,100}){0,9}$"
_NO_LETTER = r"\x00-\x20\x7f-\x9f~^:?*\[\\"
_BRANCH = rf"^(?![-/.])(?!.*(\.\.|@\{{|//|/\.))[^{_NO_LETTER}]*[^{_NO_LETTER}/.]$"
"""The reference says so; what decides is how Git reads a name (``sandbox.git.repository``)."""
_ADDRESS = (
    r"^[Hh][Tt][Tt][Pp][Ss]?://"
    r"([A-Za-z0-9]([A-Za-z0-9\-]{0,20}[A-Za-z0-9])?\.){1,4}[A-Za-z]{2,10}\.?"
    r"(/[A-Za-z0-9._~!$&'()*+,;=:@%\-]{0,200}){0,8}$"
)
"""What the reference promises; names beyond ASCII, queries and allowed ports are taken too."""
T = TypeVar("T")


def _not_null(value: object) -> object:
    if value is None:
        raise ValueError("leave the field out instead of null")
    return value


def _not_nullable(schema: dict[str, Any]) -> None:
    """A field that is left out has no value: the schema says nothing of the null inside."""
    schema.pop("default", None)
    kept = [one for one in schema.pop("anyOf", ()) if one != {"type": "null"}]
    for one in kept:
        schema |= {name: value for name, value in one.items() if name not in schema}


Optional_ = Annotated[T | None, BeforeValidator(_not_null)]
"""A field that may be left out, and is never null."""


def _left_out(description: str, **more: Any) -> Any:
    return Field(default=None, description=description, json_schema_extra=_not_nullable, **more)


def _branch(name: str) -> str:
    if not is_branch(name):
        raise ValueError("no branch can be called that")
    return name


def _plain_name(name: str) -> str:
    """Refuse dots that lead up a folder, and the ending ``.git``, which Git hosts cut off."""
    if any(part in {".", ".."} or part.endswith(".git") for part in name.split("/")):
        raise ValueError("no repository can be called that")
    return name


def _reference(name: str) -> str:
    return name if is_commit(name) else _branch(name)


def _keywords(text: str) -> str:
    try:
        keywords_of([text])
    except UsageError as error:
        raise ValueError(error.what) from error
    return text


def _whole(value: Any) -> Any:
    """Turn ``1.0`` into 1: a whole number to JSON, and a float to Python."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {name: _whole(held) for name, held in value.items()}
    return value


class Body(BaseModel):
    """A request's body; a field that is not declared is refused."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        strict=True,
        alias_generator=AliasGenerator(serialization_alias=to_camel, validation_alias=to_camel),
    )

    def fields(self) -> dict[str, Any]:
        """The fields as they were sent, without those that were left out."""
        return self.model_dump(mode="json", by_alias=True, exclude_none=True)


_NAMED = Field(min_length=1, max_length=_LONGEST_NAME, json_schema_extra={"pattern": _BRANCH})
Address = Annotated[
    str,
    Field(
        min_length=1,
        max_length=LONGEST,
        description="http or https, on the usual ports, of a public host.",
        json_schema_extra={"pattern": _ADDRESS},
        examples=["https://example.org/"],
    ),
]


class RepositoryScanBody(Body):
    """POST /api/repo/scan."""

    owner: Annotated[
        str,
        Field(
            max_length=_LONGEST_NAME,
            pattern=_OWNER,
            description="Organization or user; subgroups of GitLab after slashes.",
            examples=["octo-org"],
        ),
        AfterValidator(_plain_name),
    ]
    repo: Annotated[
        str,
        Field(
            pattern=_REPO,
            max_length=_LONGEST_REPO,
            description="Name of the repository.",
            examples=["hello"],
        ),
        AfterValidator(_plain_name),
    ]
    branch: Optional_[Annotated[str, _NAMED, AfterValidator(_branch)]] = _left_out(
        "Default: the default branch of the repository.", examples=["main"]
    )
    provider: Optional_[Literal["github", "gitlab", "bitbucket"]] = _left_out(
        "Needed only if the account has more than one connection."
    )
    commit: Optional_[
        Annotated[str, Field(pattern=_SHA, description="The full name of a commit.")]
    ] = _left_out("Scan this commit on the branch instead of its tip.")
    base: Optional_[Annotated[str, _NAMED, AfterValidator(_reference)]] = _left_out(
        "A branch or a commit to compare with: what is new against it, and what fixed."
    )


class SeoBody(Body):
    """POST /api/seo-optimizer."""

    url: Address
    keyword: Optional_[Annotated[str, Field(pattern=_KEYWORDS), AfterValidator(_keywords)]] = (
        _left_out("At most ten keywords, comma separated.", examples=["green tea, sencha"])
    )
    competitor_url: Optional_[Address] = _left_out(
        "A second page, compared in the same report.", examples=["https://example.com/"]
    )
    render_js: Optional_[bool] = _left_out(
        "Open the page in a browser first: slower, and sees what scripts bring. Default: false."
    )


class AuditBody(Body):
    """POST /api/audit."""

    url: Address
    budget: Annotated[Optional_[BudgetOut], BeforeValidator(_whole)] = _left_out(
        "A `perfBudget` saved from an earlier audit."
    )


class PageBody(Body):
    """POST /api/browser-test and POST /api/security-scan."""

    url: Address


def canonical(fields: dict[str, Any]) -> str:
    """One spelling of a request: sorted keys, no spaces, ASCII."""
    return json.dumps(fields, sort_keys=True, separators=(",", ":"), allow_nan=False)
