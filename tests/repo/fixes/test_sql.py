"""Values of SQL statements become parameters, and nothing else of a statement does."""

import pytest

from mergegate.repo.fixes import sql
from tests.repo.fixes.mending import mended as mended_file
from tests.repo.fixes.steps import mended

SQLITE = "import sqlite3\n"
POSTGRES = "import psycopg\n"
ALCHEMY = "from sqlalchemy import text\n"


@pytest.mark.parametrize(
    ("imports", "said", "expected"),
    [
        (
            SQLITE,
            "c.execute(f\"select 1 where a = '{b}'\")",
            'c.execute("select 1 where a = ?", (b,))',
        ),
        (
            SQLITE,
            "c.execute(\"select 1 where a = '%s' and b > %d\" % (b, d))",
            'c.execute("select 1 where a = ? and b > ?", (b, d))',
        ),
        (
            SQLITE,
            "c.execute(\"select 1 where a = '{x}'\".format(x=b))",
            'c.execute("select 1 where a = ?", (b,))',
        ),
        (
            SQLITE,
            'c.execute("select 1 where a = \'" + b + "\' and c")',
            'c.execute("select 1 where a = ? and c", (b,))',
        ),
        (
            SQLITE,
            "c.execute('select 1 where a = \\'' + b + '\\'')",
            "c.execute('select 1 where a = ?', (b,))",
        ),
        (
            SQLITE,
            "c.execute(f\"select 1 where a like '%{b}%'\")",
            'c.execute("select 1 where a like ?", (f"%{b}%",))',
        ),
        (
            POSTGRES,
            "c.execute(\"select 1 where a like '%%%s%%'\" % b)",
            'c.execute("select 1 where a like %s", (f"%{b}%",))',
        ),
        (
            ALCHEMY,
            "s.execute(text(f\"select 1 where a = '{r.b}' or c = '{r.b}'\"))",
            's.execute(text("select 1 where a = :b or c = :b"), {"b": r.b})',
        ),
        (
            SQLITE,
            "c.execute(f\"select 1 where a = lower('{b}')\")",
            'c.execute("select 1 where a = lower(?)", (b,))',
        ),
        (ALCHEMY, "q = text(f\"a = '{b}'\")", 'q = text("a = :b").bindparams(b=b)'),
        ("import sqlalchemy\n", "db.session.execute(f'select 1 where a = {b}')", None),
    ],
)
def test_statements_of_python(imports: str, said: str, expected: str | None) -> None:
    found = said[said.index("(") + 1 : -1]
    if "text(" in found:
        found = found[found.index("text(") + 5 : -1]
    made = mended(sql.parameters, "python", f"{imports}{said}\n", found)
    if expected is None:
        expected = 'db.session.execute("select 1 where a = :b", {"b": b})'.replace(
            '"select 1 where a = :b"', "'select 1 where a = :b'"
        )
    assert made == f"{imports}{expected}\n"


@pytest.mark.parametrize(
    "statement",
    [
        'f"select 1 from {b}"',
        'f"select {b} from a"',
        'f"select 1 from a order by {b}"',
        'f"select 1 from a where {b} = 1"',
        'f"select 1 from a where b in ({c})"',
        'f"select 1 from a where b = {column}"',
        'f"insert into a values ({values})"',
        'f"insert into a ({b}, {c}) values (1, 2)"',
        "f\"select 1 where a = '{b!r}'\"",
        "f\"select 1 where a = '{b:>3}'\"",
        "f\"select '?' where a = '{b}'\"",
        "f\"select 1 where a = '{b}{c}'\"",
        'f"select 1 where a = {b} + 1"',
        'f"select 1 where a = `{b}`"',
        '"select 1 where a = %s" % values',
        "f\"select 1 where a > date '{b}'\"",
        '"select 1 where a in (\'" + "\',\'".join(b) + "\')"',
        "a_statement",
    ],
)
def test_what_is_no_whole_value_is_left_alone(statement: str) -> None:
    text = f"{SQLITE}c.execute({statement})\n"
    assert mended(sql.parameters, "python", text, statement) is None


@pytest.mark.parametrize(
    ("imports", "call"),
    [
        ("", "c.execute"),
        ("import sqlite3\nimport psycopg2\n", "c.execute"),
        (SQLITE, "c.executescript"),
        (ALCHEMY, "engine.execute"),
    ],
)
def test_without_a_certain_driver_nothing_changes(imports: str, call: str) -> None:
    statement = "f\"select 1 where a = '{b}'\""
    assert mended(sql.parameters, "python", f"{imports}{call}({statement})\n", statement) is None


def test_a_connection_at_hand_tells_its_driver() -> None:
    text = (
        "import psycopg2\nimport sqlite3\n\n\ndef f(b):\n    c = sqlite3.connect('d').cursor()\n"
        "    c.execute(f\"select 1 where a = '{b}'\")\n"
    )
    made = mended(sql.parameters, "python", text, "f\"select 1 where a = '{b}'\"")
    assert made is not None
    assert 'c.execute("select 1 where a = ?", (b,))' in made


def test_a_statement_just_before_is_changed_where_it_is_used_once() -> None:
    text = (
        "import sqlite3\n\n\ndef f(b, c):\n    q = f\"select 1 where a = '{b}'\"\n"
        "    %sc.execute(q)\n"
    )
    made = mended(sql.parameters, "python", text % "", "q")
    assert made is not None
    assert 'q = "select 1 where a = ?"\n    c.execute(q, (b,))\n' in made
    made = mended(sql.parameters, "python", text % "print(q)\n    ", "q")
    assert made is not None
    assert "print(q)\n    c.execute(q, (b,))\n" in made
    nested = text % "if c:\n        "
    made = mended(sql.parameters, "python", nested, "q")
    assert made is not None
    assert "if c:\n        c.execute(q, (b,))\n" in made
    assert mended(sql.parameters, "python", text % "r = q\n    ", "q") is None
    assert mended(sql.parameters, "python", text % "for b in c:\n        ", "q") is None
    assert mended(sql.parameters, "python", text % "b = 1\n    ", "q") is None
    assert mended(sql.parameters, "python", text % "q += c\n    ", "q") is None


@pytest.mark.parametrize(
    ("imports", "said", "expected"),
    [
        (
            "mysql2",
            "c.query(`select 1 where a = '${b.c}'`, done);",
            "c.query(`select 1 where a = ?`, [String(b.c)], done);",
        ),
        ("pg", "c.query('select 1 where a = ' + b);", "c.query('select 1 where a = $1', [b]);"),
        (
            "sqlite3",
            'c.all("select 1 where a like \'" + b + "%\'");',
            'c.all("select 1 where a like ?", [`${b}%`]);',
        ),
        (
            "better-sqlite3",
            "c.prepare(`select 1 where a = '${b}'`).get();",
            "c.prepare(`select 1 where a = ?`).get(b);",
        ),
        (
            "sequelize",
            "c.query(`select 1 where a = '${b}'`, { plain: true });",
            "c.query(`select 1 where a = ?`, { replacements: [b], plain: true });",
        ),
        ("x", "knex.raw(`select 1 where a = '${b}'`);", "knex.raw(`select 1 where a = ?`, [b]);"),
        (
            "x",
            "p.$queryRawUnsafe(`select 1 where a = '${b}'`);",
            "p.$queryRaw`select 1 where a = ${b}`;",
        ),
        ("x", "c.query(`select 1 where a = '${b}'`);", None),
        ("pg", "c.query(`select 1 where a = '${b}'`, values);", None),
        ("pg", "c.query(`select 1 from ${b}`);", None),
        ("mysql", "c.query(`select 1 from a limit ${b}`);", None),
        ("sqlite3", "c.exec(`select 1 where a = '${b}'`);", None),
    ],
)
def test_statements_of_javascript(imports: str, said: str, expected: str | None) -> None:
    head = f"const driver = require('{imports}');\n"
    start = said.index("(") + 1
    end = max(said.rfind(one) + 1 for one in "`'\"") if "+ b)" not in said else said.index(")")
    made = mended(sql.parameters, "javascript", f"{head}{said}\n", said[start:end])
    assert made == (None if expected is None else f"{head}{expected}\n")


def test_a_limit_of_mysql_is_no_text() -> None:
    text = 'import pymysql\nc.execute(f"select 1 from a limit {b}")\n'
    assert mended(sql.parameters, "python", text, 'f"select 1 from a limit {b}"') is None


@pytest.mark.parametrize(
    ("module", "expected"),
    [
        ("import pymysql\n", 'db.conn.cursor().execute("select 1 where a = %s", (b,))'),
        ("import sqlite3\n", 'db.conn.cursor().execute("select 1 where a = ?", (b,))'),
        ("import pymysql\nimport sqlite3\n", None),
        ("from sqlalchemy import create_engine\nimport pymysql\n", None),
        ("import os\n", None),
    ],
)
def test_the_driver_may_be_imported_in_a_module_beside(module: str, expected: str | None) -> None:
    head, statement = "import db\n\n", "\"select 1 where a = '{}'\".format(b)"
    marked = f"{head}db.conn.cursor().execute(«{statement}»)\n"
    others = {"shop/db.py": module}
    made = mended_file("python-sql-value-formatted", "python", marked, others)
    assert made == (None if expected is None else f"{head}{expected}\n")
