"""Children of a host that need not load their libraries for each order: see ``tests.ready``."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from mergegate.host.runner.executor import ScanExecutor
from mergegate.sandbox.process.process_tree import descendants
from mergegate.sandbox.process.run import python_module
from mergegate.sandbox.process.slots import Child, Kind, Slots
from tests.host.runner import forking

_SLOT = python_module("mergegate.host.runner.slot")
_FORKING = (*_SLOT[:-2], forking.__file__)
_ALONE = 2
"""Processes of one that has no order: who buries its orphans, and itself."""


@dataclass
class _Kept:
    """A child that is started as the host would start it: with its rights, folder, environment."""

    child: Child
    kind: Kind
    """As the host wants it."""
    others: list["_Kept"]

    @property
    def room(self) -> Path:
        return self.child._room

    def pids(self) -> list[int]:
        held = self.child._process
        return [held.pid, *descendants(held.pid)] if held else []

    def end(self) -> None:
        """In place of ``Child.end``: who neither works nor has left anything behind is kept."""
        if self.child.alive and not self.child._asking.locked() and len(self.pids()) <= _ALONE:
            self.others.append(self)
        else:
            Child.end(self.child)


@dataclass
class Ready:
    """A host, and its children that wait for an order."""

    carriage: ScanExecutor
    kept: list[_Kept] = field(default_factory=list)

    def child(self, kind: Kind) -> Child:
        """In place of ``Slots.child``."""
        for one in self.kept:
            if one.kind == kind:
                self.kept.remove(one)
                return one.child
        return self._made(kind)

    def _made(self, kind: Kind) -> Child:
        prefix = kind.argv[: -len(_SLOT)]
        assert [*prefix, *_SLOT] == [*kind.argv]
        child = Slots.child(self.carriage._slots, replace(kind, argv=(*prefix, *_FORKING)))
        child.__dict__["end"] = _Kept(child, kind, self.kept).end
        return child

    def pids(self) -> set[int]:
        """Of all who wait."""
        self._rest()
        return {pid for one in self.kept for pid in one.pids()}

    def rooms(self) -> set[Path]:
        """Of all who wait."""
        self._rest()
        return {one.room for one in self.kept}

    def end(self) -> None:
        """All who wait."""
        self._rest()
        while self.kept:
            Child.end(self.kept.pop().child)

    @contextmanager
    def replaced(self) -> Iterator[None]:
        """While it lasts children are these."""
        self.carriage._slots.__dict__["child"] = self.child
        try:
            yield
        finally:
            self._rest()
            del self.carriage._slots.__dict__["child"]

    @contextmanager
    def aside(self) -> Iterator[None]:
        """While it lasts children are those that a host really starts."""
        self._rest()
        del self.carriage._slots.__dict__["child"]
        try:
            yield
        finally:
            self._rest()
            self.carriage._slots.__dict__["child"] = self.child

    def _rest(self) -> None:
        """Whom the host keeps warm is kept by us, or ended."""
        for idle in self.carriage._children._idle.values():
            while idle:
                idle.pop().child.end()


@contextmanager
def ready(carriage: ScanExecutor) -> Iterator[Ready]:
    """While it lasts the host has such children."""
    made = Ready(carriage)
    with made.replaced():
        yield made
    made.end()
