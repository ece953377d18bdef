"""A changed program does for ordinary input what it did, and no longer what an attacker wants."""

import sqlite3
import subprocess

import pytest

from mergegate.repo.fixes import shell, sql
from mergegate.repo.fixes.recipe import Steps
from tests.repo.fixes.steps import mended

QUERIES = [
    "c.execute(f\"select * from a where name = '{b}'\")",
    "c.execute(\"select * from a where name = '%s' order by name\" % b)",
    'c.execute("select * from a where name like \'%" + b + "%\'")',
    "c.execute(\"select * from a where name like '{}%' and 1 = 1\".format(b))",
    "c.execute(f\"select * from a where (name = '{b}') or name = '{b}x'\")",
]
COMMANDS = [
    'subprocess.run(f"echo a {b} c", shell=True, capture_output=True, text=True).stdout',
    'subprocess.run("echo \'a" + b + "\' c", shell=True, capture_output=True, text=True).stdout',
    'subprocess.getoutput("echo --a=%s/c" % b)',
    'os.popen("echo {0} {0}".format(b)).read()',
]


def _changed(by: Steps, said: str, marked: str) -> str:
    text = f"import os\nimport sqlite3\nimport subprocess\n\nx = {said}\n"
    made = mended(by, "python", text, marked)
    assert made is not None
    return made


@pytest.mark.parametrize("said", QUERIES)
def test_statements(said: str) -> None:
    made = _changed(sql.parameters, said, said[len("c.execute(") : -1])
    assert _rows(made, "Ada") == _rows(f"x = {said}", "Ada") != []
    assert _rows(made, "' or '1' = '1") == []


def _rows(program: str, name: str) -> list[object]:
    database = sqlite3.connect(":memory:")
    database.execute("create table a (name)")
    database.executemany("insert into a values (?)", [("Ada",), ("Adam",), ("Bob",)])
    names: dict[str, object] = {"c": database, "b": name}
    exec(program, names)
    found = names["x"]
    assert isinstance(found, sqlite3.Cursor)
    return found.fetchall()


@pytest.mark.parametrize("said", COMMANDS)
def test_commands(said: str) -> None:
    made = _changed(shell.listed, said, said.removesuffix(".stdout").removesuffix(".read()"))
    assert _output(made, "b") == _output(f"import os, subprocess\nx = {said}", "b") != ""
    assert "; echo bad" in _output(made, "b; echo bad")


def _output(program: str, word: str) -> str:
    names: dict[str, object] = {"b": word, "subprocess": subprocess}
    exec(program, names)
    return str(names["x"])
