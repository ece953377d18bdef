"""Fetch one commit of a hostile repository onto this machine, and nothing else of it.

Git runs with hooks, filters, submodules, links, other protocols and redirects off. The token is
handed to it once, through a pipe that has a name for that moment; no argument, variable or file
ever holds it.
"""

import os
import re
import secrets
import shlex
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from mergegate.core.errors import EngineFailed, TargetError, UsageError
from mergegate.sandbox.git.command import FETCH, git, settings
from mergegate.sandbox.git.entries import Entry, entry
from mergegate.sandbox.git.names import is_branch, is_commit
from mergegate.sandbox.git.origin import Origin
from mergegate.sandbox.git.repository import Repository
from mergegate.sandbox.process.run import MEBIBYTE, Completed, Exceeded, Limits

_DEPTHS = (50, 200, 1000)
"""Commits of history, tried one after the other, until the change's base is reached."""
_MOST_ENTRIES = 400_000
_LONGEST_LISTING = 128 * MEBIBYTE
_LONGEST_TARGET = 4096
_TIMEOUT_S = 900.0
_LINK, _SHA256_DIGITS = "120000", 64
_FOLDER = os.O_RDONLY | os.O_DIRECTORY
_HEAD, _BASE = "refs/heads/head", "refs/heads/base"
_OPTIONS = (*settings("remote"), *settings("clone"))
_HELPER = (
    '!f() { test "$1" = get || return 0; exec <%s || return 1; rm -f %s; '
    'read -r user && read -r word && printf \'%%s\\n\' "$user" "$word"; }; f'
)
"""Reads what stands in the pipe, which is gone from then on: a second time there is nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is to be fetched, and where it goes."""

    url: str
    """https, without credentials; plain http to this machine alone, and not through a proxy."""
    user: str = ""
    token: str = field(default="", repr=False)
    """Empty for a public repository."""
    proxy: str = ""
    """The way out (``Egress.url``); empty: by ``connection``."""
    connection: Mapping[str, str] = field(default_factory=dict, repr=False)
    """A job's own way out (:func:`mergegate.sandbox.git.origin.connection`)."""
    authorities: str = ""
    """A file of certificates that vouch for the host, in place of those this machine trusts."""
    branch: str
    commit: str
    """Its full name."""
    base: str | None = None
    """The full name of a commit to compare with; then the history between comes along."""
    into: Path
    """An empty folder."""
    most_bytes: int
    """The most that is sent, and again the most that the files hold."""


class _Refused(TargetError):
    """Git did not bring the commit."""

    said: ClassVar[re.Pattern[bytes]]
    """Found in what Git says then."""
    reason: ClassVar[str]
    """The same in our words."""


class TooLarge(_Refused):
    """The repository is larger than this host fetches."""

    code = "REPOSITORY_TOO_LARGE"
    said = re.compile(rb"signal 25|File too large")
    reason = "the repository is larger than this host fetches"


class TokenRefused(_Refused):
    """The provider does not know the token any more."""

    code = "PROVIDER_TOKEN_REVOKED"
    said = re.compile(rb"Authentication failed|error: 401")
    reason = "the provider does not accept the token of the connection any more"


class AccessRefused(_Refused):
    """The provider hides the repository from the token."""

    code = "PROVIDER_ACCESS_DENIED"
    said = re.compile(rb"could not read (?:Username|Password)|error: 403|not found|error: 404")
    reason = "the provider does not let the connection read the repository"


class CommitMissing(_Refused):
    """The provider does not hand out the commit."""

    code = "COMMIT_NOT_FOUND"
    said = re.compile(
        rb"not our ref|couldn't find remote ref|unadvertised object|no such remote ref"
    )
    reason = "the provider does not hand out the commit"


class ProviderSilent(TargetError):
    """The provider cannot be reached, or fails."""

    code = "PROVIDER_UNREACHABLE"


def fetch(wanted: Wanted) -> None:
    """Leave the files of the commit in ``wanted.into``, with a ``.git`` of ours.

    Raises TooLarge, CommitMissing, TokenRefused, AccessRefused, ProviderSilent; EngineError when
    this machine is at fault, UsageError for what no caller should have let through.
    """
    _check(wanted)
    clone = _Clone(wanted)
    clone.prepare()
    clone.bring()
    clone.check_out()


def _check(wanted: Wanted) -> None:
    names = [wanted.commit, *([wanted.base] if wanted.base else [])]
    secure = not wanted.proxy or wanted.url.startswith("https://")
    if not (secure and is_branch(wanted.branch) and all(map(is_commit, names))):
        raise UsageError("this is no address, branch or commit to fetch")
    if not all(one.isascii() and one.isprintable() for one in (wanted.user, wanted.token)):
        raise TokenRefused("the token of the connection is damaged")


@dataclass(frozen=True, slots=True)
class _Clone:
    wanted: Wanted

    def prepare(self) -> None:
        kind = "sha256" if len(self.wanted.commit) == _SHA256_DIGITS else "sha1"
        self._done("init", "--quiet", "--template=", f"--object-format={kind}")

    def bring(self) -> None:
        """Fetch the commit; with a base also the history down to where the change left it."""
        if self.wanted.base is None:
            self._bring(1)
            return
        for depth in _DEPTHS:
            self._bring(depth)
            if self._is_connected(self.wanted.base):
                return
        raise CommitMissing(
            f"the base is not within the last {_DEPTHS[-1]:,} commits before the change"
        )

    def check_out(self) -> None:
        """Files first, links last: while something is written there is none to follow."""
        entries = self._entries()
        if len(entries) > _MOST_ENTRIES:
            raise TooLarge(f"the repository has more than {_MOST_ENTRIES:,} files")
        if sum(one.size for one in entries) > self.wanted.most_bytes:
            raise TooLarge("the files of the repository are larger than this host fetches")
        self._write_files()
        for one in entries:
            if one.mode == _LINK:
                _restore_link(self.wanted.into, one.raw_path)

    def _bring(self, depth: int) -> None:
        wanted = self.wanted
        refs = [f"+{wanted.commit}:{_HEAD}"]
        refs += [f"+{wanted.base}:{_BASE}"] if wanted.base else []
        try:
            self._fetch(refs, depth)
        except CommitMissing:
            # Some servers hand out the tips of branches alone.
            self._fetch([f"+refs/heads/{wanted.branch}:{_HEAD}"], max(depth, _DEPTHS[0]))
        for name in filter(None, (wanted.commit, wanted.base)):
            if self._git("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}").exit_code:
                raise CommitMissing(CommitMissing.reason)
        self._done("update-ref", "--no-deref", "HEAD", wanted.commit)

    def _is_connected(self, base: str) -> bool:
        repository = Repository(self.wanted.into)
        if repository.cuts(base):
            return False
        try:
            return bool(repository.merge_base(base))
        except UsageError as error:
            raise CommitMissing("the change and its base have no common commit") from error

    def _fetch(self, refs: Sequence[str], depth: int) -> None:
        with _offered(self.wanted) as helper:
            done = self._git(
                *("-c", f"credential.helper={helper}"),
                *FETCH,
                "--force",
                f"--depth={depth}",
                "--end-of-options",
                self.wanted.url,
                stdin="".join(f"{one}\n" for one in refs),
                network=True,
            )
        if done.exit_code != 0:
            _refuse_full_disk(done.stderr)
            raise self._refusal(done.stderr)

    def _entries(self) -> list[Entry]:
        """A tree may name one of its own a thousand times: the listing itself has a limit."""
        done = self._git("ls-tree", "-r", "-z", "-l", "HEAD", most_bytes=_LONGEST_LISTING)
        if done.exit_code != 0:
            raise self._unreadable("ls-tree", done.stderr)
        return [entry(record) for record in done.stdout.split(b"\0") if record]

    def _write_files(self) -> None:
        """A name that this machine cannot write stays in the index; the scan says so."""
        done = self._git("read-tree", "--reset", "-u", "HEAD")
        if done.exit_code == 0:
            return
        _refuse_full_disk(done.stderr)
        self._done("read-tree", "HEAD")

    def _done(self, *arguments: str) -> None:
        done = self._git(*arguments)
        if done.exit_code != 0:
            raise self._unreadable(arguments[0], done.stderr)

    def _unreadable(self, command: str, stderr: bytes) -> TargetError:
        self._log(stderr)
        _refuse_full_disk(stderr)
        return TargetError(f"git {command} cannot read the repository")

    def _git(
        self, *arguments: str, stdin: str = "", network: bool = False, most_bytes: int | None = None
    ) -> Completed:
        most = self.wanted.most_bytes if most_bytes is None else most_bytes
        limits = Limits(timeout_s=_TIMEOUT_S, output_bytes=most)
        try:
            return git(
                (*_OPTIONS, *arguments),
                self.wanted.into,
                limits,
                environment=self._way(),
                stdin=stdin.encode(),
                network=network,
            )
        except Exceeded as error:
            raise TooLarge(f"git gave up on the repository: {error.what}") from error

    def _way(self) -> dict[str, str]:
        wanted = self.wanted
        origin = Origin(url=wanted.url, proxy=wanted.proxy, connection=wanted.connection)
        way = origin.environment()
        if self.wanted.authorities:
            way["GIT_SSL_CAINFO"] = self.wanted.authorities
        return way

    def _refusal(self, stderr: bytes) -> TargetError:
        self._log(stderr)
        if self._is_full():
            return TooLarge(TooLarge.reason)
        for kind in (TooLarge, TokenRefused, AccessRefused, CommitMissing):
            if kind.said.search(_ours(stderr)):
                return kind(kind.reason)
        return ProviderSilent("the provider did not answer Git as it should")

    def _is_full(self) -> bool:
        """Whether a pack ends where the kernel ends files: Git says then what it says of any."""
        packs = (self.wanted.into / ".git/objects/pack").glob("*")
        return any(one.lstat().st_size >= self.wanted.most_bytes for one in packs)

    def _log(self, stderr: bytes) -> None:
        """What Git and the other side said, without the token, for the host's operator."""
        said = stderr.decode("utf-8", "replace")
        plain = said.replace(self.wanted.token, "***") if self.wanted.token else said
        print(ascii(plain[-2000:]), file=sys.stderr)


def _refuse_full_disk(stderr: bytes) -> None:
    """Raises EngineFailed when ours is full."""
    if b"No space left" in _ours(stderr):
        raise EngineFailed("there is no space left for the repository")


def _ours(stderr: bytes) -> bytes:
    """What Git itself says: of its own troubles the provider may say what it likes."""
    return b"\n".join(one for one in stderr.splitlines() if not one.startswith(b"remote:"))


@contextmanager
def _offered(wanted: Wanted) -> Iterator[str]:
    """Git's helper that tells user and token once; it names no more than where they are to come."""
    if not wanted.token:
        yield ""
        return
    with tempfile.TemporaryDirectory(prefix="credential-") as room:
        pipe = Path(room) / "once"
        os.mkfifo(pipe, 0o600)
        # Both ends are ours: it can be filled before it is read, and no reader waits for a writer.
        ours = os.open(pipe, os.O_RDWR | os.O_CLOEXEC)
        try:
            os.write(ours, f"username={wanted.user}\npassword={wanted.token}\n".encode())
            place = shlex.quote(str(pipe))
            yield _HELPER % (place, place)
        finally:
            os.close(ours)


def _restore_link(root: Path, raw_path: bytes) -> None:
    """Make the link that the file stands for; no folder on the way there may be one."""
    *folders, name = raw_path.split(b"/")
    inside = os.open(root, _FOLDER)
    try:
        for folder in folders:
            inner = os.open(folder, _FOLDER | os.O_NOFOLLOW, dir_fd=inside)
            os.close(inside)
            inside = inner
        _replace_by_link(name, inside)
    except (OSError, ValueError):
        return  # never written, or no name that can be: it stays the file that it is
    finally:
        os.close(inside)


def _replace_by_link(name: bytes, inside: int) -> None:
    """Made beside it first: what it leads to may be no path, and then the file stays."""
    file = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=inside)
    try:
        target = os.read(file, _LONGEST_TARGET)
    finally:
        os.close(file)
    beside = secrets.token_hex(16)
    os.symlink(target, beside, dir_fd=inside)
    os.rename(beside, name, src_dir_fd=inside, dst_dir_fd=inside)
