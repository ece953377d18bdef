import sqlite3

from django.db import connection
from fastapi import APIRouter, Depends
from flask import Flask, request
from sqlalchemy import select, text

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
