"""The safe value of an entry mends its own bad examples, through every gate of a real scan."""

import subprocess
from collections import defaultdict
from pathlib import Path

import pytest

from mergegate.core.report import Report
from mergegate.core.severity import Aspect
from mergegate.repo.facts.resources import Dialect
from mergegate.repo.fixes import proof
from mergegate.repo.fixes.edits import apply
from mergegate.repo.fixes.recipe import recipes
from mergegate.repo.infrastructure import Subject, entries
from mergegate.repo.scan import Request, scan
from mergegate.repo.toolbox import scan_toolbox
from tests.repo.fixes.examples import ENOUGH
from tests.repo.infrastructure.examples import in_bicep as in_bicep_of
from tests.repo.infrastructure.examples import written

OFFERED = {
    f"{entry.rule_id(subject.dialect)}/{number}": (subject, subject.bad)
    for entry in entries().values()
    if entry.does
    for number, subject in enumerate(entry.subjects)
    if subject.wanted and entry.rule_id(subject.dialect) not in recipes()
    if not subject.kinds[0].startswith("module.")
}
"""The subjects whose fix needs no recipe, by rule and number; calls of modules are not mended."""


def _bicep(subject: Subject, body: str) -> str | None:
    return in_bicep_of(subject.kinds[0], body) if subject.dialect is Dialect.ARM else None


IN_BICEP = {
    name
    for name, (subject, bodies) in OFFERED.items()
    if any(_bicep(subject, body) is not None for body in bodies)
}
"""Those of which an example can be said in Bicep."""


@pytest.fixture(scope="module")
def scanned(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Report]:
    """A repository of all bad examples, and what a scan says of it."""
    root = tmp_path_factory.mktemp("examples")
    for name, (subject, bodies) in OFFERED.items():
        for at, body in enumerate(bodies):
            for file, text in written(subject, subject.kinds[0], body).items():
                place = root / f"{name}/{at}" / file
                place.parent.mkdir(parents=True)
                place.write_text(text, "utf-8")
            if (said := _bicep(subject, body)) is not None:
                (root / f"{name}/{at}/main.bicep").write_text(said, "utf-8")
    subprocess.run(["git", "init", "-q", root], check=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(proof, "MOST_PROOFS", ENOUGH)
        aspects = frozenset({Aspect.IAC})
        box = scan_toolbox(fetch=False, cached=False, aspects=aspects)
        return root, scan(Request(root, aspects), box)


def test_safe_value_mends_what_was_found(scanned: tuple[Path, Report]) -> None:
    root, report = scanned
    by_id = {one.id: one for one in report.findings}
    mended: dict[str, list[str]] = defaultdict(list)
    in_bicep: dict[str, list[str]] = defaultdict(list)
    for fix in report.fixes:
        finding = by_id[fix.finding_ids[0]]
        rule, number, *_ = finding.place.file.split("/")
        if rule == finding.rule_id:
            text = (root / finding.place.file).read_text("utf-8")
            told = in_bicep if finding.place.file.endswith(".bicep") else mended
            told[f"{rule}/{number}"].append(apply(text, *fix.edits) or "")
    assert OFFERED.keys() - mended.keys() == set()
    assert IN_BICEP - in_bicep.keys() == set()
    for name, texts in mended.items():
        assert all(OFFERED[name][0].wanted in text for text in texts), name
    for name, texts in in_bicep.items():  # what is missing beside it is another finding's
        assert any(OFFERED[name][0].wanted in text for text in texts), name
