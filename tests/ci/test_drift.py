"""A vulnerability that became known after the base is told apart from one the change brings."""

import json
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
    assert mergegate("advisories", "update", records).code == 0
    pins = "old==1.0.0\nlate==1.0.0\n"
    (repo / "requirements.txt").write_text(pins)
    commit(repo, "base")
    git(repo, "switch", "-q", "-c", "topic")
    (repo / "requirements.txt").write_text(f"{pins}brought==1.0.0\n")
    commit(repo, "change")
    return repo


def test_drift_is_what_was_published_after_the_base(mergegate: Mergegate, change: Path) -> None:
    arguments = ("--base", "main", "--only", "dependencies", "--offline", "--format", "json")
    result = mergegate("scan", change, *arguments, "--fail-on", "never").json
    named = {one["id"]: one["package"] for one in result["dependencyVulns"]}
    assert sorted(named.values()) == ["brought", "late", "old"]
    assert [named[id] for id in result["comparison"]["drifted"]] == ["late"]
    new = [one["package"] for one in result["dependencyVulns"] if one["isNew"]]
    assert new == ["brought"]
