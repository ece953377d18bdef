"""Bring commits that a clone lacks from its origin, without believing what the clone says of it.

Git runs in a folder of ours whose configuration is empty: programs, proxies, helpers and addresses
that the clone's configuration names are never read. Only its objects, and the list of where its
history breaks off, are lent to that folder and given back.
"""

import contextlib
import os
import re
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from mergegate.core.errors import EngineError, TargetError
from mergegate.sandbox.git.command import FETCH, git, settings
from mergegate.sandbox.git.origin import Origin
from mergegate.sandbox.git.repository import Repository
from mergegate.sandbox.process.account import account_for, hand_over
from mergegate.sandbox.process.run import MEBIBYTE, Completed, Limits

DEPTH = 50
"""Commits that are fetched of a missing base's history."""
_PATIENCE_S = 300.0
"""Time for all fetches of one scan."""
_LARGEST_BYTES = 8192 * MEBIBYTE
_MEMORY_BYTES = 3072 * MEBIBYTE
_OPTIONS = (*settings("remote"), *settings("fetch"))
_GONE = re.compile(
    rb"not our ref|couldn't find remote ref|unadvertised object|no such remote ref", re.IGNORECASE
)
_REASONS = (
    (
        re.compile(rb"could not read (?:Username|Password)|Authentication failed|error: 40[134]"),
        "it does not let this job read the repository",
        "Give the job a token that may read it, for example as MERGEGATE_TOKEN.",
    ),
    (
        re.compile(rb"Read-only file system|insufficient permission|Permission denied"),
        "the clone on this machine cannot be written to",
        "Make it writable, or clone with the whole history.",
    ),
    (
        re.compile(rb"Could not resolve|Failed to connect|Couldn't connect|Connection|timed out"),
        "it cannot be reached",
        "Allow the job to reach it, or clone with the whole history.",
    ),
)
_FETCHED = "refs/fetched/base"


class Fetcher:
    """Brings commits into the clone of ``repository``; made by :func:`fetching`."""

    def __init__(self, repository: Repository, origin: Origin, room: Path) -> None:
        self._repository = repository
        self._origin = origin
        self._room = room
        self._own = room / "own.git"
        self._until = time.monotonic() + _PATIENCE_S
        self._account = account_for(repository.root)

    def bring(self, name: str) -> str | None:
        """The commit ``name``, a full one or ``refs/…``; None when the origin has none.

        A shallow clone gets ``DEPTH`` commits of its history, another one all. Raises TargetError
        when the origin cannot be asked.
        """
        depth = (f"--depth={DEPTH}",) if self._shallow() else ()
        if not self._fetch([f"+{name}:{_FETCHED}"], *depth):
            return None
        fetched = f"{_FETCHED}^{{commit}}"
        return self._git("rev-parse", "--verify", fetched).stdout.decode("ascii").strip()

    def deepen(self, names: Sequence[str], by: int | None) -> bool:
        """Move the ends of the history before ``names`` by as many commits; None for all of it.

        False when the origin does not hand these out. Raises TargetError when it cannot be asked.
        """
        return self._fetch(names, "--unshallow" if by is None else f"--deepen={by}")

    def complete(self, objects: Sequence[str]) -> bool:
        """Bring blobs and trees that a partial clone lacks.

        False when the origin does not hand these out. Raises TargetError when it cannot be asked.
        """
        return self._fetch(objects, before=settings("objects"))

    def _prepare(self) -> None:
        self._give()
        kind = self._repository.object_format()
        self._plain("init", "--quiet", "--bare", "--template=", f"--object-format={kind}")
        # Without a reference of our own the origin would send again what the clone has.
        self._plain("update-ref", "refs/heads/have", str(self._repository.head()))

    def _fetch(self, refspecs: Sequence[str], *options: str, before: Sequence[str] = ()) -> bool:
        if not self._own.exists():
            self._prepare()
        ends = self._lend()
        done = self._git(
            *before,
            *FETCH,
            *options,
            "--end-of-options",
            self._origin.url,
            stdin="".join(f"{one}\n" for one in refspecs).encode(),
            network=not self._origin.local,
        )
        if done.exit_code != 0:
            if _GONE.search(done.stderr):
                return False
            raise self._refusal(done.stderr)
        self._take_back(ends)
        return True

    def _lend(self) -> bytes:
        shallow = self._shallow()
        ours = self._own / "shallow"
        ours.unlink(missing_ok=True)
        if shallow:
            ours.write_bytes(shallow)
            self._give()
        return shallow

    def _take_back(self, before: bytes) -> None:
        """The objects are in the clone by now, so it never names what it does not have."""
        ours = self._own / "shallow"
        after = ours.read_bytes() if ours.exists() else b""
        if after != before:
            try:
                _replace(self._repository.inside("shallow"), after)
            except OSError as error:
                raise TargetError(
                    f"the clone's own list of its ends cannot be written: {error.strerror}",
                    remedy="Make the clone writable, and let no other Git run in it.",
                ) from error

    def _shallow(self) -> bytes:
        try:
            return self._repository.inside("shallow").read_bytes()
        except FileNotFoundError:
            return b""

    def _give(self) -> None:
        """While we are root Git runs as the clone's owner, who must own this folder too."""
        if self._account:
            os.chown(self._room, self._account.uid, self._account.gid)
            hand_over(self._room, self._account)

    def _plain(self, *arguments: str) -> None:
        done = self._git(*arguments)
        if done.exit_code != 0:
            raise TargetError(f"git {arguments[0]} failed in a new folder")

    def _git(self, *arguments: str, stdin: bytes = b"", network: bool = False) -> Completed:
        left = self._until - time.monotonic()
        limits = Limits(
            timeout_s=max(left, 1), memory_bytes=_MEMORY_BYTES, output_bytes=_LARGEST_BYTES
        )
        try:
            return git(
                (f"--git-dir={self._own}", *_OPTIONS, *arguments),
                self._room,
                limits,
                environment=self._environment(),
                stdin=stdin,
                network=network,
            )
        except EngineError as error:
            raise TargetError(
                f"bringing missing history from {self._origin.host} failed: {error.what}",
                remedy="Clone with the whole history.",
            ) from error

    def _environment(self) -> dict[str, str]:
        objects = {"GIT_OBJECT_DIRECTORY": str(self._repository.inside("objects"))}
        return self._origin.environment() | objects

    def _refusal(self, stderr: bytes) -> TargetError:
        what = f"{self._origin.host} was asked for missing history"
        for pattern, reason, remedy in _REASONS:
            if pattern.search(stderr):
                return TargetError(f"{what}: {reason}", remedy=remedy)
        return TargetError(f"{what}: {_last_words(stderr)}", remedy="Clone with the whole history.")


@contextlib.contextmanager
def fetching(repository: Repository, origin: Origin) -> Iterator[Fetcher]:
    """A fetcher with a folder of its own, which goes with it; raises TargetError."""
    with tempfile.TemporaryDirectory(prefix="mergegate-") as room:
        yield Fetcher(repository, origin, Path(room).resolve())


def _replace(target: Path, content: bytes) -> None:
    """Replace a file as Git does it; a lock that exists means that another Git is at work."""
    lock = target.with_name(f"{target.name}.lock")
    descriptor = os.open(lock, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o644)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        _resemble(lock, target.parent)
        if content:
            lock.replace(target)
        else:
            target.unlink(missing_ok=True)
    finally:
        lock.unlink(missing_ok=True)


def _resemble(file: Path, folder: Path) -> None:
    """Root leaves nothing behind that the clone's owner cannot remove."""
    owner = folder.stat()
    if os.geteuid() == 0:
        os.chown(file, owner.st_uid, owner.st_gid, follow_symlinks=False)


def _last_words(stderr: bytes) -> str:
    """Git's own last complaint; what the other side says is not repeated."""
    lines = stderr.decode("utf-8", "replace").splitlines()
    ours = [line for line in lines if line.startswith(("fatal:", "error:"))]
    own = [line.partition(":")[2].strip() for line in ours if "remote error" not in line]
    said = own[-1] if own else "Git gave no reason"
    return "".join(letter if letter.isprintable() else "?" for letter in said)[:200]
