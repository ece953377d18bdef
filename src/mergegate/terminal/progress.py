"""Progress of the engines on standard error, while they run."""

from types import TracebackType

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn


class Display:
    """One line an engine; gone when the scan ends."""

    def __init__(self) -> None:
        self._progress = Progress(
            SpinnerColumn(finished_text="·"),
            TextColumn("{task.description:<18}"),
            TimeElapsedColumn(),
            TextColumn("{task.fields[status]}"),
            console=Console(stderr=True),
            transient=True,
        )
        self._tasks: dict[str, TaskID] = {}

    def __enter__(self) -> "Display":
        self._progress.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._progress.stop()

    def update(self, engine: str, status: str) -> None:
        """Told by the engines' threads: Rich's progress is safe to call from them."""
        if engine not in self._tasks:
            self._tasks[engine] = self._progress.add_task(engine, total=1, status="")
        task = self._tasks[engine]
        if status == "started":
            self._progress.reset(task, total=1, status="running")
        else:
            self._progress.update(task, completed=1, status=status)
