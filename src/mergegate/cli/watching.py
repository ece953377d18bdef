"""``mergegate scan --watch``: scan again when files change, and tell what that changed."""

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mergegate.core.errors import MergegateError, UsageError
from mergegate.core.finding import Finding
from mergegate.core.render import wording
from mergegate.core.render.escape import terminal
from mergegate.core.report import Report
from mergegate.repo.report.formats import FORMATS
from mergegate.sandbox.git.repository import Repository
from mergegate.terminal.exits import code_of, exit_code
from mergegate.terminal.output import Output, complain, say, write

if TYPE_CHECKING:
    from watchfiles import Change

    Changes = set[tuple[Change, str]]

_STEP_MS, _SETTLED_MS, _WAIT_MS = 100, 1000, 300
"""An editor's changes come in bursts: they are one, once it was quiet for a step, or at the latest
after this long. The last is how long the first look may take."""
_ONE_LINE = Output("console", None)


@dataclass(frozen=True, slots=True)
class Watch:
    """What is looked at between two scans."""

    root: Path
    also: tuple[Path, ...] = ()
    """Files that a scan reads wherever they are, though Git may ignore them."""
    written: tuple[Path, ...] = ()
    """Reports: to write one is no change."""


def watched(
    watch: Watch,
    scan: Callable[[], Report],
    show: Callable[[Report], None],
    renew: Callable[[Report], None],
) -> int:
    """Scan, ``show`` it, and scan after each change until it is interrupted; the last exit code.

    ``renew`` writes the files of reports anew. What cannot be scanned or written, such as a policy
    that is being written, is told, and the next change awaited; then the files stay as they were.
    Raises MergegateError where the first scan does.
    """
    changes = _changes(watch)
    next(changes)  # from here on nothing is missed
    last = scan()
    show(last)
    code = code_of(wording.whole(last).gate)
    try:
        complain([f"watching {watch.root}: Ctrl-C ends it"])
        for _ in filter(None, changes):
            try:
                now = scan()
            except MergegateError as error:
                complain([str(error)])
                code = exit_code(error)
                continue
            before, last, code = last, now, code_of(wording.whole(now).gate)
            try:
                renew(now)  # first: who reads the line finds the file as it says
            except MergegateError as error:
                complain([str(error)])
            write(now, _ONE_LINE, FORMATS, quiet=True)
            say("".join(f"  {line}\n" for line in _difference(before, now)))
    except KeyboardInterrupt:
        complain(["no longer watching"])
    return code


def _difference(before: Report, after: Report) -> Iterator[str]:
    """The findings that appeared, then those that went, worst first."""
    known, left = ({one.id for one in report.findings} for report in (before, after))
    for sign, found in (
        ("+", [one for one in after.findings if one.id not in known]),
        ("-", [one for one in before.findings if one.id not in left]),
    ):
        yield from (f"{sign} {_line(one)}" for one in found)


def _line(one: Finding) -> str:
    said = f"{one.severity.label} {wording.place(one.place)}  {one.title}  {one.rule_id}"
    return terminal(said)


def _changes(watch: Watch) -> "Iterator[bool]":
    """Whether something changed that a scan would see, again and again; the first says nothing."""
    from watchfiles import watch as notified  # noqa: PLC0415 - only who watches needs it

    root = watch.root.resolve()
    also = [one.resolve() for one in watch.also]
    outside = [one.parent for one in also if not one.is_relative_to(root)]
    seen = _Seen(root, also, [one.resolve() for one in watch.written])
    try:
        for changes in notified(
            root,
            *dict.fromkeys(outside),
            debounce=_SETTLED_MS,
            step=_STEP_MS,
            rust_timeout=_WAIT_MS,
            yield_on_timeout=True,
            ignore_permission_denied=True,
        ):
            yield seen.matters(changes)
    except (OSError, RuntimeError) as error:
        raise UsageError(
            f"{watch.root} cannot be watched: {terminal(str(error))[:200]}",
            remedy="WATCHFILES_FORCE_POLLING=1 looks at the files again and again instead.",
        ) from error


class _Seen:
    """Which changes a scan would see."""

    def __init__(self, root: Path, also: Collection[Path], written: Sequence[Path]) -> None:
        self._root, self._also, self._written = root, frozenset(also), written
        self._repository = Repository.around(root)
        self._listed = self._list()

    def matters(self, changes: "Changes") -> bool:
        """Whether one of ``changes`` is of a file that is scanned, was, or decides about it."""
        paths = [path for _, name in changes if not self._is_written(path := Path(name))]
        if not paths:
            return False
        before, self._listed = self._listed, self._list()
        return any(self._is_scanned(path, before) for path in paths)

    def _is_written(self, path: Path) -> bool:
        return any(path == one or path.is_relative_to(one) for one in self._written)

    def _is_scanned(self, path: Path, before: frozenset[bytes] | None) -> bool:
        if path in self._also:
            return True
        if not path.is_relative_to(self._root):
            return False
        if self._listed is None or before is None:
            return True
        name = os.fsencode(path.relative_to(self._root))
        return name in self._listed or name in before

    def _list(self) -> frozenset[bytes] | None:
        """What Git lists; None where there is no repository."""
        listed: Iterable[bytes] | None = self._repository.listed() if self._repository else None
        return None if listed is None else frozenset(listed)
