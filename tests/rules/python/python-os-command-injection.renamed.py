"""Names that clean elsewhere, and mean another thing here."""

import os

from flask import Flask, request

app = Flask(__name__)
int = str
HOSTS = {"localhost"}


def is_host(given):
    return True


@app.get("/cleaned")
def cleaned():
    # ruleid: python-os-command-injection
    os.system("ping " + int(request.args["host"]))


@app.get("/checked")
def checked():
    host = request.args["host"]
    if is_host(host):
        # ruleid: python-os-command-injection
        os.system("ping " + host)
    # ok: python-os-command-injection
    os.system("uptime")
    if host in HOSTS:
        # ok: python-os-command-injection
        os.system("ping " + host)
