"""A model may say the facts in other words, and nothing that they do not hold."""

import pytest

from mergegate.model.protocol import Answer, Fault, NoAnswer, Question
from mergegate.repo.rephrase import refusal, rephrased
from mergegate.repo.summary import Said

FACTS = (
    "The gate failed with a score of 51. Found: 1 critical, 2 high. Start with shop/db/orders.py:5:"
    " SQL built from a request parameter. Removing 2 findings turns the gate green."
)
GOOD = (
    "The gate failed at 51. Worst is SQL built from a request parameter in shop/db/orders.py:5."
    " Removing 2 findings turns it green."
)


def ask(text: str) -> Said:
    def answer(question: Question) -> Answer:
        assert question.text == FACTS
        return Answer({"summary": text}, 1, 1, "m")

    return rephrased(FACTS, answer)


def test_facts_in_other_words_are_the_models() -> None:
    assert ask(GOOD) == Said(GOOD, "model")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "plain text"),
        (f"{GOOD} See https://example.org/x.", "plain text"),
        (f"**{GOOD}**", "plain text"),
        (f"{GOOD}\u202e", "plain text"),
        ("It failed. " * 100, "plain text"),
        (f"{GOOD} {GOOD}", "something twice"),
        (f"{GOOD} Removing 2  findings turns it GREEN!", "something twice"),
        (f"{GOOD} The gate is not a gate, and the gate is not a gate.", "something twice"),
        (f"{GOOD} Found: 2 critical.", "2 critical"),
        (f"{GOOD} There are 51 findings.", "51 findings"),
        (GOOD.replace("at 51", "with a score of 1"), "another score: 1"),
        (GOOD.replace("51", "52"), "number 52"),
        (GOOD.replace("Removing 2", "Removing three"), "number three"),
        (GOOD.replace("orders.py", "users.py"), "users.py"),
        (GOOD.replace("request", "requestBody"), "requestBody"),
        (GOOD.replace("parameter", "parameter of Django"), "django"),
        (GOOD.replace("failed", "passed"), "verdict passed"),
        (GOOD.replace("The gate failed at 51.", "It is bad."), "leaves the verdict out"),
        (f"{GOOD} The scan is incomplete.", "verdict incomplete"),
    ],
)
def test_what_the_facts_do_not_hold_is_refused(text: str, why: str) -> None:
    assert ask(text) == Said(FACTS)
    assert why in refusal(" ".join(text.split()), FACTS)


def test_facts_said_over_are_not_the_models_words() -> None:
    assert ask(FACTS) == Said(FACTS)


def test_no_answer_leaves_the_facts() -> None:
    def answer(_: Question) -> Answer:
        raise NoAnswer(Fault.TOO_SLOW, "slow")

    assert rephrased(FACTS, answer) == Said(FACTS)
