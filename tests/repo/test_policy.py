"""What a team decides about its own repository, and what it cannot."""

import datetime as dt
from dataclasses import replace
from pathlib import Path

import pytest

from mergegate.core.errors import PolicyError
from mergegate.core.finding import Finding, Place
from mergegate.core.report import Suppression
from mergegate.core.severity import Category, Confidence, Kind, Severity
from mergegate.repo.checks import all_rules
from mergegate.repo.directives import Silenced, standing
from mergegate.repo.engines.markers import find_markers
from mergegate.repo.facts.code import Marker, MarkerKind
from mergegate.repo.policy import (
    choose_policy,
    expired,
    fits_any,
    matches,
    set_aside,
    settled,
    weigh,
    with_dismissals,
)
from mergegate.repo.policy_file import idle_globs, parse_policy, read_policy, unknown_rules
from mergegate.repo.settings import Dismissal, Policy
from mergegate.sandbox.git.repository import Repository
from tests.conftest import Mergegate
from tests.sandbox.git.test_repository import commit, git

TODAY = dt.date(2026, 5, 1)
NOTHING: Silenced = {}
_UNSURE = Confidence.MEDIUM


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
    found = one or finding()
    followed, _ = settled(chosen, [found.id])
    return set_aside([found], followed, NOTHING, TODAY).aside


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
    [
        "id: '0123456780'",
        "rule: python-exec",
        "rule: python-eval, path: 'lib/**'",
        "id: ffffffffffff",
    ],
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


_NOSEC = Marker(4, MarkerKind.SUPPRESSION, "nosemgrep", "semgrep", "ours alone")


@pytest.mark.parametrize(
    ("level", "reason", "one", "is_aside"),
    [
        ("", "ours alone", finding(), True),
        ("", "", finding(), False),
        ("honour", "", finding(), True),
        ("show", "ours alone", finding(), False),
        ("", "ours alone", finding(severity=Severity.CRITICAL), False),
        ("honour", "", finding(severity=Severity.CRITICAL), True),
        ("", "ours alone", replace(finding(severity=Severity.CRITICAL), confidence=_UNSURE), True),
    ],
)
def test_inline_comments_silence_as_the_policy_lets_them(
    level: str, reason: str, one: Finding, is_aside: bool
) -> None:
    chosen = policy(f"inline-suppressions: {level}") if level else Policy()
    here = {"src/a.py": [replace(_NOSEC, reason=reason)]}
    found = set_aside([one], chosen, here, TODAY)
    assert [each.source for each in found.aside] == ["inline"] * is_aside
    if is_aside:
        assert found.aside[0].reason == f"{reason or 'suppressed in line'} (nosemgrep, line 4)"


@pytest.mark.parametrize(
    ("words", "is_aside"),
    [
        ("# nosec B105 - of the demo alone", True),
        ("# gitleaks:allow of the demo alone", True),
        ("# nosec B608 - of the demo alone", False),
    ],
)
def test_a_reason_is_not_enough_for_a_secret_that_is_certain(words: str, is_aside: bool) -> None:
    (marker,), _ = find_markers(f"p = 'x'  {words}\n".encode(), "python", ".py")
    one = replace(finding(), kind=Kind.SECRET, cwe=("CWE-798",), place=Place("a.py", 1, 1))
    for sure, expected in ((_UNSURE, is_aside), (Confidence.HIGH, False)):
        found = set_aside([replace(one, confidence=sure)], Policy(), {"a.py": [marker]}, TODAY)
        assert bool(found.aside) is expected


_LONG = "0123456789abcdef0123"
_LIKE = "0123456789fedcba3210"


@pytest.mark.parametrize(
    ("named", "ids", "aside", "note"),
    [
        (_LONG, [_LONG, _LIKE], True, ""),
        (_LONG[:10], [_LONG], True, "the short id 0123456789 can be forged: write `id: {}`"),
        (_LONG[:10], [_LONG, _LIKE], False, "0123456789 sets nothing aside, for it fits {} and {}"),
        (
            _LONG[:11],
            [_LONG, _LIKE],
            True,
            "the short id 0123456789a can be forged: write `id: {}`",
        ),
        (_LIKE, [_LONG, _LIKE], False, ""),
        (_LONG + "0", [_LONG], False, ""),
    ],
)
def test_a_short_id_names_one_finding_or_none(
    named: str, ids: list[str], aside: bool, note: str
) -> None:
    followed, notes = settled(suppression(f"id: '{named}'"), ids)
    found = set_aside([finding()], followed, NOTHING, TODAY)
    assert [one.finding.id for one in found.aside] == ([_LONG] if aside else [])
    assert "; ".join(notes) == note.format(_LONG, _LIKE)


@pytest.mark.parametrize(
    ("allowed", "by_author", "severity", "aside"),
    [
        ("deny", True, Severity.CRITICAL, False),
        ("deny", False, Severity.CRITICAL, True),
        ("deny", True, Severity.HIGH, True),
        ("allow", True, Severity.CRITICAL, True),
    ],
)
def test_a_critical_finding_takes_a_second_person(
    allowed: str, by_author: bool, severity: Severity, aside: bool
) -> None:
    base, until = policy(f"self-dismissal: {allowed}"), dt.date(2027, 1, 1)
    own = Dismissal(id=_LONG, reason="r", owner="ada", expires=until, by_author=by_author)
    found = set_aside([finding(severity=severity)], with_dismissals(base, [own]), NOTHING, TODAY)
    assert bool(found.aside) is aside
    assert bool(found.notes) is not aside
    for note in found.notes:
        assert note.startswith(f"{_LONG}: ")
        assert note.endswith("`self-dismissal: allow`")
    second = Dismissal(id=_LONG, reason="r", owner="grace", expires=until)
    both = with_dismissals(base, [own, second])
    assert set_aside([finding(severity=severity)], both, NOTHING, TODAY).counted == ()


def test_a_comment_silences_in_a_change_what_it_silences_in_the_base_alone() -> None:
    here, one = {"src/a.py": [_NOSEC]}, finding()
    stands = standing([one], "reasoned", here)
    assert set_aside([one], Policy(), here, TODAY, stands).aside
    altered = {
        "another reason": ({"src/a.py": [replace(_NOSEC, reason="any other")]}, one),
        "another directive": ({"src/a.py": [replace(_NOSEC, what="nosem")]}, one),
        "other code": (here, replace(one, snippet="eval(x)")),
        "another finding": (here, replace(one, id="f" * 20)),
    }
    for text in ("", "self-dismissal: allow", "inline-suppressions: honour"):
        for name, (comments, now) in altered.items():
            found = set_aside([now], policy(text), comments, TODAY, stands)
            assert found.counted == (now,), name
            assert found.notes[0].startswith(f"{now.id}: a comment in the code sets nothing aside")


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
        ("[x].py", "\\[x\\].py", True),
        ("x.py", "[!y].py", True),
        ("a", "a/**", False),
        ("a/b", "**", True),
        ("a/b/c", "**/c", True),
        ("c", "**/c", True),
        ("a/b/c/d", "a/**/c", True),
        ("a/c", "a/**/c", True),
        ("a/b", "{a,{x,y}}/{b,c}", True),
        ("y/c/d", "{a,{x,y}}/{b,c}", True),
        ("y/d", "{a,{x,y}}/{b,c}", False),
        ("{a}/b", "{a}", True),
        ("{a/b", "{a", True),
        ("ab", "a**b", True),
        ("a/b", "a**b", False),
    ],
)
def test_globs_fit_as_people_expect(path: str, pattern: str, fits: bool) -> None:
    assert matches(path, [pattern]) is fits


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("version: 2", ["line 1: `version`: 1 is wanted"]),
        (
            "\nsevrity-threshold: low",
            ["line 2: there is no such setting; the nearest is `severity-threshold`"],
        ),
        (
            "severity-threshold: bad",
            [
                (
                    "line 1: `severity-threshold`:"
                    " 'critical', 'high', 'medium', 'low' or 'info' is wanted"
                )
            ],
        ),
        (
            "rules:\n  x: loud",
            ["line 2: `rules`: 'off', 'critical', 'high', 'medium', 'low' or 'info' is wanted"],
        ),
        (
            "suppressions:\n- rule: x\n- id: 1234567890\n  owner: z\n  expires: 2026-02-30",
            [
                "line 2: `expires` is missing",
                "line 2: `owner` is missing",
                "line 2: `reason` is missing",
                "line 3: `reason` is missing",
                "line 3: `suppressions.id`: text is wanted: put it into quotes",
                "line 5: `suppressions.expires`: a date is wanted, such as 2027-01-31",
            ],
        ),
        (
            "suppressions: [{reason: y, owner: z, expires: 2026-01-01}]",
            ["line 1: `suppressions`: name an id or a rule"],
        ),
        ("rules: {}\nrules: {}", ["line 2: the same name stands in line 1 already"]),
        (
            "site: {minimum-scores: {seo: 101}}\npaths: {exclude: x}",
            [
                "line 1: `site.minimum-scores.seo`: a number of at most 100 is wanted",
                "line 2: `paths.exclude`: a list is wanted",
            ],
        ),
        ("1: 2", ["line 1: a name is wanted: put it into quotes"]),
        (
            "x: 1\na: [",
            ["line 2: it is not valid YAML: expected the node content, but found '<stream end>'"],
        ),
        ("a: 1\n\tb: 2", ["line 2: it is not valid YAML: a tab stands where blanks are wanted"]),
        ("a: &x [1]\nb: *x", ["line 2: it is not valid YAML: aliases are not allowed"]),
        ("- 1", ["settings by name are wanted, `name: value`"]),
        ("x: " + "[" * 5000 + "]" * 5000, ["it is not valid YAML: nested too deeply"]),
        ("- " * 50_000, ["it is not valid YAML"]),
        (
            "!!python/object/apply:os.system ['id']",
            ["line 1: it is not valid YAML: could not determine a constructor for the tag …"],
        ),
        ("x: y" * 100_000, ["it is larger than 256 KiB"]),
        ("a: \x00", ["it is not valid YAML"]),
    ],
)
def test_every_mistake_is_named_with_its_line(text: str, said: list[str]) -> None:
    assert [str(one) for one in read_policy(text.encode()).mistakes] == said
    with pytest.raises(PolicyError) as caught:
        policy(text)
    assert caught.value.what == f".mergegate.yml: {'; '.join(said)}"


def test_very_many_mistakes_are_counted() -> None:
    with pytest.raises(PolicyError, match=r"line 20: .*; and 30 more\."):
        policy("\n".join(f"x{number}: 1" for number in range(50)))


_WORD = "hunter2hunter2"


@pytest.mark.parametrize(
    "text",
    [
        f"{_WORD}: 1",
        f"version: {_WORD}",
        f"password: '{_WORD}",
        f"a: b: {_WORD}",
        f"a: !{_WORD} x",
        f"a: &{_WORD} 1\nb: *{_WORD}",
        f"a: *{_WORD}",
        f"%{_WORD}\n",
        f"@{_WORD}",
        f"- {_WORD}\n{_WORD}",
        f"rules: {{{_WORD}: {_WORD}, python-eval: {_WORD}}}",
        f"suppressions: [{{{_WORD}: x, id: [{_WORD}], path: '***{_WORD}/*{_WORD}*'}}]",
        f"suppressions:\n- {{rule: x, reason: y, owner: z, expires: {_WORD}}}",
        f"? [{_WORD}]\n: {_WORD}",
        f'"\\q{_WORD}"',
        f"{_WORD}\x00",
        f"{{{_WORD}: {{",
    ],
)
def test_an_error_repeats_nothing_of_the_policy(text: str) -> None:
    with pytest.raises(PolicyError) as caught:
        policy(text)
    assert _WORD not in str(caught.value)


def test_a_policy_that_is_no_utf_8_is_named_by_line() -> None:
    with pytest.raises(PolicyError, match="line 2: it is not UTF-8"):
        parse_policy("version: 1\n# é".encode("latin-1"), "p.yml")


def test_rules_and_paths_that_there_are_not_are_told_with_the_nearest_name() -> None:
    document = read_policy(
        b"""paths:
  exclude: [src/genrated, "**/*.py", "**/*.rb"]
accept-unsearched: [swift, swfit]
rules:
  python-sql-injecton: off
  python-sql-injection: low
suppressions:
- rule: hunter2hunter2
  path: source/**
  reason: r
  owner: o
  expires: 2027-01-01
"""
    )
    unknown = unknown_rules(document, all_rules)
    assert [str(one) for one in unknown] == [
        "line 5: there is no such rule; the nearest is `python-sql-injection`",
        "line 8: there is no such rule; `mergegate rules` lists them",
    ]
    idle = idle_globs(document, ["src/generated/a.py", "src/b.py"], fits_any)
    assert [str(one) for one in idle] == [
        "line 2: entry 1: no file here has such a path; the nearest is `src/generated`",
        "line 2: entry 3: no file here has such a path",
        "line 3: entry 2: no file here has such a path; the nearest is `swift`",
        "line 9: no file here has such a path; the nearest is `src`",
    ]


def test_names_are_looked_for_beside_other_mistakes() -> None:
    document = read_policy(
        b"version: 2\nrules: {python-sql-injecton: lo, 1: off}\naccept-unsearched: [swfit]\n"
        b"suppressions:\n- {rule: nope, id: abc, path: [x]}\n- {path: '***/*a*b*c'}\n- 1\n"
    )
    assert {one.line for one in document.mistakes} == {1, 2, 5, 6, 7}
    assert "line 5: `suppressions.id`: at least the first 10 characters of an id are wanted" in (
        str(one) for one in document.mistakes
    )
    assert [one.line for one in unknown_rules(document, all_rules)] == [2, 5]
    assert [one.line for one in idle_globs(document, ["a.py"], fits_any)] == [3]


def test_the_command_holds_a_policy_against_its_tree(mergegate: Mergegate, repo: Path) -> None:
    file = repo / ".mergegate.yml"
    file.write_text("rules: {python-sql-injecton: off}\npaths:\n  exclude: [srv]\nversion: 1\n")
    refused = mergegate("policy", str(file))
    assert (refused.code, refused.out) == (2, "")
    assert len(refused.err.splitlines()) == 3
    assert "line 1: there is no such rule; the nearest is `python-sql-injection`" in refused.err
    assert "line 3: no file here has such a path" in refused.err
    file.write_text("rules: {python-sql-injection: off}\npaths:\n  exclude: ['*.py']\n")
    assert mergegate("policy", cwd=repo).code == 0


def test_an_empty_policy_is_the_default() -> None:
    assert policy("") == policy("# nothing\n") == Policy()


@pytest.mark.parametrize(
    "pattern",
    [
        "*a*/**/*b*/**/*c*x",
        "**/a/**/a/**/a/**/a/**/b",
        "/".join(["*a*"] * 60) + "x",
        "**/" * 100 + "*a*b",
        "{*a,a*}/" * 2 + "**/" * 80 + "b",
    ],
)
def test_no_name_takes_a_glob_long(pattern: str) -> None:
    assert read_policy(f"paths: {{exclude: ['{pattern}']}}".encode()).mistakes == ()
    names = ["/".join(["a" * 250] * 15), "/".join(["a"] * 2000), "/".join(["a" * 20, "c"] * 90)]
    assert not any(matches(name, [pattern]) for name in names)


@pytest.mark.parametrize("pattern", ["*a" * 12 + "b", "{1..100000000}/x", "{a,b}" * 12])
def test_a_glob_that_would_take_too_long_is_refused(pattern: str) -> None:
    for text in (f"paths: {{exclude: ['{pattern}']}}", f"accept-unsearched: ['{pattern}']"):
        with pytest.raises(PolicyError, match=r"wildcards|alternatives"):
            parse_policy(text.encode(), ".mergegate.yml")


def chosen(repo: Path, base: str | None, named: Path | None = None) -> tuple[Policy, str, str]:
    """The policy, where it comes from, and what is noted of it."""
    found = choose_policy(repo, Repository(repo), base, named)
    return found.policy, found.in_force.origin.value, "; ".join(found.in_force.notes)


def test_a_policy_of_the_repository_is_the_base_s(repo: Path, tmp_path: Path) -> None:
    (repo / "ci").mkdir()
    bare = git(repo, "rev-parse", "HEAD")
    low, high = Policy(severity_threshold="low"), Policy(severity_threshold="high")
    for name in (".mergegate.yml", "ci/policy.yml"):
        named = repo / name if name != ".mergegate.yml" else None
        file = repo / name
        file.write_text("severity-threshold: low\n")
        base = commit(repo, "a policy")
        file.write_text("severity-threshold: high\n")
        commit(repo, "a milder one")
        assert chosen(repo, base, named) == (low, "base", "")
        assert chosen(repo, bare, named) == (Policy(), "defaults", "")
        assert chosen(repo, None, named) == (high, "tree", "")
    inside = choose_policy(repo / "ci", Repository(repo / "ci"), base, repo / "ci" / "policy.yml")
    assert inside.policy == low
    (outside := tmp_path / "operator.yml").write_text("severity-threshold: high\n")
    assert chosen(repo, base, outside) == (high, "named", "")
    (repo / "link.yml").symlink_to(outside)
    assert chosen(repo, base, repo / "link.yml") == (Policy(), "defaults", "")
    with pytest.raises(PolicyError, match="neither the base nor the change has a policy called"):
        chosen(repo, base, repo / "none.yml")


def test_a_broken_policy_of_the_base_does_not_fail_the_change_that_mends_it(repo: Path) -> None:
    file = repo / ".mergegate.yml"
    file.write_text("severity-threshold: low\npaths: {exclude: '**'}\nrules: {nope: off}\n")
    base = commit(repo, "a broken policy")
    file.write_text("severity-threshold: low\n")
    commit(repo, "mended")
    assert chosen(repo, base) == (
        Policy(),
        "defaults",
        "that of the base has mistakes: line 2: `paths.exclude`: a list is wanted",
    )
    git(repo, "checkout", "-q", base)
    with pytest.raises(PolicyError, match="line 2"):
        chosen(repo, None)


def test_a_rule_that_is_gone_stops_no_change_and_is_an_error_of_the_tree_itself(repo: Path) -> None:
    (repo / ".mergegate.yml").write_text("rules: {nope: off}\n")
    base = commit(repo, "a rule of another version")
    assert chosen(repo, base)[1:] == ("base", "")
    with pytest.raises(PolicyError, match="line 1: there is no such rule"):
        chosen(repo, None)


def test_of_a_change_that_adopts_a_policy_only_what_it_accepts_as_unsearched_counts(
    repo: Path,
) -> None:
    base = git(repo, "rev-parse", "HEAD")
    file = repo / ".mergegate.yml"
    file.write_text("accept-unsearched: [swift]\npaths: {exclude: ['**']}\n")
    accepted, origin, note = chosen(repo, base)
    assert (accepted, origin) == (Policy(accept_unsearched=("swift",)), "defaults")
    assert "accepts as unsearched" in note
    file.write_text("accept-unsearched: swift\n")
    assert chosen(repo, base) == (Policy(), "defaults", "")
    file.unlink()
    file.symlink_to("/etc/hostname")
    assert chosen(repo, base) == (Policy(), "defaults", "")
    with pytest.raises(PolicyError, match="links are not followed"):
        chosen(repo, None)
