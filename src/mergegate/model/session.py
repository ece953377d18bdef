"""The one thing that a caller needs: ask a question, within limits, and say what was sent.

    with open.session(…) as model:
        try:
            answer = model.ask(question)
        except NoAnswer as error:      # always to be expected; the report says why
            …
        report.model = model.receipt

What is asked passes the redactor first. An answer is well formed and nothing more: its user has to
check every word of it. No model, slow, dead or hostile, makes anything else be raised.
"""

import hashlib
import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from mergegate.model.budget import Budget, Reserved, estimated
from mergegate.model.protocol import Answer, Fault, NoAnswer, Provider, Question
from mergegate.model.reply import fitting

BREAKS_AFTER = 3
"""Failures one after another."""
AT_ONCE = 2
"""Questions that wait for their answers."""
_KEPT_UNDER = "model answer 1"
"""Raised when answers are kept otherwise."""
_OF_THE_QUESTION = frozenset({Fault.DECLINED, Fault.TOO_LONG, Fault.OVER_BUDGET, Fault.GIVEN_UP})
"""Such faults tell nothing of the next question."""
_COSTLY = frozenset({Fault.TOO_SLOW, Fault.TOO_LARGE, Fault.TRUNCATED, Fault.MALFORMED})
"""The model has worked: where it does not say how much, all that was reserved is spent."""

Redact = Callable[[str], str]
"""Takes secrets out of a text; what knows them is of another street, and handed in."""


class Memory(Protocol):
    """Keeps answers between scans; a lost one costs a call."""

    def recall(self, keys: Sequence[str]) -> Mapping[str, bytes]:
        """The values known under ``keys``."""
        ...

    def remember(self, values: Mapping[str, bytes]) -> None:
        """Keep ``values``."""
        ...


@dataclass(frozen=True, slots=True)
class Sent:
    """One request that left."""

    purpose: str
    digest: str
    """SHA-256 of the body."""
    body: bytes = field(repr=False)
    """To the byte, without the key, which stands in a header."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a scan asked a model, and what came of it."""

    model: str
    """Dialect, address and model."""
    sent: tuple[Sent, ...] = ()
    """In the order of their beginning."""
    answered: int = 0
    reused: int = 0
    """Answers that an earlier scan had kept: nothing was sent for them."""
    tokens_in: int = 0
    tokens_out: int = 0
    money: int | None = None
    """In millionths of the currency of the prices; None where these are not known."""
    faults: Mapping[Fault, int] = field(default_factory=dict)
    """Questions without an answer, by why."""

    @property
    def bytes_sent(self) -> int:
        """Bodies alone."""
        return sum(len(one.body) for one in self.sent)


class Session:
    """The model of one scan; any thread may ask."""

    def __init__(
        self,
        provider: Provider,
        budget: Budget,
        *,
        redact: Redact,
        memory: Memory | None = None,
        at_once: int = AT_ONCE,
    ) -> None:
        self._provider = provider
        self._budget = budget
        self._redact = redact
        self._memory = memory
        self._turns = threading.Semaphore(at_once)
        self._door = threading.Lock()
        self._first = threading.Lock()
        self._is_ready = False
        self._failures = 0
        self._receipt = Receipt(provider.name)
        self._faults = Counter[Fault]()

    @property
    def receipt(self) -> Receipt:
        """What happened so far."""
        with self._door:
            return replace(self._receipt, money=self._budget.money, faults=dict(self._faults))

    def prompt(self, question: Question) -> str:
        """Exactly what :meth:`ask` would send; nothing is sent."""
        return self._provider.prepared(self._redacted(question)).decode("utf-8")

    def ask(self, question: Question) -> Answer:
        """The answer; raises NoAnswer, and within the budget's time."""
        try:
            return self._asked(self._redacted(question))
        except NoAnswer as error:
            with self._door:
                self._faults[error.fault] += 1
            raise

    def _asked(self, question: Question) -> Answer:
        body = self._provider.prepared(question)
        key = hashlib.sha256(f"{_KEPT_UNDER} {self._provider.name}\0".encode() + body).hexdigest()
        if known := self._recalled(key, question):
            return known
        with self._turns:
            self._must_stand()
            self._must_be_ready()
            answer = self._tried(question, body)
        self._keep(key, answer)
        return answer

    def _tried(self, question: Question, body: bytes) -> Answer:
        """Once, and once more where it was not understood; one failure of the two counts."""
        try:
            try:
                answer = self._sent(question, body)
            except NoAnswer as error:
                if error.fault is not Fault.MALFORMED:
                    raise
                answer = self._sent(question, body)
        except NoAnswer as error:
            self._count(error.fault)
            raise
        with self._door:
            self._failures = 0
            self._receipt = replace(self._receipt, answered=self._receipt.answered + 1)
        return answer

    def _count(self, fault: Fault) -> None:
        with self._door:
            if fault.is_final:
                self._failures = BREAKS_AFTER
            elif fault not in _OF_THE_QUESTION:
                self._failures += 1

    def _must_stand(self) -> None:
        with self._door:
            if self._failures >= BREAKS_AFTER:
                raise NoAnswer(Fault.GIVEN_UP, "no model was asked: it failed before in this scan")

    def _must_be_ready(self) -> None:
        """Looks whether it answers at all: that takes less than a question that hangs."""
        with self._first:
            if self._is_ready:
                return
            self._must_stand()
            try:
                self._provider.ready()
            except NoAnswer:
                with self._door:
                    self._failures = BREAKS_AFTER
                raise
            self._is_ready = True

    def _sent(self, question: Question, body: bytes) -> Answer:
        held = self._budget.reserve(estimated(body), question.most_tokens)
        one = Sent(question.purpose, hashlib.sha256(body).hexdigest(), body)
        with self._door:
            self._receipt = replace(self._receipt, sent=(*self._receipt.sent, one))
        started = time.monotonic()
        try:
            answer = self._provider.ask(question, held.seconds)
        except NoAnswer as error:
            self._failed(error, held, time.monotonic() - started)
            raise
        self._used(held, answer.tokens_in, answer.tokens_out, time.monotonic() - started)
        return answer

    def _failed(self, error: NoAnswer, held: Reserved, seconds: float) -> None:
        spent = (error.tokens_in, error.tokens_out)
        if not any(spent) and error.fault in _COSTLY:
            spent = (held.tokens_in, held.tokens_out)
        self._used(held, *spent, seconds)

    def _used(self, held: Reserved, tokens_in: int, tokens_out: int, seconds: float) -> None:
        self._budget.settle(held, tokens_in, tokens_out, seconds)
        with self._door:
            self._receipt = replace(
                self._receipt,
                tokens_in=self._receipt.tokens_in + tokens_in,
                tokens_out=self._receipt.tokens_out + tokens_out,
            )

    def _redacted(self, question: Question) -> Question:
        """As it leaves: without secrets, and with room to think."""
        return replace(
            question,
            system=self._redact(question.system),
            text=self._redact(question.text),
            schema=self._without_secrets(question.schema),
            most_tokens=question.most_tokens + self._budget.thinking,
        )

    def _without_secrets(self, value: Any) -> Any:
        """A schema may hold texts of the code too, as values to choose from."""
        if isinstance(value, str):
            return self._redact(value)
        if isinstance(value, Mapping):
            return {key: self._without_secrets(one) for key, one in value.items()}
        if isinstance(value, list | tuple):
            return [self._without_secrets(one) for one in value]
        return value

    def _recalled(self, key: str, question: Question) -> Answer | None:
        """What is kept may be another's work, as any answer may: it has to fit again."""
        kept = self._memory.recall([key]).get(key) if self._memory else None
        if kept is None:
            return None
        try:
            model, value = json.loads(kept)
            answer = Answer(fitting(json.dumps(value), question.schema), 0, 0, str(model))
        except (ValueError, TypeError, RecursionError):
            return None
        with self._door:
            self._receipt = replace(self._receipt, reused=self._receipt.reused + 1)
        return answer

    def _keep(self, key: str, answer: Answer) -> None:
        if self._memory:
            self._memory.remember({key: json.dumps([answer.model, dict(answer.value)]).encode()})
