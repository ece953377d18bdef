"""One class writes a dataclass as an object of JSON and builds the dataclass again."""

from dataclasses import dataclass
from typing import Any, Literal

import pytest
from pydantic import Field, ValidationError

from mergegate.core.report import Gate
from mergegate.core.severity import Severity
from mergegate.core.wire.camel import Camel, optional


@dataclass(frozen=True, kw_only=True)
class Step:
    name: str
    gate: Gate = Gate.PASSED
    worst: Severity | None = None
    lines: tuple[tuple[int, str], ...] = ()
    took_ms: int = 0


class LineOut(Camel):
    number: int
    text: str


class StepOut(Camel):
    name: str = Field(alias="called")
    gate: Literal["passed", "failed", "incomplete"]
    worst: Literal["critical", "high"] | None = optional(alias="worstOne")
    lines: tuple[LineOut, ...]


STEP = Step(name="one", gate=Gate.FAILED, worst=Severity.HIGH, lines=((1, "a"), (2, "b")))


def told(step: Step) -> dict[str, Any]:
    return StepOut.model_validate(step).model_dump(mode="json", by_alias=True)


def test_attributes_become_fields_under_their_names_in_json() -> None:
    assert told(STEP) == {
        "called": "one",
        "gate": "failed",
        "worstOne": "high",
        "lines": [{"number": 1, "text": "a"}, {"number": 2, "text": "b"}],
    }


def test_what_was_written_is_built_again() -> None:
    assert StepOut.model_validate(told(STEP)).build(Step) == STEP


def test_a_field_without_a_value_is_left_out_and_read_as_none() -> None:
    plain = Step(name="two")
    assert "worstOne" not in told(plain)
    assert StepOut.model_validate(told(plain)).build(Step) == plain


def test_what_is_given_beside_the_fields_counts() -> None:
    built = StepOut.model_validate(STEP).build(Step, took_ms=7, gate=Gate.PASSED)
    assert (built.took_ms, built.gate, built.name) == (7, Gate.PASSED, "one")


def test_half_a_surrogate_pair_is_told_as_its_escape() -> None:
    found = told(Step(name="\ud800", lines=((1, "\udfff"),)))
    assert (found["called"], found["lines"][0]["text"]) == ("\\ud800", "\\udfff")


@pytest.mark.parametrize("change", [{"gate": "open"}, {"later": 1}, {"lines": [[1, "a"]]}])
def test_json_of_another_shape_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        StepOut.model_validate(told(STEP) | change)


def test_a_word_of_no_enumeration_is_refused() -> None:
    class Loose(Camel):
        name: str
        gate: str

    with pytest.raises(ValueError, match="'open' is not a valid Gate"):
        Loose(name="one", gate="open").build(Step)


class TakenOut(Camel, of=Step, but={"took_ms"}):
    name: str = Field(alias="called")
    worst: Literal["critical", "high"] | None = optional(alias="worstOne")
    lines: tuple[LineOut, ...]
    more: int = 1


def test_a_shape_takes_the_fields_of_a_dataclass_in_their_order_and_adds_its_own() -> None:
    assert list(TakenOut.model_fields) == ["name", "gate", "worst", "lines", "more"]
    written = TakenOut.model_validate(STEP).model_dump(mode="json", by_alias=True)
    assert written == told(STEP) | {"more": 1}
    assert TakenOut.model_validate(told(STEP)).build(Step) == STEP


@pytest.mark.parametrize("wrong", [{"gate": "open"}, {"tookMs": 1}, {"lines": None}])
def test_a_taken_field_is_read_as_strictly_as_one_that_is_written_out(wrong: Any) -> None:
    with pytest.raises(ValidationError):
        TakenOut.model_validate(told(STEP) | wrong)


def test_a_taken_field_has_no_default() -> None:
    left_out = {name: value for name, value in told(STEP).items() if name != "gate"}
    with pytest.raises(ValidationError):
        TakenOut.model_validate(left_out)
