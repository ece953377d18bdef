"""Progress of the engines on standard error, while they run."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import Progress as Bars
from rich.progress import SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn

from mergegate.core.progress import Progress, silent


@contextmanager
def shown_progress(*, quiet: bool = False) -> Iterator[Progress]:
    """Shows one line an engine, gone when the scan ends; nothing where no terminal is."""
    if quiet or not sys.stderr.isatty():
        yield silent
        return
    bars = Bars(
        SpinnerColumn(finished_text="·"),
        TextColumn("{task.description:<18}"),
        TimeElapsedColumn(),
        TextColumn("{task.fields[status]}"),
        console=Console(stderr=True),
        transient=True,
    )
    tasks: dict[str, TaskID] = {}

    def update(engine: str, status: str) -> None:
        """Told by the engines' threads: Rich's progress is safe to call from them."""
        if engine not in tasks:
            tasks[engine] = bars.add_task(engine, total=1, status="")
        if status == "started":
            bars.reset(tasks[engine], total=1, status="running")
        else:
            bars.update(tasks[engine], completed=1, status=status)

    with bars:
        yield update
