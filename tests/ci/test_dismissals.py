"""A dismissal that the host does not know counts as in a scan that does."""

import datetime as dt
import json
from dataclasses import replace
from pathlib import Path

import pytest

from mergegate.ci.scanning import dismissed
from mergegate.core.report import Gate, Report
from mergegate.core.severity import Aspect
from mergegate.repo.scan import Request, scan
from mergegate.repo.settings import Dismissal
from mergegate.repo.toolbox import scan_toolbox
from mergegate.repo.wire import read, to_json
from tests.conftest import CLEAN
from tests.repo.report import samples
from tests.sandbox.git.test_repository import commit, git

TODAY = dt.date(2026, 1, 31)
WEAK = 'import os\n\n\ndef run(request):\n    os.system("ls " + request.args["x"])\n'


def dismissal(id: str, until: dt.date = dt.date(2026, 2, 28)) -> Dismissal:
    return Dismissal(id=id, reason="a demo", owner="erin", expires=until)


def told(report: Report) -> dict[str, object]:
    """Without identifier and times."""
    plain = replace(report, id="", created_at="", completed_at="2026-01-31T00:00:00Z", engines=())
    return dict(json.loads(to_json(plain)))


@pytest.fixture
def change(repo: Path) -> Path:
    """Two findings that are new, one that was there, one that is fixed."""
    (repo / "old.py").write_text(WEAK)
    (repo / "gone.py").write_text(WEAK.replace("ls", "cat"))
    commit(repo, "old")
    git(repo, "switch", "-q", "-c", "topic")
    (repo / "new.py").write_text(WEAK.replace("run", "start"))
    (repo / "more.py").write_text(WEAK.replace("run", "stop"))
    (repo / "gone.py").write_text(CLEAN)
    commit(repo, "new")
    return repo


def test_the_report_is_that_of_a_scan_that_knows_the_dismissals(change: Path) -> None:
    tools = scan_toolbox(fetch=False, cached=False)
    asked = Request(root=change, base="main", aspects=frozenset({Aspect.CODE}), today=TODAY)
    plain = scan(asked, tools)
    assert plain.comparison is not None
    names = {one.place.file: one.id for one in (*plain.findings, *plain.comparison.fixed)}
    chosen = tuple(dismissal(names[file]) for file in ("new.py", "old.py", "gone.py"))
    knowing = scan(replace(asked, dismissals=chosen), tools)
    ours = dismissed(read(to_json(plain).encode()), chosen, TODAY)
    assert told(ours) == told(knowing)
    assert [one.finding.place.file for one in ours.suppressed] == ["new.py", "old.py"]


def test_what_no_longer_holds_or_names_nothing_changes_nothing() -> None:
    report = samples.failed()
    worst = report.findings[0].id
    assert dismissed(report, (), TODAY) is report
    assert dismissed(report, (dismissal("f" * 16),), TODAY) is report
    assert dismissed(report, (dismissal(worst, until=TODAY),), TODAY) is report


def test_what_did_not_run_stays_incomplete() -> None:
    report = replace(samples.failed(), verdict=samples.incomplete().verdict)
    found = dismissed(report, (dismissal(report.findings[0].id),), TODAY)
    assert found.verdict.gate is Gate.INCOMPLETE
    assert found.verdict.reasons[:2] == report.verdict.reasons[:2]


def test_a_repair_of_what_is_set_aside_is_not_offered() -> None:
    report = samples.failed()
    fix = next(one for one in report.fixes if len(one.finding_ids) == 1)
    found = dismissed(report, (dismissal(fix.finding_ids[0]),), TODAY)
    assert fix.id not in {one.id for one in found.fixes}
    assert {one.finding.fix_id for one in found.suppressed} >= {None}
