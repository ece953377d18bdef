"""A forked command is what a started one is."""

import re
from pathlib import Path

import pytest

from tests.ready import PROGRAM, Ended, Order, forked, started


def order(*arguments: str, folder: Path, **environment: str) -> Order:
    return Order((PROGRAM, *arguments), {"PATH": "/usr/bin:/bin"} | environment, str(folder))


def without_times(ended: Ended) -> Ended:
    return ended._replace(out=re.sub(r" +\d+\.\d s|─+", "", ended.out))


@pytest.mark.parametrize(
    "arguments",
    [
        ("scan", "--offline", "--only", "quality", "--output", "../report.txt"),
        ("scan", "nowhere"),
        ("ci", "--offline", "--only", "secrets"),
        ("ci", "--only", "magic"),
        ("replay", "nowhere"),
        ("explain", "python-yaml-load"),
        ("audit", "nowhere"),
    ],
)
def test_it_says_what_a_started_one_says(
    tmp_path: Path, repo: Path, arguments: tuple[str, ...]
) -> None:
    (repo / "left.py").write_text("# FIXME: mend this\n")
    own, other = (
        run(order(*arguments, folder=repo, MERGEGATE_DATA_DIR=str(tmp_path / run.__name__)))
        for run in (forked, started)
    )
    assert without_times(own) == without_times(other)


def test_what_an_interpreter_reads_is_given_to_one(tmp_path: Path) -> None:
    given = order("scan", "nowhere", folder=tmp_path, PYTHONPROFILEIMPORTTIME="1")
    assert "import time:" in forked(given).err
