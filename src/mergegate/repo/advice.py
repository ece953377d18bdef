"""The language model of a scan, if it has one: asked for fixes and words, never for a verdict."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from mergegate.core.errors import UsageError
from mergegate.core.report import ModelUse
from mergegate.repo.settings import Policy, folders
from mergegate.repo.summary import Said

if TYPE_CHECKING:
    from mergegate.model.protocol import Answer, Question
    from mergegate.model.session import Memory, Session

_VARIABLE = "MERGEGATE_MODEL_"
_MICRO = 1_000_000


class Advice(Protocol):
    """What a scan needs of a model."""

    def ask(self, question: "Question") -> "Answer":
        """Raises NoAnswer."""
        ...

    def say(self, facts: str) -> Said:
        """The facts in its words, or as they are."""
        ...

    def use(self) -> ModelUse:
        """What was asked, and what came of it."""
        ...


Open = Callable[[Policy], AbstractContextManager[Advice | None]]
"""Opens the model that a policy and the environment agree on; None where there is none."""


@contextmanager
def nobody(_: Policy) -> Iterator[None]:
    """No model."""
    yield None


def opened(
    environment: Mapping[str, str],
    memory: "Memory | None",
    *,
    from_fork: bool = False,
    prompts: list[str] | None = None,
) -> Open:
    """What opens the model of a scan; with ``prompts`` these are collected and nothing is sent.

    Without a policy and a variable that name one, nothing of it is loaded.
    """

    @contextmanager
    def open_model(policy: Policy) -> Iterator[Advice | None]:
        if not policy.model.provider and not any(one.startswith(_VARIABLE) for one in environment):
            yield None
            return
        from mergegate.model import open as doors  # noqa: PLC0415 - most scans have none
        from mergegate.model.settings import Off, chosen  # noqa: PLC0415
        from mergegate.secrets.outgoing import outgoing  # noqa: PLC0415

        places = folders(environment)
        try:
            wanted = chosen(policy.model, environment, places.models, from_fork=from_fork)
        except UsageError as error:
            wanted = Off(f"{error.what}. {error.remedy}".rstrip())
        if isinstance(wanted, Off):
            yield _Silent(wanted.why) if wanted.why else None
            return
        with doors.session(wanted, redact=outgoing, spent=places.spent, memory=memory) as session:
            yield _Asking(session, prompts)

    return open_model


@dataclass(frozen=True, slots=True)
class _Silent:
    """No model is asked, and somebody wanted one."""

    why: str

    def ask(self, _: "Question") -> "Answer":
        from mergegate.model.protocol import Fault, NoAnswer  # noqa: PLC0415

        raise NoAnswer(Fault.GIVEN_UP, self.why)

    def say(self, facts: str) -> Said:
        return Said(facts)

    def use(self) -> ModelUse:
        return ModelUse(why=self.why)


@dataclass(frozen=True, slots=True)
class _Asking:
    session: "Session"
    prompts: list[str] | None

    def ask(self, question: "Question") -> "Answer":
        if self.prompts is None:
            return self.session.ask(question)
        from mergegate.model.protocol import Fault, NoAnswer  # noqa: PLC0415

        self.prompts.append(self.session.prompt(question))
        raise NoAnswer(Fault.GIVEN_UP, "what would be sent was shown, and nothing was")

    def say(self, facts: str) -> Said:
        from mergegate.repo.rephrase import rephrased  # noqa: PLC0415

        return rephrased(facts, self.ask)

    def use(self) -> ModelUse:
        told = self.session.receipt
        return ModelUse(
            model=told.model,
            sent=len(told.sent),
            bytes_sent=told.bytes_sent,
            answered=told.answered,
            reused=told.reused,
            tokens_in=told.tokens_in,
            tokens_out=told.tokens_out,
            money=None if told.money is None else told.money / _MICRO,
            faults={fault.value: times for fault, times in sorted(told.faults.items())},
        )
