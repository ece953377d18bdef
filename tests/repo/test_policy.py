"""What a team decides about its own repository, and what it cannot."""

import datetime as dt
from pathlib import Path

import pytest

from mergegate.core.errors import PolicyError
from mergegate.core.finding import Finding, Place
from mergegate.core.report import Suppression
from mergegate.core.severity import Category, Kind, Severity
from mergegate.repo.policy import expired, matches, named_policy, set_aside, weigh
from mergegate.repo.settings import Policy, parse_policy
from mergegate.sandbox.git.repository import Repository
from tests.sandbox.git.test_repository import commit, git

TODAY = dt.date(2026, 5, 1)
NOTHING: frozenset[tuple[str, int]] = frozenset()


def finding(path: str = "src/a.py", severity: Severity = Severity.HIGH) -> Finding:
    return Finding(
        rule_id="python-eval",
        title="Title",
        message="Message.",
        severity=severity,
        category=Category.SECURITY,
        kind=Kind.CODE,
        place=Place(path, 3, 4),
        id="0123456789abcdef0123",
    )


def policy(text: str) -> Policy:
    return parse_policy(text.encode(), ".mergegate.yml")


def suppression(which: str, expires: str = "2026-06-01") -> Policy:
    return policy(
        f"suppressions:\n- {{{which}, reason: Reviewed, owner: ada, expires: {expires}}}\n"
    )


def aside(chosen: Policy, one: Finding | None = None) -> tuple[Suppression, ...]:
    return set_aside([one or finding()], chosen, NOTHING, TODAY)[1]


@pytest.mark.parametrize(
    "which",
    [
        "id: 0123456789abcdef0123",
        "id: '0123456789'",
        "rule: python-eval",
        "rule: python-eval, path: 'src/**'",
        "rule: python-eval, path: src",
    ],
)
def test_a_suppression_sets_a_finding_aside_with_its_reason(which: str) -> None:
    (one,) = aside(suppression(which))
    assert (one.reason, one.owner, one.expires) == ("Reviewed", "ada", "2026-06-01")


@pytest.mark.parametrize(
    "which",
    ["id: '012345'", "rule: python-exec", "rule: python-eval, path: 'lib/**'", "id: ffffffffffff"],
)
def test_a_suppression_of_something_else_leaves_it(which: str) -> None:
    assert aside(suppression(which)) == ()


def test_an_expired_suppression_no_longer_holds() -> None:
    old = suppression("rule: python-eval", expires="2026-05-01")
    assert aside(old) == ()
    assert [one.rule for one in expired(old, TODAY)] == ["python-eval"]


def test_findings_below_the_threshold_are_listed_as_suppressed() -> None:
    (one,) = aside(policy("severity-threshold: medium"), finding(severity=Severity.LOW))
    assert one.reason == "below the severity threshold medium"


def test_inline_comments_silence_only_where_the_policy_honours_them() -> None:
    here = frozenset({("src/a.py", 4)})
    shown = set_aside([finding()], Policy(), here, TODAY)
    honoured = set_aside([finding()], policy("inline-suppressions: honour"), here, TODAY)
    assert (len(shown[0]), len(honoured[0])) == (1, 0)
    assert honoured[1][0].source == "inline"


def test_rules_can_be_switched_off_or_weighed_anew() -> None:
    assert weigh([finding()], policy("rules: {python-eval: off}")) == ()
    (low,) = weigh([finding()], policy("rules: {python-eval: low}"))
    assert low.severity is Severity.LOW


@pytest.mark.parametrize(
    ("path", "pattern", "fits"),
    [
        ("tests/a.py", "tests", True),
        ("tests/deep/a.py", "tests/", True),
        ("tests/deep/a.py", "tests/**", True),
        ("src/tests/a.py", "tests", False),
        ("src/tests/a.py", "**/tests", True),
        ("a/b.min.js", "**/*.min.js", True),
        (".github/x.yml", ".github/**", True),
        ("[x].py", "*.py", True),
    ],
)
def test_globs_fit_as_people_expect(path: str, pattern: str, fits: bool) -> None:
    assert matches(path, [pattern]) is fits


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("version: 2", "version"),
        ("sevrity-threshold: low", "sevrity-threshold: Extra inputs are not permitted"),
        ("severity-threshold: bad", "severity-threshold"),
        ("rules: {x: loud}", "rules.x"),
        ("suppressions: [{rule: x, reason: y, owner: z}]", "suppressions.0.expires"),
        ("suppressions: [{rule: x, owner: z, expires: 2026-01-01}]", "suppressions.0.reason"),
        (
            "suppressions: [{reason: y, owner: z, expires: 2026-01-01}]",
            "name an id or a rule",
        ),
        ("a: [", "not valid YAML"),
        ("a: &x [1]\nb: *x", "aliases are not allowed"),
        ("- 1", "valid dictionary"),
        ("x: " + "[" * 5000 + "]" * 5000, "not valid YAML"),
        ("!!python/object/apply:os.system ['id']", "not valid YAML"),
        ("x: y" * 100_000, "larger than 256 KiB"),
    ],
)
def test_a_mistake_is_named(text: str, said: str) -> None:
    with pytest.raises(PolicyError, match=said.replace(".", r"\.")):
        policy(text)


def test_an_empty_policy_is_the_default() -> None:
    assert policy("") == policy("# nothing\n") == Policy()


@pytest.mark.parametrize("pattern", ["*a" * 12 + "b", "{1..100000000}/x", "{a,b}" * 12])
def test_a_glob_that_would_take_too_long_is_refused(pattern: str) -> None:
    for text in (f"paths: {{exclude: ['{pattern}']}}", f"accept-unsearched: ['{pattern}']"):
        with pytest.raises(PolicyError, match=r"wildcards|alternatives"):
            parse_policy(text.encode(), ".mergegate.yml")


def test_a_named_policy_of_the_repository_is_the_base_s(repo: Path, tmp_path: Path) -> None:
    (repo / "ci").mkdir()
    named = repo / "ci" / "policy.yml"
    bare = git(repo, "rev-parse", "HEAD")
    named.write_text("severity-threshold: low\n")
    base = commit(repo, "a policy")
    named.write_text("paths: {exclude: ['**']}\n")
    commit(repo, "nothing is to be looked at")
    repository = Repository(repo)
    assert named_policy(named, repository, base) == Policy(severity_threshold="low")
    assert named_policy(named, repository, bare) == Policy()
    assert named_policy(named, Repository(repo / "ci"), base) == Policy(severity_threshold="low")
    (outside := tmp_path / "operator.yml").write_text("severity-threshold: high\n")
    assert named_policy(outside, repository, base) == Policy(severity_threshold="high")
    (repo / "link.yml").symlink_to(outside)
    assert named_policy(repo / "link.yml", repository, base) == Policy()
