"""What a host may refuse with, and what the caller is told of it."""

import pytest

from mergegate.host.api.problems import Code
from mergegate.host.causes import CAUSES
from mergegate.remote import exchange
from mergegate.remote.exchange import Problem, refusal

NO_CODE = "no-api"


def test_each_entry_is_a_code_that_a_host_may_send() -> None:
    assert set(exchange._BY_CODE) - {NO_CODE} <= {*Code, *CAUSES}


@pytest.mark.parametrize("code", sorted(exchange._BY_CODE))
def test_what_is_told_names_the_host_and_repeats_its_words(code: str) -> None:
    told = refusal(Problem(0, code, "the words"), "host.example.org").what
    assert "{" not in told
    assert ("the words" in told) == ("{detail}" in exchange._BY_CODE[code].what)


@pytest.mark.parametrize(("status", "code"), [(401, "UNAUTHORIZED"), (405, NO_CODE)])
def test_a_status_alone_means_the_same(status: int, code: str) -> None:
    known = exchange._BY_CODE[code].error(Problem(0, "", ""), "h")
    assert str(refusal(Problem(status, "", ""), "h")) == str(known)
