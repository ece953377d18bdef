import socket

import uvicorn
from flask import Flask

app = Flask(__name__)


def serve():
    listener = socket.socket()
    # ruleid: python-bind-all-interfaces
    listener.bind(("0.0.0.0", 8080))
    # ruleid: python-bind-all-interfaces
    app.run(host="0.0.0.0", port=8080)
    # ruleid: python-bind-all-interfaces
    uvicorn.run(app, host="0.0.0.0")


def serve_locally(address):
    listener = socket.socket()
    # ok: python-bind-all-interfaces
    listener.bind(("127.0.0.1", 8080))
    # ok: python-bind-all-interfaces
    app.run(host="localhost")
    # ok: python-bind-all-interfaces
    uvicorn.run(app, host=address)
