"""Read a Git repository whose configuration and content are hostile.

Only commands that read objects or the index are used, each with hooks, filters, external
programs, lazy fetches and pagers switched off; nothing of the repository is executed.
"""

import datetime as dt
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from mergegate.errors import EngineError, TargetError, UsageError
from mergegate.world.process import Completed, Limits, find_program, run

_SAFE = (
    "--no-pager",
    "--no-replace-objects",
    "--literal-pathspecs",
    *("-c", "core.fsmonitor=false"),
    *("-c", "core.hooksPath=/dev/null"),
    *("-c", "core.attributesFile=/dev/null"),
    *("-c", "core.quotePath=false"),
    *("-c", "protocol.allow=never"),
    *("-c", "safe.bareRepository=explicit"),
    *("-c", "safe.directory=*"),
    *("-c", "log.showSignature=false"),
    *("-c", "diff.external="),
)
_ENVIRONMENT = {
    "HOME": "/nonexistent",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ATTR_NOSYSTEM": "1",
}
_LIMITS = Limits(timeout_s=120)
_BATCH_BYTES = 64 * 1024 * 1024
_RECORD_WORDS = 3
_REMOTE = re.compile(
    r"^(?:https?://(?:[^@/]*@)?|ssh://(?:[^@/]*@)?|git://|[^@/:]+@)"
    r"(?P<host>[^/:]+)(?::\d+)?[/:](?P<owner>.+)/(?P<repo>[^/]+?)(?:\.git)?/?$"
)
_PROVIDERS = {"github": "github", "gitlab": "gitlab", "bitbucket": "bitbucket"}


@dataclass(frozen=True, slots=True)
class Entry:
    """One path of a commit's tree."""

    mode: str
    """Octal: ``100644`` file, ``120000`` link, ``160000`` submodule."""
    oid: str
    size: int
    """Bytes; 0 for a submodule."""
    raw_path: bytes


@dataclass(frozen=True, slots=True)
class AddedLine:
    """A line that a commit of the change added."""

    commit: str
    raw_path: bytes
    line: int
    text: bytes


class Repository:
    """The work tree at ``root`` or around it; raises TargetError when there is none."""

    def __init__(self, root: Path) -> None:
        self.root = root
        """The folder that is scanned: the top of the work tree or a folder inside."""
        if self._try("rev-parse", "--is-inside-work-tree") != b"true\n":
            raise TargetError(f"{root} is not inside a Git work tree")

    @classmethod
    def around(cls, root: Path) -> "Repository | None":
        """The repository whose work tree ``root`` is in; None where there is none, or no Git."""
        try:
            return cls(root)
        except TargetError:
            return None

    def head(self) -> str | None:
        """The commit checked out; None before the first commit."""
        answer = self._try("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
        return answer.decode().strip() if answer else None

    def branch(self) -> str | None:
        """The branch checked out; None when detached."""
        answer = self._try("symbolic-ref", "--quiet", "--short", "HEAD")
        return answer.decode("utf-8", "replace").strip() if answer else None

    def origin(self) -> tuple[str | None, str, str] | None:
        """Provider, owner and name as ``origin`` tells; credentials in the URL are dropped."""
        answer = self._try("config", "--get", "remote.origin.url")
        match = _REMOTE.match(answer.decode("utf-8", "replace").strip()) if answer else None
        if match is None:
            return None
        host = match["host"].lower()
        provider = next((name for key, name in _PROVIDERS.items() if key in host), None)
        return provider, match["owner"].strip("/"), match["repo"]

    def listed(self) -> list[bytes]:
        """Tracked paths and untracked ones that are not ignored, relative to ``root``."""
        output = self._run("ls-files", "-z", "--cached", "--others", "--exclude-standard")
        return sorted(set(output.split(b"\0")) - {b""})

    def merge_base(self, ref: str) -> str:
        """The commit where HEAD and ``ref`` parted; raises UsageError for an unknown ref."""
        if ref.startswith("-") or not ref or "\n" in ref or "\0" in ref:
            raise UsageError(f"{ref!r} is not a Git revision")
        commit = self._try(
            "rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}"
        )
        if not commit:
            raise UsageError(
                f"the base {ref!r} is not in this repository",
                remedy="Fetch it first, for example `git fetch origin` with enough depth.",
            )
        base = self._try("merge-base", commit.decode().strip(), "HEAD")
        if not base:
            raise UsageError(
                f"HEAD and {ref!r} have no common commit here",
                remedy="The clone may be shallow: `git fetch --unshallow` brings the history.",
            )
        return base.decode().strip()

    def committed_at(self, commit: str) -> str:
        """When ``commit`` was made, ISO 8601 in UTC."""
        seconds = int(self._run("show", "--no-patch", "--format=%ct", commit))
        return dt.datetime.fromtimestamp(seconds, dt.UTC).isoformat().replace("+00:00", "Z")

    def content(self, commit: str, path: str) -> bytes | None:
        """The bytes of ``path`` (relative to ``root``) at ``commit``; None when it has no such."""
        return self._try("cat-file", "blob", f"{commit}:./{path}") or None

    def entries(self, commit: str) -> list[Entry]:
        """The tree of ``commit`` below ``root``, paths relative to it."""
        output = self._run("ls-tree", "-r", "-z", "-l", commit)
        return [_entry(record) for record in output.split(b"\0") if record]

    def blobs(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes]]:
        """Each entry with its bytes, read in batches of bounded size."""
        for batch in _batches(entries):
            listing = b"".join(entry.oid.encode() + b"\n" for entry in batch)
            output = self._run("cat-file", "--batch", stdin=listing)
            yield from _contents(batch, output)

    def added_lines(self, base: str) -> Iterator[AddedLine]:
        """Every line that a commit after ``base`` adds, merges aside, oldest commit first."""
        output = self._run(
            "log",
            "--reverse",
            "--no-merges",
            "--format=%x00%H",
            "--patch",
            "--unified=0",
            "--no-color",
            "--no-ext-diff",
            "--no-textconv",
            "--no-renames",
            "--src-prefix=a/",
            "--dst-prefix=b/",
            "--relative",
            f"{base}..HEAD",
        )
        return _added(output)

    def _run(self, *arguments: str, stdin: bytes = b"") -> bytes:
        done = self._git(arguments, stdin)
        if done.exit_code != 0:
            said = done.stderr.decode("utf-8", "replace").strip()[-300:]
            raise TargetError(f"git {arguments[0]} failed in {self.root}: {said}")
        return done.stdout

    def _try(self, *arguments: str) -> bytes:
        done = self._git(arguments)
        return done.stdout if done.exit_code == 0 else b""

    def _git(self, arguments: Sequence[str], stdin: bytes = b"") -> Completed:
        try:
            return run(
                [find_program("git"), *_SAFE, *arguments],
                cwd=self.root,
                limits=_LIMITS,
                environment=_ENVIRONMENT,
                stdin=stdin,
            )
        except EngineError as error:
            raise TargetError(f"git {arguments[0]}: {error.what}", remedy=error.remedy) from error


def _entry(record: bytes) -> Entry:
    facts, _, path = record.partition(b"\t")
    mode, _, oid, size = facts.decode("ascii").split()
    return Entry(mode, oid, 0 if size == "-" else int(size), path)


def _batches(entries: Iterable[Entry]) -> Iterator[list[Entry]]:
    batch: list[Entry] = []
    held = 0
    for entry in entries:
        batch.append(entry)
        held += entry.size
        if held > _BATCH_BYTES:
            yield batch
            batch, held = [], 0
    if batch:
        yield batch


def _contents(batch: Sequence[Entry], output: bytes) -> Iterator[tuple[Entry, bytes]]:
    r"""Parse ``<oid> blob <size>\n<bytes>\n`` records; a missing object is left out."""
    at = 0
    for entry in batch:
        end = output.index(b"\n", at)
        header = output[at:end].split()
        at = end + 1
        if len(header) == _RECORD_WORDS:
            size = int(header[2])
            yield entry, output[at : at + size]
            at += size + 1


_HUNK = re.compile(rb"^@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@")


def _added(patch: bytes) -> Iterator[AddedLine]:
    commit, path, line, in_hunk = "", b"", 0, False
    for text in patch.split(b"\n"):
        if text.startswith(b"\0"):
            commit, in_hunk = text[1:].decode("ascii"), False
        elif text.startswith(b"diff --git "):
            in_hunk = False
        elif not in_hunk and text.startswith(b"+++ "):
            path = text[4:].removeprefix(b"b/").rstrip(b"\t")
        elif hunk := _HUNK.match(text):
            line, in_hunk = int(hunk[1]), True
        elif in_hunk and text.startswith(b"+"):
            yield AddedLine(commit, path, line, text[1:])
            line += 1
