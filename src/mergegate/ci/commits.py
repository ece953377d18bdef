"""A proved fix as a commit on the change's own branch, where the base's policy allows that."""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from mergegate.ci.checkout import Checkout
from mergegate.ci.options import Job
from mergegate.core.errors import ForgeError, PolicyError
from mergegate.core.finding import Edit, Finding
from mergegate.core.report import Fix, Report
from mergegate.forges.branches import (
    Branch,
    Branches,
    BranchMoved,
    ChangedFile,
    Committed,
    NewCommit,
)
from mergegate.forges.ports import Forge
from mergegate.repo.fixes import gates
from mergegate.repo.fixes.candidate import MODEL
from mergegate.repo.fixes.edits import apply
from mergegate.repo.policy import choose_policy
from mergegate.repo.settings import SHORT_ID, FixPolicy

_TRAILER = re.compile(rb"^Mergegate-Finding: ([0-9a-f]+)$", re.MULTILINE)
_NO_NAME = re.compile(r"[^\w.{}:@\[\]-]", re.ASCII)
_MOST_NAME = 100
EXECUTABLE = "100755"
"""The mode of a file that may be run, as Git writes it."""
_STARS = "****"
_APPLY = "Apply the patch by hand"


@dataclass(frozen=True, slots=True)
class Uncommitted:
    """Why a fix that could have been committed was not."""

    reason: str
    """One sentence without a full stop."""
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class InPlace:
    """Another order was faster with the same fix."""

    commit: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ordered:
    """A fix that somebody ordered, with all that decides whether it is committed."""

    fix: Fix
    finding: Finding
    report: Report
    here: Checkout
    base: str | None
    account: str
    may_write: bool
    """Whether the platform says that the account may write to the repository."""
    is_proved_here: bool
    """Whether this machine proved the fix: what another one says of it is only shown."""


class _Refused(Exception):
    def __init__(self, reason: str, remedy: str = "") -> None:
        super().__init__(reason)
        self.told = Uncommitted(reason, remedy)


def permitted(job: Job, here: Checkout, base: str | None) -> FixPolicy:
    """What may be written, by the policy of the commit ``base``; nothing without one.

    The work tree's own policy allows nothing, nor does one with mistakes.
    """
    if base is None:
        return FixPolicy()
    try:
        return choose_policy(here.root, here.repository, base, job.policy).policy.fixes
    except PolicyError:
        return FixPolicy()


def committed(ordered: Ordered, host: Forge) -> Committed | InPlace | Uncommitted:
    """Commit the fix; why not, where anything speaks against it."""
    try:
        return _committed(ordered, host)
    except _Refused as refusal:
        return refusal.told
    except BranchMoved:
        return _in_place(ordered, host) or _MOVED
    except ForgeError as error:
        return Uncommitted(error.what, error.remedy)


_MOVED = Uncommitted(
    "the branch has moved on since it was scanned, or is gone", "Give the order again"
)


def landed(id: str, here: Checkout, base: str | None) -> str | None:
    """The commit of the change that says it fixed the finding whose id begins with ``id``."""
    if base is None:
        return None
    found = None
    for commit, message in here.repository.messages(base):
        named = (one.decode() for one in _TRAILER.findall(message))
        found = commit if any(one.startswith(id) for one in named) else found
    return found


def _committed(ordered: Ordered, host: Forge) -> Committed:
    _check(ordered)
    head = ordered.here.change.head or ""
    branches, branch = _branch(ordered, host)
    if branch.tip != head:
        raise BranchMoved("the branch has moved on")
    return branches.commit(
        NewCommit(
            branch=branch.name,
            expected=head,
            parent=head,
            message=_message(ordered),
            files=tuple(_files(ordered, head)),
        )
    )


def _check(ordered: Ordered) -> None:
    """Raises _Refused for who may not order it, and for what was not proved enough."""
    fix = ordered.fix
    if not ordered.may_write:
        raise _Refused("committing takes write access to this repository", _APPLY)
    if fix.source == MODEL:
        raise _Refused("a language model wrote it, so a person has to read it first", _APPLY)
    if not ordered.is_proved_here:
        raise _Refused("another machine proved it, whose word is no reason to commit", _APPLY)
    if set(gates.NAMES) - set(fix.verified):
        raise _Refused("it did not pass every gate", _APPLY)


def _branch(ordered: Ordered, host: Forge) -> tuple[Branches, Branch]:
    """The branch of the change, if it is one to commit to; raises _Refused, ForgeError."""
    source, branches = host.source, host.branches
    if source is None or branches is None:
        raise _Refused("the forge does not tell which branch the change comes from", _APPLY)
    if not source.is_own or ordered.here.change.from_fork:
        raise _Refused("the change comes from a fork, where nothing is written", _APPLY)
    if not source.is_open:
        raise _Refused("the change is merged or closed", _APPLY)
    branch = branches.find(source.branch)
    if branch is None:
        raise BranchMoved("the branch is gone")
    if branch.is_default or branch.name == source.into:
        raise _Refused("nothing is committed to the branch that changes want into", _APPLY)
    if branch.is_protected:
        raise _Refused("the branch of the change is protected", _APPLY)
    return branches, branch


def _files(ordered: Ordered, head: str) -> Iterator[ChangedFile]:
    """Every file after the fix, as the commit ``head`` has it otherwise; raises _Refused."""
    by_path: dict[str, list[Edit]] = defaultdict(list)
    for edit in ordered.fix.edits:
        by_path[edit.path].append(edit)
    folder = folder_of(ordered.here)
    for path, edits in by_path.items():
        content, mode = _at(ordered, head, path)
        after = _after(content, edits)
        if after is None:
            raise _Refused("the lines to change are not those that were scanned", _APPLY)
        yield ChangedFile(path=folder + path, content=after, executable=mode == EXECUTABLE)


def folder_of(here: Checkout) -> str:
    """The scanned folder below the top of the repository, with a slash behind it."""
    inside = here.root.resolve().relative_to(here.repository.top().resolve()).as_posix()
    return "" if inside == "." else f"{inside}/"


def _at(ordered: Ordered, head: str, path: str) -> tuple[bytes, str]:
    """The file's bytes and mode at ``head``, where they are those that were scanned."""
    repository, scanned = ordered.here.repository, ordered.here.repository.head() or head
    parts = path.split("/")
    entry = None if {"", ".", ".."} & set(parts) else repository.entry(head, path)
    if entry is None or not entry.is_file:
        raise _Refused("the file has another name in the repository than in the report", _APPLY)
    known = entry if scanned == head else repository.entry(scanned, path)
    if known is None or known.oid != entry.oid or path in ordered.report.target.altered:
        raise _Refused("the file that was scanned is not the one on the branch", _APPLY)
    return repository.content(head, path) or b"", entry.mode


def _after(content: bytes, edits: list[Edit]) -> bytes | None:
    """The file after the edits; None where they are not of these lines."""
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return None
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    for edit in edits:
        here = lines[edit.start_line - 1 : edit.end_line]
        told = here if edit.old is None else edit.old.split("\n")
        if len(told) != len(here) or any(
            _STARS not in old and old != now for old, now in zip(told, here, strict=True)
        ):
            return None
    after = apply(text, *edits)
    return None if after in {None, text} else (after or "").encode()


def _in_place(ordered: Ordered, host: Forge) -> InPlace | None:
    """The tip of the branch, where it has the same fix."""
    source, branches, head = host.source, host.branches, ordered.here.change.head or ""
    if source is None or branches is None:
        return None
    try:
        now = branches.find(source.branch)
        if now and branches.holds(now.tip, tuple(_files(ordered, head))):
            return InPlace(now.tip)
    except (_Refused, ForgeError):
        return None
    return None


def _message(ordered: Ordered) -> str:
    """Nothing that a change or its author chose but who ordered it, as the platform knows them."""
    finding, rule = ordered.finding, _name(ordered.finding.rule_id)
    return (
        f"Fix {rule} ({finding.id[:SHORT_ID]})\n\n"
        "Ordered in a comment. The fix was applied to a copy, which was scanned again; it passed\n"
        f"these gates: {', '.join(gates.NAMES)}.\n\n"
        f"Mergegate-Finding: {finding.id}\n"
        f"Mergegate-Rule: {rule}\n"
        f"Mergegate-Ordered-By: {_name(ordered.account)}\n"
    )


def _name(text: str) -> str:
    return _NO_NAME.sub("?", text)[:_MOST_NAME]
