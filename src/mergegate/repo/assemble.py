"""Findings → report: suppress, compare, fix, score, judge, and write the receipt."""

import datetime as dt
import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from mergegate import __version__
from mergegate.core.check import Unrun
from mergegate.core.finding import Finding
from mergegate.core.identity import compare
from mergegate.core.plans import Scoring
from mergegate.core.render import wording
from mergegate.core.report import (
    Comparison,
    Coverage,
    Fix,
    LaterRules,
    PolicyInForce,
    Proofs,
    Report,
    Suppression,
    Target,
)
from mergegate.core.score import draw_up, judge
from mergegate.core.severity import Aspect, Kind
from mergegate.core.tree import Selection
from mergegate.repo.coverage import coverage, in_line, inventory, unproved
from mergegate.repo.directives import Standing, is_reasoned, standing
from mergegate.repo.examine import Examined
from mergegate.repo.policy import Parted, set_aside, settled
from mergegate.repo.rules.history import is_later, previous
from mergegate.repo.settings import Policy
from mergegate.repo.summary import Said, summarise
from mergegate.repo.told_once import told_once

INLINE_SUPPRESSION = "inline-suppression"
BASELINE = "baseline"
"""What reports call a baseline file, in place of a commit."""
_MOST_NAMED = 3
_SECONDS = len("2026-01-31T23:59:59")


def point_to(findings: Iterable[Finding], fixes: Iterable[Fix]) -> tuple[Finding, ...]:
    """Findings that know the id of their fix."""
    known = {id: fix.id for fix in fixes for id in fix.finding_ids}
    return tuple(replace(one, fix_id=known.get(one.id)) for one in findings)


@dataclass(frozen=True, slots=True)
class Assembly:
    """Everything a report is made of."""

    target: Target
    head: Examined
    before: Examined | None
    aspects: frozenset[Aspect]
    policy: Policy
    scoring: Scoring
    today: dt.date
    fixes: Callable[[Sequence[Finding], Sequence[Finding]], Proofs]
    """Proves what can be repaired; takes what counts, and all that was found."""
    base_date: str = ""
    """When the base was committed, ISO 8601 in UTC."""
    renames: Mapping[str, str] = field(default_factory=dict)
    """Path of the head → path in the base, as Git reports."""
    in_force: PolicyInForce = PolicyInForce()
    change: Mapping[str, int] | None = None
    """The paths that the change touches with the lines it adds; None without a base."""
    say: Callable[[str], Said] = Said
    """The summary in whose words it is to be."""
    known: tuple[Finding, ...] | None = None
    """What a baseline file knows, in place of a tree before; None without one."""

    def report(self, started: str, ended: str | None = None) -> Report:
        """The report of a scan that ``started`` and ``ended`` then, by default now."""
        marked, gone = self._against_base()
        policy, notes = settled(self.policy, (one.id for one in (*marked, *gone)))
        parted = self._parted(self.head, marked, policy, self._standing(policy))
        counted, suppressed = parted.counted, parted.aside
        proofs = self.fixes(counted, marked)
        fixes = proofs.fixes
        findings = point_to(counted, fixes)
        ledger = draw_up(findings, self.scoring)
        accepted = self.policy.accept_unsearched
        gaps = unproved(self.head.map, self.head.tree, self.aspects, accepted, self.change)
        verdict = judge(findings, ledger, self.scoring, (*self.head.unrun, *gaps))
        comparison = self._comparison(findings, gone, gaps, policy)
        said = self.say(summarise(findings, ledger, verdict, fixes, comparison))
        later = self._later_rules(findings)
        told = (
            *self.in_force.notes,
            *notes,
            *parted.notes,
            *_in_line(suppressed),
            *_of_later_rules(later),
            *self._renamed(marked, policy),
        )
        others = [one for one in findings if one.advisory is None]
        return Report(
            target=self.target,
            verdict=verdict,
            ledger=ledger,
            issues=tuple(one for one in others if one.kind is not Kind.RISK),
            risks=tuple(one for one in others if one.kind is Kind.RISK),
            vulnerabilities=tuple(one for one in findings if one.advisory is not None),
            fixes=fixes,
            refused_fixes=proofs.refused,
            mended=proofs.mended,
            suppressed=suppressed,
            engines=self.head.gathered.runs,
            coverage=self._coverage(),
            policy=replace(
                self.in_force,
                notes=told,
                allows_self_dismissal=policy.self_dismissal == "allow",
            ),
            summary=said.text,
            summary_source=said.source,
            comparison=comparison,
            later_rules=later,
            packages=inventory(self.head),
            id=self._id(),
            created_at=started,
            completed_at=ended or stamp(dt.datetime.now(dt.UTC)),
            tool_version=__version__,
        )

    def _coverage(self) -> Coverage:
        seen = coverage(self.head, self.aspects, self.today)
        if self.target.only:
            told = f"only what was asked for was scanned: {wording.some(self.target.only)}"
            seen = replace(seen, limits=(told, *seen.limits))
        others = self.target.altered
        if not others:
            return seen
        more = "" if len(others) <= _MOST_NAMED else ", …"
        files = "1 file is" if len(others) == 1 else f"{len(others):,} files are"
        told = f"{files} not as the commit has it: {', '.join(others[:_MOST_NAMED])}{more}"
        return replace(seen, limits=(*seen.limits, f"the work tree was scanned, and {told}"))

    def _against_base(self) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
        known = self.before.findings if self.before else self.known
        if known is None:
            return self.head.findings, ()
        return compare(self.head.findings, known, self.renames)

    def _parted(
        self,
        examined: Examined | None,
        findings: Sequence[Finding],
        policy: Policy,
        standing: Standing | None = None,
    ) -> Parted:
        """``findings`` of ``examined``, without what tells of a comment that gives its reason.

        Only a change that adds one has it told: what stands has what the rule asks for.
        """
        here = in_line(examined) if examined else {}
        told = (
            one
            for one in findings
            if one.rule_id != INLINE_SUPPRESSION or one.is_new or not is_reasoned(one, here)
        )
        parted = set_aside(told, policy, here, self.today, standing)
        return replace(parted, counted=told_once(parted.counted))

    def _standing(self, policy: Policy) -> Standing | None:
        """What comments of the base say of its findings; None where the tree is its own base."""
        if self.before is None:
            return None
        here = in_line(self.before)
        return standing(self.before.findings, policy.inline_suppressions, here)

    def _renamed(self, marked: Sequence[Finding], policy: Policy) -> Iterator[str]:
        """What the suppressions of renamed files have to say once the change is merged."""
        named = {one.id for one in policy.suppressions if self.today < one.expires}
        for own, one in zip(self.head.findings, marked, strict=True):
            if one.id in named and own.id != one.id and one.place.file in self.renames:
                yield (
                    f"{one.place.file} is renamed: once this is merged, {one.id} is called"
                    f" {own.id}; to keep it set aside, write `id: {own.id}` into the policy"
                )

    def _comparison(
        self,
        findings: Sequence[Finding],
        gone: Sequence[Finding],
        gaps: Sequence[Unrun],
        policy: Policy,
    ) -> Comparison | None:
        base = BASELINE if self.known is not None else self.target.base
        if base is None:
            return None
        new = [one for one in findings if one.is_new]
        ledger = draw_up(new, self.scoring)
        judged, now = Selection(self.target.only), {old: new for new, old in self.renames.items()}
        seen = [
            one
            for one in gone
            if not self.head.map.is_unseen(one.place.file)
            and judged.holds(now.get(one.place.file, one.place.file))
        ]
        fixed = self._parted(self.before, seen, policy).counted
        stops_at = self.policy.change_stops_at
        return Comparison(
            base=base,
            new=len(new),
            existing=len(findings) - len(new),
            fixed=fixed,
            verdict=judge(
                new,
                ledger,
                self.scoring,
                (*_either(self.head, self.before), *gaps),
                stops_at,
            ),
            ledger=ledger,
            stops_at=stops_at,
            drifted=tuple(one.id for one in findings if self._became_known(one)),
        )

    def _later_rules(self, findings: Sequence[Finding]) -> LaterRules | None:
        """What of ``findings`` the rules would not have told that the repository is held to."""
        old = [one for one in findings if not one.is_new]
        held_to = self.policy.rules_of or previous() if old else ""
        ids = tuple(one.id for one in old if held_to and is_later(one.rule_id, held_to))
        if not ids:
            return None
        since = self.policy.later_rules_block_from
        return LaterRules(
            version=held_to,
            ids=ids,
            block_from=since.isoformat() if since else "",
            blocks=since is not None and since <= self.today,
        )

    def _became_known(self, finding: Finding) -> bool:
        if finding.is_new or finding.advisory is None or not self.base_date:
            return False
        return finding.advisory.published[:_SECONDS] > self.base_date[:_SECONDS]

    def _id(self) -> str:
        """Equal for equal input: what was scanned, with what, by which policy."""
        parts = [
            __version__,
            self.target.base or "",
            self.policy.model_dump_json(),
            *sorted(self.aspects),
            *(one.id for one in self.known or ()),
            *(f"{file.path}\0{file.digest}" for file in self.head.tree.files),
        ]
        digest = hashlib.sha256("\0".join(parts).encode("utf-8", "backslashreplace"))
        return f"rs_{digest.hexdigest()[:24]}"


def _in_line(suppressed: Sequence[Suppression]) -> Iterator[str]:
    """How many findings comments in the code set aside."""
    if count := sum(one.source == "inline" for one in suppressed):
        aside = wording.counted(count, "finding")
        yield f"comments in the code set {aside} aside, as `inline-suppressions` lets them"


def _of_later_rules(later: LaterRules | None) -> Iterator[str]:
    """What becomes of findings that an upgrade brought."""
    if later is None:
        return
    if later.blocks:
        when = f"counts in its gate since {later.block_from}"
    elif later.block_from:
        when = f"does not fail its gate before {later.block_from}"
    else:
        when = "does not fail its gate; `later-rules-block-from` says from which day it does"
    told = wording.counted(len(later.ids), "finding")
    rules = f"the repository is held to the rules of {later.version}"
    yield f"{rules}: what later ones tell ({told}) {when}"


def _either(head: Examined, before: Examined | None) -> tuple[Unrun, ...]:
    """What did not run on either side: then what is new is not known."""
    return (*head.unrun, *(before.unrun if before else ()))


def stamp(moment: dt.datetime) -> str:
    """ISO 8601 in UTC, to the millisecond."""
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
