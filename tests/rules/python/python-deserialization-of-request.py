import base64
import json
import pickle

import jsonpickle
from flask import Flask, request
from sanic import Sanic

app = Flask(__name__)


@app.post("/restore")
def restore():
    # ruleid: python-deserialization-of-request
    state = pickle.loads(base64.b64decode(request.cookies["state"]))
    return {"state": state}


@app.post("/job")
def job():
    # ruleid: python-deserialization-of-request
    task = jsonpickle.decode(request.data)
    # ok: python-deserialization-of-request
    fields = json.loads(request.data)
    return {"task": task, "fields": fields}


def cached(path):
    with open(path, "rb") as stream:
        # ok: python-deserialization-of-request
        return pickle.load(stream)
