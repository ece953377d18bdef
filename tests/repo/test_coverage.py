"""What the receipt names as known and not read."""

from pathlib import Path

import pytest

from mergegate.core.severity import Aspect
from mergegate.core.tree import Reason, Skipped, SourceFile, Tree
from mergegate.repo import coverage
from mergegate.repo.search_map import Gap, SearchMap


def unread(*paths: str, gaps: tuple[Gap, ...] = (), limited: tuple[Skipped, ...] = ()) -> list[str]:
    files = tuple(SourceFile(path=path, location=Path(), size=1, digest="0") for path in paths)
    named = coverage._unread(Tree(files), SearchMap({}, gaps), limited)
    return [one.path for one in named]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("chart/values-prod.yaml", True),
        ("chart/values.staging.yml", True),
        ("chart/values.yaml", False),
        ("infra/prod.tfvars", True),
        ("infra/prod.auto.tfvars", False),
    ],
)
def test_files_of_values_that_nothing_reads_are_named(path: str, expected: bool) -> None:
    assert unread(path) == ([path] if expected else [])


def test_a_template_is_named_once() -> None:
    gap = Gap("a.yaml", Aspect.IAC, Reason.LANGUAGE, "a template")
    assert unread("a.yaml", gaps=(gap,)) == ["a.yaml"]
    assert unread("a.yaml", gaps=(gap,), limited=(Skipped("a.yaml", "it breaks off"),)) == []
