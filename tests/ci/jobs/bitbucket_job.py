"""A pull request on the stand-in of Bitbucket, with a real clone to scan, and Pipelines' proxy."""

import fcntl
import socket
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from tests.ci.jobs.clones import CHEAP, Clone
from tests.conftest import Mergegate, Run
from tests.forges.bitbucket.contract import mistakes
from tests.forges.bitbucket.server import Handler, running
from tests.forges.bitbucket.stand_in import BOT, REPOSITORY, TOKEN, Bitbucket
from tests.forges.jobs import BITBUCKET_REQUEST

PROXY_PORT = 29418
_OURS = frozenset({BOT.uuid, TOKEN.uuid})


@dataclass
class PullRequest:
    """The pull request, its clone, and the step that answers it."""

    site: Bitbucket
    clone: Clone
    mergegate: Mergegate
    builds: int = 0
    moved_to: str = ""
    """The head that somebody has pushed meanwhile."""

    def push(self, files: Mapping[str, str]) -> str:
        return self.clone.push(files)

    def ci(self, *arguments: str, **environment: str) -> Run:
        """``mergegate ci`` in a new build of the pull request."""
        self.builds += 1
        self.site.head = self.moved_to or self.clone.head
        shown = self.clone.files("topic").items()
        self.site.diff = {name: text.count("\n") for name, text in shown}
        given = {**self._step(), "BITBUCKET_BUILD_NUMBER": str(40 + self.builds), **environment}
        return self.mergegate("ci", *CHEAP, *arguments, env=given, cwd=self.clone.outside)

    def _step(self) -> dict[str, str]:
        return BITBUCKET_REQUEST | {
            "BITBUCKET_CLONE_DIR": str(self.clone.root),
            "BITBUCKET_COMMIT": self.clone.head[:12],
            "BITBUCKET_PR_DESTINATION_COMMIT": self.clone.main[:12],
            "BITBUCKET_REPO_FULL_NAME": REPOSITORY,
            "MERGEGATE_API_URL": self.site.url,
            "MERGEGATE_REPORT": str(self.clone.report),
            "MERGEGATE_TOKEN": "bot-secret",
        }

    @property
    def comments(self) -> list[str]:
        """Of ours on the pull request itself."""
        standing = (one for one in self.site.standing() if one["user"]["uuid"] in _OURS)
        return [one["content"]["raw"] for one in standing if "inline" not in one]

    @property
    def threads(self) -> list[dict[str, Any]]:
        return [one for one in self.site.standing() if "inline" in one]

    @property
    def open_threads(self) -> int:
        return sum(not one["resolution"] for one in self.threads)

    @property
    def state(self) -> str:
        """Of the build status of the change's last commit; empty without one."""
        status = self.site.statuses.get(self.clone.head)
        return str(status["state"]) if status else ""


@contextmanager
def pull_request_of(clone: Clone, mergegate: Mergegate) -> Iterator[PullRequest]:
    """In the end nothing was against Bitbucket's published document."""
    with running() as site:
        yield PullRequest(site, clone, mergegate)
    assert [one for exchange in site.exchanges for one in mistakes(exchange)] == []


@contextmanager
def pipelines(site: Bitbucket) -> Iterator[None]:
    """The proxy where every step of Pipelines finds it."""
    handler = type("ProxyHandler", (Handler,), {"state": site})
    with nobody_at_the_proxy():
        server = ThreadingHTTPServer(("127.0.0.1", PROXY_PORT), handler)
        server.daemon_threads = True
        thread = Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield
        finally:
            server.shutdown()
            server.server_close()
            thread.join()


@contextmanager
def nobody_at_the_proxy() -> Iterator[None]:
    """The one port of this machine, to ourselves: other tests wait, and no server listens there."""
    try:
        socket.getaddrinfo("localhost", PROXY_PORT)
    except OSError:
        pytest.skip("NOT CHECKED beside Pipelines' proxy: localhost has no address here")
    lock = Path(tempfile.gettempdir()) / f"mergegate-tests-{PROXY_PORT}.lock"
    with lock.open("w") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", PROXY_PORT)) == 0:
                pytest.skip(f"NOT CHECKED beside Pipelines' proxy: port {PROXY_PORT} is taken")
        yield
