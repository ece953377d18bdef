"""What recipes make of the examples of their rules.

    python -m tests.repo.fixes.examples [RULE...] [--write]

Scans the examples of every rule that has a recipe (``tests/rules``, for checks of infrastructure
``tests/fixtures/iac``, and for what needs more ``tests/fixtures/fixes/examples``), applies the
fixes of that rule which passed every gate, and prints how many of its findings have one, and why
the others have none. ``--write`` puts the results into ``tests/fixtures/fixes/expected``, where
they are read as a change is: each is what people will be offered.
"""

import argparse
import shutil
import subprocess
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from mergegate.core.finding import Edit
from mergegate.core.report import Report
from mergegate.core.severity import Aspect
from mergegate.repo.fixes import proof
from mergegate.repo.fixes.edits import fit, together
from mergegate.repo.fixes.recipe import recipes
from mergegate.repo.infrastructure import by_rule
from mergegate.repo.scan import Request, scan
from mergegate.repo.toolbox import scan_toolbox

TESTS = Path(__file__).parents[2]
RULES = TESTS / "rules"
CHECKS = TESTS / "fixtures" / "iac"
OTHERS = TESTS / "fixtures" / "fixes" / "examples"
EXPECTED = TESTS / "fixtures" / "fixes" / "expected"
ENOUGH = 10_000
"""Proofs: more than there are findings in all examples."""


@dataclass
class Outcome:
    """What became of one rule's examples."""

    rule: str
    found: int = 0
    """Findings of the rule in them."""
    fixed: int = 0
    """Those with a fix that passed every gate."""
    refused: Counter[str] = field(default_factory=Counter)
    """Why others have none, as gate and reason."""
    texts: dict[str, str] = field(default_factory=dict)
    """Each example by its name below ``examples``, after all fixes of the rule."""


def mended() -> frozenset[str]:
    """The rules with a recipe, and those whose entry carries the safe value itself."""
    return frozenset({*recipes(), *(rule for rule, one in by_rule().items() if one.does)})


def folders() -> Sequence[str]:
    """The folders that hold examples of rules that are mended."""
    return sorted({path.parent.name for path in examples_of(mended())})


def examples_of(wanted: Iterable[str], folder: str = "") -> Iterator[Path]:
    """The examples of the rules, all or those of one folder."""
    rules = set(wanted)
    for path in sorted(one for place in (RULES, CHECKS, OTHERS) for one in place.glob("*/*")):
        here = not folder or path.parent.name == folder
        if here and rule_of(path) in rules and ".fixed." not in path.name:
            yield path


def rule_of(path: Path) -> str:
    """The rule that an example is of: ``rule.ext``, ``rule.what.ext``, or a folder's name."""
    return path.name.split(".")[0]


_HOMES = {"workflows": ".github/workflows"}
"""Where examples stand that count in one folder alone, by theirs."""


def outcomes(wanted: Iterable[str], folder: str = "") -> dict[str, Outcome]:
    """Scans the examples of the rules and proves their fixes."""
    examples = list(examples_of(wanted, folder))
    told = {rule_of(path): Outcome(rule_of(path)) for path in examples}
    with TemporaryDirectory() as place:
        root = Path(place)
        for path in examples:
            where = root / _HOMES.get(path.parent.name, path.parent.name) / path.name
            where.parent.mkdir(parents=True, exist_ok=True)
            copy = shutil.copytree if path.is_dir() else shutil.copyfile
            copy(path, where)
        subprocess.run(["git", "init", "-q", place], check=True)
        _tell(_scanned(root), root, told)
    return told


def _scanned(root: Path) -> Report:
    proof.MOST_PROOFS = ENOUGH
    aspects = frozenset({Aspect.CODE, Aspect.IAC})
    return scan(Request(root, aspects), scan_toolbox(fetch=False, cached=False, aspects=aspects))


def _tell(report: Report, root: Path, told: dict[str, Outcome]) -> None:
    by_id = {one.id: one for one in report.findings}
    edits: dict[str, list[Sequence[Edit]]] = defaultdict(list)
    for one in report.findings:
        outcome = told.get(one.rule_id)
        if outcome and _rule_of_file(one.place.file) == one.rule_id:
            outcome.found += 1
    for fix in report.fixes:
        finding = by_id[fix.finding_ids[0]]
        if _rule_of_file(finding.place.file) == finding.rule_id:
            told[finding.rule_id].fixed += 1
            edits[finding.place.file].append(fix.edits)
    for refused in report.refused_fixes:
        finding = by_id[refused.finding_id]
        if _rule_of_file(finding.place.file) == finding.rule_id:
            told[finding.rule_id].refused[f"{refused.gate}: {refused.why}"] += 1
    for file, changes in edits.items():
        text = (root / file).read_text("utf-8")
        told[_rule_of_file(file)].texts[_shown(file)] = _applied(text, changes)


def _rule_of_file(file: str) -> str:
    """``folder/rule.ext``, or ``folder/rule/…`` for what takes several files."""
    return _shown(file).split("/")[1].split(".", maxsplit=1)[0]


def _shown(file: str) -> str:
    """A file of a scan by its name below ``examples``."""
    for folder, home in _HOMES.items():
        if file.startswith(f"{home}/"):
            return f"{folder}{file.removeprefix(home)}"
    return file


def _applied(text: str, changes: Iterable[Sequence[Edit]]) -> str:
    """Each change that fits those before it; the others wait for the next scan."""
    done: list[Edit] = []
    for edits in sorted(changes, key=lambda one: one[0].start_line):
        if all(fit(one, other) for one in done for other in edits):
            done.extend(edits)
    return together(text, done) or text


def main(wanted: Sequence[str], *, write: bool) -> None:
    """Prints the outcome of each rule, and writes what is expected."""
    told = outcomes(wanted or mended())
    for one in sorted(told.values(), key=lambda each: each.rule):
        print(f"{one.rule}: {one.fixed} of {one.found}")
        for why, times in one.refused.items():
            print(f"    {times} × {why}")
        if write:
            for file, text in one.texts.items():
                (EXPECTED / file).parent.mkdir(parents=True, exist_ok=True)
                (EXPECTED / file).write_text(text, "utf-8")
    found, fixed = sum(one.found for one in told.values()), sum(one.fixed for one in told.values())
    print(f"{len(told)} rules, {fixed} of {found} findings have a fix")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rules", nargs="*")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    main(given.rules, write=given.write)
