import os
import uuid
from pathlib import Path

from fastapi import FastAPI
from fastapi.responses import FileResponse
from flask import Flask, request, send_file, send_from_directory
from werkzeug.utils import secure_filename

app = Flask(__name__)
api = FastAPI()
UPLOADS = Path("uploads")


@app.get("/download")
def download():
    name = request.args["name"]
    # ruleid: python-path-traversal
    return send_file(os.path.join("uploads", name))


@app.get("/download/<path:name>")
def download_safely(name):
    # ok: python-path-traversal
    return send_from_directory("uploads", name)


@app.post("/upload")
def upload():
    sent = request.files["file"]
    # ruleid: python-path-traversal
    sent.save(os.path.join("uploads", sent.filename))
    # ok: python-path-traversal
    sent.save(os.path.join("uploads", secure_filename(sent.filename)))
    return "ok"


@api.get("/notes/{title}")
async def note(title: str, number: int):
    # ruleid: python-path-traversal
    with open(f"notes/{title}.txt") as stream:
        body = stream.read()
    # ok: python-path-traversal
    with open(f"notes/{number}.txt") as stream:
        return body + stream.read()


@api.get("/images/{name}")
async def image(name: str):
    path = (UPLOADS / name).resolve()
    if not path.is_relative_to(UPLOADS):
        raise PermissionError
    # ok: python-path-traversal
    return FileResponse(path)


def report(request, name):
    # ruleid: python-path-traversal
    content = (UPLOADS / name).read_text()
    document = Document.objects.get(pk=request.GET["id"])
    # ok: python-path-traversal
    with open(document.path) as stream:
        content += stream.read()
    # ok: python-path-traversal
    with open(os.path.basename(request.GET["file"])) as stream:
        content += stream.read()
    return HttpResponse(content)


@app.get("/report")
def by_number():
    number = uuid.UUID(request.args["number"])
    # ok: python-path-traversal
    return open(f"/srv/reports/{number}").read()
