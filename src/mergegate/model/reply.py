"""What the replies of both APIs have in common: events, counts, and JSON that fits a schema."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from mergegate.core.strict_json import foreign_json, strict_json
from mergegate.model.protocol import Answer, Fault, NoAnswer, Question

_FENCED = re.compile(r"```(?:json)?[ \t]*\n(?P<inside>.*)\n```", re.DOTALL)
_MOST_TOKENS = 10_000_000
"""More than any model reads: a greater count is no count."""


@dataclass(frozen=True, slots=True)
class Reply:
    """One response as it came."""

    status: int
    content: bytes


@dataclass(slots=True)
class Said:
    """What is read together of one reply, piece by piece."""

    text: str = ""
    end: str = ""
    """The API's word for why it ended; empty while it has not."""
    declined: bool = False
    tokens_in: int = 0
    tokens_out: int = 0
    model: str = ""

    def no_answer(self, fault: Fault, what: str) -> NoAnswer:
        """The error, with what was spent."""
        return NoAnswer(fault, what, tokens_in=self.tokens_in, tokens_out=self.tokens_out)

    def answer(self, question: Question) -> Answer:
        """What was said, as the answer to ``question``; raises NoAnswer."""
        try:
            value = fitting(self.text, question.schema)
        except ValueError as error:
            raise self.no_answer(Fault.MALFORMED, f"the model's answer {error}") from error
        return Answer(value, self.tokens_in, self.tokens_out, self.model)


def documents(content: bytes) -> Iterator[Mapping[str, Any]]:
    """The objects of a reply: its events where it is a stream of them, else the reply itself.

    A gateway may not stream although it is asked to. Raises NoAnswer.
    """
    try:
        if content.lstrip()[:1] == b"{":
            yield document(content)
            return
        for line in content.splitlines():
            data = line.removeprefix(b"data:").strip()
            if data not in {line, b"[DONE]"}:
                yield document(data)
    except ValueError as error:
        what = "what the provider sent is no reply of its API"
        raise NoAnswer(Fault.MALFORMED, what) from error


def fitting(text: str, schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """The object in ``text``, alone or in one fence; raises ValueError, which quotes nothing."""
    bare = text.strip()
    fenced = _FENCED.fullmatch(bare)
    try:
        value = foreign_json((fenced["inside"] if fenced else bare).encode())
        json.dumps(value, ensure_ascii=False).encode()  # half a character is no text
    except ValueError as error:
        raise ValueError("is not JSON") from error
    import jsonschema  # noqa: PLC0415 - it is slow, and the process with the key does without

    validator = jsonschema.Draft202012Validator(cast("dict[str, Any]", schema))
    try:
        wrong = next(validator.iter_errors(value), None)
    except RecursionError as error:
        raise ValueError("is nested too deeply") from error
    if wrong is not None:
        raise ValueError(f"does not fit its schema ({wrong.validator})")
    return cast("Mapping[str, Any]", value)


def number(value: object) -> int:
    """A count of tokens as it may be believed; 0 for what is none."""
    whole = isinstance(value, int) and not isinstance(value, bool)
    return min(max(cast("int", value), 0), _MOST_TOKENS) if whole else 0


def part(value: object, *way: str | int) -> Any:
    """What lies there in a document of others; None where nothing does."""
    for step in way:
        if isinstance(step, str) and isinstance(value, dict):
            value = value.get(step)
        elif isinstance(step, int) and isinstance(value, list) and len(value) > step:
            value = value[step]
        else:
            return None
    return value


def letters(value: object) -> str:
    """Text as it is; empty for everything else."""
    return value if isinstance(value, str) else ""


def document(content: bytes) -> Mapping[str, Any]:
    """The one object in ``content``; raises ValueError."""
    read = strict_json(content)
    if not isinstance(read, dict):
        raise ValueError("it is no object")
    return read


def listed(value: object) -> list[Any]:
    """A list as it is; empty for everything else."""
    return value if isinstance(value, list) else []


def compact(body: Mapping[str, Any]) -> bytes:
    """JSON in the order of its keys: the same question is the same bytes."""
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
