"""What a change does to a policy: what it lets pass from now on, and what it gets wrong."""

import datetime as dt
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import get_args

from packaging.version import Version

from mergegate.core.severity import Severity
from mergegate.core.tree import Tree
from mergegate.repo.checks import all_rules
from mergegate.repo.facts.policy import PolicyFault, PolicyFile, PolicyFiles
from mergegate.repo.policy import fits_any, tree_policy
from mergegate.repo.policy_file import (
    NO_FILE,
    Mistake,
    PolicyDocument,
    idle_globs,
    read_policy,
    unknown_rules,
)
from mergegate.repo.rules.history import previous
from mergegate.repo.settings import (
    POLICY_FILE,
    Dismissal,
    MinimumScores,
    Policy,
    SitePolicy,
    Verdict,
)
from mergegate.sandbox.git.repository import Repository
from mergegate.secrets.mask import mask_line

_ALMOST = re.compile(r"\.mergegate\.ya?ml(?:/.*)?", re.IGNORECASE)
_MOST_NAMED = 3
_MOST_FAULTS = 100
_LONGEST = 80


def policy_files(
    names: Collection[str], root: Path, tree: Tree, repository: Repository | None, base: str | None
) -> PolicyFiles:
    """The policies called ``names`` in ``root``, which holds ``tree``, beside those of the base."""
    is_change = bool(repository and base)
    files = []
    for name in sorted(names):
        content = tree_policy(root / name)
        before = _of_commit(repository, base, name) if repository and base else b""
        if content != b"" or before != b"":
            files.append(policy_file(name, content, before, _paths(tree), is_change=is_change))
    strays = _strays(names, tree)
    known = {one.path for one in strays if repository and base and repository.entry(base, one.path)}
    for one in strays:
        brought = tuple(replace(fault, is_brought=is_change) for fault in one.faults)
        files.append(one if one.path in known else replace(one, faults=brought))
    return PolicyFiles(tuple(files))


def base_policy_files(
    names: Collection[str], tree: Tree, repository: Repository, base: str
) -> PolicyFiles:
    """The policies called ``names`` in the base, which holds ``tree``."""
    found = ((name, _of_commit(repository, base, name)) for name in sorted(names))
    paths = _paths(tree)
    files = (
        policy_file(name, text, b"", paths, is_change=False) for name, text in found if text != b""
    )
    return PolicyFiles((*files, *_strays(names, tree)))


def _strays(names: Collection[str], tree: Tree) -> list[PolicyFile]:
    """Files that are called almost as a policy is, which nothing reads."""
    fault = PolicyFault(0, f"it is not read: a policy is called {POLICY_FILE}", "")
    strays = (path for path in sorted(tree.paths) if _ALMOST.fullmatch(path) and path not in names)
    return [PolicyFile(path, (fault,)) for path in strays]


def _of_commit(repository: Repository, commit: str, name: str) -> bytes | None:
    """What the policy called ``name`` says at ``commit``, as :func:`tree_policy` has it."""
    content = repository.content(commit, name)
    return b"" if content is None and repository.entry(commit, name) is None else content


def _paths(tree: Tree) -> frozenset[str]:
    skipped, links = {one.path for one in tree.skipped}, {one.path for one in tree.links}
    return tree.paths | skipped | links


_UNREAD = PolicyDocument(Policy(), (Mistake(0, NO_FILE),))


def policy_file(
    path: str,
    content: bytes | None,
    before: bytes | None,
    tree: Collection[str],
    *,
    is_change: bool = True,
) -> PolicyFile:
    """The policy of ``path`` in a tree that has the paths ``tree``.

    ``content`` is what it says, ``before`` what the base has there: empty for nothing, and None for
    what is not read.
    """
    document = _read(content)
    mistakes = _mistakes(document, tree)[:_MOST_FAULTS]
    if not is_change:
        return PolicyFile(path, tuple(_fault(one, is_brought=False) for one in mistakes))
    base = _read(before)
    known = {(one.what, one.name) for one in _mistakes(base, tree)}
    brought = [(one.what, one.name) not in known for one in mistakes]
    return PolicyFile(
        path,
        tuple(_fault(*pair) for pair in zip(mistakes, brought, strict=True)),
        is_changed=content != before,
        loosened=tuple(mask_line(one) for one in loosened(base.policy, document.policy)),
    )


def _read(content: bytes | None) -> PolicyDocument:
    return _UNREAD if content is None else read_policy(content)


def _mistakes(document: PolicyDocument, tree: Collection[str]) -> list[Mistake]:
    strays = (*unknown_rules(document, all_rules), *idle_globs(document, tree, fits_any))
    return sorted((*document.mistakes, *strays))


def _fault(mistake: Mistake, is_brought: bool) -> PolicyFault:
    return PolicyFault(mistake.line, mistake.said, mask_line(mistake.name), is_brought)


def loosened(before: Policy, after: Policy) -> Iterator[str]:
    """What ``after`` lets pass and ``before`` does not, a phrase each; the text is hostile."""
    if some := _added(before.paths.exclude, after.paths.exclude):
        yield f"it no longer scans {_few(some)}"
    if some := _added(before.accept_unsearched, after.accept_unsearched):
        yield f"it accepts as unsearched {_few(some)}"
    yield from _rules(before, after)
    yield from _suppressions(before.suppressions, after.suppressions)
    if after.threshold > before.threshold:
        yield f"it counts nothing below {after.threshold.label}"
    if after.change_stops_at > before.change_stops_at:
        yield f"it stops changes at {after.change_stops_at.label}, not {before.fail_change_on}"
    was, now = (_IN_LINE.index(one.inline_suppressions) for one in (before, after))
    if now > was:
        yield f"it lets comments in the code silence {_SILENCED[now]}"
    yield from _permissions(before, after)
    yield from _later_rules(before, after)
    yield from _site(before.site, after.site)


def _permissions(before: Policy, after: Policy) -> Iterator[str]:
    was = (before.self_dismissal, before.fixes.commits, before.fixes.upgrades)
    now = (after.self_dismissal, after.fixes.commits, after.fixes.upgrades)
    for old, new, what in zip(was, now, _PERMITTED, strict=True):
        if (old, new) == ("deny", "allow"):
            yield f"it lets {what}"


_PERMITTED = (
    "authors of a change dismiss its critical findings",
    "proved fixes be committed to the branches of changes",
    "a schedule propose upgrades in a pull request",
)


def _later_rules(before: Policy, after: Policy) -> Iterator[str]:
    was, now = (one.rules_of or previous() for one in (before, after))
    if now and (not was or Version(now) < Version(was)):
        yield f"it holds the repository to no rules later than {now}"
    was_from, now_from = (one.later_rules_block_from or dt.date.max for one in (before, after))
    if now_from > was_from:
        yield "it lets what later rules tell pass for longer"


def _added(before: Iterable[str], after: Iterable[str]) -> list[str]:
    known = set(before)
    return [one for one in after if one not in known]


def _few(names: Collection[str]) -> str:
    listed = [one if len(one) <= _LONGEST else f"{one[:_LONGEST]}…" for one in names]
    more = len(listed) - _MOST_NAMED
    return ", ".join(listed[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


_IN_LINE = ("show", "reasoned", "honour")
_SILENCED = ("nothing", "findings where they give a reason", "findings without a reason")
_OFF = Severity.INFO - 1


def _rules(before: Policy, after: Policy) -> Iterator[str]:
    if before.rules == after.rules:
        return
    known = all_rules()
    off: list[str] = []
    lowered: list[str] = []
    named = {*before.rules, *after.rules}
    for name in sorted(one for one in named if one in known or "/" in one):
        # How bad another scanner's findings are it says of each: at the worst critical.
        worst = known[name].severity if name in known else Severity.CRITICAL
        was, now = (_level(one.rules, name, worst) for one in (before, after))
        if now < was:
            (off if now == _OFF else lowered).append(name)
    if off:
        yield f"it switches off {_few(off)}"
    if lowered:
        yield f"it lowers {_few(lowered)}"


def _level(rules: Mapping[str, str], name: str, usual: Severity) -> int:
    said = rules.get(name)
    if said is None:
        return usual
    return _OFF if said == "off" else Severity.named(said)


def _suppressions(before: Iterable[Dismissal], after: Iterable[Dismissal]) -> Iterator[str]:
    """Those that are new, reach further or hold longer; one whose words alone changed is old."""
    until = {_named(one): one.expires for one in before}
    wider = [one for one in after if one.expires > until.get(_named(one), one.expires.min)]
    if wider:
        yield f"it suppresses {_few([_target(one) for one in wider])}"


def _named(one: Dismissal) -> tuple[str | None, ...]:
    return one.id, one.rule, one.path


def _target(one: Dismissal) -> str:
    what = " ".join(filter(None, (one.id, one.rule)))
    return f"{what} in {one.path}" if one.path else what


_VERDICTS = get_args(Verdict)


def _site(before: SitePolicy, after: SitePolicy) -> Iterator[str]:
    was, now = before.minimum_scores, after.minimum_scores
    if any(
        (getattr(was, one) or 0) > (getattr(now, one) or 0) for one in MinimumScores.model_fields
    ):
        yield "it asks less of the site's scores"
    allowed, most = before.browser_errors, after.browser_errors
    if allowed is not None and (most is None or most > allowed):
        yield "it allows more browser errors"
    for name in ("over_budget", "regressions"):
        if _VERDICTS.index(getattr(after, name)) < _VERDICTS.index(getattr(before, name)):
            yield f"it only reports {name.replace('_', ' ')} of the site"
