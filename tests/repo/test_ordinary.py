"""Ordinary changes pass; those that touch what nothing can search pass with the line that is told.

All that pass are one change here; ``python -m bench.ordinary`` tries each of them alone.
"""

from pathlib import Path

import pytest

from tests.changes import OPTIONS, Project, Said
from tests.conftest import command
from tests.repo.ordinary import (
    ASKING,
    ASPECTS,
    EDITS,
    MOVES,
    begin,
    change,
    line_of,
    real_project,
)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data")


def scanned(project: Project, data: Path) -> Said:
    asked = (f"--base={project.base}", *OPTIONS, ASPECTS)
    run = command(project.root, data)("scan", project.root, *asked)
    return Said(run.code, run.json if run.out else {}, run.err)


def test_there_are_fifty() -> None:
    assert len({**EDITS, **ASKING, **MOVES}) >= 50


def test_ordinary_changes_pass(data: Path, tmp_path: Path) -> None:
    project = real_project(tmp_path / "project")
    begin(project, *EDITS)
    change(project, *EDITS)
    said = scanned(project, data)
    assert (said.code, said.reasons) == (0, [])


@pytest.mark.parametrize("name", MOVES)
def test_a_move_passes(name: str, data: Path, tmp_path: Path) -> None:
    project = real_project(tmp_path / "project")
    MOVES[name](project)
    project.commit()
    said = scanned(project, data)
    assert (said.code, said.reasons) == (0, [])


@pytest.mark.parametrize("name", ASKING)
def test_what_nothing_can_search_passes_with_the_line_that_is_told(
    name: str, data: Path, tmp_path: Path
) -> None:
    project = Project(tmp_path / "project")
    begin(project, name)
    change(project, name)
    said = scanned(project, data)
    assert said.code == 3
    line = line_of(said)
    assert line
    project.git("reset", "-q", "--hard", project.base)
    project.put(".mergegate.yml", f"{line}\n")
    project.starts_here()
    change(project, name)
    again = scanned(project, data)
    assert (again.code, again.reasons) == (0, [])
