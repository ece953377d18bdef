"""Apply a policy: leave files out, change severities, set suppressed findings aside."""

import datetime as dt
import os
import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import pairwise, takewhile
from pathlib import Path

from wcmatch import fnmatch

from mergegate.core.errors import PolicyError
from mergegate.core.finding import Finding
from mergegate.core.report import PolicyInForce, PolicyOrigin, Suppression
from mergegate.core.severity import Severity
from mergegate.core.tree import Reason, Skipped, SourceFile, Tree, display
from mergegate.repo.checks import all_rules
from mergegate.repo.directives import Silenced, Standing, honoured, said
from mergegate.repo.facts.code import Marker
from mergegate.repo.policy_file import (
    LARGEST_BYTES,
    NO_FILE,
    Mistake,
    idle_globs,
    read_policy,
    refuse,
    told,
    unknown_rules,
)
from mergegate.repo.settings import POLICY_FILE, SHORT_ID, Dismissal, Policy
from mergegate.sandbox.files.stage import read_regular
from mergegate.sandbox.git.repository import Repository


def check_policy(file: Path) -> tuple[Policy, list[Mistake]]:
    """The policy in ``file``, and every mistake: what it names has to be in its tree, too.

    That is the tree of its own folder, and of a policy with a name of its own, the one in which
    the command runs. Raises PolicyError for a file that cannot be read.
    """
    document = read_policy(_content(file))
    tree = _paths(file.parent if file.name == POLICY_FILE else Path())
    strays = (*unknown_rules(document, all_rules), *idle_globs(document, tree, fits_any))
    return document.policy, sorted((*document.mistakes, *strays))


def _followed(content: bytes, where: str) -> Policy:
    document = read_policy(content)
    refuse(sorted((*document.mistakes, *unknown_rules(document, all_rules))), where)
    return document.policy


def _content(file: Path) -> bytes:
    try:
        with file.open("rb") as opened:
            return opened.read(LARGEST_BYTES + 1)
    except OSError as error:
        raise PolicyError(
            f"{file} cannot be read: {error.strerror}", remedy="Name a file that you may read."
        ) from error


def _paths(root: Path) -> frozenset[str]:
    """Every path below ``root`` that a scan would see."""
    if repository := Repository.around(root):
        return frozenset(map(display, repository.listed()))
    found = (file.relative_to(root) for file in root.rglob("*") if not file.is_dir())
    return frozenset(display(os.fsencode(file)) for file in found)


@dataclass(frozen=True, slots=True)
class Chosen:
    """The policy that a scan follows, and what its report says of it."""

    policy: Policy
    in_force: PolicyInForce


def choose_policy(
    root: Path, repository: Repository | None, base: str | None, named: Path | None = None
) -> Chosen:
    """The policy for a scan of ``root``: the file ``named``, or the repository's own.

    What lies in the repository is read from the base, where there is one: a change cannot loosen
    its own gate. Raises PolicyError.
    """
    file = named or root / POLICY_FILE
    name = POLICY_FILE if named is None else path_inside(named, repository)
    if repository and base and name:
        return _of_base(repository, base, name, file)
    if named is None and not _is_there(file):
        return Chosen(Policy(), PolicyInForce(file=POLICY_FILE))
    content = _content(file) if named else _own(file)
    origin = PolicyOrigin.TREE if name else PolicyOrigin.NAMED
    shown = name or file.name
    return Chosen(_followed(content, name or str(file)), PolicyInForce(origin=origin, file=shown))


def path_inside(file: Path, repository: Repository | None) -> str | None:
    """What ``file`` is called in the repository, from its root on; None for one elsewhere."""
    if repository is None:
        return None
    name = os.path.relpath(file, repository.root)
    tracked = name.startswith("..") and repository.content("HEAD", name) is not None
    return name if tracked or not name.startswith("..") else None


_ADOPTED = "what the change itself accepts as unsearched counts, as the base has no policy yet"


def tree_policy(file: Path) -> bytes | None:
    """What a policy of the tree says, empty where there is none; None for what is not read."""
    try:
        return _own(file) if _is_there(file) else b""
    except PolicyError:
        return None


def _of_base(repository: Repository, base: str, name: str, file: Path) -> Chosen:
    in_force = PolicyInForce(file=name, commit=base)
    content = repository.content(base, name)
    if content is None and repository.entry(base, name):
        return Chosen(Policy(), replace(in_force, notes=(f"that of the base: {NO_FILE}",)))
    if content is None:
        # What nobody has judged yet is the adopting change's own to accept, and nothing more.
        if name != POLICY_FILE and not _is_there(file):
            raise PolicyError(
                f"neither the base nor the change has a policy called {name}",
                remedy="Name one that is there, or leave --policy out.",
            )
        accepted = read_policy(tree_policy(file) or b"").policy.accept_unsearched
        notes = (_ADOPTED,) if accepted else ()
        return Chosen(Policy(accept_unsearched=accepted), replace(in_force, notes=notes))
    document = read_policy(content)
    if document.mistakes:
        note = f"that of the base has mistakes: {told(document.mistakes)}"
        return Chosen(Policy(), replace(in_force, notes=(note,)))
    return Chosen(document.policy, replace(in_force, origin=PolicyOrigin.BASE))


def _is_there(file: Path) -> bool:
    return file.is_file() or file.is_symlink()


def _own(file: Path) -> bytes:
    """The bytes of a file of the tree, which may be hostile."""
    try:
        return read_regular(file, LARGEST_BYTES + 1)
    except OSError as error:
        raise PolicyError(
            f"{file.name} cannot be read", remedy="It has to be a file: links are not followed."
        ) from error


_MOST_TOLD = 5


def matches(path: str, patterns: Sequence[str]) -> bool:
    """Whether a glob fits ``path``; a folder's name fits all below it."""
    parts = path.split("/")
    return any(_fits(parts, segments) for one in patterns for segments in _alternatives(one))


_Segment = Callable[[str], object]
_ANY_DEPTH = "**"


def _fits(parts: Sequence[str], segments: Sequence[_Segment | None]) -> bool:
    """Whether ``segments`` fit the beginning of a path; None stands for any number of parts.

    Every part is held against a segment once: time grows with the product of both, whatever the
    path and the pattern are called.
    """
    starts = {0}
    for segment in segments:
        if segment is None:
            starts = set(range(min(starts), len(parts) + 1))
        else:
            starts = {at + 1 for at in starts if at < len(parts) and segment(parts[at])}
        if not starts:
            return False
    below = segments[-1] is None
    return max(starts) > 0 and (not below or min(starts) < len(parts))


@lru_cache(maxsize=1024)
def _alternatives(pattern: str) -> tuple[tuple[_Segment | None, ...], ...]:
    return tuple(
        tuple(None if part == _ANY_DEPTH else _segment(part) for part in one.rstrip("/").split("/"))
        for one in _braces(pattern)
    )


def _segment(pattern: str) -> _Segment:
    if not any(sign in pattern for sign in "*?[\\"):
        return pattern.__eq__
    (regex, *_), _ = fnmatch.translate(pattern, flags=fnmatch.DOTMATCH)
    return re.compile(regex).match


def _braces(pattern: str) -> Iterator[str]:
    """The alternatives of ``{a,b}``, nested ones too; what is no list stands for itself."""
    depth, cuts = 0, list[int]()
    begin = pattern.find("{")
    for at in range(max(begin, 0), len(pattern)):
        depth += {"{": 1, "}": -1}.get(pattern[at], 0)
        if depth == 1 and pattern[at] in "{,":
            cuts.append(at)
        if depth == 0 and cuts:
            break
    else:
        at = begin
    if begin < 0 or len(cuts) < 2 or at == begin:
        yield pattern
        return
    for start, end in pairwise([*cuts, at]):
        yield from _braces(f"{pattern[:begin]}{pattern[start + 1 : end]}{pattern[at + 1 :]}")


def fits_any(pattern: str, paths: Collection[str]) -> bool:
    """Whether ``matches`` is true of one of ``paths``."""
    fits = partial(matches, patterns=[pattern])
    return any(map(fits, paths))


def narrow(tree: Tree, policy: Policy) -> Tree:
    """``tree`` without the files the policy excludes; they are listed as skipped."""
    exclude = policy.paths.exclude
    if not exclude:
        return tree
    kept: list[SourceFile] = []
    out: list[Skipped] = []
    for file in tree.files:
        if matches(file.path, exclude):
            out.append(Skipped(file.path, "excluded by the policy", file.size, Reason.POLICY))
        else:
            kept.append(file)
    return replace(tree, files=tuple(kept), skipped=tuple(sorted((*tree.skipped, *out))))


def weigh(findings: Iterable[Finding], policy: Policy) -> tuple[Finding, ...]:
    """Findings with the severities the policy gives their rules; rules that are off vanish."""
    weighed = []
    for finding in findings:
        level = policy.rules.get(finding.rule_id)
        if level is None:
            weighed.append(finding)
        elif level != "off":
            weighed.append(replace(finding, severity=Severity.named(level)))
    return tuple(sorted(weighed, key=lambda finding: finding.order))


def with_dismissals(policy: Policy, dismissals: Sequence[Dismissal]) -> Policy:
    """``policy`` with suppressions that were decided elsewhere."""
    if not dismissals:
        return policy
    return policy.model_copy(update={"suppressions": (*policy.suppressions, *dismissals)})


def settled(policy: Policy, ids: Iterable[str]) -> tuple[Policy, tuple[str, ...]]:
    """``policy`` with whole ids in its suppressions, and what is to be said of short ones.

    ``ids`` are those of every finding that there is or was. A short one that fits two of them sets
    nothing aside: an id of ten characters can be forged.
    """
    known = sorted(set(ids))
    kept: list[Dismissal] = []
    notes: list[str] = []
    for one in policy.suppressions:
        fitting = named_by(one.id, known) if one.id else ()
        if len(fitting) > 1:
            notes.append(f"{one.id} sets nothing aside, for it fits {' and '.join(fitting)}")
            continue
        if fitting and fitting[0] != one.id:
            notes.append(f"the short id {one.id} can be forged: write `id: {fitting[0]}`")
        kept.append(one.model_copy(update={"id": fitting[0]}) if fitting else one)
    return policy.model_copy(update={"suppressions": tuple(kept)}), tuple(dict.fromkeys(notes))


def named_by(given: str, ids: Sequence[str]) -> tuple[str, ...]:
    """Which of the sorted ``ids`` somebody means by ``given``: a whole one, or all it begins."""
    if len(given) < SHORT_ID:
        return ()
    first = bisect_left(ids, given)
    fitting = tuple(takewhile(lambda one: one.startswith(given), ids[first:]))
    return (given,) if given in fitting else fitting


@dataclass(frozen=True, slots=True)
class Parted:
    """Findings, by whether they count."""

    counted: tuple[Finding, ...]
    aside: tuple[Suppression, ...]
    notes: tuple[str, ...]
    """Which of them were to be set aside and count all the same."""


SELF_DISMISSAL = (
    "a critical finding is not set aside by who opened the change or wrote a commit of it alone;"
    " a second person who may write gives the same order. For those who work alone, the base's"
    " .mergegate.yml says `self-dismissal: allow`"
)

ADDED_IN_LINE = (
    "a comment in the code sets nothing aside in the change that adds or alters it, or the code"
    " that it speaks of; who may write can dismiss the finding"
)


def set_aside(
    findings: Iterable[Finding],
    policy: Policy,
    silenced: Silenced,
    today: dt.date,
    standing: Standing | None = None,
) -> Parted:
    """What counts, and what does not with the reason; of a policy that is :func:`settled`.

    In-line suppressions count only where the policy honours them, for what they speak of, and for
    nothing that is new; where there is a base only if they are ``standing`` in it.
    """
    counted: list[Finding] = []
    aside: list[Suppression] = []
    denied: list[str] = []
    added: list[str] = []
    for finding in findings:
        guarded = finding.severity is Severity.CRITICAL and policy.self_dismissal == "deny"
        reasons = list(_reasons(finding, policy, silenced, today, standing))
        holding = [reason for reason, is_own in reasons if not (is_own and guarded)]
        if holding:
            aside.append(holding[0])
            continue
        counted.append(finding)
        denied += [finding.id] if reasons else []
        in_line = honoured(finding, policy.inline_suppressions, silenced)
        is_change = finding.is_new or standing is not None
        added += [finding.id] if is_change and any(in_line) else []
    notes = tuple(
        f"{', '.join(ids[:_MOST_TOLD])}: {why}"
        for ids, why in ((denied, SELF_DISMISSAL), (added, ADDED_IN_LINE))
        if ids
    )
    return Parted(tuple(counted), tuple(aside), notes)


def _reasons(
    finding: Finding, policy: Policy, silenced: Silenced, today: dt.date, standing: Standing | None
) -> Iterator[tuple[Suppression, bool]]:
    """Why the finding does not count, and whether its own author says so."""
    for one in policy.suppressions:
        if today < one.expires and _names(one, finding):
            expires = one.expires.isoformat()
            given = Suppression(
                finding=finding, reason=one.reason, owner=one.owner, expires=expires
            )
            yield given, one.by_author
    aside = finding.aside
    # What a change brings it may not pardon by a comment, whichever scanner reads that.
    if aside and not (aside.in_source and finding.is_new):
        source = "inline" if aside.in_source else "policy"
        yield Suppression(finding=finding, reason=aside.reason, source=source), False
    if finding.severity < policy.threshold:
        below = f"below the severity threshold {policy.threshold.label}"
        yield Suppression(finding=finding, reason=below), False
    for marker in honoured(finding, policy.inline_suppressions, silenced):
        if _stands(marker, finding, standing):
            why = f"{marker.reason or 'suppressed in line'} ({marker.what}, line {marker.line})"
            yield Suppression(finding=finding, reason=why, source="inline"), False


def _stands(marker: Marker, finding: Finding, standing: Standing | None) -> bool:
    """Whether the base has this comment at this finding; without a base, whether it is not new."""
    if standing is None:
        return not finding.is_new
    return said(marker, finding) in standing.get(finding.id, ())


def _names(dismissal: Dismissal, finding: Finding) -> bool:
    if dismissal.id is not None and dismissal.id != finding.id:
        return False
    if dismissal.rule is not None and dismissal.rule != finding.rule_id:
        return False
    return dismissal.path is None or matches(finding.place.file, [dismissal.path])


def expired(policy: Policy, today: dt.date) -> tuple[Dismissal, ...]:
    """Suppressions that no longer hold."""
    return tuple(one for one in policy.suppressions if one.expires <= today)
