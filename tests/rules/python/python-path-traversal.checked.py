import os
import re
from pathlib import Path, PurePath

from flask import abort, request

ROOT = Path("/srv/data").resolve()


def inside(name):
    path = (ROOT / name).resolve()
    if not path.is_relative_to(ROOT):
        raise ValueError(name)
    return path


def beside(name):
    path = (ROOT / name).resolve()
    if not path.exists():
        raise ValueError(name)
    return path


def through_a_function():
    # ok: python-path-traversal
    return inside(request.args["name"]).read_text()


def through_one_that_does_not_look():
    # ruleid: python-path-traversal
    return beside(request.args["name"]).read_text()


def parents():
    path = (ROOT / request.args["name"]).resolve()
    if ROOT not in path.parents:
        abort(404)
    # ok: python-path-traversal
    return path.read_text()


def last_part():
    name = PurePath(request.args["name"]).name
    # ok: python-path-traversal
    return open(f"/srv/{name}").read()


def folder_of_it():
    name = PurePath(request.args["name"]).parent
    # ruleid: python-path-traversal
    return open(f"/srv/{name}").read()


def letters_alone():
    name = "".join(letter for letter in request.args["name"] if letter.isalnum())
    # ok: python-path-traversal
    return open(f"/srv/{name}.txt").read()


def without_separators():
    name = re.sub(r"[^\w.-]", "_", request.args["name"])
    # ok: python-path-traversal
    return open(f"/srv/{name}").read()


def without_blanks():
    name = re.sub(r"\s", "_", request.args["name"])
    # ruleid: python-path-traversal
    return open(f"/srv/{name}").read()


def resolved_where_it_is_asked():
    path = os.path.join("/srv/data", request.args["name"])
    if not os.path.abspath(path).startswith("/srv/data/"):
        abort(404)
    # ok: python-path-traversal
    return open(path).read()


def resolved_and_not_asked():
    path = os.path.join("/srv/data", request.args["name"])
    if not os.path.abspath(path):
        abort(404)
    # ruleid: python-path-traversal
    return open(path).read()
