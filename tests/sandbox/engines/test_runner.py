"""Which facts a run hands on, and what it says of an engine that gave none."""

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from mergegate.core.check import Missing, Unrun
from mergegate.core.errors import EngineError, EngineFailed, EngineMissing, EngineTimeout
from mergegate.core.progress import silent
from mergegate.core.report import EngineRun, EngineStatus
from mergegate.core.severity import Aspect
from mergegate.core.tree import Skipped, Tree
from mergegate.sandbox.engines.engine import EngineContext, Gathered
from mergegate.sandbox.engines.runner import Facts, Gatherings, Source, gather_all, required
from mergegate.sandbox.files.stage import Stage

TREE = Tree(())


@dataclass(frozen=True)
class Lines:
    """A fact."""

    count: int = 0


@dataclass(frozen=True)
class Words:
    """Another fact."""

    count: int = 0


@pytest.fixture
def context() -> Iterator[EngineContext]:
    with Stage() as stage:
        yield EngineContext(stage)


def source(
    name: str,
    provides: type,
    gather: Callable[[Facts], Any],
    *needs: type,
    limited: tuple[Skipped, ...] = (),
) -> Source:
    """Its fact is what ``gather`` returns."""

    def gathered(tree: Tree, context: EngineContext, facts: Facts) -> Gathered:
        return Gathered((gather(facts),), EngineRun(name=name), limited)

    return Source(name, frozenset(Aspect), (provides,), gathered, needs)


def failing(error: Exception, *provides: type) -> Source:
    def gather(*_: object) -> Gathered:
        raise error

    return Source("broken", frozenset(Aspect), provides or (Lines,), gather)


def test_facts_are_found_by_type_beside_the_tree(context: EngineContext) -> None:
    lines = source("lines", Lines, lambda _: Lines(3))
    words = source("words", Words, lambda _: Words(5))
    facts = gather_all([lines, words], TREE, context, silent).facts
    assert facts == {Tree: TREE, Lines: Lines(3), Words: Words(5)}


def test_a_source_that_fails_leaves_a_gap_for_each_of_its_facts(context: EngineContext) -> None:
    error = EngineFailed("it crashed", remedy="Mend it.")
    facts = gather_all([failing(error, Lines, Words)], TREE, context, silent).facts
    gap = Missing("broken: it crashed", "Mend it.")
    assert (facts[Lines], facts[Words]) == (gap, gap)


def test_a_source_that_fails_loses_no_other(context: EngineContext) -> None:
    words = source("words", Words, lambda _: Words(5))
    found = gather_all([failing(ValueError("oops")), words], TREE, context, silent)
    assert found.facts[Words] == Words(5)


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (EngineMissing("gone"), EngineStatus.MISSING),
        (EngineTimeout("gone"), EngineStatus.TIMEOUT),
        (EngineFailed("gone"), EngineStatus.FAILED),
        (EngineError("gone"), EngineStatus.FAILED),
    ],
)
def test_the_receipt_says_how_a_source_failed(
    context: EngineContext, error: EngineError, status: EngineStatus
) -> None:
    (run,) = gather_all([failing(error)], TREE, context, silent).runs
    assert (run.name, run.status, run.reason) == ("broken", status, "gone")


def test_a_defect_of_an_adapter_is_a_failure_and_no_crash(context: EngineContext) -> None:
    (run,) = gather_all([failing(ValueError("oops"))], TREE, context, silent).runs
    assert run.status is EngineStatus.FAILED
    assert run.reason == "its adapter failed: ValueError: oops"


def test_the_time_until_a_failure_is_on_the_receipt(context: EngineContext) -> None:
    def gather(*_: object) -> Gathered:
        time.sleep(0.03)
        raise EngineFailed("late")

    slow = Source("slow", frozenset(Aspect), (Lines,), gather)
    (run,) = gather_all([slow], TREE, context, silent).runs
    assert 30 <= run.duration_ms < 10_000


def test_sources_run_side_by_side(context: EngineContext) -> None:
    both = threading.Barrier(2, timeout=10)
    sources = [
        source("lines", Lines, lambda _: Lines(both.wait() * 0)),
        source("words", Words, lambda _: Words(both.wait() * 0)),
    ]
    assert not gather_all(sources, TREE, context, silent).gaps


def test_the_receipt_follows_the_order_of_sources_not_of_arrival(context: EngineContext) -> None:
    second = threading.Event()

    def arrive(_: Facts) -> Words:
        second.set()
        return Words()

    sources = [
        source("lines", Lines, lambda _: Lines(int(second.wait(10)))),
        source("words", Words, arrive),
    ]
    found = gather_all(sources, TREE, context, silent)
    assert [run.name for run in found.runs] == ["lines", "words"]


def test_a_source_is_handed_the_facts_it_needs_and_no_other(context: EngineContext) -> None:
    lines = source("lines", Lines, lambda _: Lines(3))
    words = source("words", Words, lambda _: Words(5))
    handed = source("handed", dict, dict, Lines)
    found = gather_all([lines, words, handed], TREE, context, silent)
    assert found.facts[dict] == {Lines: Lines(3)}


def test_a_needed_fact_that_failed_is_handed_on_as_missing(context: EngineContext) -> None:
    sums = source("sums", int, lambda facts: required(facts, Lines).count, Lines)
    broken = failing(EngineMissing("no engine", remedy="Install it."))
    found = gather_all([broken, sums], TREE, context, silent)
    assert found.facts[int] == Missing("sums: broken: no engine", "Install it.")


def test_a_fact_that_nobody_provides_is_not_handed_on(context: EngineContext) -> None:
    sums = source("sums", int, len, Lines)
    assert gather_all([sums], TREE, context, silent).facts[int] == 0


def test_a_fact_filed_under_another_type_is_a_defect() -> None:
    with pytest.raises(TypeError):
        required({Lines: Words(1)}, Lines)


@pytest.mark.parametrize("status", EngineStatus)
def test_only_an_untrustworthy_answer_is_a_gap(status: EngineStatus) -> None:
    run = EngineRun(name="lines", status=status, reason="why", remedy="How.")
    trusted = status in {EngineStatus.OK, EngineStatus.IDLE, EngineStatus.LIMITED}
    assert Gatherings(runs=(run,)).gaps == (
        () if trusted else (Unrun("lines", "lines: why", "How."),)
    )


def test_a_file_that_two_engines_cut_short_is_named_once_in_order(context: EngineContext) -> None:
    a, b = Skipped("a.py", "too deep"), Skipped("b.py", "too deep")
    sources = [
        source("lines", Lines, lambda _: Lines(), limited=(b,)),
        source("words", Words, lambda _: Words(), limited=(a, b)),
    ]
    assert gather_all(sources, TREE, context, silent).limited == (a, b)


def test_progress_hears_of_each_start_and_end(context: EngineContext) -> None:
    heard: list[tuple[str, str]] = []
    broken = failing(EngineTimeout("too slow"))
    gather_all([broken], TREE, context, lambda *told: heard.append(told))
    assert heard == [("broken", "started"), ("broken", "timeout")]


def test_a_scan_without_sources_knows_its_tree(context: EngineContext) -> None:
    assert gather_all([], TREE, context, silent) == Gatherings({Tree: TREE})
