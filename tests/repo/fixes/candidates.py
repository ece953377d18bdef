"""What the gates make of candidates that were written by somebody who did not build them.

    python -m tests.repo.fixes.candidates [WORD...] [--all]

``tests/fixtures/fixes/candidates`` holds flawed files and what a careless, lazy or hostile author
would propose for each, beside what a good one would. Each goes the whole way of a model's answer:
a scan finds the flaw, the edits stand in for what a model says, the gates judge them, the changed
copy is scanned again. Prints which gate stopped how many, each bad one that passed and each good
one that was refused; ``--all`` each candidate. With words only the rules that hold one of them.
"""

import argparse
import subprocess
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from mergegate.core.finding import Finding
from mergegate.core.report import Proofs, Report
from mergegate.core.severity import Aspect
from mergegate.core.tree import SourceFile, Tree
from mergegate.model.protocol import Answer, Question
from mergegate.repo.fixes import asked, gates, mending, proof
from mergegate.repo.fixes.proof import FixVerifier, Rescan, verified_fixes
from mergegate.repo.fixes.proposals import Proposal, Propose, Read
from mergegate.repo.fixes.recipe import Asked, Recipe, recipes
from mergegate.repo.scan import Request, scan
from mergegate.repo.toolbox import scan_toolbox

FOLDER = Path(__file__).parents[2] / "fixtures" / "fixes" / "candidates"
ENOUGH = 10_000
_REPAIRS = mending.repairs
Prove = Callable[[Sequence[Finding], Sequence[Finding]], Proofs]
PASSED, NOT_FOUND = "passed", "no finding"
HIDDEN = "shows no secret"
"""What stops a fix after every gate: lines with what may be a secret are never shown."""


@dataclass(frozen=True, slots=True)
class Flawed:
    """A file that the scanner finds a flaw in."""

    rule: str
    file: str
    text: str
    line: int = 0
    """Where the finding is that is to be mended; 0 where it is the only one of the rule."""
    does: str = ""
    shape: str = ""
    absent: str = ""
    caution: str = ""
    addresses: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    """What a recipe of the rule says, or would say where there is none for models."""

    @property
    def recipe(self) -> Recipe:
        """The rule's, where it knows what a fix looks like; else the one that the corpus states."""
        known = recipes().get(self.rule)
        if known and known.asked:
            return known
        own = known or Recipe(rule=self.rule, does=self.does)
        asked = Asked(shape=self.shape or own.shape, absent=self.absent, words=self.words)
        return replace(own, asked=asked, addresses=self.addresses)


@dataclass(frozen=True, slots=True)
class Proposed:
    """A candidate, with what became of it."""

    flawed: Flawed
    number: int
    """From 1, among those of one flawed file."""
    good: bool
    why: str
    edits: Sequence[Mapping[str, str]]
    outcome: str = NOT_FOUND
    """``PASSED``, or the gate that stopped it."""
    reason: str = ""

    @property
    def name(self) -> str:
        """By which it is known."""
        return f"{self.flawed.rule}/{self.flawed.file}/{self.number}"

    @property
    def path(self) -> str:
        """Where its own copy of the flawed file lies in the tree that is scanned."""
        return f"{self.flawed.rule}/{self.number}/{self.flawed.file}"

    @property
    def is_wrong(self) -> bool:
        """Whether a bad one passed or a good one did not."""
        return self.good != (self.outcome == PASSED)


def candidates(words: Iterable[str] = ()) -> Iterator[Proposed]:
    """Those of the corpus, all or of the rules that hold one of the words."""
    wanted = tuple(words)
    for path in sorted(FOLDER.glob("*.toml")):
        for one in tomllib.loads(path.read_text("utf-8"))["flawed"]:
            several = one.pop("candidates")
            one |= {name: tuple(one.get(name, ())) for name in ("addresses", "words")}
            flawed = Flawed(**one)
            if wanted and not any(word in flawed.rule for word in wanted):
                continue
            for number, each in enumerate(several, start=1):
                good = each.get("good", False)
                yield Proposed(flawed, number, good, each["why"], each["edits"])


def judged(several: Iterable[Proposed]) -> list[Proposed]:
    """The candidates, each with its outcome, after one scan and one scan of the changed copies."""
    by_path = {one.path: one for one in several}
    with TemporaryDirectory() as place:
        root = Path(place)
        for path, one in by_path.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(one.flawed.text, "utf-8")
        subprocess.run(["git", "init", "-q", place], check=True)
        report = _scanned(root, by_path)
    return _told(report, by_path)


def _scanned(root: Path, by_path: Mapping[str, Proposed]) -> Report:
    """A scan in which the candidates are what a model answers, and recipes propose nothing."""
    author = _Author(by_path)
    known = {one.flawed.rule: one.flawed.recipe for one in by_path.values()}
    aspects = frozenset({Aspect.CODE, Aspect.IAC})
    with (
        patch.object(mending, "repairs", author.repairs),
        patch.object(mending, "proposed", lambda *_: None),
        patch.object(mending, "verified_fixes", author.verified_fixes),
        patch.object(asked, "recipes", lambda: known),
        patch.object(asked, "_may_ask", lambda _: True),
        patch.object(asked, "MOST_ASKED", ENOUGH),
        patch.object(proof, "MOST_PROOFS", ENOUGH),
    ):
        toolbox = scan_toolbox(fetch=False, cached=False, aspects=aspects)
        return scan(Request(root, aspects), toolbox)


class _Author:
    """Stands in for the model: answers with the candidate of the file that is asked about."""

    def __init__(self, by_path: Mapping[str, Proposed]) -> None:
        self._by_path = by_path
        self._edits: Sequence[Mapping[str, str]] = ()

    def ask(self, _: Question) -> Answer:
        """The edits of the candidate whose turn it is."""
        value: dict[str, Any] = {"edits": self._edits, "explanation": ""}
        return Answer(value, 0, 0, "nobody")

    def repairs(
        self, tree: Tree, folder: Path, rescan: Rescan, *_: object, above: str, tests: None
    ) -> Prove:
        """Proofs as a scan with a model makes them."""
        return _REPAIRS(tree, folder, rescan, adviser=self, above=above, tests=tests)

    def verified_fixes(
        self,
        findings: Sequence[Finding],
        before: Sequence[Finding],
        tree: Tree,
        verifier: FixVerifier,
        propose: Propose,
    ) -> Proofs:
        """As the function of that name; only what a candidate is about is asked."""

        def turned(finding: Finding, file: SourceFile, read: Read) -> Proposal | None:
            one = self._by_path.get(file.path)
            if one is None or not is_about(one, finding):
                return None
            self._edits = one.edits
            return propose(finding, file, read)

        return verified_fixes(findings, before, tree, verifier, turned)


def is_about(one: Proposed, finding: Finding) -> bool:
    """Whether the finding is what the candidate is to mend."""
    line = one.flawed.line
    here = one.path == finding.place.file and one.flawed.rule == finding.rule_id
    return here and (not line or line == finding.place.start_line)


def _told(report: Report, by_path: Mapping[str, Proposed]) -> list[Proposed]:
    told = dict(by_path)
    about = {}
    for finding in report.findings:
        one = by_path.get(finding.place.file)
        if one and is_about(one, finding):
            about[finding.id] = one
            told[one.path] = replace(one, outcome=HIDDEN)
    for refused in report.refused_fixes:
        if one := about.get(refused.finding_id):
            told[one.path] = replace(one, outcome=refused.gate, reason=refused.why)
    for fix in report.fixes:
        if one := about.get(fix.finding_ids[0]):
            told[one.path] = replace(one, outcome=PASSED)
    return list(told.values())


def table(several: Sequence[Proposed]) -> str:
    """Which gate stopped how many, as Markdown."""
    good, bad = (
        Counter(one.outcome for one in several if one.good is is_good) for is_good in (True, False)
    )
    order = [asked.NOT_ASKED, "applies", *gates.NAMES, HIDDEN, NOT_FOUND, PASSED]
    seen = [name for name in dict.fromkeys(order) if good[name] or bad[name]]
    rows = [f"| {name} | {bad[name]} | {good[name]} |" for name in seen]
    total = f"| all | {bad.total()} | {good.total()} |"
    return "\n".join(["| Outcome | Bad | Good |", "|---|---|---|", *rows, total])


def main(words: Sequence[str], *, everything: bool) -> None:
    """Prints the table, and what went wrong."""
    several = judged(candidates(words))
    for one in several:
        if everything or one.is_wrong:
            kind = "good" if one.good else "BAD"
            print(f"{one.name} ({kind}) {one.outcome}: {one.reason} [{one.why}]")
    print(table(several))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("words", nargs="*")
    parser.add_argument("--all", action="store_true")
    given = parser.parse_args()
    main(given.words, everything=given.all)
