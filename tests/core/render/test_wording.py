"""The line that says of what a verdict does not speak."""

from dataclasses import replace

import pytest

from mergegate.core.render import wording
from mergegate.core.render.wording import unsearched
from mergegate.core.report import Coverage, LanguageCoverage, PolicyInForce, PolicyOrigin
from mergegate.core.tree import Reason, Skipped
from tests.repo.report import samples

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
