"""What a change is charged with, in real repositories and with the real engines."""

from pathlib import Path
from typing import Any

from tests.conftest import CLEAN, Mergegate
from tests.repo.test_scan import VULNERABLE, scan
from tests.sandbox.git.test_repository import commit, git

_KEY = "AKIAZ7Q3M5N2K6R4T6W2"
_OTHER_KEY = "AKIAZ7Q3M5N2K6R4T6W7"


def dismiss(root: Path, *ids: str) -> None:
    rest = "reason: Lab, owner: ada, expires: 2999-01-01"
    lines = [f"- {{id: '{id}', {rest}}}\n" for id in ids]
    (root / ".mergegate.yml").write_text(f"suppressions:\n{''.join(lines)}")


def places(findings: list[dict[str, Any]]) -> dict[str, bool]:
    """File → whether its finding is new."""
    return {one["file"]: one["isNew"] for one in findings}


def test_a_rename_keeps_its_dismissal_and_a_copy_takes_none(
    mergegate: Mergegate, repo: Path
) -> None:
    for name, route in {"b": "ping", "d": "dig", "moved": "trace"}.items():
        (repo / f"{name}.py").write_text(VULNERABLE.replace("ping", route))
    commit(repo, "weak")
    found = scan(mergegate, repo, "--only", "code")["issues"]
    ids = {one["file"]: one["id"] for one in found}
    dismiss(repo, ids["b.py"], ids["d.py"], ids["moved.py"])
    base = commit(repo, "dismissed")
    (repo / "a.py").write_text((repo / "b.py").read_text())
    git(repo, "mv", "d.py", "e.py")
    (repo / "moved.py").write_text(CLEAN)
    (repo / "there.py").write_text(CLEAN + VULNERABLE.replace("ping", "trace"))
    commit(repo, "copied, renamed, moved")
    result = scan(mergegate, repo, "--base", base, "--only", "code")
    assert places(result["issues"]) == {"a.py": True, "there.py": True}
    aside = [one["finding"] for one in result["suppressed"]]
    assert places(aside) == {"b.py": False, "e.py": False}
    assert {one["id"] for one in aside} == {ids["b.py"], ids["d.py"]}


def test_what_a_rename_keeps_can_be_kept_after_the_merge(mergegate: Mergegate, repo: Path) -> None:
    (repo / "old.py").write_text(VULNERABLE)
    commit(repo, "weak")
    (found,) = scan(mergegate, repo, "--only", "code")["issues"]
    dismiss(repo, found["id"])
    base = commit(repo, "dismissed")
    git(repo, "mv", "old.py", "new.py")
    commit(repo, "renamed")
    change = scan(mergegate, repo, "--base", base, "--only", "code")
    (note,) = change["policy"]["notes"]
    assert (change["issues"], change["suppressed"][0]["finding"]["id"]) == ([], found["id"])
    (after,) = scan(mergegate, repo, "--only", "code")["issues"]
    assert f"new.py is renamed: once this is merged, {found['id']} is called {after['id']}" in note
    dismiss(repo, after["id"])
    assert f"`id: {after['id']}`" in note
    commit(repo, "as the receipt says")
    assert scan(mergegate, repo, "--only", "code")["issues"] == []


def test_a_dismissed_secret_is_not_dismissed_elsewhere(mergegate: Mergegate, repo: Path) -> None:
    (repo / "conf.py").write_text(f'KEY = "{_KEY}"\n')
    commit(repo, "key")
    (found,) = scan(mergegate, repo, "--only", "secrets")["issues"]
    dismiss(repo, found["id"])
    base = commit(repo, "dismissed")
    (repo / "conf.py").write_text("KEY = None\n")
    (repo / "settings.py").write_text(f'import os\n\nprint(os.name)\nKEY = "{_KEY}"\n')
    commit(repo, "moved")
    moved = scan(mergegate, repo, "--base", base, "--only", "secrets")
    assert (places(moved["issues"]), moved["suppressed"]) == ({"settings.py": False}, [])
    assert moved["issues"][0]["id"] != found["id"]


def test_a_secret_that_the_base_holds_is_not_new_and_none_is_told_of_excluded_files(
    mergegate: Mergegate, repo: Path
) -> None:
    (repo / "conf.py").write_text(f'KEY = "{_KEY}"\n')
    (repo / ".mergegate.yml").write_text("paths: {exclude: [fixtures]}\n")
    base = commit(repo, "key")
    (repo / "conf.py").unlink()
    (repo / "settings.py").write_text(f'OTHER = 1\nKEY = "{_KEY}"\n')
    (repo / "fixtures").mkdir()
    (repo / "fixtures" / "key.py").write_text(f'KEY = "{_OTHER_KEY}"\n')
    commit(repo, "moved")
    moved = scan(mergegate, repo, "--base", base, "--only", "secrets")
    assert places(moved["issues"]) == {"settings.py": False}
    (repo / "settings.py").write_text("OTHER = 1\n")
    commit(repo, "removed")
    removed = scan(mergegate, repo, "--base", base, "--only", "secrets")
    assert removed["issues"] == []
    (repo / "settings.py").write_text(f'KEY = "{_KEY}"\nAGAIN = "{_KEY}"\n')
    (repo / "copy.py").write_text(f'KEY = "{_KEY}"\n')
    commit(repo, "copied")
    copied = scan(mergegate, repo, "--base", base, "--only", "secrets")
    assert sorted(one["isNew"] for one in copied["issues"]) == [False, True, True]


def test_a_list_of_archives_is_new_once_one_is_added(mergegate: Mergegate, repo: Path) -> None:
    for name in ("a", "b", "c"):
        (repo / f"{name}.zip").write_bytes(b"PK\x05\x06" + name.encode() * 40)
    base = commit(repo, "archives")
    (repo / "a.zip").unlink()
    git(repo, "mv", "b.zip", "z.zip")
    (repo / "clean.py").write_text(f"{CLEAN}\nprint(1)\n")
    commit(repo, "one less, one renamed")

    def archives() -> list[bool]:
        found = scan(mergegate, repo, "--base", base, "--only", "code")["riskFindings"]
        return [one["isNew"] for one in found if one["ruleId"] == "committed-archive"]

    assert archives() == [False]
    (repo / "d.zip").write_bytes(b"PK\x05\x06" + b"d" * 40)
    commit(repo, "one more")
    assert archives() == [True]
