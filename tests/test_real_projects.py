"""What bench/ says of well-kept projects is whole, and its table that of its judgements."""

import runpy
from pathlib import Path
from typing import Any

import pytest

from mergegate.sandbox.git.repository import Repository

BENCH = Path(__file__).parents[1] / "bench"


def said() -> dict[str, Any]:
    return runpy.run_path(str(BENCH / "real_projects.py"))


def test_there_are_thirty_projects_of_eight_languages_and_thrice_ten_unseen() -> None:
    projects = said()["projects"]()
    assert len(projects) >= 30
    assert len({one.language for one in projects}) >= 8
    assert [sum(one.round == number for one in projects) for number in (2, 3, 4)] == [10] * 3


def test_every_finding_has_a_verdict_with_its_reason() -> None:
    module = said()
    names = {one.name for one in module["projects"]()}
    judged = module["judgements"]()
    lacking = [one for one in judged if one.verdict not in {"act", "not"} or len(one.reason) < 10]
    assert lacking == []
    assert {one.subject for one in judged} <= names
    assert len({one.key for one in judged}) == len(judged)


def test_what_is_told_now_has_a_second_verdict_with_its_reason() -> None:
    judged = [one for one in said()["judgements"]() if one.now]
    assert [
        one for one in judged if one.second not in {"act", "not"} or len(one.second_reason) < 10
    ] == []


@pytest.mark.parametrize(
    ("verdict", "second", "counts", "disputed"),
    [
        ("act", "act", True, False),
        ("act", "not", False, True),
        ("not", "act", False, True),
        ("not", "not", False, False),
        ("act", "", True, False),
    ],
)
def test_worth_acting_on_is_what_all_who_judged_it_would_act_on(
    verdict: str, second: str, counts: bool, disputed: bool
) -> None:
    judged = said()["Judged"]("flask", "a-rule", "app.py:1", verdict=verdict, second=second)
    assert (judged.acted_on, judged.is_disputed) == (counts, disputed)


def test_a_tree_has_the_remote_of_its_project_and_all_its_files(tmp_path: Path) -> None:
    module = said()
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / ".gitignore").write_text("made.py\n")
    (tmp_path / "shop" / "made.py").write_text("")
    shop = module["Project"](
        name="shop",
        client="npm",
        package="shop@1.0.0",
        language="JavaScript",
        sha256="",
        remote="https://github.com/octo/shop.git",
    )
    repository = Repository(module["fetched"](shop, tmp_path))
    assert repository.owner_at_github() == "octo"
    assert repository.listed() == [b".gitignore", b"made.py"]


def test_the_page_shows_what_was_judged() -> None:
    module = said()
    page = module["page"](module["projects"](), module["judgements"]())
    assert (BENCH / "real_projects.md").read_text("utf-8") == page
