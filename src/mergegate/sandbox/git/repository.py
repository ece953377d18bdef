"""Read a Git repository whose configuration and content are hostile.

Only commands that read objects or the index are used, each with hooks, filters, external
programs, lazy fetches and pagers switched off; nothing of the repository is executed.
"""

import datetime as dt
import os
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from pathlib import Path

from mergegate.core.errors import EngineError, TargetError, UsageError
from mergegate.core.tree import display
from mergegate.sandbox.git import patch
from mergegate.sandbox.git.brought import Brought, brought
from mergegate.sandbox.git.command import PATCH, RAW, git
from mergegate.sandbox.git.entries import FETCH_ALL, Entry, batches, contents, entry
from mergegate.sandbox.git.names import is_commit
from mergegate.sandbox.process.run import MEBIBYTE, Completed, Limits

_UNSET = 1
"""How ``git config --get`` ends where there is no such setting."""


_LIMITS = Limits(timeout_s=120)
_PATCH_LIMITS = Limits(timeout_s=120, output_bytes=64 * MEBIBYTE)
_UNOPENED = re.compile(rb"^warning: could not open directory '(.+?/)': ", re.MULTILINE | re.DOTALL)
_REMOTE = re.compile(
    r"^(?:https?://(?:[^@/]*@)?|ssh://(?:[^@/]*@)?|git://|[^@/:]+@)"
    r"(?P<host>[^/:]+)(?::\d+)?[/:](?P<owner>.+)/(?P<repo>[^/]+?)(?:\.git)?/?$"
)
GITHUB = "github.com"
_SSH_HOSTS = {
    "ssh.github.com": "github.com",
    "altssh.gitlab.com": "gitlab.com",
    "altssh.bitbucket.org": "bitbucket.org",
}
"""Where SSH is spoken on the port of HTTPS."""
_PROVIDERS = {"github": "github", "gitlab": "gitlab", "bitbucket": "bitbucket"}


class Repository:
    """One look at the work tree at ``root`` or around it; raises TargetError when there is none.

    What is checked out, and which commit a name stands for, is asked once: a scan is of one
    commit, whatever happens beside it.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        """The folder that is scanned: the top of the work tree or a folder inside."""
        self._lasting: dict[tuple[str, ...], Completed] = {}
        """What Git answered about what stays as it is."""
        if not root.is_dir():
            raise TargetError(f"{root} is not a folder", remedy="Give the path of a repository.")
        asked = ("--is-inside-work-tree", "--path-format=absolute", "--git-common-dir")
        is_inside, _, place = self._try("rev-parse", *asked).partition(b"\n")
        if is_inside != b"true":
            raise TargetError(f"{root} is not inside a Git work tree")
        self._common = Path(os.fsdecode(place.removesuffix(b"\n")))

    @classmethod
    def around(cls, root: Path) -> "Repository | None":
        """The repository whose work tree ``root`` is in; None where there is none, or no Git."""
        try:
            return cls(root)
        except TargetError:
            return None

    def top(self) -> Path:
        """The top of the work tree."""
        done = self._once("rev-parse", "--show-toplevel")
        return Path(os.fsdecode(self._succeeded("rev-parse", done).stdout.removesuffix(b"\n")))

    def head(self) -> str | None:
        """The commit checked out; None before the first commit."""
        return self.peeled("HEAD")

    def branch(self) -> str | None:
        """The branch checked out; None when detached."""
        answer = self._try("symbolic-ref", "--quiet", "--short", "HEAD")
        return answer.decode("utf-8", "replace").strip() if answer else None

    def origin(self) -> tuple[str | None, str, str] | None:
        """Provider, owner and name as ``origin`` tells; credentials in the URL are dropped."""
        match = self._remote()
        if match is None:
            return None
        host = match["host"].lower()
        provider = next((name for key, name in _PROVIDERS.items() if key in host), None)
        return provider, match["owner"].strip("/"), match["repo"]

    def host(self) -> str:
        """The host that ``origin`` names; hostile text, empty where there is none."""
        match = self._remote()
        host = match["host"].lower() if match else ""
        return _SSH_HOSTS.get(host, host)

    def owner_at_github(self) -> str:
        """Who owns the repository, as ``origin`` tells; empty for a clone of another host.

        The name of an owner at a server of one's own may be somebody else's at github.com.
        """
        match = self._remote()
        return match["owner"].strip("/") if match and self.host() == GITHUB else ""

    def _remote(self) -> re.Match[str] | None:
        said = self._once("config", "--get", "remote.origin.url", lasting={0, _UNSET})
        return _REMOTE.match(said.stdout.decode("utf-8", "replace").strip())

    def listed(self) -> list[bytes]:
        """Tracked paths and untracked ones that are not ignored, relative to ``root``.

        Folders that Git may not open are among them, with a slash: their content is not known.
        """
        done = self._done("ls-files", "-z", "--cached", "--others", "--exclude-standard")
        return sorted({*done.stdout.split(b"\0"), *_UNOPENED.findall(done.stderr)} - {b""})

    def tracked(self) -> frozenset[bytes]:
        """Every path below ``root`` that the index or HEAD has; a submodule is one path."""
        names = self._run("ls-files", "-z", "--cached")
        names += self._try("ls-tree", "-r", "-z", "--name-only", "HEAD")
        return frozenset(names.split(b"\0")) - {b""}

    def merge_base(self, commit: str, other: str = "HEAD") -> str:
        """The commit where ``other`` and ``commit`` parted; raises UsageError if they never met."""
        if other == "HEAD":
            other = self.head() or other
        if commit == other:
            return commit
        base = self._once("merge-base", commit, other).stdout
        if not base:
            raise UsageError(
                f"{other[:12]} and {commit[:12]} have no common commit here",
                remedy="The clone may be shallow: `git fetch --unshallow` brings the history.",
            )
        return base.decode().strip()

    def references(self, *patterns: str) -> tuple[str, ...]:
        """The full names of all references, or of those that ``patterns`` name with their folders.

        A reference like ``refs/remotes/origin/HEAD`` that only points to another is one too.
        """
        answer = self._run("for-each-ref", "--format=%(refname)", *patterns)
        return tuple(answer.decode("utf-8", "replace").split("\n")[:-1])

    def peeled(self, expression: str) -> str | None:
        """The commit that Git itself understands by ``expression``; None for none."""
        options = ("--verify", "--quiet", "--end-of-options")
        done = self._once("rev-parse", *options, f"{expression}^{{commit}}")
        return done.stdout.decode("ascii").strip() if done.exit_code == 0 else None

    def committed_at(self, commit: str) -> str:
        """When ``commit`` was made, ISO 8601 in UTC."""
        seconds = int(self._run("show", "--no-patch", "--format=%ct", commit))
        return dt.datetime.fromtimestamp(seconds, dt.UTC).isoformat().replace("+00:00", "Z")

    def commit(self, name: str) -> str | None:
        """The full name of the commit that the clone holds under ``name``; None without one.

        ``name`` is a full or abbreviated commit, or a full reference such as ``refs/heads/main``;
        a branch or tag that is named like one of them is not taken for it.
        """
        if name.startswith("refs/"):
            return self.peeled(name) if name in self.references(name) else None
        if is_commit(name) and self.peeled(name) == name:
            return name
        objects = self._try("rev-parse", f"--disambiguate={name}").decode("ascii").split()
        commits = [one for one in objects if self.peeled(one) == one]
        return commits[0] if len(commits) == 1 else None

    def parents(self, commit: str) -> tuple[str, ...]:
        """The parents as the commit itself names them, though a shallow clone may lack them."""
        header = self._run("cat-file", "commit", commit).partition(b"\n\n")[0].decode("latin-1")
        return tuple(
            line.removeprefix("parent ") for line in header.split("\n") if line[:7] == "parent "
        )

    def cuts(self, commit: str) -> tuple[str, ...]:
        """Where a shallow clone breaks off between ``commit`` and HEAD; empty when all is here."""
        try:
            shallow = self.inside("shallow").read_text("ascii").split()
        except FileNotFoundError:
            return ()
        between = self._run("rev-list", f"{commit}...HEAD").decode("ascii").split()
        return tuple(sorted(set(shallow).intersection(between)))

    def is_partial(self) -> bool:
        """Whether the clone was made with a filter, so that it may lack files of a commit."""
        return any((self.inside("objects") / "pack").glob("*.promisor"))

    def missing(self, base: str, *commits: str) -> tuple[str, ...]:
        """What the clone lacks of the trees of ``base`` and ``commits``, and since ``base``.

        Blobs and trees by name; what is below a missing tree is not known.
        """
        trees = self._absent("--no-walk", base, *commits)
        return tuple(sorted(trees | self._absent(f"{base}..HEAD")))

    def _absent(self, *revisions: str) -> set[str]:
        output = self._run("rev-list", "--objects", "--missing=print", *revisions)
        lines = output.decode("utf-8", "surrogateescape").split("\n")
        return {line[1:] for line in lines if line.startswith("?")}

    def inside(self, name: str) -> Path:
        """Where Git keeps ``name`` (``objects``, ``shallow``) of this clone; it may not exist."""
        return self._common / name

    def object_format(self) -> str:
        """``sha1`` or ``sha256``."""
        return self._run("rev-parse", "--show-object-format").decode("ascii").strip()

    def configured(self, pattern: str) -> list[tuple[str, str]]:
        """Keys and values of the clone's own configuration whose key matches, includes aside."""
        options = ("--local", "--no-includes", "-z", "--get-regexp", pattern)
        return _settings_in(self._try("config", *options))

    def configured_in(self, file: Path) -> list[tuple[str, str]]:
        """Keys and values of another file of Git's kind, includes aside."""
        options = (f"--file={file}", "--no-includes", "-z", "--list")
        return _settings_in(self._try("config", *options))

    def content(self, commit: str, path: str) -> bytes | None:
        """The bytes of the file ``path`` at ``commit``; None when it has no such, or a link."""
        found = self.entry(commit, path)
        return self._run("cat-file", "blob", found.oid) if found and found.is_file else None

    def entry(self, commit: str, path: str) -> Entry | None:
        """What ``path`` (relative to ``root``) is at ``commit``; None for nothing, and a folder."""
        question = ("ls-tree", "-z", "-l", commit, "--", f"./{path}")
        done = self._once(*question) if is_commit(commit) else self._git(question)
        record = done.stdout.partition(b"\0")[0] if done.exit_code == 0 else b""
        return entry(record) if record and not record.startswith(b"040000") else None

    def entries(self, commit: str) -> list[Entry]:
        """The tree of ``commit`` below ``root``, paths relative to it."""
        question = ("ls-tree", "-r", "-z", "-l", commit)
        done = self._once(*question) if is_commit(commit) else self._git(question)
        output = self._succeeded(question[0], done).stdout
        return [entry(record) for record in output.split(b"\0") if record]

    def blobs(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes]]:
        """Each entry with its bytes, read in batches of bounded size."""
        for batch in batches(entries):
            listing = b"".join(entry.oid.encode() + b"\n" for entry in batch)
            output = self._run("cat-file", "--batch", stdin=listing)
            yield from contents(batch, output)

    def brought(self, base: str) -> Iterator[Brought]:
        """What every commit after ``base`` brought below ``root``, oldest commit first."""
        if commits := self._since(base):
            yield from brought(self._run("diff-tree", *RAW, stdin=commits))

    def _since(self, base: str) -> bytes:
        """The commits after ``base``, oldest first, a line each."""
        if base == self.head():
            return b""
        question = ("rev-list", "--reverse", "--topo-order", f"{base}..{self.head() or 'HEAD'}")
        done = self._once(*question) if is_commit(base) else self._git(question)
        return self._succeeded(question[0], done).stdout

    def changed(self, base: str) -> list[bytes]:
        """The paths below ``root`` that differ between ``base`` and HEAD, deleted ones too."""
        if base == self.head():
            return []
        options = ("-r", "-z", "--name-only", "--no-renames", "--relative")
        output = self._run("diff-tree", *options, base, "HEAD", "--")
        return [path for path in output.split(b"\0") if path]

    def messages(self, base: str) -> Iterator[tuple[str, bytes]]:
        """Every commit after ``base`` with its message, oldest first."""
        commits = self._since(base).decode().split()
        for one, content in self.blobs(Entry("", name, 0, b"") for name in commits):
            yield one.oid, content.partition(b"\n\n")[2]

    def sizes(self, oids: Iterable[str]) -> Mapping[str, int]:
        """The bytes of each object that the clone holds."""
        listing = "".join(f"{oid}\n" for oid in oids).encode()
        if not listing:
            return {}
        output = self._run("cat-file", "--batch-check=%(objectname) %(objectsize)", stdin=listing)
        told = (line.split() for line in output.decode("ascii").splitlines())
        return {oid: int(size) for oid, size in told if size.isdigit()}

    def shown_lines(
        self, base: str, head: str = "HEAD"
    ) -> Mapping[str, tuple[tuple[int, int], ...]]:
        """The lines a forge shows of a change: per path of ``head`` the inclusive ranges.

        Measured from where ``head`` left ``base``, with three lines of context, renames followed;
        binary and deleted files have none. Empty when the change is larger than 64 MiB of patch:
        no forge shows such a one, and then nothing can be said beside its lines.
        """
        if base == head:
            return {}
        return patch.shown(self._patch("--unified=3", f"{base}...{head}") or b"")

    def renames(self, base: str) -> Mapping[str, str]:
        """Path of the index → path in ``base``, of files below ``root`` that Git calls renamed.

        Beyond 400 files Git knows only those renamed whole. Empty when it takes too long.
        """
        options = ("--cached", "--name-status", "-z", "--relative", "--ignore-submodules=all")
        similar = ("--find-renames", "-l400", "--diff-filter=R", "--no-ext-diff", "--no-textconv")
        try:
            done = self._git(("diff", *options, *similar, base, "--"), limits=_PATCH_LIMITS)
        except TargetError:  # a limit ended it
            return {}
        words = self._succeeded("diff", done).stdout.split(b"\0")
        pairs = zip(words[1::3], words[2::3], strict=False)
        return {display(new): display(old) for old, new in pairs}

    def renumbering(self, commit: str) -> patch.Renumbering | None:
        """Where the lines of HEAD stand in ``commit``; None beyond 64 MiB of patch.

        A forge numbers the lines of the change's last commit; when the test merge is checked out,
        a file that the base changed too has other numbers there.
        """
        text = self._patch("--unified=0", f"HEAD..{commit}")
        return None if text is None else patch.renumbering(text)

    def _patch(self, context: str, span: str) -> bytes | None:
        options = (*PATCH, "--find-renames", "-l400", "--diff-algorithm=default")
        try:
            done = self._git(("diff", *options, context, span, "--"), limits=_PATCH_LIMITS)
        except TargetError:  # a limit ended it
            return None
        return self._succeeded("diff", done).stdout

    def _run(self, *arguments: str, stdin: bytes = b"") -> bytes:
        return self._done(*arguments, stdin=stdin).stdout

    def _done(self, *arguments: str, stdin: bytes = b"") -> Completed:
        return self._succeeded(arguments[0], self._git(arguments, stdin))

    def _succeeded(self, command: str, done: Completed) -> Completed:
        if done.exit_code != 0:
            if b"from promisor remote" in done.stderr:
                raise TargetError(
                    "the clone lacks files of its commits, as a partial clone does",
                    remedy=FETCH_ALL,
                )
            said = done.stderr.decode("utf-8", "replace").strip()[-300:]
            raise TargetError(f"git {command} failed in {self.root}: {said}")
        return done

    def _try(self, *arguments: str) -> bytes:
        done = self._git(arguments)
        return done.stdout if done.exit_code == 0 else b""

    def _once(self, *arguments: str, lasting: Set[int] = frozenset({0})) -> Completed:
        """Git's answer, remembered where its exit code is one of ``lasting``.

        That it failed is not, as a rule: a missing commit may be fetched later.
        """
        if known := self._lasting.get(arguments):
            return known
        done = self._git(arguments)
        if done.exit_code in lasting:
            self._lasting[arguments] = done
        return done

    def _git(
        self, arguments: Sequence[str], stdin: bytes = b"", limits: Limits = _LIMITS
    ) -> Completed:
        try:
            return git(arguments, self.root, limits, stdin=stdin)
        except EngineError as error:
            raise TargetError(f"git {arguments[0]}: {error.what}", remedy=error.remedy) from error


def is_tracked(folder: Path) -> bool:
    """Whether a work tree around ``folder`` tracks a file in it, or something in its place.

    Names are compared as the most forgiving file system does: without case, letters composed.
    """
    folder = folder.resolve()
    tops = [one for one in (folder, *folder.parents) if (one / ".git").exists()]
    return any(_tracks(top, folder.relative_to(top)) for top in tops)


def _tracks(top: Path, place: Path) -> bool:
    repository = Repository.around(top)
    wanted = [_forgiving(part) for part in place.parts]
    for name in repository.tracked() if repository else ():
        parts = _forgiving(os.fsdecode(name)).split("/")
        if all(ours == theirs for ours, theirs in zip(wanted, parts, strict=False)):
            return True
    return False


def _forgiving(name: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def _settings_in(answer: bytes) -> list[tuple[str, str]]:
    """Section and variable are in lower case."""
    records = (one.partition("\n") for one in answer.decode("utf-8", "replace").split("\0") if one)
    return [(key, value) for key, _, value in records]
