"""One tree from facts to findings: who is asked, what is shown, what did not run."""

from collections.abc import Iterator

import pytest

from mergegate.core.check import Check, Unrun
from mergegate.core.errors import EngineFailed
from mergegate.core.finding import Finding
from mergegate.core.report import EngineRun
from mergegate.core.severity import Aspect, Severity
from mergegate.core.tree import Tree
from mergegate.repo.examine import NOT_SEARCHED, Examiner
from mergegate.repo.policy_file import parse_policy
from mergegate.repo.settings import Policy
from mergegate.sandbox.engines.engine import EngineContext, Gathered
from mergegate.sandbox.engines.runner import Facts, Source
from mergegate.sandbox.files.stage import Stage
from mergegate.sandbox.process.run import Limits
from tests.repo.conftest import MakeTree, finding


@pytest.fixture
def stage() -> Iterator[Stage]:
    with Stage() as stage:
        yield stage


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


def test_changed_files_that_an_engine_failed_on_are_told_as_not_searched(
    tree: MakeTree, stage: Stage
) -> None:
    def again(source: Source) -> set[str]:
        found = examiner(stage, source, check()).examine_again(tree(a_py="one"))
        return {one.place.file for one in found if one.rule_id == NOT_SEARCHED}

    assert again(BROKEN) == {"a.py"}


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
