"""How much of its long tasks' time a page had no processor, told from Chromium's trace."""

import json
import subprocess
from pathlib import Path

import pytest

from mergegate.sandbox.process.node import node
from mergegate.site.audit import lighthouse

REDUCE = Path(lighthouse.__file__).with_name("reduce.mjs")
MAIN = {"name": "thread_name", "pid": 7, "tid": 1, "args": {"name": "CrRendererMain"}}
ASK = """
const [, reduce, artifacts] = process.argv;
const {waited} = await import(reduce);
console.log(waited(JSON.parse(artifacts)));
"""


def task(wall_ms: float, cpu_ms: float, tid: int = 1) -> dict[str, object]:
    times = {"dur": wall_ms * 1000, "tdur": cpu_ms * 1000}
    return {"name": "RunTask", "pid": 7, "tid": tid, **times}


@pytest.mark.parametrize(
    ("tasks", "expected"),
    [
        ([task(40, 10), task(20, 10), task(100, 20)], 0.75),
        ([task(40, 40), task(20, 20), task(30, 30)], 0),
        ([task(4000, 1), task(20, 20), task(30, 30)], 0),  # one waits for a request of its own
        ([task(40, 10), task(20, 5)], 0),  # too few to tell
        ([task(4, 1), task(3, 1), task(2, 1)], 0),  # none is long
        ([task(40, 10, tid=2)] * 3, 0),  # of another thread
        ([task(20, 21)] * 3, 0),
    ],
)
def test_the_median_of_long_tasks_tells(tasks: list[dict[str, object]], expected: float) -> None:
    artifacts = json.dumps({"Trace": {"traceEvents": [MAIN, *tasks]}})
    command = [str(node()), "--input-type=module", "-e", ASK, str(REDUCE), artifacts]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert float(said) == expected
