import os
import subprocess

from flask import Flask, request

app = Flask(__name__)
TOOLS = {"gif": "gifsicle", "png": "optipng"}


@app.post("/run")
def run_tool():
    tool = request.json["tool"]
    # ruleid: python-program-from-request
    subprocess.run([tool, "--version"], check=True)
    # ruleid: python-program-from-request
    os.execvp(tool, ["x"])
    # ok: python-program-from-request
    subprocess.run(["tool", tool], check=True)
    # ok: python-program-from-request
    subprocess.run([TOOLS[tool], "--version"], check=True)
    return "done"
