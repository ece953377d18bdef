"""Typical mistakes are told on their line and stop the change; their mended twins are not told.

``bench/injected.py`` does the same with projects that others wrote, one change a mistake.
"""

from pathlib import Path
from typing import Any

from tests.conftest import Mergegate
from tests.mistakes import MISTAKES, Mistake
from tests.sandbox.git.test_repository import commit

HOSTS = Path(__file__).parents[1] / "fixtures" / "mistakes" / "hosts"
OPTIONS = ("--only", "code,secrets,iac", "--fail-on", "new", "--offline", "--format", "json")


def place(mistake: Mistake) -> str:
    """Each in a folder of its own, but where the name of the folder is what makes it run."""
    return mistake.file if mistake.language == "workflow" else f"{mistake.id}/{mistake.file}"


def host(mistake: Mistake) -> str:
    """The file that the mistake is put into; empty where it is all of a new one."""
    file = HOSTS / f"host{Path(mistake.file).suffix}"
    return file.read_text() if file.exists() and mistake.language != "workflow" else ""


def changed(repo: Path, attribute: str) -> str:
    """The base of a change that puts ``attribute`` of every mistake into its file."""
    for mistake in MISTAKES:
        file = repo / place(mistake)
        file.parent.mkdir(parents=True, exist_ok=True)
        if host(mistake):
            file.write_text(host(mistake))
    base = commit(repo, "before")
    for mistake in MISTAKES:
        (repo / place(mistake)).write_text(mistake.put(host(mistake), getattr(mistake, attribute)))
    commit(repo, attribute)
    return base


def told(result: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """What is new above info, by file."""
    found: dict[str, list[dict[str, Any]]] = {}
    for one in (*result["issues"], *result["riskFindings"]):
        if one["isNew"] and one["severity"] != "info":
            found.setdefault(one["file"], []).append(one)
    return found


def stops(finding: dict[str, Any]) -> bool:
    return finding["severity"] in {"critical", "high"} and finding["confidence"] != "low"


def test_every_mistake_is_told_on_its_line_and_nothing_beside_it(
    mergegate: Mergegate, repo: Path
) -> None:
    base = changed(repo, "wrong")
    run = mergegate("scan", repo, "--base", base, *OPTIONS)
    found = told(run.json)
    odd = {}
    for mistake in MISTAKES:
        line = mistake.line(mistake.put(host(mistake), mistake.wrong))
        seen = [
            (one["startLine"] <= line <= one["endLine"], one["ruleId"] in mistake.rules, stops(one))
            for one in found.get(place(mistake), ())
        ]
        if seen != [(True, True, mistake.stops)]:
            odd[mistake.id] = found.get(place(mistake))
    assert (run.code, odd) == (1, {})


def test_nothing_is_told_of_their_mended_twins(mergegate: Mergegate, repo: Path) -> None:
    base = changed(repo, "right")
    run = mergegate("scan", repo, "--base", base, *OPTIONS)
    found = {file: [one["ruleId"] for one in all] for file, all in told(run.json).items()}
    assert (run.code, found) == (0, {})


def test_there_are_thirty_in_five_languages_and_nine_of_ten_stop_a_change() -> None:
    assert len(MISTAKES) >= 30
    assert {"python", "javascript", "typescript", "java", "go"} < {m.language for m in MISTAKES}
    assert sum(mistake.stops for mistake in MISTAKES) >= 0.9 * len(MISTAKES)
