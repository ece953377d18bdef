"""What asking a model may cost: calls, tokens, time and money, of a scan and of a month.

All is reserved before a question is sent, as far as it can be estimated, and corrected afterwards:
a limit that is looked at afterwards has been broken already.
"""

import math
import threading
from dataclasses import dataclass
from typing import Protocol

from mergegate.core.errors import StoreError
from mergegate.model.protocol import Fault, NoAnswer

MICRO = 1_000_000
"""Money is counted in millionths: a price for a million tokens is as many millionths for one."""
_BYTES_PER_TOKEN = 3
"""Code has between three and four, and what was estimated is corrected afterwards."""


@dataclass(frozen=True, slots=True)
class Price:
    """In any currency, for a million tokens."""

    tokens_in: float
    tokens_out: float

    def of(self, tokens_in: int, tokens_out: int) -> int:
        """In millionths of it, rounded up."""
        return math.ceil(tokens_in * self.tokens_in + tokens_out * self.tokens_out)


@dataclass(frozen=True, slots=True)
class Allowance:
    """The most that may be used."""

    calls: int = 10
    """Questions of a scan, repeated ones included."""
    tokens_in: int = 6_000
    """The most that one question may have."""
    tokens_out: int = 1_000
    """The most that one answer may have."""
    thinking: int = 0
    """Tokens beside those of an answer: models that think aloud first have both under one limit."""
    tokens: int = 60_000
    """The most of a scan, questions and answers together."""
    call_s: float = 60.0
    """For one answer."""
    total_s: float = 180.0
    """For all answers of a scan together."""
    money: int | None = None
    """The most of a scan, in millionths; None: no limit but the others."""
    money_per_month: int | None = None
    """The most of a month, for all scans that share a data folder."""


class Month(Protocol):
    """Keeps what was spent in the running month, also by others."""

    def spend(self, money: int, most: int) -> bool:
        """Add ``money``, which may be negative, unless more than ``most`` is spent then.

        Whether it was added; a negative sum always is. Raises StoreError.
        """
        ...


@dataclass(frozen=True, slots=True)
class Reserved:
    """What one question may use; given back by :meth:`Budget.settle`."""

    tokens_in: int
    tokens_out: int
    seconds: float
    money: int


def estimated(body: bytes) -> int:
    """Tokens of a request."""
    return math.ceil(len(body) / _BYTES_PER_TOKEN)


class Budget:
    """What is left of an allowance; any thread may use it."""

    def __init__(
        self, allowance: Allowance, price: Price | None = None, month: Month | None = None
    ) -> None:
        self._allowance = allowance
        self._price = price
        self._month = month
        self._door = threading.Lock()
        self._calls = self._tokens = self._money = 0
        self._seconds = 0.0

    @property
    def money(self) -> int | None:
        """What was spent, in millionths; None where no price is known."""
        return None if self._price is None else self._money

    @property
    def thinking(self) -> int:
        """Tokens that are added to each answer's."""
        return self._allowance.thinking

    def reserve(self, tokens_in: int, tokens_out: int) -> Reserved:
        """Set the most that a question can need aside; raises NoAnswer where that is not left."""
        most = self._allowance
        with self._door:
            left_s = min(most.call_s, most.total_s - self._seconds)
            money = self._price.of(tokens_in, tokens_out) if self._price else 0
            self._must(tokens_in <= most.tokens_in, "the question is longer than one may be")
            self._must(
                tokens_out <= most.tokens_out + most.thinking, "the answer may become too long"
            )
            self._must(self._calls < most.calls, "all calls of a scan are used")
            total = self._tokens + tokens_in + tokens_out
            self._must(total <= most.tokens, "the tokens of a scan are used")
            self._must(left_s > 0, "the time of a scan for models is used")
            self._must(_within(self._money + money, most.money), "the money of a scan is used")
            self._must(self._paid(money), "the money of this month is used")
            self._calls += 1
            self._tokens += tokens_in + tokens_out
            self._seconds += left_s
            self._money += money
        return Reserved(tokens_in, tokens_out, left_s, money)

    def settle(self, held: Reserved, tokens_in: int, tokens_out: int, seconds: float) -> None:
        """Put what was used in the place of what was reserved."""
        money = self._price.of(tokens_in, tokens_out) if self._price else 0
        with self._door:
            self._tokens += tokens_in + tokens_out - held.tokens_in - held.tokens_out
            self._seconds += seconds - held.seconds
            self._money += money - held.money
            self._paid(money - held.money)

    @staticmethod
    def _must(holds: bool, otherwise: str) -> None:
        if not holds:
            raise NoAnswer(Fault.OVER_BUDGET, f"no model was asked: {otherwise}")

    def _paid(self, money: int) -> bool:
        """Whether the month has it; what cannot be counted is not spent."""
        most = self._allowance.money_per_month
        if self._month is None or most is None:
            return True
        try:
            return self._month.spend(money, most)
        except StoreError as error:
            raise NoAnswer(Fault.OVER_BUDGET, f"no model was asked: {error.what}") from error


def _within(money: int, most: int | None) -> bool:
    return most is None or money <= most
