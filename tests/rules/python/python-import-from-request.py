import importlib

from flask import Flask, request

app = Flask(__name__)
PLUGINS = {"csv": "app.readers.csv"}


@app.get("/plugin/<name>")
def plugin(name):
    # ruleid: python-import-from-request
    module = importlib.import_module(f"app.plugins.{name}")
    # ok: python-import-from-request
    reader = importlib.import_module(PLUGINS[name])
    # ok: python-import-from-request
    fixed = importlib.import_module("app.plugins.default")
    return module.render(reader, fixed)


@app.get("/driver")
def driver():
    # ruleid: python-import-from-request
    return __import__(request.args["driver"]).info()
