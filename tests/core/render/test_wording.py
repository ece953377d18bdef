"""What was scanned, and of what a verdict does not speak."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from mergegate.core.render import wording
from mergegate.core.render.wording import unsearched
from mergegate.core.report import Coverage, LanguageCoverage, PolicyInForce, PolicyOrigin, Target
from mergegate.core.tree import Reason, Skipped
from tests.repo.report import samples
from tests.repo.report.shop import VULNERABILITIES

EMPTY = Coverage()
SWIFT = LanguageCoverage(language="swift", files=2, lines=1_200, searched=0)
PYTHON = LanguageCoverage(language="python", files=3, lines=90, searched=2)


@pytest.mark.parametrize(
    ("coverage", "said"),
    [
        (replace(EMPTY, languages=(replace(PYTHON, searched=3),)), ""),
        (
            replace(EMPTY, languages=(SWIFT, PYTHON)),
            "code flaws in swift (2 files, 1,200 lines), python (1 file)",
        ),
        (
            replace(
                EMPTY,
                skipped=(
                    Skipped("a.py", "larger than 5 MiB", cause=Reason.SIZE),
                    Skipped("logo.png", "larger than 5 MiB", cause=Reason.SIZE),
                    Skipped("node_modules/", "tool folder", cause=Reason.TOOL_FOLDER),
                    Skipped("sub/", "a submodule", cause=Reason.NOT_CHECKED_OUT),
                ),
            ),
            "1 file left out; all in sub/",
        ),
    ],
)
def test_what_was_not_searched_is_said_in_a_line(coverage: Coverage, said: str) -> None:
    assert unsearched(replace(samples.report(), coverage=coverage)) == said


@pytest.mark.parametrize(
    ("used", "said"),
    [
        (PolicyInForce(file="p.yml"), "the defaults, for the scanned tree has no p.yml"),
        (
            PolicyInForce(file="p.yml", commit="0123456789ab"),
            "the defaults, for the base 0123456789 has no valid p.yml",
        ),
        (
            PolicyInForce(origin=PolicyOrigin.BASE, file="p.yml", commit="0123456789ab"),
            "p.yml of the base 0123456789",
        ),
    ],
)
def test_a_base_with_a_broken_policy_is_not_said_to_have_none(
    used: PolicyInForce, said: str
) -> None:
    assert wording.policy(used) == said


COMMIT = "0123456789" * 4


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({}, "commit 0123456789"),
        ({"altered": ("a.py",)}, "commit 0123456789 with 1 file changed"),
        ({"altered": ("a.py", "b.py")}, "commit 0123456789 with 2 files changed"),
        ({"only": ("a", "b", "c")}, "commit 0123456789, only a, b, c"),
        ({"only": ("a", "b", "c", "d", "e")}, "commit 0123456789, only a, b, c and 2 more"),
    ],
)
def test_a_target_is_the_commit_only_where_nothing_else_was_scanned(
    told: Mapping[str, Any], said: str
) -> None:
    assert wording.target(Target(repo="shop", commit=COMMIT, **told)) == f"shop, {said}"


def test_the_way_of_a_package_is_told_once() -> None:
    quiet = next(one for one in VULNERABILITIES if wording.route(one))
    path = " → ".join(quiet.advisory.path) if quiet.advisory else ""
    assert wording.route(quiet) == f"Comes through {path}."
    assert not wording.route(replace(quiet, message=f"It is vulnerable, reached through {path}."))
