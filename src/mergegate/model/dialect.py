"""What differs between the APIs of models: one of these for each."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from mergegate.core.data_table import read_table
from mergegate.model.protocol import Answer, Question
from mergegate.model.reply import Reply


@dataclass(frozen=True, slots=True)
class Vendor:
    """What a host wants otherwise than most servers of its API."""

    host: str
    limit: str = "max_tokens"
    """The parameter that limits the tokens of an answer."""
    temperature: bool = True
    """Whether it takes a temperature."""


_VENDORS = read_table(Path(__file__).with_name("vendors.toml"), Vendor, "host")


def vendor(host: str) -> Vendor:
    """What is known of ``host``."""
    return _VENDORS.get(host, Vendor(host))


class Requested(Protocol):
    """Makes the body of a request."""

    def __call__(self, question: Question, model: str, vendor: Vendor) -> bytes:
        """The same bytes for the same question."""
        ...


@dataclass(frozen=True, slots=True)
class Dialect:
    """An API of models, as pure functions between questions and bytes."""

    name: str
    path: str
    """Where questions are posted, below the base address."""
    models: str
    """Where its models are listed: any answer shows that somebody is there."""
    usual_base: str
    """The base address of the vendor whose API it is."""
    headers: Callable[[str], Mapping[str, str]]
    """Headers that carry a key."""
    request: Requested
    answer: Callable[[Reply, Question], Answer]
    """What a reply says; raises NoAnswer."""
    last: bytes
    """The line after which a stream holds nothing more, though it may stay open."""
