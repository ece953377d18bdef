"""Types and arguments called like a conversion are no other meaning of it."""

import os

from flask import Flask, request

app = Flask(__name__)


def page(number: int = 1, *, limit: float = 3.0) -> int:
    return convert(int=number, float=limit)


class Settings:
    port: int = 80

    def is_set(self):
        return True


def is_host(given):
    known = given.strip().lower()
    return known in {"localhost"}


@app.get("/cleaned")
def cleaned():
    # ok: python-os-command-injection
    os.system(f"head -n {int(request.args['lines'])} log")
    host = request.args["host"]
    # ruleid: python-os-command-injection
    os.system(f"ping {host}")
    # ruleid: python-os-command-injection
    os.system("ping " + str(host))
    if not is_host(host):
        return "another host"
    # ok: python-os-command-injection
    os.system("ping " + host)
