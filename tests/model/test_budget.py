"""What is reserved, settled and refused, and what a month remembers."""

import datetime as dt
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from mergegate.core.errors import StoreError
from mergegate.model.budget import Allowance, Budget, Price, estimated
from mergegate.model.protocol import Fault, NoAnswer
from mergegate.model.spent import Spent

CHEAP = Price(3.0, 15.0)
ONE = CHEAP.of(1_000, 100)
"""Millionths that such a question costs."""

REFUSED = {
    "a long question": (Allowance(tokens_in=999), "the question is longer than one may be"),
    "a long answer": (Allowance(tokens_out=99), "the answer may become too long"),
    "calls": (Allowance(calls=0), "all calls of a scan are used"),
    "tokens": (Allowance(tokens=1_099), "the tokens of a scan are used"),
    "time": (Allowance(total_s=0), "the time of a scan for models is used"),
    "money": (Allowance(money=ONE - 1), "the money of a scan is used"),
}


@pytest.mark.parametrize(("allowed", "why"), REFUSED.values(), ids=REFUSED)
def test_what_is_not_left_is_not_reserved(allowed: Allowance, why: str) -> None:
    with pytest.raises(NoAnswer, match=why) as caught:
        Budget(allowed, CHEAP).reserve(1_000, 100)
    assert caught.value.fault is Fault.OVER_BUDGET


def test_what_is_just_left_is_reserved() -> None:
    allowed = Allowance(1, 1_000, 100, 1_100, money=ONE)
    assert Budget(allowed, CHEAP).reserve(1_000, 100).money == ONE


def test_what_was_not_used_is_given_back() -> None:
    budget = Budget(Allowance(tokens=2_000, total_s=60, money=ONE), CHEAP)
    budget.settle(budget.reserve(1_000, 100), 500, 10, 1.0)
    assert budget.money == CHEAP.of(500, 10)
    with pytest.raises(NoAnswer, match="money"):
        budget.reserve(1_000, 100)
    assert budget.reserve(100, 10).seconds == 59


def test_what_was_used_beyond_the_estimate_counts() -> None:
    budget = Budget(Allowance(tokens=2_000))
    budget.settle(budget.reserve(100, 100), 1_900, 50, 1.0)
    with pytest.raises(NoAnswer, match="tokens"):
        budget.reserve(100, 100)


def test_without_a_price_no_money_is_told() -> None:
    budget = Budget(Allowance())
    budget.settle(budget.reserve(100, 100), 100, 100, 1.0)
    assert budget.money is None


def test_money_is_rounded_up() -> None:
    assert Price(0.1, 0.25).of(1, 1) == 1


def test_tokens_are_estimated_from_bytes() -> None:
    assert estimated(b"x" * 100) == 34


def _spent(tmp_path: Path, day: str = "2026-11-27") -> Spent:
    return Spent(tmp_path / "data" / "spent.sqlite", lambda: dt.date.fromisoformat(day))


def test_scans_share_a_month(tmp_path: Path) -> None:
    allowed = Allowance(money_per_month=ONE * 2)
    for _ in range(2):
        Budget(allowed, CHEAP, _spent(tmp_path)).reserve(1_000, 100)
    with pytest.raises(NoAnswer, match="the money of this month"):
        Budget(allowed, CHEAP, _spent(tmp_path)).reserve(1_000, 100)
    Budget(allowed, CHEAP, _spent(tmp_path, "2026-12-01")).reserve(1_000, 100)


def test_the_month_is_given_back_what_was_not_used(tmp_path: Path) -> None:
    budget = Budget(Allowance(money_per_month=ONE), CHEAP, _spent(tmp_path))
    budget.settle(budget.reserve(1_000, 100), 0, 0, 1.0)
    assert _spent(tmp_path).money == 0


def test_together_no_more_is_spent_than_one_may(tmp_path: Path) -> None:
    taken = list[bool]()

    def take() -> None:
        taken.extend(_spent(tmp_path).spend(10, 100) for _ in range(5))

    threads = [threading.Thread(target=take) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert (taken.count(True), _spent(tmp_path).money) == (10, 100)


def test_what_cannot_be_counted_is_not_spent(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file in the place of the folder")
    with pytest.raises(StoreError):
        _spent(tmp_path).spend(1, 10)
    budget = Budget(Allowance(money_per_month=ONE), CHEAP, _spent(tmp_path))
    with pytest.raises(NoAnswer) as caught:
        budget.reserve(1_000, 100)
    assert caught.value.fault is Fault.OVER_BUDGET


def test_a_damaged_month_is_not_spent(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "spent.sqlite").write_bytes(b"not a database" * 100)
    with pytest.raises(StoreError):
        _spent(tmp_path).spend(1, 10)


def test_without_a_limit_no_month_is_kept(tmp_path: Path) -> None:
    Budget(replace(Allowance(), money_per_month=None), CHEAP, _spent(tmp_path)).reserve(10, 10)
    assert not (tmp_path / "data").exists()
