from flask import Flask, request
from lxml import etree

app = Flask(__name__)


@app.get("/users/<name>")
def user(name):
    tree = etree.parse("users.xml")
    # ruleid: python-xpath-injection
    found = tree.xpath(f"//user[@name='{name}']")
    # ok: python-xpath-injection
    safe = tree.xpath("//user[@name=$name]", name=name)
    # ok: python-xpath-injection
    third = tree.xpath(f"//user[{int(request.args['position'])}]")
    return {"found": len(found) + len(safe) + len(third)}


@app.get("/nodes")
def nodes():
    # ruleid: python-xpath-injection
    select = etree.XPath("//" + request.args["tag"])
    return {"found": len(select(etree.parse("users.xml")))}
