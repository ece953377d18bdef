"""Settings → a session; its processes are started when the first question is asked."""

import contextlib
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path

from mergegate.core.errors import EngineError, UsageError
from mergegate.model import local
from mergegate.model.apart import apart
from mergegate.model.budget import Budget
from mergegate.model.http import Wire
from mergegate.model.protocol import Fault, NoAnswer
from mergegate.model.provider import Spoken
from mergegate.model.reply import Reply
from mergegate.model.session import AT_ONCE, Memory, Redact, Session
from mergegate.model.settings import Local, Remote
from mergegate.model.spent import Spent


@contextlib.contextmanager
def session(
    chosen: Remote | Local, *, redact: Redact, spent: Path, memory: Memory | None = None
) -> Iterator[Session]:
    """The model of :func:`mergegate.model.settings.chosen` while inside; nothing is raised here.

    ``redact`` takes secrets out of all that leaves, ``spent`` is the file that keeps what a month
    costs, ``memory`` keeps answers.
    """
    with ExitStack() as held:
        if isinstance(chosen, Local):
            later = Later(lambda: local.running(chosen.file), held)
            provider = Spoken(local.ADDRESS, local.identity(chosen.file), later)
            budget = Budget(chosen.allowance)
            yield Session(provider, budget, redact=redact, memory=memory, at_once=1)
        else:
            later = Later(lambda: apart(chosen, AT_ONCE), held)
            provider = Spoken(chosen.address, chosen.name, later)
            budget = Budget(chosen.allowance, chosen.price, Spent(spent))
            yield Session(provider, budget, redact=redact, memory=memory)


class Later:
    """A wire that is opened when it is first used, and closed with what holds it."""

    def __init__(
        self, opening: Callable[[], AbstractContextManager[Wire]], held: ExitStack
    ) -> None:
        self._opening = opening
        self._held = held
        self._door = threading.Lock()
        self._wire: Wire | None = None

    def post(self, body: bytes, within_s: float) -> Reply:
        """As that wire does; raises NoAnswer, also where it cannot be opened."""
        return self._opened().post(body, within_s)

    def look(self) -> Reply:
        """As that wire does; raises NoAnswer, also where it cannot be opened."""
        return self._opened().look()

    def _opened(self) -> Wire:
        with self._door:
            if self._wire is None:
                try:
                    self._wire = self._held.enter_context(self._opening())
                except (EngineError, UsageError, OSError) as error:
                    what = getattr(error, "what", type(error).__name__)
                    remedy = getattr(error, "remedy", "")
                    raise NoAnswer(
                        Fault.UNREACHABLE, f"no model can be asked: {what}", remedy=remedy
                    ) from error
            return self._wire
