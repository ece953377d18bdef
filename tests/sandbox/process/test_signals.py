"""A step that must not be left half done is done before a signal takes effect."""

import signal
import threading

import pytest

from mergegate.sandbox.process.run import uninterrupted


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_takes_effect_when_the_step_is_over(number: int) -> None:
    steps: list[str] = []
    former = signal.signal(number, lambda *_: steps.append("signal"))
    try:
        with uninterrupted():
            signal.raise_signal(number)
            steps.append("step")
    finally:
        signal.signal(number, former)
    assert steps == ["step", "signal"]


def test_ctrl_c_still_interrupts_after_the_step() -> None:
    steps: list[str] = []

    def interrupted() -> None:
        with uninterrupted():
            signal.raise_signal(signal.SIGINT)
            steps.append("step")
        steps.append("after")

    former = signal.signal(signal.SIGINT, signal.default_int_handler)  # a job ignores it
    try:
        with pytest.raises(KeyboardInterrupt):
            interrupted()
    finally:
        signal.signal(signal.SIGINT, former)
    assert steps == ["step"]


def test_an_ignored_signal_stays_ignored() -> None:
    former = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with uninterrupted():
            signal.raise_signal(signal.SIGHUP)
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, former)


def test_the_handlers_are_back_after_an_error() -> None:
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(ValueError, match="step"), uninterrupted():
        raise ValueError("step")
    assert signal.getsignal(signal.SIGINT) is before


def test_other_threads_are_left_alone() -> None:
    seen: list[object] = []

    def step() -> None:
        with uninterrupted():
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=step)
    thread.start()
    thread.join()
    assert seen == [signal.getsignal(signal.SIGINT)]
