"""What the child of a worker is told and what it answers: one line of JSON each way."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from mergegate.core.change import Change
from mergegate.core.errors import Failed
from mergegate.core.plans import Tool
from mergegate.core.report import Target
from mergegate.host.scan import Done, Outcome
from mergegate.sandbox.git.clone import Wanted


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalRepository:
    """A repository as it lies on this machine, and what it is called where it came from."""

    tree: Path
    """Its files, with a ``.git`` of ours around them."""
    target: Target
    base: str | None = None
    """The commit that the change is measured from where it left it; its full name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerTarget:
    """Where the answer to a change goes, and which commits it is about by the forge's own word."""

    token: str = field(repr=False)
    api_url: str
    server_url: str
    head: str | None = None
    """None until the forge was asked."""
    base: str | None = None
    sequence: int
    """Grows from scan to scan, so that an older one never overwrites a newer."""

    def change(self, told: Change) -> Change:
        """What the delivery told, as it stands now."""
        return replace(told, head=self.head, base=self.base, sequence=self.sequence)


@dataclass(frozen=True, slots=True)
class ConsoleFacts:
    """What Search Console says of a page."""

    url: str
    """What it was asked about."""
    facts: Mapping[str, Any]
    """:class:`mergegate.site.seo.facts.SearchConsole`, field by field."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsoleQuestion:
    """Ask Search Console about a page; the answer is :attr:`ConsoleFacts.facts` as JSON."""

    key: str = field(repr=False)
    url: str
    proxy: str
    """The way out, which leads to Google alone."""
    google: str
    tokens: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanOrder:
    """Carry out one scan."""

    id: str
    tool: Tool
    request: Mapping[str, Any]
    """The validated body of the API; of a repository scan nothing of it is read."""
    created_at: str
    """When it was accepted, as results write it."""
    allow: tuple[str, ...] = ()
    """``HOST`` or ``HOST:PORT`` that this host's scans may reach beyond the public internet."""
    repository: LocalRepository | None = None
    """Present for a repository scan."""
    answering: AnswerTarget | None = None
    """Present for a change."""
    console: ConsoleFacts | None = None
    """Present for an SEO scan of an account that is connected with Search Console."""
    report: str | None = field(default=None, repr=False)
    """The scan of a change, as the API's JSON, by a child with neither token nor network."""
    failed: Failed | None = None
    """Why a change has no scan; ``CANCELLED`` when it was called off."""


Order = ScanOrder | Wanted | ConsoleQuestion
"""A scan, a repository that is to be fetched, or what Google is to be asked."""
_KINDS: Mapping[type, str] = {ScanOrder: "scan", Wanted: "fetch", ConsoleQuestion: "console"}


HELLO = b'{"order": "hello"}'
"""What a child answers with an empty result once it is ready for orders."""


def written(order: Order) -> bytes:
    """The line of an order, without its end."""
    return json.dumps({"order": _KINDS[type(order)], **asdict(order)}, default=str).encode()


def order_in(line: bytes) -> Order:
    """The order in a line that :func:`written` made; raises ValueError, TypeError or KeyError."""
    fields = json.loads(line)
    kind = fields.pop("order")
    if kind == "fetch":
        return Wanted(**fields | {"into": Path(fields["into"])})
    if kind == "console":
        return ConsoleQuestion(**fields)
    repository, answering, failed = fields["repository"], fields["answering"], fields["failed"]
    console = fields["console"]
    more = {
        "tool": Tool(fields["tool"]),
        "allow": tuple(fields["allow"]),
        "repository": _repository(repository) if repository else None,
        "answering": AnswerTarget(**answering) if answering else None,
        "console": ConsoleFacts(**console) if console else None,
        "failed": Failed(**failed) if failed else None,
    }
    return ScanOrder(**fields | more)


def answer(outcome: Outcome) -> bytes:
    """The line of an outcome, without its end."""
    if isinstance(outcome, Done):
        return json.dumps({"result": outcome.result}).encode()
    return json.dumps({"error": asdict(outcome)}).encode()


def outcome_in(line: bytes) -> Outcome:
    """The outcome in a line that :func:`answer` made; raises ValueError for any other."""
    match json.loads(line):
        case {"result": str(result)}:
            return Done(result)
        case {"error": {"code": str(code), "detail": str(detail), "result": str() | None as kept}}:
            return Failed(code, detail, kept)
    raise ValueError("this is no answer of a child")


def _repository(fields: Mapping[str, Any]) -> LocalRepository:
    return LocalRepository(
        tree=Path(fields["tree"]), target=Target(**fields["target"]), base=fields["base"]
    )
