"""Actions that workflows use: their releases, moving tags, commits, and odd YAML."""

from pathlib import Path

import pytest

from mergegate.core.report import EngineStatus
from mergegate.packages.advisory_engine import AdvisoryEngine
from mergegate.packages.dependencies import Dependencies, Vulnerabilities, Why
from mergegate.packages.match import match
from tests.packages.dependency_tree import fact_of, fixture, gather, written
from tests.packages.test_match import IN, F, Index, npm, record

FIRST = "jobs:\n  a:\n    steps:\n"


def of(tmp_path: Path, text: str) -> Dependencies:
    return fact_of(written(tmp_path, __github___workflows___ci__yml=FIRST + text))


@pytest.mark.parametrize(
    "step",
    [
        "    - uses: a/b@v1.2.3\n",
        "    - 'uses': \"a/b@v1.2.3\"\n",
        "    - {name: x, uses: a/b@v1.2.3}\n",
        "    - uses:\n        a/b@v1.2.3\n",
        "    - uses: >-\n        a/b@v1.2.3\n",
        "    - ? uses\n      : a/b@v1.2.3\n",
        '    - "\\u0075ses": a/b@v1.2.3\n',
        "    - name: &x a/b@v1.2.3\n    - uses: *x\n",
        "    - &step\n      uses: a/b@v1.2.3\n    - *step\n",
    ],
)
def test_however_it_is_written_it_is_read(step: str, tmp_path: Path) -> None:
    assert [(one.name, one.version) for one in of(tmp_path, step).packages] == [("a/b", "v1.2.3")]


def test_what_is_no_use_is_not_read(tmp_path: Path) -> None:
    text = "    - run: |\n        uses: a/b@v1.2.3\n    - name: uses\n    # uses: a/b@v1.2.3\n"
    assert of(tmp_path, text).packages == ()


def test_a_commit_is_the_release_beside_it_and_a_branch_is_none() -> None:
    fact = fixture("actions")
    told = {one.name: one.why for one in fact.unresolved}
    assert told == {"example/pinned": Why.COMMIT, "example/branch": Why.RANGE}
    (pinned,) = [one for one in fact.packages if one.name == "tj-actions/changed-files"]
    assert (pinned.version, pinned.pin) == ("v45.0.6", None)


def test_a_comment_with_a_moving_tag_tells_no_release(tmp_path: Path) -> None:
    fact = of(tmp_path, f"    - uses: a/b@{'0' * 40} # v4\n")
    assert (fact.packages, [one.why for one in fact.unresolved]) == ((), [Why.COMMIT])


@pytest.mark.parametrize(
    ("version", "fixed", "affected"),
    [
        ("v45", "46.0.1", True),
        ("v45", "45.0.8", False),
        ("v45.0", "45.0.8", False),
        ("v45.0", "45.1.0", True),
        ("v45.0.7", "45.0.8", True),
        ("v46", "46", False),
    ],
)
def test_a_moving_tag_means_the_newest_of_its_line(
    version: str, fixed: str, affected: bool, tmp_path: Path
) -> None:
    packages = of(tmp_path, f"    - uses: a/b@{version}\n").packages
    index = Index("GitHub Actions", **{"a/b": [record([(IN, "0"), (F, fixed)])]})
    assert bool(match(packages, index).matches) is affected


def test_broken_yaml_is_named(tmp_path: Path) -> None:
    fact = of(tmp_path, "    - uses: a/b@{{ version }}: [\n")
    assert [one.why for one in fact.unresolved] == [Why.UNREADABLE]


def test_a_depth_that_takes_the_parser_minutes_is_a_limit(tmp_path: Path) -> None:
    tree = written(tmp_path, action__yml="a: " + "[" * 200_000)
    assert ["deeper" in one.reason for one in gather(tree).limited] == [True]


ACTIONS = Dependencies(fixture("actions").packages)


def test_a_store_without_them_leaves_no_scan_incomplete_and_says_so() -> None:
    gathered = AdvisoryEngine(lambda: Index("npm")).gather(
        Dependencies((*ACTIONS.packages, npm("a", "1.0.0")))
    )
    (fact,) = gathered.facts
    assert isinstance(fact, Vulnerabilities)
    assert gathered.run.status is EngineStatus.OK
    (told,) = fact.guesses
    assert told.startswith("nothing is known of GitHub Actions in use")
    assert "--ecosystem 'GitHub Actions'" in told


def test_so_does_a_machine_without_a_store() -> None:
    gathered = AdvisoryEngine(lambda: None).gather(ACTIONS)
    (fact,) = gathered.facts
    assert gathered.run.status is EngineStatus.IDLE
    assert len(fact.guesses) == 1
