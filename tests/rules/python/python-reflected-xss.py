import html
import json

from django.http import HttpResponse
from flask import Flask, make_response, request, send_from_directory
from markupsafe import Markup, escape

app = Flask(__name__)


@app.get("/search")
def search():
    term = request.args.get("q", "")
    # ruleid: python-reflected-xss
    return f"<h1>Results for {term}</h1>"


@app.get("/search-safely")
def search_safely():
    term = request.args.get("q", "")
    # ok: python-reflected-xss
    return f"<h1>Results for {escape(term)}</h1>"


@app.route("/users/<name>")
def user(name):
    # ruleid: python-reflected-xss
    return "Hello " + name


@app.get("/count")
def count():
    pages = int(request.args["pages"])
    # ok: python-reflected-xss
    return "There are %d pages" % pages


@app.get("/banner")
def banner():
    # ruleid: python-reflected-xss
    text = Markup("<b>" + request.args["text"] + "</b>")
    # ok: python-reflected-xss
    return make_response(json.dumps({"text": request.args["text"]}))


def greet(request):
    name = request.GET["name"]
    if name == "x":
        # ok: python-reflected-xss
        return HttpResponse(html.escape(name))
    if name == "json":
        # ok: python-reflected-xss
        return HttpResponse(json.dumps(request.GET), content_type="application/json")
    # ruleid: python-reflected-xss
    return HttpResponse("Hello %s" % name)


@app.get("/files")
def picture():
    # ok: python-reflected-xss
    return make_response(send_from_directory("pictures", request.args["name"]))
