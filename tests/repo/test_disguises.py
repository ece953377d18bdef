"""One injection in every disguise that what runs it sees through: found on its line in each."""

import json

import pytest

from mergegate.repo.engines.semgrep import Semgrep
from mergegate.sandbox.engines.engine import EngineContext
from mergegate.sandbox.files.checkout import read_tree
from mergegate.sandbox.files.stage import Stage

PYTHON = "from flask import request\nimport os\n\ndef f():\n    os.system(request.args['x'])\n"
SCRIPT = (
    'const { exec } = require("child_process");\nconst app = require("express")();\n\n'
    'app.get("/", (req, res) => {\n  exec(req.query.x);\n});\n'
)
JAVA = (
    "import javax.servlet.http.*;\nclass A extends HttpServlet {\n"
    "  void doGet(HttpServletRequest req, HttpServletResponse res) throws Exception {\n\n"
    '    Runtime.getRuntime().exec(req.getParameter("x"));\n  }\n}\n'
)
NOTEBOOK = {
    "cells": [{"cell_type": "code", "source": PYTHON.splitlines(keepends=True)}],
    "metadata": {},
}
"""Each flaw stands on line 5."""

DISGUISES = {
    "plain.py": (PYTHON.encode(), 5),
    "mark.py": (PYTHON.encode("utf-8-sig"), 5),
    "returns.py": (PYTHON.replace("\n", "\r").encode(), 5),
    "returns.js": (SCRIPT.replace("\n", "\r").encode(), 5),
    "Wide.java": (JAVA.encode("utf-16"), 5),
    "Unmarked.java": (JAVA.encode("utf-16-be"), 5),
    "wide.ts": (SCRIPT.encode("utf-16"), 5),
    "nul.ts": (SCRIPT.replace("\n\n", "\n// \0\n").encode(), 5),
    "latin.js": (SCRIPT.replace("\n\n", "\n// é\n").encode("latin-1"), 5),
    "long.js": (SCRIPT.replace("\n\n", f"\n// {'x' * 5000}\n").encode(), 5),
    "declared.py": (("# coding: utf-7\n" + PYTHON).replace("system", "+AHM-ystem").encode(), 6),
    "letters.py": (PYTHON.replace("system", "𝐬𝐲𝐬𝐭𝐞𝐦").encode(), 5),
    "Escaped.java": (JAVA.replace("exec", "e\\u0078ec").encode(), 5),
    "escaped.js": (SCRIPT.replace("exec(req", "\\u0065xec(req").encode(), 5),
    "bin/run": (("#!/usr/bin/env python3\n" + PYTHON).encode(), 6),
    "other.rb": (("#!/usr/bin/python3\n" + PYTHON).encode(), 6),
    "notes.txt": (PYTHON.encode(), 5),
    "page.vue": ((f'<p/><script lang="ts">\n{SCRIPT}</script>').encode(), 6),
    "page.svelte": ((f"<script>\n{SCRIPT}</script>").encode(), 6),
    "page.html": ((f"<p>é\n<script>\n{{% if x %}}\n{SCRIPT}</script>").encode(), 8),
    "cells.ipynb": (json.dumps(NOTEBOOK, indent=1, ensure_ascii=False).encode(), 10),
}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[int]]:
    """Path → the lines on which a command injection was found."""
    root = tmp_path_factory.mktemp("disguises")
    for path, (content, _) in DISGUISES.items():
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_bytes(content)
    (root / "app.py").symlink_to("notes.txt")
    with Stage() as stage:
        tree = read_tree(root, readings=stage.room("readings"))
        wanted = [file for file in tree.files if Semgrep().wants(file)]
        answers = Semgrep().examine(wanted, EngineContext(stage)).answers
    return {
        file.path: [
            match.start_line
            for match in answers[file.key].matches
            if match.rule_id.endswith("command-injection")
        ]
        for file in wanted
    }


@pytest.mark.parametrize("path", DISGUISES)
def test_the_flaw_is_found_on_its_line(path: str, found: dict[str, list[int]]) -> None:
    assert found[path] == [DISGUISES[path][1]]
