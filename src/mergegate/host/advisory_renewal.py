"""Keep a host's advisories young while it runs: look often, import seldom, delay no scan."""

import datetime as dt
import logging
import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from mergegate.core.errors import StoreError
from mergegate.host.runner.advisories import Importer, importer_of
from mergegate.host.settings import ServiceSettings
from mergegate.packages import advisories
from mergegate.packages.advisories import dumps, fetch, placing
from mergegate.packages.advisories.fetch import path_of
from mergegate.packages.dependencies import AdvisorySource

_LOOK_EVERY_S = 900.0
_LEAVE_S = 10.0
"""For an import that is being put in place; one that is still drafted ends at once."""

_log = logging.getLogger(__name__)


def _utc_now() -> dt.datetime:
    return dt.datetime.now(dt.UTC)


class Renewal:
    """The renewal of one process; any number may look after the same store."""

    def __init__(
        self,
        importer: Importer,
        limit: dt.timedelta | None,
        now: Callable[[], dt.datetime] = _utc_now,
    ) -> None:
        """What is older than ``limit`` is renewed; None leaves that to others."""
        self.failures = 0
        """In a row."""
        self._importer = importer
        self._limit = limit
        self._now = now
        self._leaving = threading.Event()

    def age(self) -> dt.timedelta | None:
        """The age of the oldest import; None without a store, or one that can be read."""
        try:
            since = fetch.oldest(self._held())
        except (StoreError, OSError):
            return None
        return None if since is None else self._now() - since

    @contextmanager
    def kept(self) -> Iterator[None]:
        """As long as this lasts; a thread of its own waits, so that nothing else does."""
        if self._limit is None:
            _log.info("advisories are not renewed by this process")
            yield
            return
        thread = threading.Thread(target=self._keep, args=(self._limit,), daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._leaving.set()
            self._importer.end()
            thread.join(_LEAVE_S)

    def _keep(self, limit: dt.timedelta) -> None:
        pause_s = 0.0
        while not self._leaving.wait(pause_s):
            try:
                pause_s = self.turn(limit)
            except Exception:  # nobody would start it again
                _log.exception("advisories were not renewed")
                self.failures += 1
                pause_s = _LOOK_EVERY_S

    def turn(self, limit: dt.timedelta) -> float:
        """Import what is due; how many seconds later to look again."""
        try:
            self._renew(limit)
        except placing.StoreBusy:
            _log.info("another process renews the advisories")
        except StoreError as error:
            return self._put_off(error)
        self.failures = 0
        return _LOOK_EVERY_S

    def _renew(self, limit: dt.timedelta) -> None:
        if self._due(limit) is None:
            return
        with placing.claimed(self._importer.store):
            due = self._due(limit)  # another may have been at it until now
            for one in () if due is None else self._importer.run(due):
                _log.info("advisories renewed: %s, %s records", one.ecosystem, one.records)

    def _due(self, limit: dt.timedelta) -> Sequence[str] | None:
        source = self._importer.source
        path = path_of(source)
        changed = dumps.changed(path) if path else None
        return fetch.due(source, self._held(), self._now(), limit, changed)

    def _put_off(self, error: StoreError) -> float:
        if self._leaving.is_set():
            return 0.0
        self.failures += 1
        pause_s = fetch.pause_s(self.failures)
        what, next_min = str(error).rstrip("."), round(pause_s / 60)
        _log.warning("advisories were not renewed: %s. Next try in %s min", what, next_min)
        return pause_s

    def _held(self) -> Sequence[AdvisorySource]:
        held = advisories.status(self._importer.store)
        return held.sources if held else ()


def renewed(settings: ServiceSettings, environment: Mapping[str, str] = os.environ) -> Renewal:
    """What keeps the store that this host's scans use young, as its settings say."""
    importer = importer_of(settings, environment)
    allowed = not (importer.fetches and settings.offline)
    wanted = allowed and settings.advisories_hours
    limit = dt.timedelta(hours=settings.advisories_hours) if wanted else None
    return Renewal(importer, limit)
