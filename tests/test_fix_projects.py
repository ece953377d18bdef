"""What bench/ says of the fixes of real projects is whole, and counted as it is said."""

import runpy
from collections import Counter
from pathlib import Path
from typing import Any

from mergegate.repo.checks import all_rules

BENCH = Path(__file__).parents[1] / "bench"


def said() -> dict[str, Any]:
    return runpy.run_path(str(BENCH / "fixes.py"))


def test_there_are_five_projects_of_each_kind_and_three_with_tests() -> None:
    known = said()["projects"]()
    kinds = Counter(one.kind for one in known)
    assert kinds.keys() == {"vulnerable", "ordinary"}
    assert min(kinds.values()) >= 5
    assert len([one for one in known if one.suite and one.setup]) >= 3


def test_what_would_have_to_be_known_is_said_of_rules_that_there_are() -> None:
    assert said()["unknown"]().keys() <= all_rules().keys()


def test_the_page_names_every_project() -> None:
    page = (BENCH / "fixes.md").read_text("utf-8")
    assert [one.package for one in said()["projects"]() if f"| {one.package} |" not in page] == []


def test_what_no_file_tells_counts_in_one_share_alone() -> None:
    module = said()
    project = module["Project"](name="a", client="pip", package="a==1", kind="ordinary", what="w")
    counted = {"found": Counter(code=3), "fixed": Counter(code=1), "unknown": Counter(code=1)}
    lines = module["table"]([module["Outcome"]("a", **counted)], [project]).splitlines()
    assert "| **all ordinary** |  | 1 of 3 (33 %) | – | – |  |  |  |" in lines
    assert "| of what can be known |  | 1 of 2 (50 %) | – | – |  |  |  |" in lines
