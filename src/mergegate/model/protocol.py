"""What a model is asked and answers, whatever it is and wherever it runs."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from mergegate.core.errors import ModelError


@dataclass(frozen=True, slots=True)
class Question:
    """One request; raises ValueError for a schema that would let a reply grow without end."""

    purpose: str
    """What for, in a word, such as ``fix`` or ``summary``: for the receipt."""
    system: str
    """Our instruction."""
    text: str
    """What it is about. It may be a stranger's and may hold instructions of his."""
    schema: Mapping[str, Any]
    """JSON Schema of the answer, an object: each text has ``maxLength``, ``enum`` or ``const``,
    each list ``maxItems``, each object all that it may hold. Without such bounds small models run
    on under a grammar until their tokens are spent."""
    most_tokens: int
    """Tokens that the answer may take; what is longer is no answer."""

    def __post_init__(self) -> None:
        if self.schema.get("type") != "object":
            raise ValueError("an answer is an object")
        if endless := next(_endless(self.schema, "answer"), ""):
            raise ValueError(f"{endless} has no bound")


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model said; well formed, and nothing more is known of it."""

    value: Mapping[str, Any]
    """Fits the schema of the question."""
    tokens_in: int
    tokens_out: int
    model: str
    """As the provider names the one that answered."""


class Fault(StrEnum):
    """Why there is no answer."""

    UNREACHABLE = "unreachable"
    """Nobody answers, or not as an API does."""
    DENIED = "denied"
    """The key is not accepted."""
    UNKNOWN = "unknown"
    """There is no such model or address."""
    INVALID = "invalid"
    """The provider does not take such requests."""
    TOO_LONG = "too-long"
    """The question does not fit into the model."""
    OVERLOADED = "overloaded"
    """The provider has no capacity, or the account's is used up."""
    DECLINED = "declined"
    """The model, or a filter before it, does not want to answer."""
    TRUNCATED = "truncated"
    """The answer is cut off: it needs more tokens, or the connection ended."""
    TOO_LARGE = "too-large"
    """The answer has more bytes than are read."""
    TOO_SLOW = "too-slow"
    """The answer was not there in time."""
    MALFORMED = "malformed"
    """The answer is not what was asked for."""
    OVER_BUDGET = "over-budget"
    """Nothing was asked: tokens, calls, time or money are spent."""
    GIVEN_UP = "given-up"
    """Nothing was asked: the model failed too often in this scan."""

    @property
    def is_final(self) -> bool:
        """Whether the next question would end in the same way."""
        return self in {Fault.UNREACHABLE, Fault.DENIED, Fault.UNKNOWN, Fault.INVALID}


class NoAnswer(ModelError):
    """Why a model gave no answer, and what was spent on it."""

    def __init__(
        self, fault: Fault, what: str, *, remedy: str = "", tokens_in: int = 0, tokens_out: int = 0
    ) -> None:
        super().__init__(what, remedy=remedy)
        self.fault = fault
        self.tokens_in = tokens_in
        """As the provider counts; 0 where it did not say."""
        self.tokens_out = tokens_out


class Provider(Protocol):
    """A model behind an address, in a process of its own, or anywhere else."""

    @property
    def name(self) -> str:
        """Which model, for the receipt and the key of the cache: dialect, address and model."""
        ...

    def prepared(self, question: Question) -> bytes:
        """What would be sent, to the byte; nothing is."""
        ...

    def ready(self) -> None:
        """Raises NoAnswer within some seconds where nobody answers or the key is not accepted."""
        ...

    def ask(self, question: Question, within_s: float) -> Answer:
        """The answer, asked for once; raises NoAnswer."""
        ...


_BOUNDS = ("enum", "const", "maxLength")
_SCALARS = frozenset({"integer", "number", "boolean", "null"})


def _endless(schema: Mapping[str, Any], where: str) -> Iterator[str]:
    """Places in ``schema`` that a value may fill without end."""
    if not _is_bounded(schema):
        yield where
    for name, one in schema.get("properties", {}).items():
        yield from _endless(one, f"{where}.{name}")
    if "items" in schema:
        yield from _endless(schema["items"], f"{where}[]")
    for one in schema.get("anyOf", ()):
        yield from _endless(one, where)


def _is_bounded(schema: Mapping[str, Any]) -> bool:
    """Whether this alone, without what is in it, has an end."""
    match schema.get("type"):
        case "object":
            return schema.get("additionalProperties") is False
        case "array":
            return "maxItems" in schema and "items" in schema
        case kind:
            return "anyOf" in schema or kind in _SCALARS or any(one in schema for one in _BOUNDS)
