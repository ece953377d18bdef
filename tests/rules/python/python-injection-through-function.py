import os
import shlex
import subprocess

from flask import Flask, request

app = Flask(__name__)


def run(command):
    os.system("nice " + command)


async def run_later(command, user):
    return subprocess.run(command, shell=True, cwd=user)


def calculated(name, formula):
    return eval(formula)


class Shell:
    def call(self, command):
        return subprocess.getoutput(command)

    def get(self):
        # ruleid: python-injection-through-function
        self.call(request.args["command"])


def quoted(name):
    os.system("ls " + shlex.quote(name))


def checked(name):
    if name not in ("a", "b"):
        return
    os.system("ls " + name)


def converted(lines):
    lines = int(lines)
    os.system(f"head -n {lines} log")


def listed(name):
    subprocess.run(["ls", name])


@app.get("/")
async def view():
    command = request.args["command"]
    # ruleid: python-injection-through-function
    run(command)
    # ruleid: python-injection-through-function
    run(command=command)
    # ruleid: python-injection-through-function
    await run_later(command, "worker")
    # ruleid: python-injection-through-function
    calculated("sum", request.args["sum"])
    # ruleid: python-injection-through-function
    Shell().call(command)
    # ruleid: python-injection-through-function
    later(command)
    # ok: python-injection-through-function
    calculated(command, "1 + 1")
    # ok: python-injection-through-function
    quoted(command)
    # ok: python-injection-through-function
    checked(command)
    # ok: python-injection-through-function
    converted(command)
    # ok: python-injection-through-function
    listed(command)
    # ok: python-injection-through-function
    run("uptime")
    return "started"


def later(command):
    os.popen(command)
