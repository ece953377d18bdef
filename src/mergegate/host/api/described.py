"""What is said of an endpoint: by it requests are routed, and the reference is written."""

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import Response

from mergegate.core.plans import Scope
from mergegate.host.api.bodies import Body
from mergegate.host.api.problems import Code

Endpoint = Callable[[Request], Coroutine[Any, Any, Response]]
Answers = Mapping[int, tuple[type[BaseModel], ...]]
"""Status → what may stand in the body."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A parameter of the query or a header, all of them text."""

    name: str
    place: str = "query"
    about: str
    required: bool = False
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """One method of one path."""

    method: str
    path: str
    endpoint: Endpoint
    name: str
    """Of the operation, unique."""
    summary: str
    about: str = ""
    """Markdown."""
    tag: str
    scope: Scope | None = None
    """What the key must hold; None: no key is asked for."""
    body: type[Body] | None = None
    parameters: tuple[Parameter, ...] = ()
    answers: Answers = field(default_factory=dict)
    media_type: str = "application/json"
    codes: tuple[Code, ...] = ()
