"""Advisories that are too old are renewed by the job, or the headline says that they are old."""

import datetime as dt
import json
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from mergegate.packages.advisories import update
from tests.ci.jobs.conftest import Pull
from tests.conftest import Run

PIN = "flask==1.0\n"
NOWHERE = "https://127.0.0.1:1/osv"


def ago(days: int) -> str:
    return (dt.datetime.now(dt.UTC) - dt.timedelta(days=days)).isoformat(timespec="seconds")


def dump(folder: Path, package: str, days: int) -> Path:
    """A folder with one advisory, which was changed so many days ago."""
    (folder / "PyPI").mkdir(parents=True)
    record = {
        "id": f"PYSEC-2099-{days}",
        "modified": ago(days),
        "affected": [{"package": {"ecosystem": "PyPI", "name": package}, "versions": ["1.0"]}],
        "database_specific": {"severity": "CRITICAL"},
    }
    (folder / "PyPI" / "one.json").write_text(json.dumps(record))
    return folder


@pytest.fixture
def fresh(tmp_path: Path) -> Path:
    """What has become known meanwhile."""
    return dump(tmp_path / "fresh", "flask", 0)


def job(pull: Pull, days: int, source: Path | str, *arguments: str, name: str = "") -> Run:
    """``mergegate ci`` on a change that pins flask, with a store of so many days."""
    data = pull.root.parent / f"data-{pull.runs}"
    store = data / "advisories.sqlite"
    update(dump(pull.root.parent / f"old-{pull.runs}", "other", days), store)
    with closing(sqlite3.connect(store)) as opened:
        opened.execute("UPDATE source SET imported_at = ?", (ago(days),))
        opened.commit()
    pull.push({"requirements.txt": PIN, "uses.py": "import flask\n"})
    told: Mapping[str, str] = {
        "MERGEGATE_DATA_DIR": str(data),
        "MERGEGATE_ADVISORIES": str(source),
    }
    given = ("--only", "dependencies", *arguments)
    return pull.ci(*given, name=name or "pull_request", environment=told)


def report(pull: Pull) -> dict[str, Any]:
    return dict(json.loads((pull.root.parent / "report" / "mergegate.json").read_text()))


# Event, days since the import, whether the advisories are fetched again
DUE = [
    ("pull_request", 6, False),
    ("pull_request", 8, True),
    ("schedule", 0, False),
    ("schedule", 2, True),
]


@pytest.mark.parametrize(("name", "days", "due"), DUE)
def test_a_store_that_is_too_old_is_renewed_by_the_job(
    name: str, days: int, due: bool, pull: Pull, fresh: Path
) -> None:
    run = job(pull, days, fresh, name=name)
    assert run.code == (1 if due else 0), run.err
    assert ("advisories on PyPI were renewed" in run.err) is due
    told = [one["advisoryId"] for one in report(pull)["dependencyVulns"]]
    assert told == (["PYSEC-2099-0"] if due else [])


def test_one_that_cannot_be_renewed_leads_every_answer(pull: Pull) -> None:
    run = job(pull, 773, NOWHERE)
    assert run.code == 0, run.err
    assert f"advisories on PyPI could not be had: {NOWHERE}/PyPI/all.zip" in run.err
    (check,) = pull.hub.runs
    (comment,) = pull.hub.comments
    files = (pull.root.parent / "report" / f"mergegate.{kind}" for kind in ("sarif", "html"))
    written = (check["output"]["summary"], comment["body"], pull.summary, run.out)
    for answer in (*written, *(file.read_text() for file in files)):
        head, _, rest = answer.partition("Not searched:")
        assert head
        assert "advisories of the last 773 days" in rest[:200]
    (limit,) = report(pull)["coverage"]["limits"]
    assert limit.startswith("advisories on PyPI are 773 days old")


def test_offline_nothing_is_fetched_and_the_age_is_said_all_the_same(
    pull: Pull, fresh: Path
) -> None:
    run = job(pull, 773, fresh, "--offline")
    assert (run.code, "renewed" in run.err) == (0, False)
    assert "advisories of the last 773 days" in pull.hub.comments[0]["body"]
