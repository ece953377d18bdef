"""Hostile repositories: finished or limited by name, nothing of them executed, nothing leaked."""

import json
import os
import stat
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mergegate.core.errors import EngineMissing
from mergegate.core.report import Gate
from mergegate.core.severity import Aspect
from mergegate.repo.engines.semgrep import Semgrep
from mergegate.repo.scan import Request, scan
from mergegate.repo.toolbox import scan_toolbox
from mergegate.sandbox.process.run import Limits
from tests.conftest import Mergegate, command
from tests.sandbox.git.test_repository import commit, git

WEAK = "import yaml\n\n\ndef settings(text):\n    return yaml.load(text, Loader=yaml.Loader)\n"


def result(mergegate: Mergegate, root: Path, *arguments: str) -> dict[str, Any]:
    run = mergegate("scan", root, "--offline", "--format", "json", *arguments)
    assert run.code in (0, 1, 3), run.err
    assert "Traceback" not in run.err
    return run.json


def rules(found: dict[str, Any]) -> set[str]:
    return {one["ruleId"] for one in (*found["issues"], *found["riskFindings"])}


def engines(found: dict[str, Any]) -> dict[str, str]:
    return {one["name"]: one["status"] for one in found["engines"]}


def trap(root: Path) -> tuple[Path, str]:
    """A trace that code of the repository would leave, and Python that leaves it."""
    trace = root.parent / "executed"
    return trace, f"open({str(trace)!r}, 'w').write('x')\n"


def test_no_configuration_or_code_of_the_tree_runs_or_hides(
    mergegate: Mergegate, repo: Path
) -> None:
    trace, code = trap(repo)
    (repo / "weak.py").write_text(WEAK)
    (repo / "checks").mkdir()
    for name in ("setup.py", "conftest.py", "sitecustomize.py", "yaml.py", "lizard.py"):
        (repo / name).write_text(code)
    (repo / "checks" / "__init__.py").write_text(code)
    (repo / ".checkov.yaml").write_text("external-checks-dir: [checks]\nskip-check: ['*']\n")
    (repo / ".semgrepignore").write_text("*\n")
    (repo / ".semgrep.yml").write_text("rules: []\n")
    (repo / "zizmor.yml").write_text("rules: {artipacked: {disable: true}}\n")
    (repo / ".bandit").write_text("[bandit]\nskips: B506\n")
    (repo / "ruff.toml").write_text("exclude = ['*']\n")
    plugin = {"plugins_used": [{"name": "X", "path": "file://checks/__init__.py"}]}
    (repo / ".secrets.baseline").write_text(json.dumps(plugin))
    (repo / "requirements.txt").write_text("-e .\n./checks\n--index-url https://example.org/\n")
    (repo / "package.json").write_text('{"scripts": {"postinstall": "node evil.js"}}')
    (repo / ".npmrc").write_text("registry=https://example.org/\n")
    found = result(mergegate, repo)
    assert not trace.exists()
    assert any(one["file"] == "weak.py" for one in found["issues"])
    unresolved = {one["path"] for one in found["coverage"]["unresolvedDependencies"]}
    assert unresolved == {"requirements.txt"}


def test_a_nested_bare_repository_is_plain_files(mergegate: Mergegate, repo: Path) -> None:
    trace = repo.parent / "executed"
    script = repo / "monitor.sh"
    script.write_text(f"#!/bin/sh\ntouch {trace}\n")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    bare = repo / "inner"
    (bare / "objects").mkdir(parents=True)
    (bare / "refs").mkdir()
    (bare / "HEAD").write_text("ref: refs/heads/main\n")
    (bare / "config").write_text(
        f"[core]\n\tbare = false\n\tworktree = ..\n\tfsmonitor = {script}\n"
    )
    for root in (repo, bare):
        result(mergegate, root)
    assert not trace.exists()


def test_links_that_leave_the_repository_are_told_and_not_followed(
    mergegate: Mergegate, repo: Path
) -> None:
    outside = repo.parent / "outside.py"
    outside.write_text(WEAK)
    (repo / "link.py").symlink_to(outside)
    (repo / "loop").symlink_to("loop")
    commit(repo, "links")
    found = result(mergegate, repo)
    assert "escaping-link" in rules(found)
    assert not any(one["kind"] == "code" for one in found["issues"])


def test_huge_and_odd_files_are_limited_by_name(mergegate: Mergegate, tmp_path: Path) -> None:
    root = tmp_path / "odd"
    root.mkdir()
    with (root / "blob.bin").open("wb") as file:
        file.truncate(2 << 30)
    (root / "bundle.js").write_bytes(b"a(" + b"x," * (25 << 20) + b"1)")
    (root / "deep.json").write_text("[" * 100_000 + "]" * 100_000)
    (root / "bomb.yaml").write_text(
        "apiVersion: v1\nkind: Pod\na: &a [x, x]\n"
        + "".join(
            f"{chr(98 + n)}: &{chr(98 + n)} [*{chr(97 + n)}, *{chr(97 + n)}]\n" for n in range(24)
        )
    )
    (root / "slow.py").write_text("x = '" + "a" * 20_000 + "!'\n" + "(" * 5_000 + "\n")
    (root / "nul.py").write_bytes(b"x = 1\0\nyaml.load(x)\n")
    (root / "latin.py").write_bytes(b"# caf\xe9\n" + WEAK.encode())
    Path(os.fsdecode(os.fsencode(root) + b"/bad\xff\n.py")).write_text(WEAK)
    found = result(mergegate, root)
    skipped = {one["path"]: one["reason"] for one in found["coverage"]["skipped"]}
    assert skipped == {
        "blob.bin": "larger than 5 MiB",
        "bundle.js": "larger than 5 MiB",
    }
    assert {one["path"] for one in found["coverage"]["limited"]} >= {"bomb.yaml"}
    weak = {one["file"] for one in found["issues"] if one["kind"] == "code"}
    assert weak == {"bad\\xff\\n.py", "latin.py", "nul.py"}
    assert "failed" not in engines(found).values()


def test_thousands_of_files_and_deep_folders_finish(mergegate: Mergegate, tmp_path: Path) -> None:
    root = tmp_path / "many"
    deep = root
    for _ in range(220):
        deep /= "d"
    deep.mkdir(parents=True)
    (deep / "a.py").write_text("x = 1\n")
    for number in range(2000):
        folder = root / f"{number % 50}"
        folder.mkdir(exist_ok=True)
        (folder / f"{number}.py").write_text(f"x = {number}\n")
    found = result(mergegate, root)
    assert found["coverage"]["filesScanned"] == 2000
    assert any("deeper than" in limit for limit in found["coverage"]["limits"])


def test_hostile_names_and_text_are_inert_on_the_terminal(
    mergegate: Mergegate, tmp_path: Path
) -> None:
    root = tmp_path / "names"
    root.mkdir()
    (root / "::error::owned.py").write_text(WEAK)
    (root / "\x1b]0;title\x07.py").write_text(WEAK.replace("text)", "text) # \x1b[2J\u202e"))
    run = mergegate("scan", root, "--offline")
    assert not any(line.startswith("::") for line in run.out.splitlines())
    assert "\x1b" not in run.out
    assert "\u202e" not in run.out


def test_a_secret_is_masked_in_every_report(repo: Path, tmp_path: Path) -> None:
    mergegate = command(tmp_path, tmp_path / "data")
    secret = "".join(("AK", "IA", "QX7PLM2ZRT5VWN3K"))
    password = "".join(("t7Kp", "Qz92", "mVx4", "Lw8s"))
    base = git(repo, "rev-parse", "HEAD")
    (repo / "settings.py").write_text(
        f'AWS_ACCESS_KEY_ID = "{secret}"\nDATABASE_PASSWORD = "{password}"\n'
        f'yaml.load(x, Loader=yaml.Loader, password="{password}")\n'
    )
    commit(repo, "leak")
    (repo / "settings.py").write_text("")
    commit(repo, "hide")
    git(repo, "checkout", "-q", "HEAD~1", "--", "settings.py")
    formats = [f"--format={one}=out/{one}" for one in ("json", "markdown", "html", "sarif")]
    run = mergegate("scan", repo, "--offline", "--base", base, *formats, "--format", "console")
    written = [path.read_text() for path in (tmp_path / "out").iterdir()]
    kept = [path.read_bytes() for path in (tmp_path / "data").rglob("*") if path.is_file()]
    assert "secret-aws" in run.out
    for value in (secret, password):
        assert value not in run.out + run.err
        assert not any(value in text for text in written)
        assert not any(value.encode() in content for content in kept)


def test_a_secret_added_and_removed_within_the_change_is_still_told(
    mergegate: Mergegate, repo: Path
) -> None:
    base = git(repo, "rev-parse", "HEAD")
    (repo / "settings.py").write_text(f'KEY = "{"".join(("AK", "IA", "QX7PLM2ZRT5VWN3K"))}"\n')
    commit(repo, "leak")
    (repo / "settings.py").write_text("")
    commit(repo, "hide")
    found = result(mergegate, repo, "--base", base)
    assert any(one["kind"] == "secret" and one["isNew"] for one in found["issues"])


@pytest.mark.parametrize("broken", ["missing", "crashed", "garbage", "timeout"])
def test_an_engine_without_a_trustworthy_answer_is_never_a_pass(
    broken: str, repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MERGEGATE_DATA_DIR", str(tmp_path / "data"))
    core = tmp_path / "semgrep-core"
    script = {
        "crashed": "kill -11 $$",
        "garbage": "echo '{\"results\": 1'",
        "timeout": "sleep 60",
        "missing": "",
    }[broken]
    core.write_text(f"#!/bin/sh\n{script}\n")
    core.chmod(0o755)
    if broken == "missing":
        monkeypatch.setattr(Semgrep, "version", _missing)
    monkeypatch.setattr("mergegate.repo.engines.semgrep._core", lambda: core)
    toolbox = replace(scan_toolbox(fetch=False, cached=False), limits=Limits(timeout_s=3))
    report = scan(Request(repo, aspects=frozenset({Aspect.CODE})), toolbox)
    assert report.verdict.gate is Gate.INCOMPLETE
    assert any("semgrep" in reason for reason in report.verdict.reasons)


def _missing(_: Semgrep) -> str:
    raise EngineMissing("semgrep is not installed")


def test_advisories_of_long_ago_say_what_is_not_known(mergegate: Mergegate, repo: Path) -> None:
    records = Path(__file__).parent / "fixtures" / "dependencies" / "osv"
    assert mergegate("advisories", "update", records).code == 0
    (repo / "requirements.txt").write_text("six==1.16.0\n")
    limits = result(mergegate, repo)["coverage"]["limits"]
    assert [one for one in limits if "days old: newer vulnerabilities are not known" in one]


def test_half_a_surrogate_pair_in_a_lock_file_is_no_crash(
    mergegate: Mergegate, tmp_path: Path
) -> None:
    records = Path(__file__).parent / "fixtures" / "dependencies" / "osv"
    assert mergegate("advisories", "update", records).code == 0
    root = tmp_path / "odd"
    root.mkdir()
    (root / "requirements.txt").write_text("x==1.0\n")
    lock = {
        "": {"dependencies": {"a\ud800": "1.0.0"}},
        "node_modules/a\ud800": {"version": "1.0.0"},
    }
    (root / "package-lock.json").write_text(json.dumps({"lockfileVersion": 3, "packages": lock}))
    formats = [f"--format={one}=out/{one}" for one in ("json", "markdown", "html", "sarif")]
    assert mergegate("scan", root, "--offline", *formats, "--format", "console").code in (0, 3)
    found = json.loads((tmp_path / "out" / "json").read_text())
    assert engines(found)["advisories"] in ("ok", "limited", "missing")
