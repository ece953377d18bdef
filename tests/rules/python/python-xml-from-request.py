import defusedxml.ElementTree
from flask import Flask, request
from lxml import etree

app = Flask(__name__)
STRICT = etree.XMLParser(resolve_entities=False)


@app.post("/feed")
def feed():
    # ruleid: python-xml-from-request
    tree = etree.fromstring(request.data)
    # ok: python-xml-from-request
    safe = etree.fromstring(request.data, STRICT)
    # ok: python-xml-from-request
    same = defusedxml.ElementTree.fromstring(request.data)
    return {"entries": len(tree) + len(safe) + len(same)}


@app.post("/document")
def document():
    # ruleid: python-xml-from-request
    return str(etree.parse(request.files["document"]).getroot().tag)
