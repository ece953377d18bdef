"""One flaw under every name that suggests it does not matter, found in full by the real engine."""

import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Mergegate

PYTHON = """\
import sqlite3

from flask import Flask, request

app = Flask(__name__)


@app.route("/user")
def user():
    db = sqlite3.connect("a.db")
    rows = db.execute("SELECT * FROM users WHERE name = '" + request.args["name"] + "'")
    return str(rows.fetchall())
"""
SCRIPT = """\
const app = require("express")();
const db = require("mysql").createConnection({});
app.get("/user", (req, res) => {
  db.query("SELECT * FROM u WHERE n = '" + req.query.n + "'", (error, rows) => res.json(rows));
});
"""
FOLDERS = """
    benchmark bench benches testing test tests mytest loadtest test_service api-tests spec
    specs e2e mocks mock stubs fixtures testdata test_data __tests__ __mocks__ cypress
    src/test src/it extern externals third_party thirdparty vendor vendored _vendor
    site-packages Pods .yarn site website docs doc documentation wiki man demo demos sandbox
    examples example samples tutorial playground recipes snippets cookbook quickstart
    templates/project_name dist build umd bundle __generated__ .next node_modules/x venv
    .tox __pycache__
"""
MODULES = """
    test.py tests.py test_app.py app_test.py conftest.py history.py news.py changes.py
    readme.py app_pb2.py app_generated.py app.generated.py app.example.py app-sample.py
    app.dist.py app.template.py setup.py noxfile.py
"""
SCRIPTS = """
    jquery.js jquery-3.7.1.min.js lodash.js react.min.js bootstrap-5.js prototype.js
    app.min.js app-min.js app.bundle.js app.chunk.js app.umd.js app.test.js app.spec.js
    app.stories.js app-e2e.js app.cy.js dist/index.js build/index.js umd/index.js
    bower_components/a.js
"""
PLACES = {
    **{f"{folder}/app.py": PYTHON for folder in FOLDERS.split()},
    **dict.fromkeys(MODULES.split(), PYTHON),
    **dict.fromkeys(SCRIPTS.split(), SCRIPT),
}


def laid(root: Path, texts: dict[str, str]) -> None:
    for path, text in texts.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)


def found(mergegate: Mergegate, root: Path, *arguments: str) -> dict[str, Any]:
    """The severity of the SQL injection, by path."""
    run = mergegate("scan", root, "--only", "code", "--offline", "--format", "json", *arguments)
    return {
        one["file"]: one["severity"]
        for one in run.json["issues"]
        if one["ruleId"].endswith("sql-injection")
    }


@pytest.mark.parametrize("listed", [True, False], ids=["git", "folder"])
def test_no_name_hides_or_lowers_a_flaw(listed: bool, mergegate: Mergegate, tmp_path: Path) -> None:
    laid(tmp_path, PLACES)
    if listed:
        subprocess.run(["git", "init", "-q", tmp_path], check=True)
    assert found(mergegate, tmp_path) == dict.fromkeys(PLACES, "critical")
