"""Lines of the log: one form for all, and never a reason to fail."""

import io
import json
import re
import sys
from pathlib import Path
from typing import Any, cast

import pytest
import structlog

from mergegate.host.api import logs
from mergegate.host.api.logs import Unfailing


def line(method: str, event: str, **fields: object) -> dict[str, Any]:
    """What is written for that."""
    written = io.StringIO()
    log = structlog.wrap_logger(
        structlog.WriteLogger(written), processors=[*logs._SHARED, *logs._WRITTEN]
    )
    getattr(log, method)(event, **fields)
    found: dict[str, Any] = json.loads(written.getvalue())
    return found


@pytest.mark.parametrize(
    ("method", "level"),
    [("info", "info"), ("warning", "warning"), ("warn", "warning"), ("error", "error")],
)
def test_a_line_has_level_time_and_what_applies(method: str, level: str) -> None:
    found = line(method, "request", status=200, code=None, ms=0.0)
    moment = found.pop("timestamp")
    assert found == {"event": "request", "level": level, "status": 200, "ms": 0.0}
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", moment)


def test_an_exception_is_an_error_with_its_traceback() -> None:
    try:
        raise LookupError("lost")
    except LookupError:
        found = line("exception", "mistake")
    assert (found["level"], "LookupError: lost" in found["exception"]) == ("error", True)


@pytest.mark.parametrize(
    "text", ["\x1b[2J", "\x9b2J", "\N{RIGHT-TO-LEFT OVERRIDE}", "\udcff", "\n"]
)
def test_nothing_in_a_line_reaches_a_terminal_raw(text: str) -> None:
    written = logs._WRITTEN[-1](None, "info", {"event": text})
    assert isinstance(written, str)
    assert written.isascii()
    assert written.isprintable()
    assert json.loads(written) == {"event": text}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="NOT CHECKED: no /dev/full here")
def test_a_log_that_is_full_stops_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    full = Path("/dev/full").open("w", buffering=1)  # noqa: SIM115 - closing it fails, too
    with pytest.raises(OSError, match="space"):
        full.write("lost\n")
    monkeypatch.setattr(sys, "stderr", full)
    for _ in range(3):
        structlog.WriteLogger(cast("Any", Unfailing())).info("lost")
    with pytest.raises(OSError, match="space"):
        full.close()


@pytest.mark.parametrize("is_there", [True, False])
def test_a_log_that_is_closed_stops_nothing(
    is_there: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = io.StringIO()
    gone.close()
    monkeypatch.setattr(sys, "stderr", gone if is_there else None)
    structlog.WriteLogger(cast("Any", Unfailing())).info("lost")
