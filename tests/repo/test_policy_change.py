"""A change that touches the policy is judged by the base's, and what it loosens is told."""

from pathlib import Path
from typing import Any

import pytest

from mergegate.repo.facts.policy import PolicyFault
from mergegate.repo.policy_change import loosened, policy_file
from mergegate.repo.policy_file import parse_policy
from tests.conftest import Mergegate
from tests.repo.test_scan import VULNERABLE, scan
from tests.sandbox.git.test_repository import commit

_END = "reason: r, owner: o, expires"


def phrases(before: str, after: str) -> list[str]:
    was, now = (parse_policy(text.encode(), "p") for text in (before, after))
    return list(loosened(was, now))


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("", "paths: {exclude: ['**']}", ["it no longer scans **"]),
        (
            "paths: {exclude: [a]}",
            "paths: {exclude: [e, d, c, b, a]}",
            ["it no longer scans e, d, c and 1 more"],
        ),
        ("", "accept-unsearched: [swift]", ["it accepts as unsearched swift"]),
        (
            "rules: {python-sql-injection: low}",
            "rules: {python-sql-injection: off, python-ssrf: low, workflow-unpinned-images: high}",
            ["it switches off python-sql-injection", "it lowers python-ssrf"],
        ),
        (
            "rules: {python-pickle-load: critical}",
            "",
            ["it lowers python-pickle-load"],
        ),
        (
            "",
            f"suppressions: [{{rule: x, path: src, {_END}: 2027-01-01}}]",
            ["it suppresses x in src"],
        ),
        (
            f"suppressions: [{{id: '0123456789', {_END}: 2027-01-01}}]",
            f"suppressions: [{{id: '0123456789', {_END}: 2028-01-01}}]",
            ["it suppresses 0123456789"],
        ),
        (
            f"suppressions: [{{rule: x, path: src, {_END}: 2027-01-01}}]",
            f"suppressions: [{{rule: x, {_END}: 2027-01-01}}]",
            ["it suppresses x"],
        ),
        (
            f"suppressions: [{{rule: x, {_END}: 2027-01-01}}]",
            "suppressions: [{rule: x, reason: better, owner: new, expires: 2026-01-01}]",
            [],
        ),
        ("", "severity-threshold: high", ["it counts nothing below high"]),
        ("fail-change-on: medium", "", ["it stops changes at high, not medium"]),
        ("", "fail-change-on: critical", ["it stops changes at critical, not high"]),
        (
            "",
            "inline-suppressions: honour",
            ["it lets comments in the code silence findings without a reason"],
        ),
        (
            "inline-suppressions: show",
            "",
            ["it lets comments in the code silence findings where they give a reason"],
        ),
        ("", "inline-suppressions: show", []),
        ("", "rules-of: 0.1.0", ["it holds the repository to no rules later than 0.1.0"]),
        (
            "rules-of: 0.3.0",
            "rules-of: 0.2.0",
            ["it holds the repository to no rules later than 0.2.0"],
        ),
        ("rules-of: 0.2.0", "rules-of: 0.10.0", []),
        (
            "later-rules-block-from: 2026-12-31",
            "",
            ["it lets what later rules tell pass for longer"],
        ),
        ("", "later-rules-block-from: 2026-12-31", []),
        (
            "",
            "self-dismissal: allow",
            ["it lets authors of a change dismiss its critical findings"],
        ),
        (
            "fixes: {commits: deny}",
            "fixes: {commits: allow, upgrades: allow}",
            [
                "it lets proved fixes be committed to the branches of changes",
                "it lets a schedule propose upgrades in a pull request",
            ],
        ),
        ("fixes: {commits: allow, upgrades: allow}", "", []),
        (
            (
                "site: {minimum-scores: {seo: 90}, browser-errors: 0, over-budget: fail,"
                " regressions: fail}"
            ),
            "site: {minimum-scores: {seo: 80}}",
            [
                "it asks less of the site's scores",
                "it allows more browser errors",
                "it only reports over budget of the site",
                "it only reports regressions of the site",
            ],
        ),
        (
            (
                "severity-threshold: low\nfail-change-on: critical\ninline-suppressions: honour\n"
                "paths: {exclude: [a]}\naccept-unsearched: [swift]\nrules: {python-ssrf: off}\n"
            ),
            (
                "fail-change-on: medium\nsite: {browser-errors: 3, over-budget: fail}\n"
                "rules: {python-ssrf: medium, python-pickle-load: critical}\n"
            ),
            [],
        ),
    ],
)
def test_what_a_policy_lets_pass_is_named_and_nothing_else(
    before: str, after: str, said: list[str]
) -> None:
    assert phrases(before, after) == said
    assert phrases(after, after) == []


def test_a_mistake_is_the_change_s_own_unless_the_base_says_it_too() -> None:
    before = b"paths: {exclude: [gone]}\nrules: {nope: off}\n"
    after = b"rules: {nope: off, nada: off}\npaths: {exclude: [gone, nowhere]}\n"
    file = policy_file(".mergegate.yml", after, before, ["src/a.py"])
    assert [(one.line, one.name, one.is_brought) for one in file.faults] == [
        (1, "nada", True),
        (1, "nope", False),
        (2, "nowhere", True),
        (2, "gone", False),
    ]
    broken = policy_file(".mergegate.yml", b"paths: [", before, [])
    assert [one.is_brought for one in broken.faults] == [True]
    link = policy_file(".mergegate.yml", None, before, [])
    assert link.faults == (PolicyFault(0, "it is no file: links are not followed", "", True),)


def test_a_policy_of_very_many_lines_is_told_of_in_part() -> None:
    rules = "".join(f"  r{number}: off\n" for number in range(200))
    assert len(policy_file("p.yml", f"rules:\n{rules}".encode(), b"", []).faults) == 100
    globs = "".join(f"  - g{number}\n" for number in range(501))
    (many,) = policy_file("p.yml", f"accept-unsearched:\n{globs}".encode(), b"", []).faults
    assert many.what == "all globs together have more than 500 alternatives"
    half = "".join(f"  - g{number}\n" for number in range(400))
    paths = frozenset(f"{number}.py" for number in range(2_501))
    assert policy_file("p.yml", f"accept-unsearched:\n{half}".encode(), b"", paths).faults == ()


def test_a_secret_in_a_policy_is_masked() -> None:
    token = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
    text = f"paths: {{exclude: ['{token}']}}\nrules: {{{token}: off}}\n"
    assert token not in repr(policy_file("p.yml", text.encode(), b"", ["a.py"]))


def risks(result: dict[str, Any]) -> list[tuple[str, str, int, bool | None]]:
    return [
        (one["ruleId"], one["severity"], one["startLine"], one["isNew"])
        for one in result["riskFindings"]
        if one["ruleId"].startswith("policy-")
    ]


@pytest.mark.parametrize("name", [".mergegate.yml", "ci/policy.yml"])
def test_a_change_that_switches_everything_off_is_told_and_passes_nothing_once_it_is_merged(
    mergegate: Mergegate, repo: Path, name: str
) -> None:
    (repo / "weak.py").write_text(VULNERABLE)
    base = commit(repo, "weak")
    (repo / "ci").mkdir()
    (repo / name).write_text("paths: {exclude: ['**']}\n")
    (repo / "worse.py").write_text(VULNERABLE.replace("ping", "dig"))
    commit(repo, "nothing is to be looked at")
    named = ("--policy", repo / name) if name != ".mergegate.yml" else ()
    asked = ("--only", "code,secrets", *named)
    change = scan(mergegate, repo, "--base", base, *asked)
    assert risks(change) == [("policy-changed", "medium", 0, True)]
    (told,) = (one for one in change["riskFindings"] if one["ruleId"] == "policy-changed")
    assert "it no longer scans **" in told["message"]
    assert (told["file"], change["policy"]["origin"]) == (name, "defaults")
    assert [one["isNew"] for one in change["issues"]] == [False, True]
    merged = mergegate("scan", repo, "--offline", "--format", "json", *asked)
    assert (merged.code, merged.json["status"]) == (3, "failed")
    assert "no file was searched" in merged.json["verdict"]["reasons"][0]


def test_a_mistake_that_the_change_writes_stops_it_and_one_that_grew_old_does_not(
    mergegate: Mergegate, repo: Path
) -> None:
    (repo / "old").mkdir()
    (repo / "old" / "a.py").write_text("A = 1\n")
    file = repo / ".mergegate.yml"
    file.write_text("paths: {exclude: [old]}\nrules: {nope: off}\n")
    base = commit(repo, "a rule that is gone")
    (repo / "old" / "a.py").unlink()
    commit(repo, "a path that is gone")
    asked = (repo, "--offline", "--only", "secrets", "--base", base, "--fail-on", "new")
    passed = mergegate("scan", *asked, "--format", "json")
    assert passed.code == 0
    assert risks(passed.json) == [
        ("policy-mistake", "low", 1, True),
        ("policy-mistake", "low", 2, False),
    ]
    file.write_text("paths: {exclude: [old, odl]}\nrules: {nope: off}\n")
    commit(repo, "a mistake of its own")
    failed = mergegate("scan", *asked, "--format", "json")
    assert failed.code == 1
    assert ("policy-mistake", "high", 1, True) in risks(failed.json)
    file.write_text("{\n")
    commit(repo, "broken")
    broken = mergegate("scan", *asked, "--format", "json")
    assert (broken.code, broken.json["policy"]["origin"]) == (1, "base")
    assert ("policy-mistake", "high", 2, True) in risks(broken.json)
    file.write_text("version: 1\n")
    commit(repo, "mended")
    asked = (repo, "--offline", "--only", "secrets", "--base", "HEAD~1", "--fail-on", "new")
    mended = mergegate("scan", *asked, "--format", "json")
    assert (mended.code, risks(mended.json)) == (0, [("policy-changed", "info", 0, True)])
    assert "has mistakes: line 2" in mended.json["policy"]["notes"][0]


def test_a_link_in_the_base_is_no_policy_and_blames_no_change(
    mergegate: Mergegate, repo: Path
) -> None:
    (repo / ".mergegate.yml").symlink_to("paths: {exclude: ['**']}")
    base = commit(repo, "a link whose target reads like a policy")
    (repo / "weak.py").write_text(VULNERABLE)
    commit(repo, "weak")
    said = scan(mergegate, repo, "--base", base, "--only", "code")
    assert risks(said) == [("policy-mistake", "low", 0, False)]
    assert said["policy"]["notes"] == ["that of the base: it is no file: links are not followed"]
    assert [one["isNew"] for one in said["issues"]] == [True]


def test_a_policy_that_says_nothing_is_one(mergegate: Mergegate, repo: Path) -> None:
    (repo / ".mergegate.yml").touch()
    base = commit(repo, "a policy that says nothing")
    (repo / ".mergegate.yml").write_text("accept-unsearched: ['**']\n")
    (repo / "a.php").write_text("<?php system($_GET['x']);\n")
    commit(repo, "accepted by the change itself")
    asked = (repo, "--offline", "--only", "code", "--base", base, "--fail-on", "new")
    assert mergegate("scan", *asked).code == 3


@pytest.mark.parametrize("name", [".mergegate.yaml", ".Mergegate.yml", ".mergegate.yml/policy"])
def test_what_is_called_almost_as_a_policy_is_told_not_to_be_read(
    name: str, mergegate: Mergegate, repo: Path
) -> None:
    (repo / "a.py").write_text("A = 1\n")
    base = commit(repo, "no policy")
    (repo / name).parent.mkdir(exist_ok=True)
    (repo / name).write_text("fail-change-on: medium\n")
    head = commit(repo, "called otherwise")
    asked = ("--only", "secrets", "--base")
    assert risks(scan(mergegate, repo, *asked, base)) == [("policy-mistake", "high", 0, True)]
    assert risks(scan(mergegate, repo, *asked, head)) == [("policy-mistake", "low", 0, False)]
