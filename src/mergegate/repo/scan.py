"""The line itself: target → facts → findings → score → gate → report."""

import datetime as dt
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from mergegate.core.check import Check
from mergegate.core.errors import TargetError, UsageError
from mergegate.core.finding import Finding
from mergegate.core.plans import Scoring
from mergegate.core.progress import Progress, silent
from mergegate.core.render import source
from mergegate.core.report import Proofs, Report, Target
from mergegate.core.severity import Aspect
from mergegate.core.tree import EVERYTHING, Selection, SourceFile, Tree, display
from mergegate.repo.advice import Advice, Open, nobody
from mergegate.repo.assemble import Assembly, stamp
from mergegate.repo.coverage import added_lines
from mergegate.repo.examine import Examiner
from mergegate.repo.imported import Imports
from mergegate.repo.policy import Chosen, path_inside, with_dismissals
from mergegate.repo.policy_change import base_policy_files, policy_files
from mergegate.repo.settings import POLICY_FILE, Dismissal, Policy
from mergegate.repo.summary import Said
from mergegate.sandbox.engines.runner import Source
from mergegate.sandbox.files.altered import altered
from mergegate.sandbox.files.checkout import Bounds, base_tree, read_tree
from mergegate.sandbox.files.roles import with_roles, with_roles_of_change
from mergegate.sandbox.files.seen import Seen
from mergegate.sandbox.files.stage import Stage
from mergegate.sandbox.git.entries import incomplete_clone
from mergegate.sandbox.git.repository import Repository
from mergegate.sandbox.git.revision import resolve
from mergegate.sandbox.process.run import Limits
from mergegate.secrets.places import shown_fact, shown_name, shown_tree

if TYPE_CHECKING:
    from mergegate.repo.fixes.own_tests import OwnTests

FixesOf = Callable[[Finding], bool]


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be scanned."""

    root: Path
    aspects: frozenset[Aspect] = frozenset(Aspect)
    base: str | None = None
    """A Git revision; the change is measured from where HEAD left it."""
    policy: Path | None = None
    """Another file than the repository's own; inside it, the base's where there is one."""
    dismissals: tuple[Dismissal, ...] = ()
    """Beside those of the policy: what was decided on the change itself."""
    only: tuple[Path, ...] = ()
    """Files and folders below ``root`` that alone are searched and judged; none for all."""
    baseline: Path | None = None
    """The file that says what is known, in place of a base."""
    sarif: tuple[Path, ...] = ()
    """What the team's other scanners say of the tree."""
    base_sarif: tuple[Path, ...] = ()
    """What they say of the base; without any, its lines tell what the change brings."""
    head: str | None = None
    """The change's own last commit, where a test merge of it is checked out."""
    rules_of: str | None = None
    """The version whose rules the repository is held to, whatever the policy says."""
    fixes_of: FixesOf | None = None
    """Which findings' fixes are proved together, file by file, so that they can be applied; None
    where nobody is to apply any."""
    tests: "OwnTests | None" = None
    """The team's own tests, where the operator ordered them: the fixes that are proved together
    have to pass them."""
    repository: Repository | None = None
    """The work tree of ``root``, where somebody has looked at it."""
    today: dt.date = field(default_factory=lambda: dt.datetime.now(dt.UTC).date())


ChoosePolicy = Callable[[Path, Repository | None, str | None, Path | None], Chosen]
"""The policy for a scan of a folder, given repository, base commit and the file that was named."""
SourcesFor = Callable[[Repository | None, str | None], Sequence[Source]]
"""Where the facts of a scan come from, given the repository and the base commit."""


@dataclass(frozen=True, slots=True)
class Toolbox:
    """What a scan works with; built in ``toolbox.py``."""

    sources: SourcesFor
    checks: Sequence[Check]
    scoring: Scoring
    choose_policy: ChoosePolicy
    progress: Progress = silent
    bounds: Bounds = Bounds()
    limits: Limits = Limits()
    """The limits of each engine's process."""
    advice: Open = nobody
    """The language model, if there is one."""
    seen: Seen | None = None
    """The file records of earlier scans in this process; None for a single scan."""
    doubts_cache: bool = False
    """Whether others than us can write what is kept between scans, as in a pipeline: then it is
    believed of files alone that the change leaves as the base has them."""


def scan(request: Request, toolbox: Toolbox) -> Report:
    """Scan a folder or work tree; raises UsageError or TargetError, never for bad findings."""
    started = dt.datetime.now(dt.UTC)
    repository = request.repository or Repository.around(request.root)
    base = _base(request, repository)
    chosen = toolbox.choose_policy(request.root, repository, base, request.policy)
    policy = _policy(request, chosen)
    known = _known(request, toolbox, policy)
    imports = Imports(request.sarif, request.root, request.base_sarif)
    imports.check(is_change=base is not None)
    with ExitStack() as stack:
        stage = stack.enter_context(Stage())
        room = stage.room("readings")
        tree = read_tree(request.root, toolbox.bounds, repository, room, toolbox.seen)
        tree = imports.left_out(tree)
        selection = _selection(request, tree)
        commit = repository.head() if repository else None
        others = tuple(filter(selection.holds, _altered(repository, commit, tree, toolbox)))
        sides = _sides(tree, repository, base, stage, toolbox.bounds)
        touched = frozenset(filter(selection.holds, sides.touched))
        then = selection.before(sides.renames)
        policies = _policies(request, repository)
        examiner = Examiner(
            (*toolbox.sources(repository, base), *imports.sources()),
            (*toolbox.checks, *imports.checks(request.aspects)),
            request.aspects,
            policy,
            stage,
            toolbox.progress,
            toolbox.limits,
            anew=_touched(sides.old, sides.tree) if toolbox.doubts_cache else frozenset(),
            selection=selection,
            policies=policy_files(policies, request.root, sides.tree, repository, base),
        )
        ahead = _only(then.of(sides.old), selection.of(sides.tree)) if sides.old else ()
        head, before = replace(examiner, ahead=ahead).examine(sides.tree), None
        if repository and base and sides.old:
            said_before = imports.sources_before(sides.renames, touched | frozenset(others))
            before = replace(
                examiner,
                sources=(*toolbox.sources(repository, None), *said_before),
                selection=then,
                policies=base_policy_files(policies, sides.old, repository, base),
            ).examine(sides.old)
        target = _target(request, repository, base)
        advice = stack.enter_context(toolbox.advice(policy))
        assembly = Assembly(
            replace(target, commit=commit, altered=others, only=selection.paths),
            head,
            before,
            request.aspects,
            policy,
            toolbox.scoring,
            request.today,
            _Repairs(
                sides.tree if selection.paths else head.tree,
                stage,
                examiner.examine_again,
                request.fixes_of,
                advice,
                above=_above(request.root, repository),
                tests=request.tests,
            ),
            repository.committed_at(base) if repository and base else "",
            sides.renames,
            shown_fact(chosen.in_force),
            added_lines(head.tree, before.tree, touched) if before else None,
            say=advice.say if advice else Said,
            known=known,
        )
        report = assembly.report(stamp(started))
        return replace(report, basis=assembly, model=advice.use() if advice else None)


@dataclass(frozen=True, slots=True)
class _Sides:
    """The tree that is scanned and the one that a change is measured from, with their roles."""

    tree: Tree
    old: Tree | None = None
    touched: frozenset[str] = frozenset()
    """The paths at which they differ."""
    renames: Mapping[str, str] = field(default_factory=dict)
    """Paths of ``tree`` and what they are called in ``old``."""


def _sides(
    tree: Tree, repository: Repository | None, base: str | None, stage: Stage, bounds: Bounds
) -> _Sides:
    if repository is None or base is None:
        return _Sides(shown_tree(with_roles(tree)))
    old = base_tree(repository, base, tree, stage.room("base"), bounds)
    old, tree = map(shown_tree, with_roles_of_change(old, tree))
    changed = map(shown_name, map(display, repository.changed(base)))
    renames = {shown_name(new): shown_name(then) for new, then in repository.renames(base).items()}
    return _Sides(tree, old, _changed(old, tree) | frozenset(changed), renames)


@dataclass(frozen=True, slots=True)
class _Repairs:
    """What can be done about findings; where there are none nothing of it is loaded."""

    tree: Tree
    stage: Stage
    rescan: Callable[[Tree], Sequence[Finding]]
    wanted: FixesOf | None
    advice: Advice | None
    above: str
    """What the tree is called in its repository."""
    tests: "OwnTests | None" = None

    def __call__(self, counted: Sequence[Finding], all_found: Sequence[Finding]) -> Proofs:
        if not counted:
            return Proofs()
        from mergegate.repo.fixes.mending import repairs  # noqa: PLC0415

        room = self.stage.room("fixes")
        prove = repairs(
            self.tree,
            room,
            self.rescan,
            self.wanted,
            self.advice,
            above=self.above,
            tests=self.tests,
        )
        return prove(counted, all_found)


def target(paths: Sequence[Path]) -> tuple[Path, tuple[Path, ...]]:
    """The root of what ``paths`` name, and what of it alone is meant: nothing for the whole.

    One folder is a root itself; else it is the repository around the first, or the current folder
    where there is none. Raises TargetError for what is not there.
    """
    if not paths:
        return Path(), ()
    for one in paths:
        if not os.path.lexists(one):
            raise TargetError(f"there is no file or folder {one}", remedy="Name some that exist.")
    if len(paths) == 1 and paths[0].is_dir():
        return paths[0], ()
    first = paths[0] if paths[0].is_dir() else paths[0].parent
    repository = Repository.around(first)
    return (repository.top() if repository else Path()), tuple(paths)


def _selection(request: Request, tree: Tree) -> Selection:
    """What of ``tree`` was asked for by name; raises UsageError for what it does not have."""
    if not request.only:
        return EVERYTHING
    tree, root = shown_tree(tree), request.root.resolve()
    paths = {shown_name(_inside(root, one)) for one in request.only}
    if "." in paths:
        return EVERYTHING
    for one in sorted(paths):
        alone = Selection((one,)).of(tree)
        if not (alone.files or alone.skipped or alone.links):
            raise UsageError(
                f"{one} is no file of the repository, or Git ignores it",
                remedy="Name files and folders that `git status` knows.",
            )
    return Selection(tuple(sorted(paths)))


def _inside(root: Path, one: Path) -> str:
    """What ``one`` is called below ``root``, links in its own place aside."""
    place = one.parent.resolve() / one.name if one.name not in {"", ".."} else one.resolve()
    if not place.is_relative_to(root):
        raise UsageError(f"{one} is not in {root}", remedy="Scan one repository at a time.")
    return display(os.fsencode(place.relative_to(root)))


def _policies(request: Request, repository: Repository | None) -> frozenset[str]:
    """The files of the scanned folder by which it is judged, now or once a change is merged."""
    named = path_inside(request.policy, repository) if request.policy else None
    return frozenset({POLICY_FILE, *([named] if named and not named.startswith("..") else [])})


def _policy(request: Request, chosen: Chosen) -> Policy:
    """What is in force, with the secrets in its words masked and its paths as those of the tree."""
    policy = with_dismissals(chosen.policy, request.dismissals)
    said = policy.model_dump(mode="json", by_alias=True)
    shown = shown_fact(said)
    policy = policy if shown is said else Policy.model_validate(shown)
    return policy.model_copy(update={"rules_of": request.rules_of}) if request.rules_of else policy


def _only(old: Tree, tree: Tree) -> tuple[SourceFile, ...]:
    """The files of ``old`` that ``tree`` does not hold as well."""
    here = {file.key for file in tree.files}
    return tuple(file for file in old.files if file.key not in here)


def _touched(old: Tree | None, tree: Tree) -> frozenset[str]:
    """Keys of the files that are not in both trees under one path; all of ``tree`` without one."""
    before = {(file.path, file.key) for file in old.files} if old else set()
    return frozenset(key for _, key in before ^ {(file.path, file.key) for file in tree.files})


def _changed(old: Tree, tree: Tree) -> frozenset[str]:
    """The paths of ``tree`` whose bytes ``old`` does not hold under the same name."""
    there = {(file.path, file.digest) for file in old.files}
    return frozenset(file.path for file in tree.files if (file.path, file.digest) not in there)


def _base(request: Request, repository: Repository | None) -> str | None:
    if request.base is None:
        return None
    if repository is None:
        raise UsageError(
            f"{request.root} is not a Git work tree, so there is no base to compare with",
            remedy="Scan without --base, or scan the work tree.",
        )
    base = repository.merge_base(resolve(repository, request.base))
    if repository.is_partial() and (missing := repository.missing(base)):
        raise incomplete_clone(len(missing))
    return base


def _known(request: Request, toolbox: Toolbox, policy: Policy) -> tuple[Finding, ...] | None:
    if request.baseline is None:
        return None
    if request.base is not None:
        raise UsageError(
            "a change is measured from its base or from a baseline file, not from both",
            remedy="Leave one out. Where there is a base no file is needed, and none is believed:"
            " the change could have written it.",
        )
    from mergegate.repo import baseline  # noqa: PLC0415 - most scans have none

    rules = {rule.id: rule for check in toolbox.checks for rule in check.rules()}
    return baseline.read(
        request.baseline, request.aspects, policy, rules, imports=bool(request.sarif)
    )


def _altered(
    repository: Repository | None, commit: str | None, tree: Tree, toolbox: Toolbox
) -> tuple[str, ...]:
    """What of the ``commit`` that is checked out is not what is scanned."""
    if repository is None or commit is None:
        return ()
    try:
        most = toolbox.bounds.file_bytes
        return tuple(map(shown_name, altered(repository, commit, tree, most, toolbox.seen)))
    except UsageError:
        return ()  # what a partial clone lacks is told as not here


def _target(request: Request, repository: Repository | None, base: str | None) -> Target:
    folder = request.root.resolve().name
    if repository is None:
        return Target(repo=shown_name(folder))
    provider, owner, name = repository.origin() or (None, None, folder)
    branch = repository.branch()
    return Target(
        provider=provider,
        owner=owner and shown_name(owner),
        repo=shown_name(name),
        branch=branch and shown_name(branch),
        base=base,
        head=request.head,
        web=source.web(repository.host(), owner, name) if owner and _is_whole(repository) else "",
    )


def _above(root: Path, repository: Repository | None) -> str:
    """``root`` below the top of its repository, with a slash behind it: Git's patches begin there.

    Empty at the top, and without a repository.
    """
    if repository is None or _is_whole(repository):
        return ""
    return f"{root.resolve().relative_to(repository.top().resolve()).as_posix()}/"


def _is_whole(repository: Repository) -> bool:
    """Whether what is scanned is all of it, so that paths are those of its forge."""
    return repository.root.resolve() == repository.top().resolve()
