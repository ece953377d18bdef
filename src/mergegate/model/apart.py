"""A wire in a process of its own: it alone holds the key, and reaches the provider's host alone."""

import base64
import contextlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import Any

from mergegate.core.errors import EngineError, EngineTimeout, UsageError
from mergegate.model.http import READY_S
from mergegate.model.protocol import Fault, NoAnswer
from mergegate.model.reply import Reply
from mergegate.model.settings import AUTHORITIES, Remote
from mergegate.sandbox.egress.policy import Policy
from mergegate.sandbox.egress.server import egress
from mergegate.sandbox.process.run import MEBIBYTE, Limits, python_module
from mergegate.sandbox.process.slots import Child, Kind, slots

_KIND = Kind(
    python_module("mergegate.model.worker"),
    network=False,
    limits=Limits(memory_bytes=512 * MEBIBYTE, output_bytes=MEBIBYTE),
    most_processes=4,
)
GREETING = b"{}"
_START_S = 20.0
"""A Python that starts on a busy machine."""
_BESIDE_S = 5.0
"""Beyond the time that the process itself takes for an exchange at the most."""


@dataclass(slots=True)
class Worker:
    """One of the processes."""

    child: Child
    begun: bool = False
    """Whether it has the key."""


@dataclass(slots=True)
class Apart:
    """A :class:`~mergegate.model.http.Wire`; made by :func:`apart`."""

    order: bytes = field(repr=False)
    """What each process is told once it is hidden from others; the key is in it."""
    free: SimpleQueue[Worker] = field(default_factory=SimpleQueue)

    def post(self, body: bytes, within_s: float) -> Reply:
        """What a question is answered with; raises NoAnswer."""
        return self._asked({"body": body.decode("utf-8"), "within_s": within_s}, within_s)

    def look(self) -> Reply:
        """What the list of models is answered with; raises NoAnswer."""
        return self._asked({}, READY_S)

    def _asked(self, request: dict[str, Any], within_s: float) -> Reply:
        worker = self.free.get()
        try:
            if not worker.begun:
                worker.child.ask(GREETING, _START_S)
                worker.child.ask(self.order, _START_S)
                worker.begun = True
            said = worker.child.ask(json.dumps(request).encode(), within_s + _BESIDE_S)
            return _reply(json.loads(said))
        except EngineTimeout as error:
            raise NoAnswer(Fault.TOO_SLOW, "the model's process did not answer in time") from error
        except EngineError as error:
            what = f"the model's process failed: {error.what}"
            raise NoAnswer(Fault.UNREACHABLE, what) from error
        finally:
            self.free.put(worker)


@contextlib.contextmanager
def apart(remote: Remote, at_once: int) -> Iterator[Apart]:
    """The way to ``remote`` while inside, for so many questions ``at_once``.

    Processes are started when they are asked first. Raises EngineError or UsageError.
    """
    address = remote.address
    policy = Policy(ports=frozenset(), allowed=frozenset({(address.host, address.port)}))
    authorities = _authorities(remote)
    with slots() as place:
        socket = place.room() / "way"
        with egress(policy, at=socket):
            order = {
                "base": address.base,
                "dialect": address.dialect.name,
                "key": remote.key,
                "authorities": authorities,
                "socket": str(socket),
            }
            wire = Apart(json.dumps(order).encode())
            for _ in range(at_once):
                wire.free.put(Worker(place.child(_KIND)))
            yield wire


def _authorities(remote: Remote) -> str:
    """Certificates as text, for the process may read no file of ours."""
    if remote.authorities is None:
        return ""
    try:
        return remote.authorities.read_text("ascii")
    except (OSError, ValueError) as error:
        raise UsageError(f"the file that {AUTHORITIES} names cannot be read") from error


def _reply(said: dict[str, Any]) -> Reply:
    if "fault" in said:
        raise NoAnswer(Fault(said["fault"]), said["what"], remedy=said["remedy"])
    return Reply(said["status"], base64.b64decode(said["content"]))
