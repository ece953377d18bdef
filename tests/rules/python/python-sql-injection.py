import sqlite3

import sqlalchemy as sa
from django.db import connection
from fastapi import APIRouter, Depends
from flask import Flask, request
from sqlalchemy import select, text
from sqlalchemy.dialects import postgresql

app = Flask(__name__)
router = APIRouter()


@app.get("/users")
def users():
    name = request.args.get("name", "")
    db = sqlite3.connect("app.db")
    # ruleid: python-sql-injection
    db.execute("SELECT * FROM users WHERE name = '" + name + "'")
    # ok: python-sql-injection
    return list(db.execute("SELECT * FROM users WHERE name = ?", (name,)))


@app.route("/orders/<reference>")
def order(reference):
    cursor = sqlite3.connect("app.db").cursor()
    query = "SELECT * FROM orders WHERE reference = '{}'".format(reference.strip())
    # ruleid: python-sql-injection
    cursor.execute(query)
    return cursor.fetchall()


@app.route("/orders/<int:number>")
def order_by_number(number):
    cursor = sqlite3.connect("app.db").cursor()
    # ok: python-sql-injection
    cursor.execute("SELECT * FROM orders WHERE number = %s" % number)
    return cursor.fetchall()


def django_view(request, slug):
    with connection.cursor() as cursor:
        # ruleid: python-sql-injection
        cursor.execute(f"SELECT title FROM pages WHERE slug = '{slug}'")
        # ok: python-sql-injection
        cursor.execute("SELECT title FROM pages WHERE slug = %s", [slug])
        # ok: python-sql-injection
        cursor.execute(f"SELECT title FROM pages LIMIT {int(request.GET['limit'])}")
        return render(request, "page.html", {"row": cursor.fetchone()})


@router.get("/items")
async def items(order: str, limit: int, session=Depends(get_session)):
    # ruleid: python-sql-injection
    rows = await session.execute(text(f"SELECT * FROM items ORDER BY {order}"))
    # ok: python-sql-injection
    few = await session.execute(text(f"SELECT * FROM items LIMIT {limit}"))
    # ok: python-sql-injection
    same = await session.execute(select(Item).where(Item.name == order))
    return rows, few, same


@router.get("/sorted")
async def sorted_items(order: str, session=Depends(get_session)):
    if order not in ("name", "price"):
        order = "name"
    # ok: python-sql-injection
    return await session.execute(text(f"SELECT * FROM items ORDER BY {order}"))


def handler(event, context):
    # ruleid: python-sql-injection
    conn.cursor().execute("DELETE FROM jobs WHERE id = " + event["pathParameters"]["id"])


class GraphView:
    def post(self, request):
        # ok: python-sql-injection
        return schema.execute(request.data["query"])


@app.post("/rename")
def rename():
    new, number = request.json["name"], request.json["id"]
    # ok: python-sql-injection
    session.execute(sa.update(User).where(User.id == number).values(name=new))
    # ok: python-sql-injection
    session.execute(sa.insert(User).values(request.json).returning(User.id))
    # ok: python-sql-injection
    session.execute(postgresql.insert(User).values(name=new).on_conflict_do_nothing())
    # ok: python-sql-injection
    session.execute(User.__table__.update().where(User.c.id == number).values({"name": new}))
    # ok: python-sql-injection
    session.execute(sa.delete(User).where(User.name.in_(request.json["names"])))
    # ok: python-sql-injection
    session.execute(sa.select(User).where(User.name.ilike(f"%{new}%")).limit(5))
    # ok: python-sql-injection
    session.execute(sa.select(User).filter_by(name=new))
    # ok: python-sql-injection
    session.execute(sa.text("SELECT :name").bindparams(name=new))
    statement = sa.update(User).values(name=new)
    # ok: python-sql-injection
    session.execute(statement.where(User.id == number))
    # ok: python-sql-injection
    session.execute(sa.insert(User), request.json["rows"])
    # ruleid: python-sql-injection
    broken = sa.text(f"UPDATE users SET name = '{new}'")
    # ruleid: python-sql-injection
    session.execute(sa.select(User).where(sa.text(f"name = '{new}'")))
    # ruleid: python-sql-injection
    session.execute("SELECT 1 WHERE " + " AND ".join(request.args.values()))


@app.get("/other-names")
def other_names(store):
    name = request.args["name"]
    # ruleid: python-sql-injection
    sqlite3.connect("shop").execute("SELECT * FROM a WHERE b = '" + name + "'")
    held = sqlite3.connect("shop")
    # ruleid: python-sql-injection
    held.execute("select " + name)
    # ok: python-sql-injection
    held.execute("SELECT * FROM a WHERE b = ?", (name,))
    with held.cursor() as pointer:
        # ruleid: python-sql-injection
        pointer.execute("DELETE FROM a WHERE b = '%s'" % name)
    # ruleid: python-sql-injection
    store.execute(f"DELETE FROM a WHERE b = '{name}'")
    # ok: python-sql-injection
    store.execute("DELETE FROM a WHERE b = ?", [name])
    # ok: python-sql-injection
    store.execute(name)
