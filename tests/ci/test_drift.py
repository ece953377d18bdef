"""A vulnerability that became known after the base is told apart from one the change brings."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Mergegate
from tests.sandbox.git.test_repository import commit, git


def record(number: int, package: str, published: str) -> dict[str, Any]:
    return {
        "id": f"PYSEC-2099-{number}",
        "published": published,
        "modified": published,
        "summary": f"{package} runs what it is sent",
        "affected": [
            {
                "package": {"ecosystem": "PyPI", "name": package},
                "ranges": [
                    {"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "2.0.0"}]}
                ],
            }
        ],
        "database_specific": {"severity": "CRITICAL"},
    }


@pytest.fixture
def records(tmp_path: Path) -> Path:
    folder = tmp_path / "osv" / "PyPI"
    folder.mkdir(parents=True)
    for number, (package, published) in enumerate(
        [
            ("old", "2001-01-01T00:00:00Z"),
            ("late", "2090-01-01T00:00:00Z"),
            ("brought", "2090-01-01T00:00:00Z"),
        ]
    ):
        text = json.dumps(record(number, package, published))
        (folder / f"PYSEC-2099-{number}.json").write_text(text)
    return folder.parent


@pytest.fixture
def change(mergegate: Mergegate, repo: Path, records: Path) -> Path:
    """A base with two vulnerable packages, and a change that brings a third."""
    return changed(mergegate, repo, records, ["old", "late"], ["old", "late", "brought"])


def changed(
    mergegate: Mergegate, repo: Path, records: Path, before: Sequence[str], after: Sequence[str]
) -> Path:
    """``repo`` with ``topic`` checked out: packages that it pins on ``main``, and then."""
    assert mergegate("advisories", "update", records).code == 0
    pin(repo, before)
    git(repo, "switch", "-q", "-c", "topic")
    pin(repo, after)
    return repo


def pin(repo: Path, packages: Sequence[str]) -> None:
    (repo / "requirements.txt").write_text("".join(f"{one}==1.0.0\n" for one in packages))
    (repo / "uses.py").write_text("".join(f"import {one}\n" for one in packages))
    commit(repo, f"pin {len(packages)}")


def test_drift_is_what_was_published_after_the_base(mergegate: Mergegate, change: Path) -> None:
    arguments = ("--base", "main", "--only", "dependencies", "--offline", "--format", "json")
    result = mergegate("scan", change, *arguments, "--fail-on", "never").json
    named = {one["id"]: one["package"] for one in result["dependencyVulns"]}
    assert sorted(named.values()) == ["brought", "late", "old"]
    assert [named[id] for id in result["comparison"]["drifted"]] == ["late"]
    new = [one["package"] for one in result["dependencyVulns"] if one["isNew"]]
    assert new == ["brought"]


@pytest.mark.parametrize(
    ("before", "after", "fail_on", "code"),
    [
        (["late"], ["late", "clean"], "gate", 0),
        (["old"], ["old", "clean"], "gate", 1),
        (["late"], ["late", "brought"], "new", 1),
        *(
            pytest.param(*variant, marks=pytest.mark.thorough)
            for variant in (
                (["old"], ["old", "clean"], "new", 0),
                (["late"], ["late", "brought"], "gate", 1),
                (["late"], ["late", "brought"], "never", 0),
            )
        ),
    ],
)
def test_scan_and_job_answer_alike(
    before: Sequence[str],
    after: Sequence[str],
    fail_on: str,
    code: int,
    mergegate: Mergegate,
    repo: Path,
    records: Path,
    tmp_path: Path,
) -> None:
    """A vulnerability that became known after the base fails neither: no change brought it in."""
    changed(mergegate, repo, records, before, after)
    given = ("--base", "main", "--only", "dependencies", "--offline", "--fail-on", fail_on)
    scan = mergegate("scan", repo, *given)
    job = mergegate("ci", *given, cwd=repo, env={"MERGEGATE_REPORT": str(tmp_path / "report")})
    assert (scan.code, job.code) == (code, code), scan.err + job.err
