"""A comment in the code silences what it speaks of, and nothing beside it."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from mergegate.core.data_table import read_lists
from mergegate.core.finding import Finding, Place
from mergegate.core.severity import Category, Kind, Severity
from mergegate.repo import directives
from mergegate.repo.checks import all_rules
from mergegate.repo.directives import silences
from mergegate.repo.engines.markers import find_markers
from tests.conftest import Mergegate
from tests.repo.test_scan import scan
from tests.sandbox.git.test_repository import commit

SQL = ("python-sql-injection", Kind.CODE, "CWE-89")
KEY = ("secret-aws-access-key", Kind.SECRET, "CWE-798")
IMAGE = ("dockerfile-apt-key", Kind.IAC, "CWE-347")
ACTION = ("workflow-unpinned-action", Kind.RISK, "CWE-829")
POLICY = ("policy-mistake", Kind.RISK, "CWE-1")
COMPLEX = ("complex-function", Kind.QUALITY, "CWE-1121")


def finding(rule: str, kind: Kind, cwe: str) -> Finding:
    return Finding(
        rule_id=rule,
        title="Title",
        message="Message.",
        severity=Severity.CRITICAL,
        category=Category.SECURITY,
        kind=kind,
        place=Place("a.py", 1, 1),
        cwe=(cwe,),
    )


@pytest.mark.parametrize(
    ("comment", "silenced"),
    [
        ("# nosemgrep", [SQL, IMAGE]),
        ("# nosemgrep: python-sql-injection", [SQL]),
        ("# nosemgrep: rules.python.python-sql-injection, other", [SQL]),
        ("# nosemgrep: python-eval", []),
        ("# nosec", [SQL, KEY]),
        ("# nosec B608", [SQL]),
        ("# nosec B101, B608", [SQL]),
        ("# nosec B101", []),
        ("# noqa: S608", [SQL]),
        ("# noqa: E501, S101", []),
        ("//#nosec G201", [SQL]),
        ("//#nosec G404", []),
        ("//nolint:gosec", [SQL, KEY]),
        ("//nolint", []),
        ("//nolint:errcheck", []),
        ("// NOSONAR", [SQL]),
        ("// lgtm [py/sql-injection]", [SQL]),
        ("// codeql[py/path-injection]", []),
        ("# nosec B105", [KEY]),
        ("# nosec hardcoded_sql_expressions", [SQL]),
        ("# nosec trusted_input", []),
        ("# nosemgrep: python.lang.security.audit.formatted-sql-query.formatted-sql-query", [SQL]),
        ("// eslint-disable-line max-len", []),
        ("// eslint-disable-line", []),
        ("// eslint-disable-line no-eval", []),
        ("// eslint-disable-line security/detect-child-process", []),
        ('@SuppressWarnings("sql")', []),
        ('@SuppressFBWarnings("SQL_INJECTION_JDBC")', []),
        ("# pragma: allowlist secret", [KEY]),
        ("# gitleaks:allow", [KEY]),
        ("# checkov:skip=CKV_AWS_20", []),
        ("# kics-scan ignore-line", [IMAGE]),
        ("# hadolint ignore=DL3008", []),
        ("# zizmor: ignore", [ACTION]),
        ("# zizmor: ignore[unpinned-uses]", [ACTION]),
        ("# zizmor: ignore[artipacked]", []),
    ],
)
def test_a_comment_speaks_of_what_it_names_and_of_its_tool_s_kind(
    comment: str, silenced: list[tuple[str, Kind, str]]
) -> None:
    (marker,), _ = find_markers(f"x() {comment}\n".encode(), "python", ".py")
    every = (SQL, KEY, IMAGE, ACTION, POLICY, COMPLEX)
    assert [one for one in every if silences(marker, finding(*one))] == silenced


def test_a_named_rule_of_eslint_speaks_of_its_weakness() -> None:
    (marker,), _ = find_markers(b"eval(x) // eslint-disable-line no-eval\n", "javascript", ".js")
    rule = all_rules()["javascript-code-injection"]
    assert silences(marker, finding(rule.id, Kind.CODE, rule.cwe[0]))


def test_a_comment_about_style_silences_no_critical_finding(
    mergegate: Mergegate, repo: Path
) -> None:
    (repo / ".mergegate.yml").write_text("inline-suppressions: honour\n")
    weak = "app.get('/', (req, res) => { res.send(eval(req.query.x)) })"
    lines = {"style": "// eslint-disable-line max-len", "own": "// eslint-disable-line no-eval"}
    head = "const app = require('express')();\n"
    for name, comment in lines.items():
        (repo / f"{name}.js").write_text(f"{head}{weak} {comment}\n")
    commit(repo, "weak")
    found = scan(mergegate, repo, "--only", "code")
    critical = {one["file"] for one in found["issues"] if one["severity"] == "critical"}
    assert critical == {"style.js"}
    aside = {one["finding"]["file"] for one in found["suppressed"] if one["source"] == "inline"}
    assert aside == {"own.js"}


def test_what_foreign_rules_are_about_is_a_weakness_or_a_rule_of_ours() -> None:
    lists = read_lists(Path(directives.__file__).with_name("foreign_rules.toml"))
    said = {one for about in lists.values() for one in about}
    assert {one for one in said if not re.fullmatch(r"CWE-\d+", one)} <= all_rules().keys()


def test_a_word_inside_a_block_does_not_speak_of_the_block() -> None:
    (marker,), _ = find_markers(b"\n" * 20 + b"f()  # nosec of the demo\n", "python", ".py")
    one = finding(*SQL)
    for first, last, speaks in ((15, 25, True), (1, 40, False), (21, 40, True), (22, 40, False)):
        assert silences(marker, replace(one, place=Place("a.py", first, last))) is speaks
    (named,), _ = find_markers(b"\n" * 20 + b"f()  # nosec B608\n", "python", ".py")
    assert silences(named, replace(one, place=Place("a.py", 1, 40)))
