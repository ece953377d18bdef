"""Scans of one file each, one after another, while the editor goes on."""

import asyncio
import os
import time
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from mergegate.core.errors import MergegateError, TargetError, UsageError
from mergegate.core.report import Report
from mergegate.core.severity import Aspect
from mergegate.editor.text import Bytes
from mergegate.repo.policy import check_policy
from mergegate.repo.policy_file import Mistake
from mergegate.repo.scan import Request
from mergegate.repo.scan import scan as run_scan
from mergegate.repo.settings import POLICY_FILE
from mergegate.repo.toolbox import scan_toolbox
from mergegate.sandbox.files.checkout import Bounds
from mergegate.sandbox.files.seen import Seen
from mergegate.sandbox.files.stage import read_regular
from mergegate.sandbox.git.repository import Repository
from mergegate.sandbox.process.process_tree import end_descendants
from mergegate.secrets.mask import mask_line
from mergegate.terminal.output import complain

ASPECTS = frozenset(Aspect) - {Aspect.DEPENDENCIES}
"""What one file can tell: advisories are about a whole tree, and take longer than a save."""
_SEEN = Seen()
"""All files but the saved one are mostly as they were."""
_MOST_TURNS = 3
_PATIENCE_S = 5.0


@dataclass(frozen=True, slots=True)
class Order:
    """A file that is to be scanned."""

    uri: str
    """As the editor writes it."""
    path: Path
    folder: Path
    """The folder of the editor that it lies in: the root where there is no repository."""
    version: int | None
    """The version of the text that was saved; None of a file that is not open."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of an order."""

    scanned: Bytes
    policy: Path
    """The file that a dismissal goes into; it may not exist."""
    owner: str = ""
    """The owner of a dismissal: the address or name in Git's configuration; empty without one."""
    report: Report | None = None
    mistakes: tuple[Mistake, ...] = ()
    """The mistakes of the policy, where the file is one."""
    trouble: MergegateError | None = None
    """Why there is no report."""
    is_ours: bool = True
    """False for a file that the repository does not have: nothing is to be said of it."""


def scan_file(order: Order) -> Outcome:
    """Scan the file as ``mergegate scan FILE`` does; never raises for what is in it."""
    scanned = Bytes(order.path.name)
    policy = order.folder / POLICY_FILE
    try:
        root = _root(order)
        policy = root / POLICY_FILE
        mistakes = tuple(check_policy(policy)[1]) if order.path == policy else ()
        if mistakes:
            return Outcome(read_file(order.path), policy, mistakes=mistakes)
        scanned, report = _settled(order.path, root)
        return Outcome(scanned, policy, committer(root) if report.findings else "", report)
    except MergegateError as error:
        # Git ignores it, or it is a link or gone: no file of the repository.
        is_ours = type(error) is not UsageError
        return Outcome(scanned, policy, trouble=error, is_ours=is_ours)
    except Exception as error:
        _own_mistake()
        mistake = f"Mergegate made a mistake of its own ({type(error).__name__})"
        return Outcome(scanned, policy, trouble=MergegateError(mistake, remedy="Report it."))


def _own_mistake() -> None:
    """On standard error, which editors keep; what a file is called, or holds, may be part of it."""
    complain(map(mask_line, traceback.format_exc().splitlines()))


def _root(order: Order) -> Path:
    repository = Repository.around(order.path.parent)
    return repository.top().resolve() if repository else order.folder


@cache
def committer(root: Path) -> str:
    """The address or name that commits made in ``root`` bear; empty where none is configured."""
    repository = Repository.around(root)
    if repository is None:
        return ""
    own = Path.home() / ".gitconfig", Path.home() / ".config" / "git" / "config"
    files = [
        setting for file in own if file.is_file() for setting in repository.configured_in(file)
    ]
    said = dict(files) | dict(repository.configured(r"^user\."))
    return said.get("user.email") or said.get("user.name") or ""


def _settled(path: Path, root: Path) -> tuple[Bytes, Report]:
    """What stands in the file and the report of just that; raises TargetError as ``scan`` does."""
    for _ in range(_MOST_TURNS):
        before = read_file(path)
        request = Request(root=root, only=(path,), aspects=ASPECTS)
        toolbox = scan_toolbox(fetch=False, cached=True, aspects=ASPECTS)
        report = run_scan(request, replace(toolbox, seen=_SEEN))
        if before == read_file(path):
            return before, report
    raise TargetError(f"{path.name} changes while it is scanned", remedy="Save it again.")


def read_file(path: Path) -> Bytes:
    """What is in the file."""
    try:
        most = Bounds().file_bytes
        content = read_regular(path, most + 1)
        return Bytes(path.name, content if len(content) <= most else None)
    except OSError:
        return Bytes(path.name)


class Scans:
    """Carries out orders; of a file that is ordered again only the newest outcome is told."""

    def __init__(self, tell: Callable[[Order, Outcome], None]) -> None:
        self._tell = tell
        self._waiting: dict[Path, Order] = {}
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="scan")
        self._turn: asyncio.Task[None] | None = None
        self._running: Order | None = None

    def warm_up(self) -> None:
        """Load what scans need, before the first of them waits for it."""
        self._worker.submit(
            lambda: scan_toolbox(fetch=False, cached=True, aspects=ASPECTS).sources(None, None)
        )

    def order(self, order: Order) -> None:
        """Scan that file next: what was saved last is what somebody looks at."""
        self._waiting.pop(order.path, None)
        self._waiting[order.path] = order
        if self._turn is None or self._turn.done():
            self._turn = asyncio.get_running_loop().create_task(self._work())

    def has(self, path: Path, version: int | None) -> bool:
        """Whether that version of the file waits for its scan, or is being scanned."""
        orders = (self._running, self._waiting.get(path))
        return any(one and (one.path, one.version) == (path, version) for one in orders)

    def forget(self, path: Path) -> None:
        """Do not scan a file that is gone."""
        self._waiting.pop(path, None)

    async def _work(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting:
            _, order = self._waiting.popitem()
            outcome = await loop.run_in_executor(self._worker, self._scan, order)
            if order.path in self._waiting:
                continue
            try:
                self._tell(order, outcome)
            except Exception:
                _own_mistake()

    def _scan(self, order: Order) -> Outcome:
        self._running = order
        try:
            return scan_file(order)
        finally:
            self._running = None

    def end(self) -> None:
        """Scan nothing more, and end the engines that run: no editor waits for them."""
        self._worker.shutdown(wait=False, cancel_futures=True)
        until = time.monotonic() + _PATIENCE_S
        while self._running and time.monotonic() < until:
            end_descendants(os.getpid(), until)
            time.sleep(0.01)
