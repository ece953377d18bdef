"""The bodies that the API takes, and the scans that they ask for.

Bodies are strict, so that a typing error never starts another scan.

Addresses are refused here before anything is queued or counted, as far as that can be told without
asking anyone; a name that leads inward, or a redirect that does, is found out by the scan's proxy.
"""

import datetime as dt
import json
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Any, Literal, TypeVar
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    AliasGenerator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
)
from pydantic.alias_generators import to_camel

from mergegate.core.errors import UsageError
from mergegate.core.plans import PREFIXES, Lane, Tool
from mergegate.core.web_address import DEFAULT_PORTS
from mergegate.host.api.problems import Code, Mistake, Refusal, invalid, invalid_request
from mergegate.sandbox.egress.destination import Refused, destination
from mergegate.sandbox.egress.policy import Policy
from mergegate.sandbox.git.names import is_branch, is_commit
from mergegate.site.address import LONGEST, registered, site_address
from mergegate.site.audit import budget as budget_format
from mergegate.site.audit.wire.budget import BudgetOut
from mergegate.site.level import RANDOM_BYTES, identifier
from mergegate.site.seo.keywords import keywords_of

_OWNER = r"^[A-Za-z0-9_][A-Za-z0-9_.\-]{0,99}(/[A-Za-z0-9_][A-Za-z0-9_.\-]{0,99}){0,20}$"
_REPO = r"^[A-Za-z0-9_.\-]{0,99}[A-Za-z0-9_\-][A-Za-z0-9_.\-]{0,99}$"
_LONGEST_REPO = 100
_SHA = r"^[0-9a-f]{40}([0-9a-f]{24})?$"
_LONGEST_NAME = 255
_KEYWORDS = r"^[^,]{0,100}(,[^,]{0,100}){0,9}$"
_NO_LETTER = r"\x00-\x20\x7f-\x9f~^:?*\[\\"
_BRANCH = rf"^(?![-/.])(?!.*(\.\.|@\{{|//|/\.))[^{_NO_LETTER}]*[^{_NO_LETTER}/.]$"
"""The reference says so; what decides is how Git reads a name (``sandbox.git.names``)."""
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


BODIES: Mapping[Tool, type[Body]] = MappingProxyType(
    {
        Tool.REPOSITORY: RepositoryScanBody,
        Tool.SEO: SeoBody,
        Tool.AUDIT: AuditBody,
        Tool.BROWSER_TEST: PageBody,
        Tool.SECURITY_SCAN: PageBody,
    }
)
"""The body of each tool's POST; a tool that is not here is not for clients."""
_ADDRESSES = ("url", "competitorUrl")
_LANES = {Tool.REPOSITORY: Lane.REPOSITORY, Tool.SEO: Lane.LIGHT}
_MOST_MISTAKES, _MOST_PARTS, _LONGEST_PART = 20, 6, 40
B = TypeVar("B", bound=Body)
_SCHEME = re.compile(r"\s*([A-Za-z][A-Za-z0-9+.-]*):")


@dataclass(frozen=True, slots=True)
class ScanRequest:
    """A scan that is not accepted yet."""

    tool: Tool
    lane: Lane
    request: str
    """Canonical JSON."""
    joinable: bool = True
    """Whether a waiting scan with the same request may stand for it."""
    site: str | None = None
    """The site that a cooldown counts for; None where there is no cooldown."""


def scan_request(tool: Tool, document: object, policy: Policy) -> ScanRequest:
    """The scan that ``document``, a body of ``tool``'s POST, asks for.

    Raises Refusal for a body that is not valid, and for an address that no scan may visit.
    """
    fields = checked(document, BODIES[tool]).fields()
    for name in _ADDRESSES:
        if name in fields:
            fields[name] = target(fields[name], name, policy)
    lane = Lane.BROWSER if fields.get("renderJs") else _LANES.get(tool, Lane.WAITED)
    if tool is Tool.AUDIT:  # each is a measurement of its own, and counts as one
        return ScanRequest(tool, lane, canonical(fields), False, site_of(fields["url"]))
    return ScanRequest(tool, lane, canonical(fields))


def checked(document: object, shape: type[B]) -> B:
    """``document`` as ``shape``; raises Refusal, which names every field at fault."""
    if not isinstance(document, dict):
        raise invalid("", "the body is no JSON object")
    _check_version(document, shape)
    try:
        return shape.model_validate(document)
    except ValidationError as error:
        raise invalid_request(_mistakes(error)) from None


def _check_version(document: Mapping[str, object], shape: type[Body]) -> None:
    """Refuse a budget of another version, which has a code of its own."""
    budget = document.get("budget")
    if "budget" not in shape.model_fields or not isinstance(budget, dict):
        return
    version = budget.get("version")
    if isinstance(version, bool):  # which equals 1, and would pass for it
        raise invalid("budget.version", "input should be a number")
    if isinstance(version, int | float) and version != budget_format.VERSION:
        raise Refusal(
            Code.UNSUPPORTED_BUDGET_VERSION,
            f"Budgets of version {budget_format.VERSION} alone are read here; save it anew.",
        )


def _mistakes(error: ValidationError) -> list[Mistake]:
    found = error.errors(include_input=False, include_url=False, include_context=False)
    return [Mistake(_where(one["loc"]), _what(one["msg"])) for one in found[:_MOST_MISTAKES]]


def _where(parts: tuple[int | str, ...]) -> str:
    """The path of a field, in short plain ASCII: the name of an unknown one may be hostile."""
    return ".".join(ascii(str(one)[:_LONGEST_PART]).strip("'\"") for one in parts[:_MOST_PARTS])


def _what(message: str) -> str:
    text = message.removeprefix("Value error, ")
    return text[:1].lower() + text[1:]


def new_id(tool: Tool, now: dt.datetime) -> str:
    """A new identifier, which cannot be guessed and sorts by time."""
    return identifier(PREFIXES[tool], now, secrets.token_bytes(RANDOM_BYTES))


def target(text: str, field: str, policy: Policy) -> str:
    """The one spelling of an address; raises Refusal. ``field`` is where it stands in the body."""
    scheme = _SCHEME.match(text)
    if scheme is None:
        raise invalid(field, "it is no address that begins with http:// or https://")
    if scheme[1].lower() not in DEFAULT_PORTS:
        raise _refused(field, "its scheme is neither http nor https")
    try:
        address = site_address(text)
        parts = urlsplit(address)
        policy.admits(destination(parts.hostname or "", parts.port or DEFAULT_PORTS[parts.scheme]))
    except UsageError as error:
        raise _refused(field, error.what.rpartition(": ")[2]) from None
    except Refused as refused:
        raise _refused(field, refused.reason) from None
    return address


def site_of(address: str) -> str:
    """The registrable domain of an address in its one spelling: ``example.co.uk``."""
    return registered(urlsplit(address).hostname or "")


def _refused(field: str, why: str) -> Refusal:
    told = Mistake(field, f"the address is refused: {why}")
    return Refusal(Code.TARGET_NOT_ALLOWED, f"The address is refused: {why}.", mistakes=[told])
