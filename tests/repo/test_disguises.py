"""Each disguise is what docs/disguises.md says of it; `python -m bench.disguises` renews that page.

What stands in a file of its own is put into one change together with all others; what surrounds the
file is a change of its own.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.changes import OPTIONS, Project, Said
from tests.conftest import command
from tests.repo.disguises import (
    ASPECTS,
    DOCS,
    FILES,
    ROW,
    STATES,
    WORK,
    Outcome,
    is_named,
    made,
    outcome,
    shown,
)

EXPECTED = {name: Outcome(said) for name, said, _ in ROW.findall(DOCS.read_text("utf-8"))}
IN_FILES = {name: file for files in FILES.values() for name, file in files.items()}
IN_STATES = [name for states in STATES.values() for name in states]


def test_the_page_tells_of_every_disguise() -> None:
    assert EXPECTED.keys() == {*IN_FILES, *IN_STATES}
    assert len(EXPECTED) >= 60


def test_none_passes_without_a_word() -> None:
    assert Outcome.SILENT not in EXPECTED.values()


def scanned(project: Project, data: Path) -> Said:
    asked = (f"--base={project.base}", *OPTIONS, ASPECTS)
    run = command(project.root, data)("scan", project.root, *asked)
    return Said(run.code, run.json if run.out else {}, run.err)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def together(tmp_path_factory: pytest.TempPathFactory, data: Path) -> Mapping[str, Any]:
    """The report of a change with all files, each in a folder of its own."""
    project = Project(tmp_path_factory.mktemp("together") / "project")
    for number, (path, content) in enumerate(IN_FILES.values()):
        project.put(f"{number}/{path}", content)
    project.put("work.py", WORK)
    project.commit()
    return scanned(project, data).report


@pytest.mark.parametrize("name", IN_FILES)
def test_a_flaw_in_a_file(name: str, together: Mapping[str, Any]) -> None:
    path = shown(f"{list(IN_FILES).index(name)}/{IN_FILES[name][0]}")
    stops = any(
        one["file"] == path and one["severity"] in {"critical", "high"} and one["isNew"]
        for one in together["issues"]
    )
    assert stops if EXPECTED[name] is Outcome.STOPPED else is_named(together, path)


@pytest.mark.parametrize("name", IN_STATES)
def test_a_flaw_behind_what_surrounds_it(name: str, data: Path, tmp_path: Path) -> None:
    said = scanned(made(tmp_path / "project", name), data)
    assert outcome(said, "") is EXPECTED[name], said.reasons
