"""One tree from facts to findings: who is asked, what is shown, what did not run."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mergegate.core.check import Check, Unrun
from mergegate.core.errors import EngineFailed
from mergegate.core.finding import Finding, Place
from mergegate.core.report import EngineRun
from mergegate.core.severity import Aspect, Category, Kind, Severity
from mergegate.core.tree import Tree
from mergegate.repo.examine import MOST_COLUMNS, MOST_LINES, Examiner, excerpts
from mergegate.repo.settings import Policy, parse_policy
from mergegate.sandbox.engines.engine import EngineContext, Gathered
from mergegate.sandbox.engines.runner import Facts, Source
from mergegate.sandbox.files.checkout import source_file
from mergegate.sandbox.files.stage import Stage
from mergegate.sandbox.process.run import Limits

MakeTree = Callable[..., Tree]


@pytest.fixture
def tree(tmp_path: Path) -> MakeTree:
    """A tree of files, text by name (``a_py`` is ``a.py``)."""

    def made(**texts: str) -> Tree:
        files = []
        for number, (name, text) in enumerate(texts.items()):
            location = tmp_path / str(number)
            location.write_bytes(text.encode())
            files.append(source_file(name.replace("_", "."), location, text.encode()))
        return Tree(tuple(files))

    return made


@pytest.fixture
def stage() -> Iterator[Stage]:
    with Stage() as stage:
        yield stage


def finding(
    line: int = 1, end: int = 0, *, path: str = "a.py", kind: Kind = Kind.CODE, rule: str = "r"
) -> Finding:
    return Finding(
        rule_id=rule,
        title="Title",
        message="Message.",
        severity=Severity.HIGH,
        category=Category.SECURITY,
        kind=kind,
        place=Place(path, line, end or line, 1, 9),
    )


def snippets(tree: Tree, *findings: Finding) -> list[str]:
    return [excerpt.snippet for _, excerpt in excerpts(findings, tree)]


def test_excerpts_follow_the_order_of_findings_across_files(tree: MakeTree) -> None:
    files = tree(a_py="one\ntwo\n", b_py="three\n")
    asked = [finding(2), finding(path="b.py"), finding(1)]
    assert [found for found, _ in excerpts(asked, files)] == asked
    assert snippets(files, *asked) == ["two", "three", "one"]


def test_a_line_is_shown_without_its_carriage_return(tree: MakeTree) -> None:
    assert snippets(tree(a_py="one\r\ntwo\r\n"), finding(1, 2)) == ["one\ntwo"]


def test_other_separators_than_the_line_feed_are_content(tree: MakeTree) -> None:
    assert snippets(tree(a_py="one\ftwo\u2028three\nfour"), finding(2)) == ["four"]


@pytest.mark.parametrize("line", [0, 3, 99])
def test_a_place_outside_the_file_shows_nothing(tree: MakeTree, line: int) -> None:
    assert snippets(tree(a_py="one\ntwo"), finding(line)) == [""]


def test_a_binary_or_unknown_file_shows_nothing(tree: MakeTree) -> None:
    assert snippets(tree(a_py="\0one"), finding(), finding(path="gone.py")) == ["", ""]


def test_identity_rests_on_all_flagged_lines_but_few_are_shown(tree: MakeTree) -> None:
    lines = [f"line {number}" for number in range(30)]
    ((_, excerpt),) = excerpts([finding(2, 20)], tree(a_py="\n".join(lines)))
    assert excerpt.evidence.split("\n") == lines[1:20]
    assert excerpt.snippet.split("\n") == lines[1 : 1 + MOST_LINES]


def test_a_long_line_is_cut(tree: MakeTree) -> None:
    (shown,) = snippets(tree(a_py="word " * 100), finding())
    assert (len(shown), shown[-1]) == (MOST_COLUMNS, "…")
    assert snippets(tree(a_py="x " * (MOST_COLUMNS // 2)), finding()) == ["x " * 120]


def test_a_secret_is_blotted_for_every_finding_of_its_line(tree: MakeTree) -> None:
    files = tree(a_py="swordfis = 1\nswordfis = 2")
    secret = finding(kind=Kind.SECRET)
    assert snippets(files, secret, finding(), finding(2)) == [
        "******** = 1",
        "******** = 1",
        "swordfis = 2",
    ]


def test_the_body_of_a_private_key_is_hidden_from_wherever_it_is_shown(tree: MakeTree) -> None:
    key = "-----BEGIN PRIVATE KEY-----\nbody\nmore\n-----END PRIVATE KEY-----\nplain"
    files = tree(a_py=key)
    assert snippets(files, finding(3)) == ["****"]
    assert snippets(files, finding(5)) == ["plain"]
    assert snippets(files, finding(1, 5))[0].split("\n")[1:3] == ["****", "****"]


def counting(seen: list[EngineContext | Tree], aspect: Aspect = Aspect.CODE) -> Source:
    """A source of an ``int``, which notes what it was given."""

    def gather(tree: Tree, context: EngineContext, _: Facts) -> Gathered:
        seen.extend((tree, context))
        return Gathered((len(tree.files),), EngineRun(name="counting"))

    return Source("counting", frozenset({aspect}), (int,), gather)


def broken(*_: object) -> Gathered:
    raise EngineFailed("it crashed", remedy="Mend it.")


BROKEN = Source("broken", frozenset({Aspect.CODE}), (int,), broken)


def check(*found: Finding, id: str = "c", aspect: Aspect = Aspect.CODE) -> Check:
    return Check(id, aspect, (int,), lambda _: found, lambda: ())


def examiner(
    stage: Stage, source: Source, *checks: Check, policy: Policy | None = None
) -> Examiner:
    return Examiner([source], checks, frozenset({Aspect.CODE}), policy or Policy(), stage)


def test_findings_come_out_identified_and_worst_first(tree: MakeTree, stage: Stage) -> None:
    checks = check(finding(2), finding(1)), check(id="clean")
    examined = examiner(stage, counting([]), *checks).examine(tree(a_py="one\ntwo"))
    assert [one.snippet for one in examined.findings] == ["one", "two"]
    assert len({one.id for one in examined.findings} - {""}) == 2
    assert examined.unrun == ()


def test_only_sources_and_checks_of_the_wanted_aspects_are_asked(
    tree: MakeTree, stage: Stage
) -> None:
    seen: list[EngineContext | Tree] = []
    other = check(finding(), aspect=Aspect.IAC)
    examined = examiner(stage, counting(seen, Aspect.IAC), other).examine(tree(a_py="one"))
    assert (seen, examined.findings, examined.unrun) == ([], (), ())


def test_an_engine_and_a_check_that_did_not_run_are_both_told(tree: MakeTree, stage: Stage) -> None:
    examined = examiner(stage, BROKEN, check(finding())).examine(tree(a_py="one"))
    reason = "broken: it crashed"
    assert examined.findings == ()
    assert examined.unrun == (Unrun("broken", reason, "Mend it."), Unrun("c", reason, "Mend it."))


def test_an_engine_that_failed_is_told_though_no_check_needs_it(
    tree: MakeTree, stage: Stage
) -> None:
    examined = examiner(stage, BROKEN).examine(tree(a_py="one"))
    assert [gap.check for gap in examined.unrun] == ["broken"]


def test_no_engine_sees_a_file_that_the_policy_excludes(tree: MakeTree, stage: Stage) -> None:
    seen: list[EngineContext | Tree] = []
    policy = parse_policy(b"paths: {exclude: [b.py]}", ".mergegate.yml")
    examined = examiner(stage, counting(seen), policy=policy).examine(tree(a_py="1", b_py="2"))
    assert seen[0] == examined.tree
    assert sorted(examined.tree.paths) == ["a.py"]


def test_the_policy_weighs_the_findings(tree: MakeTree, stage: Stage) -> None:
    policy = parse_policy(b"rules: {r: low, other: off}", ".mergegate.yml")
    checks = check(finding(), finding(rule="other"))
    examined = examiner(stage, counting([]), checks, policy=policy).examine(tree(a_py="one"))
    assert [(one.rule_id, one.severity) for one in examined.findings] == [("r", Severity.LOW)]


def test_engines_are_given_limits_cores_and_the_files_ahead(tree: MakeTree, stage: Stage) -> None:
    seen: list[EngineContext | Tree] = []
    files, limits = tree(a_py="one"), Limits(timeout_s=3)
    aspects = frozenset({Aspect.CODE})
    Examiner(
        [counting(seen)], (), aspects, Policy(), stage, limits=limits, jobs=7, ahead=files.files
    ).examine(files)
    assert seen[1] == EngineContext(stage, limits, 7, files.files)
