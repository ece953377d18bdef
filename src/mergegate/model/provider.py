"""A model that is spoken to in one of the dialects, over any wire."""

from dataclasses import dataclass
from http import HTTPStatus

from mergegate.model.dialect import vendor
from mergegate.model.http import Address, Wire
from mergegate.model.protocol import Answer, Question
from mergegate.model.refusal import refuse

_SOMEBODY = frozenset({HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED})
"""Not every server lists its models."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """A :class:`~mergegate.model.protocol.Provider`."""

    address: Address
    model: str
    wire: Wire

    @property
    def name(self) -> str:
        """Dialect, address and model."""
        return f"{self.address.dialect.name} {self.address.base} {self.model}"

    def prepared(self, question: Question) -> bytes:
        """The body of the request, to the byte."""
        return self.address.dialect.request(question, self.model, vendor(self.address.host))

    def ready(self) -> None:
        """Raises NoAnswer where nobody answers or the key is not accepted."""
        reply = self.wire.look()
        if reply.status not in _SOMEBODY:
            refuse(reply)

    def ask(self, question: Question, within_s: float) -> Answer:
        """The answer, asked for once; raises NoAnswer."""
        reply = self.wire.post(self.prepared(question), within_s)
        return self.address.dialect.answer(reply, question)
