import enum
import re
from typing import Annotated, Literal, Optional

from fastapi import FastAPI, Query
from flask import abort, request
from psycopg import sql
from pydantic import BaseModel

app = FastAPI()
SORTS = {"name": "name", "age": "created_at"}
COLUMNS = ("id", "name")
IDENTIFIER = re.compile(r"[a-z_]+")


class Sort(enum.Enum):
    NAME = "name"


class Page(BaseModel):
    number: int
    title: str


def known(column):
    if column not in COLUMNS:
        raise ValueError(column)
    return column


def unknown(column):
    if column not in COLUMNS:
        print(column)
    return column


def numbers(cursor):
    count = request.args.get("count", type=int)
    # ok: python-sql-injection
    cursor.execute(f"SELECT * FROM users LIMIT {count}")
    text = request.args.get("count", type=str)
    # ruleid: python-sql-injection
    cursor.execute(f"SELECT * FROM users LIMIT {text}")


def several_numbers(cursor):
    ids = list(map(int, request.args["ids"].split(",")))
    # ok: python-sql-injection
    cursor.execute("SELECT * FROM users LIMIT %s" % ",".join(map(str, ids)))
    names = list(map(str, request.args["ids"].split(",")))
    # ruleid: python-sql-injection
    cursor.execute("SELECT * FROM users LIMIT %s" % ",".join(names))


def table_of_choices(cursor):
    column = SORTS.get(request.args.get("sort"), "name")
    # ok: python-sql-injection
    cursor.execute(f"SELECT * FROM users ORDER BY {column}")
    column = SORTS.get("name", request.args.get("sort"))
    # ruleid: python-sql-injection
    cursor.execute(f"SELECT * FROM users ORDER BY {column}")


def table_or_what_was_asked(cursor):
    asked = request.args.get("sort")
    column = SORTS.get(asked, asked)
    # ruleid: python-sql-injection
    cursor.execute(f"SELECT * FROM users ORDER BY {column}")


def table_of_this_function(cursor):
    columns = {"name": "name"}
    column = columns.get(request.args["sort"])
    # ok: python-sql-injection
    cursor.execute(f"SELECT * FROM users ORDER BY {column}")
    given = {"name": request.args["name"]}
    column = given.get(request.args["sort"])
    # ruleid: python-sql-injection
    cursor.execute(f"SELECT * FROM users ORDER BY {column}")


def enumeration(cursor):
    column = Sort(request.args["sort"]).value
    # ok: python-sql-injection
    cursor.execute(f"SELECT * FROM users ORDER BY {column}")


def pattern(cursor):
    table = request.args["table"]
    if not IDENTIFIER.fullmatch(table):
        abort(400)
    # ok: python-sql-injection
    cursor.execute(f"SELECT * FROM {table}")


def pattern_that_lets_all_through(cursor):
    table = request.args["table"]
    if not re.fullmatch(r".+", table):
        abort(400)
    # ruleid: python-sql-injection
    cursor.execute(f"SELECT * FROM {table}")


def pattern_of_which_nothing_follows(cursor):
    table = request.args["table"]
    if not re.fullmatch(r"[a-z]+", table):
        print(table)
    # ruleid: python-sql-injection
    cursor.execute(f"SELECT * FROM {table}")


def letters(cursor):
    table = request.args["table"]
    if not table or not table.isidentifier():
        abort(400)
    # ok: python-sql-injection
    cursor.execute(f"SELECT * FROM {table}")


def letters_in_vain(cursor):
    table = request.args["table"]
    if not table.isidentifier():
        pass
    # ruleid: python-sql-injection
    cursor.execute(f"SELECT * FROM {table}")


def what_is_left(cursor):
    table = re.sub(r"[^a-zA-Z0-9_]", "", request.args["table"])
    # ok: python-sql-injection
    cursor.execute(f"SELECT * FROM {table}")
    table = re.sub(r"[;-]", "", request.args["table"])
    # ruleid: python-sql-injection
    cursor.execute(f"SELECT * FROM {table}")


def every_field(cursor):
    fields = request.args["fields"].split(",")
    if any(field not in COLUMNS for field in fields):
        abort(400)
    # ok: python-sql-injection
    cursor.execute("SELECT " + ", ".join(fields) + " FROM users")


def every_field_but_named(cursor):
    fields = request.args["fields"].split(",")
    if any(field in COLUMNS for field in fields):
        pass
    # ruleid: python-sql-injection
    cursor.execute("SELECT " + ", ".join(fields) + " FROM users")


def shared_fields(cursor):
    fields = set(request.args.getlist("field")).intersection(COLUMNS)
    # ok: python-sql-injection
    cursor.execute("SELECT " + ", ".join(fields) + " FROM users")


def guard_of_this_file(cursor):
    column = known(request.args["sort"])
    # ok: python-sql-injection
    cursor.execute(f"SELECT * FROM users ORDER BY {column}")


def guard_that_only_tells(cursor):
    column = unknown(request.args["sort"])
    # ruleid: python-sql-injection
    cursor.execute(f"SELECT * FROM users ORDER BY {column}")


def identifiers(cursor):
    columns = sql.SQL(", ").join(map(sql.Identifier, request.args.getlist("column")))
    # ok: python-sql-injection
    cursor.execute(sql.SQL("SELECT {} FROM users").format(columns))


@app.get("/choice")
def choice(order: Literal["name", "age"], cursor=None):
    # ok: python-sql-injection
    cursor.execute(f"SELECT * FROM users ORDER BY {order}")


@app.get("/enumeration")
def enumerated(order: Sort, cursor=None):
    # ok: python-sql-injection
    cursor.execute(f"SELECT * FROM users ORDER BY {order.value}")


@app.get("/optional")
def optional(page: Optional[int] = None, size: Annotated[int, Query(ge=1)] = 1, cursor=None):
    # ok: python-sql-injection
    cursor.execute(f"SELECT * FROM users LIMIT {size} OFFSET {page or 0}")


@app.get("/pattern")
def held_to_a_pattern(table: str = Query(pattern="^[a-z]+$"), cursor=None):
    # ok: python-sql-injection
    cursor.execute(f"SELECT * FROM {table}")


@app.get("/free")
def free(order: str, table: Annotated[str, Query(max_length=9)], cursor=None):
    # ruleid: python-sql-injection
    cursor.execute(f"SELECT * FROM users ORDER BY {order}")
    # ruleid: python-sql-injection
    cursor.execute(f"SELECT * FROM {table}")


@app.get("/or-text")
def number_or_text(order: int | str, table: str = Query(pattern=".*"), cursor=None):
    # ruleid: python-sql-injection
    cursor.execute(f"SELECT * FROM users ORDER BY {order}")
    # ruleid: python-sql-injection
    cursor.execute(f"SELECT * FROM {table}")


@app.post("/model")
def model(page: Page, cursor=None):
    # ok: python-sql-injection
    cursor.execute(f"SELECT * FROM users LIMIT {page.number}")
    # ruleid: python-sql-injection
    cursor.execute(f"SELECT * FROM users ORDER BY {page.title}")


def weak_checks():
    name = request.args["name"]
    if not re.match("a", name):
        return ""
    # ruleid: python-sql-injection
    cursor.execute("SELECT * FROM users WHERE name = '" + name + "'")
    other = request.args["other"]
    if re.match(r"^[a-z]+", other):
        # ruleid: python-sql-injection
        cursor.execute("SELECT * FROM users WHERE name = '" + other + "'")
    third = request.args["third"]
    if third.isdigit() or is_admin():
        # ruleid: python-sql-injection
        cursor.execute("SELECT * FROM users WHERE id = " + third)
    fourth = request.args["fourth"]
    if re.match(r"^[a-z]+$", fourth):
        # ok: python-sql-injection
        cursor.execute("SELECT * FROM users WHERE name = '" + fourth + "'")
