from bson import ObjectId
from flask import Flask, request

app = Flask(__name__)


@app.post("/login")
def login():
    given = request.get_json()
    # ruleid: python-nosql-injection
    user = db.users.find_one({"name": given["name"], "password": given["password"]})
    # ok: python-nosql-injection
    same = db.users.find_one({"name": str(given["name"])})
    # ok: python-nosql-injection
    equal = db.users.find_one({"name": {"$eq": given["name"]}})
    return {"user": user, "same": same, "equal": equal}


@app.post("/search")
def search():
    # ruleid: python-nosql-injection
    items = mongo.db.items.find(request.json)
    # ok: python-nosql-injection
    mine = mongo.db.items.find({"_id": ObjectId(request.json["id"])})
    # ok: python-nosql-injection
    where = "abc".find(request.json["text"])
    return {"items": list(items), "mine": list(mine), "where": where}
