"""One critical flaw in many disguises: what a scan of the change that brings it says of each.

Each disguise is a change of its own to a small clean repository, beside forty lines of ordinary
work, scanned with ``mergegate scan --base … --fail-on new``. None may exit 0 without saying so.
"""

import base64
import hashlib
import io
import json
import os
import re
import zipfile
from collections.abc import Callable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any

from mergegate.core.languages import language_of
from mergegate.core.tree import display
from tests.changes import Project, Said, scanned
from tests.secrets.spelled import SPELLED


class Outcome(StrEnum):
    """What became of a disguise."""

    STOPPED = "found, and the change stopped"
    INCOMPLETE = "named, and the scan incomplete"
    NAMED = "named as not searched, or as a risk"
    REFUSED = "refused with an error"
    SILENT = "SILENT"


DOCS = Path(__file__).parents[2] / "docs" / "disguises.md"
ROW = re.compile(r"^\| ([^|]+) \| ([^|]+) \| (\d) \|$", re.MULTILINE)
"""Of its tables: a disguise, what became of it, and the exit code."""
ASPECTS = "code,secrets,iac"
EXITS = {1: Outcome.STOPPED, 2: Outcome.REFUSED, 3: Outcome.INCOMPLETE}

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
GO = (
    'package a\n\nimport (\n\t"net/http"\n\t"os/exec"\n)\n\n'
    "func F(w http.ResponseWriter, r *http.Request) {\n"
    '\texec.Command("sh", "-c", r.FormValue("x")).Run()\n}\n'
)
IN_LINE = "from flask import request; import os; os.system(request.args['x'])"
KEY = (
    b"-----BEGIN RSA PRIVATE KEY-----\n"
    + base64.encodebytes(hashlib.shake_256(b"a key of nobody").digest(600))
    + b"-----END RSA PRIVATE KEY-----\n"
)
WORK = "".join(f"def work_{n}(value):\n    return value + {n}\n" for n in range(20))


def below(margin: str, text: str = PYTHON) -> str:
    return "".join(f"{margin}{line}\n" for line in text.splitlines())


def packed(text: str) -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr(zipfile.ZipInfo("__main__.py"), text)
    return archive.getvalue()


def notebook(source: Any, **more: Any) -> str:
    cell = {"cell_type": "code", "source": source, "outputs": []}
    return json.dumps({"cells": [cell], "metadata": {}, **more}, indent=1, ensure_ascii=False)


def lfs(digest: str) -> str:
    return f"version https://git-lfs.github.com/spec/v1\noid sha256:{digest}\nsize 9\n"


Files = Mapping[str, tuple[str, str | bytes]]
"""Disguise → path and content."""

NAMES: Files = {
    "plain": ("app.py", PYTHON),
    "no suffix, which a build file runs": ("bin/serve", PYTHON),
    "called text": ("notes.txt", PYTHON),
    "called documentation": ("README.md", f"# Notes\n\n{PYTHON}"),
    "called data": ("app.json", PYTHON),
    "called settings of YAML": ("app.yaml", f"# x\n{PYTHON}"),
    "called a page": ("app.html", PYTHON),
    "called a backup": ("app.py.bak", PYTHON),
    "called settings": ("app.conf", SCRIPT),
    "a suffix in other letters": ("APP.PY", PYTHON),
    "a suffix with a Cyrillic letter": ("app.p\u0443", PYTHON),
    "nothing but a suffix": (".py", PYTHON),
    "for WSGI": ("app.wsgi", PYTHON),
    "a path file, which Python runs when it starts": (
        "site.pth",
        IN_LINE.replace("from", "import flask; from", 1),
    ),
    "an old suffix of a script": ("app.es6", SCRIPT),
    "a Java shell": ("A.jsh", JAVA),
    "a name with a line break": ("a\nb.py", PYTHON),
    "a name that reads from the right": ("\u202eyp.app.py", PYTHON),
    "a name like an option": ("--help.py", PYTHON),
    "a hidden file": (".app.py", PYTHON),
    "a compiled module": ("app.pyc", b"\xcb\r\r\n" + bytes(range(256)) * 4),
}
FOLDERS: Files = {
    "in a folder of tests": ("tests/app.py", PYTHON),
    "in a folder of vendored code": ("third_party/app.py", PYTHON),
    "in a folder that only looks like a virtual environment": (".venv/app.py", PYTHON),
    "in a folder of the forge": (".github/scripts/app.py", PYTHON),
    "below 220 folders": ("d/" * 220 + "app.py", PYTHON),
    "called like a library": ("static/jquery-3.7.1.min.js", SCRIPT),
    "called as if it was generated": ("api/app_pb2.py", PYTHON),
}
ENCODINGS: Files = {
    "UTF-16": ("app.js", SCRIPT.encode("utf-16")),
    "UTF-16 without a mark": ("A.java", JAVA.encode("utf-16-be")),
    "UTF-32": ("app.ts", SCRIPT.encode("utf-32")),
    "UTF-32 without a mark": ("wide.js", SCRIPT.encode("utf-32-le")),
    "UTF-7": ("app.py", "# coding: utf-7\n" + PYTHON.replace("system", "+AHM-ystem")),
    "UTF-7 that hides line ends": (
        "app.py",
        "# coding: utf_7\n" + PYTHON.replace(" os.s", " 1+AAo-    os.s"),
    ),
    "escapes throughout": (
        "app.py",
        "# coding: unicode_escape\n" + PYTHON.replace("sys", "s\\x79s"),
    ),
    "an Asian encoding": ("app.py", ("# coding: shift_jis\n# 表\n" + PYTHON).encode("shift_jis")),
    "a byte order mark": ("app.py", PYTHON.encode("utf-8-sig")),
    "line ends of an old Mac": ("app.go", GO.replace("\n", "\r")),
    "a line separator of Unicode": ("app.js", SCRIPT.replace("\n\n", "\u2028// x\u2029", 1)),
    "a NUL in a comment": ("app.js", SCRIPT.replace("\n\n", "\n// \0\n", 1)),
    "so many NULs that it looks binary": (
        "app.js",
        SCRIPT.replace("\n\n", f"\n//{chr(0) * 200}\n", 1),
    ),
    "bytes of no encoding": ("app.js", SCRIPT.replace("\n\n", "\n// é\n", 1).encode("latin-1")),
    "mathematical letters": ("app.py", PYTHON.replace("system", "𝐬𝐲𝐬𝐭𝐞𝐦")),
    "letters of full width": ("app.py", PYTHON.replace("os", "ｏｓ")),
    "escapes in names of Java": ("A.java", JAVA.replace("exec", "e\\u0078ec")),
    "a line end in a comment of Java": ("A.java", JAVA.replace("\n\n    Run", "\n // \\u000a Run")),
    "escapes in names of a script": ("app.js", SCRIPT.replace("exec(req", "ex\\u{65}c(req")),
}
TEXTS: Files = {
    "a long comment": ("app.py", f"{PYTHON}# {'x' * 60_000}\n"),
    "mostly one long line": ("app.py", f"{PYTHON}x = '{'x' * 70_000}'\n"),
    "minified": ("app.js", SCRIPT.replace("\n", " ") + f"/*{'a ' * 40_000}*/\n"),
    "more than 1 MiB": ("app.py", PYTHON + "x = 1\n" * 200_000),
    "more than 5 MiB": ("app.py", PYTHON + "x = 1\n" * 1_000_000),
    "beside a sum of 50,000 terms": (
        "app.py",
        f"{PYTHON}x = (\n" + "    1 +\n" * 50_000 + "    1)\n",
    ),
    "beside 900 brackets": ("app.py", f"{PYTHON}x = {'(' * 900}1{')' * 900}\n"),
    "beside 1,500 of its kind": ("app.py", PYTHON + "    os.system(request.args['x'])\n" * 1_500),
    "below a syntax error": ("app.py", f"def g(:\n\n{PYTHON}"),
    "below the header of generated code": ("app.py", f"# Generated by x. DO NOT EDIT.\n{PYTHON}"),
    "below the banner of a library": (
        "jq.js",
        f"/*! jQuery v3.7.1 | (c) OpenJS Foundation | jquery.org/license */\n{SCRIPT}",
    ),
    "beside a test of its own": (
        "app.py",
        f"import pytest\n\ndef test_x():\n    assert 1\n\n{PYTHON}",
    ),
    "beside a suite": ("app.js", f"{SCRIPT}describe('x', () => {{\n  it('y', () => {{}});\n}});\n"),
    "silenced in its line": ("app.py", PYTHON.replace("x'])", "x'])  # nosemgrep # nosec # noqa")),
    "silenced for its file": ("app.js", f"/* eslint-disable */\n{SCRIPT}"),
    "like a pointer of Git LFS": ("app.py", f"{lfs('a' * 64)}\n{PYTHON}"),
    "an archive that Python runs": ("app.pyz", packed(PYTHON)),
    "an archive called a script": ("app.py", packed(PYTHON)),
    "an archive behind a first line": ("serve", b"#!/usr/bin/env python3\n" + packed(PYTHON)),
}
HOSTS: Files = {
    "a first line": ("bin/run", f"#!/usr/bin/env python3\n{PYTHON}"),
    "a first line by way of another program": (
        "bin/run",
        f"#!/usr/bin/env -S uv run --script\n{PYTHON}",
    ),
    "a first line for a program that nobody knows": (
        "bin/run",
        f"#!/opt/own/interpreter\n{PYTHON}",
    ),
    "a shell and Python at once": (
        "run.sh",
        f"#!/bin/sh\n'''exec' python3 \"$0\" \"$@\"\n' '''\n{PYTHON}",
    ),
    "a notebook": ("a.ipynb", notebook(PYTHON.splitlines(keepends=True))),
    "a notebook that writes a module": ("a.ipynb", notebook(f"%%writefile app.py\n{PYTHON}")),
    "a notebook of an old form": (
        "old.ipynb",
        json.dumps({"worksheets": [{"cells": [{"cell_type": "code", "input": PYTHON}]}]}),
    ),
    "a notebook of R Markdown": ("a.Rmd", f"```{{python}}\n{PYTHON}```\n"),
    "a page": ("a.html", f"<p>é\n<script>\n{{% if x %}}\n{SCRIPT}</script>"),
    "a component of Vue": ("a.vue", f'<p/><script lang="ts">\n{SCRIPT}</script>'),
    "a component of Svelte": ("a.svelte", f"<script>\n{SCRIPT}</script>"),
    "a picture": (
        "a.svg",
        f'<svg xmlns="http://www.w3.org/2000/svg"><script>\n{SCRIPT}</script></svg>',
    ),
    "a component of Astro": ("a.astro", f"---\n{SCRIPT}---\n<p/>\n"),
    "a template of EJS": (
        "a.ejs",
        "<p>x</p>\n<% require('child_process').exec(req.query.x) %>\n" + f"<%\n{SCRIPT}%>",
    ),
    "a template of ERB": ("a.erb", "<p>x</p>\n<% system(params[:x]) %>\n"),
    "a page of JSP": ("a.jsp", '<% Runtime.getRuntime().exec(request.getParameter("x")); %>\n'),
    "a template of another engine": (
        "a.njk",
        f"{{% block x %}}<script>\n{SCRIPT}</script>{{% endblock %}}",
    ),
    "MDX": ("a.mdx", "import x from 'y'\n\n{require('child_process').exec(req.query.x)}\n"),
    "a here-document of a shell": ("run.sh", f"#!/bin/sh\npython3 - <<'END'\n{PYTHON}END\n"),
    "a here-document of a Dockerfile": (
        "Dockerfile",
        f"FROM python:3.12\nUSER app\nCOPY <<END /app.py\n{PYTHON}END\nCMD python3 /app.py\n",
    ),
    "a step of a workflow": (
        ".github/workflows/w.yml",
        (
            "on: push\npermissions: {}\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n"
            f"    - shell: python\n      run: |\n{below('        ')}"
        ),
    ),
    "a job of GitLab": (
        ".gitlab-ci.yml",
        (
            "a:\n  image: python\n  script:\n    - |\n      python3 - <<END\n"
            f"{below(' ' * 6)}      END\n"
        ),
    ),
    "settings of Kubernetes": (
        "map.yaml",
        (
            "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\ndata:\n  app.py: |\n"
            f"{below(' ' * 4)}"
        ),
    ),
    "a function in CloudFormation": (
        "stack.yaml",
        (
            "AWSTemplateFormatVersion: '2010-09-09'\nResources:\n  F:\n"
            "    Type: AWS::Lambda::Function\n    Properties:\n      Runtime: python3.12\n"
            f"      Code:\n        ZipFile: |\n{below(' ' * 10)}"
        ),
    ),
    "an order in a Makefile": ("Makefile", f'run:\n\tpython3 -c "{IN_LINE}"\n'),
    "an order in package.json": (
        "package.json",
        json.dumps({"name": "x", "private": True, "scripts": {"start": f'python3 -c "{IN_LINE}"'}}),
    ),
    "a text that is let run": ("app.py", f"exec('''\n{PYTHON}''')\n"),
    "beside a text that is let run": ("app.py", f"{PYTHON}exec('x = 1')\n"),
    "a script beside a text that is let run": ("app.js", f"{SCRIPT}eval('x = 1');\n"),
    "called by a name that is a text": (
        "app.py",
        PYTHON.replace("os.system(", "getattr(os, 'system')("),
    ),
    "a module that is imported in the call": (
        "app.py",
        PYTHON.replace("os.system(", "__import__('os').system("),
    ),
    "handed to another function": (
        "app.py",
        PYTHON.replace("os.system(request.args['x'])", "list(map(os.system, [request.args['x']]))"),
    ),
    "SQL by a connection of another name": (
        "app.py",
        PYTHON.replace("import os", "import sqlite3").replace(
            "os.system(", "x = sqlite3.connect('a')\n    x.execute('SELECT 1' + "
        ),
    ),
    "a method in brackets": (
        "app.js",
        SCRIPT.replace("exec(req", "require('child_process')['exec'](req"),
    ),
    "imported under another name": (
        "app.js",
        SCRIPT.replace("{ exec }", "{ exec: run }").replace("exec(req", "run(req"),
    ),
    "a text in base 64 that is let run": (
        "app.py",
        f"import base64\nexec(base64.b64decode('{base64.b64encode(PYTHON.encode()).decode()}'))\n",
    ),
    "a language without rules": ("app.php", "<?php system($_GET['x']);\n"),
    "a language without rules, called an include": ("app.inc", "<?php system($_GET['x']);\n"),
    "Terraform in JSON": (
        "net.tf.json",
        (
            '{"resource":{"aws_security_group":{"a":{"ingress":{"from_port":22,"to_port":22,'
            '"protocol":"tcp","cidr_blocks":["0.0.0.0/0"]}}}}}\n'
        ),
    ),
    "a key in UTF-16": ("notes.txt", KEY.decode().encode("utf-16")),
    "a key behind 70,000 lines": ("data.bin", b"x = 1\n" * 70_000 + KEY),
    "a key in documentation": ("README.md", KEY),
    "a key among many that are none": (
        "keys.txt",
        b"".join(b"sk-%040d\n" % n for n in range(400)) + KEY,
    ),
}


def in_python(*lines: str) -> tuple[str, str]:
    """``FLAW`` stands for the call and the function's body is what is said."""
    head, call = PYTHON.split("    os", 1)
    said = (line.replace("FLAW", f"os{call.strip()}") for line in lines)
    return "app.py", f"import contextlib\n{head}" + "".join(f"    {line}\n" for line in said)


def in_script(path: str, *lines: str) -> tuple[str, str]:
    return path, SCRIPT.replace("exec(req.query.x);", "\n".join(lines)).replace(
        "FLAW", "exec(req.query.x);"
    )


def in_java(*lines: str) -> tuple[str, str]:
    head, call = JAVA.split("    Runtime", 1)
    call, end = call.split("\n", 1)
    said = "\n".join(lines).replace("FLAW", f"Runtime{call}")
    return "A.java", f"{head}{said}\n{end}"


def in_go(*lines: str) -> tuple[str, str]:
    head, call = GO.split("\texec", 1)
    said = "\n".join(lines).replace("FLAW", f"exec{call.splitlines()[0]}")
    return "app.go", f"{head}{said}\n}}\n"


FLOWS: Files = {
    "a handler behind a body without a call": in_python(
        "try:", "    pass", "except ValueError:", "    FLAW"
    ),
    "a handler behind an import": in_python(
        "try:", "    import json", "except ImportError:", "    FLAW"
    ),
    "the end of a try that returns": in_python("try:", "    return 1", "finally:", "    FLAW"),
    "the end of a try that breaks": in_python(
        "while True:", "    try:", "        break", "    finally:", "        FLAW"
    ),
    "behind an else of a try": in_python(
        "try:", "    pass", "except E:", "    pass", "else:", "    return", "finally:", "    FLAW"
    ),
    "behind a try whose handler goes on": in_python(
        "try:", "    return {}['x']", "except KeyError:", "    pass", "FLAW"
    ),
    "a handler behind a match": in_python(
        "try:", "    match 1:", "        case [x]: pass", "except E:", "    FLAW"
    ),
    "behind a loop without an end": in_python("while True:", "    if f: break", "FLAW"),
    "behind an else of a loop": in_python("for _ in ():", "    pass", "else:", "    FLAW"),
    "below a flag that is set elsewhere": in_python("DEBUG = False", "if DEBUG:", "    FLAW"),
    "behind an exit that is caught": in_python(
        "with contextlib.suppress(SystemExit):", "    exit()", "FLAW"
    ),
    "behind what is suppressed": in_python(
        "with contextlib.suppress(Exception):", "    raise Exception", "FLAW"
    ),
    "behind a yield": in_python("yield 1", "FLAW"),
    "behind a yield in a with": in_python("with open('x'):", "    yield 1", "FLAW"),
    "a handler of a script": in_script("app.js", "try { res.x.y; } catch {", "FLAW", "}"),
    "the end of a try of a script": in_script("app.ts", "try { return; } finally {", "FLAW", "}"),
    "behind a label of a script": in_script("app.js", "a: { break a; }", "FLAW"),
    "a case behind a default of a script": in_script(
        "app.js", "switch (res) { default: break; case 1:", "FLAW", "}"
    ),
    "a handler of Java": in_java(
        "try { Object y = (String) null; } catch (RuntimeException e) {", "FLAW", "}"
    ),
    "the end of a try of Java": in_java("try { return; } finally {", "FLAW", "}"),
    "behind a label of Java": in_java("a: { break a; }", "FLAW"),
    "behind a yield of Java": in_java("int y = switch (1) { default: yield 2; };", "FLAW"),
    "a case behind a default of Java": in_java(
        "switch (1) { default: break;", "case 2:", "FLAW", "}"
    ),
    "what Go defers": in_go("defer func() {", "FLAW", "}()"),
    "a case behind a default of Go": in_go("switch 1 {", "default:", "case 2:", "FLAW", "}"),
    "behind a label of Go": in_go("a:", "select {", "default: break a", "}", "FLAW"),
}
SPELLINGS: Files = {
    "a conversion that converts nothing": (
        "app.py",
        PYTHON.replace("\n\n", "\nint = str\n\n", 1).replace(
            "request.args['x']", "int(request.args['x'])"
        ),
    ),
    "a check that says yes": (
        "app.py",
        PYTHON.replace("def f", "def is_known(v):\n    return True\n\ndef f").replace(
            "    os.system(request.args['x'])",
            "    v = request.args['x']\n    if is_known(v):\n        os.system(v)",
        ),
    ),
    "a check of which nothing follows": (
        "app.py",
        PYTHON.replace(
            "    os.system(request.args['x'])",
            "    v = request.args['x']\n    if v in ('a', 'b'):\n        pass\n    os.system(v)",
        ),
    ),
    "a check of a value by itself": (
        "app.py",
        PYTHON.replace(
            "    os.system(request.args['x'])",
            "    v = request.args['x']\n    if v in v:\n        os.system(v)",
        ),
    ),
    "an escape that escapes nothing": (
        "app.js",
        SCRIPT.replace("\n\n", "\nconst escape = x => x;\n\n").replace(
            "req.query.x", "'ls ' + escape(req.query.x)"
        ),
    ),
    "a test whose answer nobody reads": (
        "app.js",
        SCRIPT.replace(
            "exec(",
            "const v = req.query.x;\n  /^a$/.test(v);\n  exec(v); (",
        ),
    ),
    "a cleaner of Java that cleans nothing": (
        "A.java",
        JAVA.replace("req.getParameter", "clean(req.getParameter").replace(
            '("x"));', '("x")));\n  }\n\n  String clean(String v) {\n    return v;'
        ),
    ),
    "a check of Go that says yes": (
        "a.go",
        GO.replace("\texec.", '\tv := r.FormValue("x")\n\tif isOk(v) {\n\t\texec.').replace(
            'r.FormValue("x")).Run()', "v).Run()\n\t}"
        )
        + "\nfunc isOk(s string) bool { return true }\n",
    ),
    "a map of Go that hands on what it was given": (
        "a.go",
        GO.replace("\texec.", '\tm := map[string]string{"x": r.FormValue("x")}\n\texec.').replace(
            'r.FormValue("x")).Run', 'm["x"]).Run'
        ),
    ),
    "a request by another name": (
        "app.py",
        PYTHON.replace("    os.system(request", "    r = request\n    os.system(r"),
    ),
    "an attribute by a text": (
        "app.py",
        PYTHON.replace("request.args", "getattr(request, 'args')"),
    ),
    "a part of a text": ("app.py", PYTHON.replace("['x'])", "['x'][1:])")),
    "the query in brackets": ("app.js", SCRIPT.replace("req.query.x", 'req["query"].x')),
    "a request by another name in a script": (
        "app.js",
        SCRIPT.replace("(req, res)", "(a, b)").replace("req.query.x", "a.query.x"),
    ),
    "the address of a request of Go": ("a.go", GO.replace('r.FormValue("x")', "r.URL.Path")),
    "through a function": (
        "app.py",
        PYTHON.replace("def f", "def run(v):\n    os.system(v)\n\ndef f").replace(
            "    os.system(request", "    run(request"
        ),
    ),
}
TOKENS: Files = {
    f"a token, {name.partition(': ')[2]}": (SPELLED[name].path, SPELLED[name].content)
    for name in (
        "joined: adjacent literals over lines",
        "joined: a variable and a literal",
        "joined: join in Terraform",
        "escaped: hexadecimal escapes",
        "escaped: Unicode escapes in JSON",
        "opened: Base64 in Python",
        "opened: reversed",
        "opened: a Kubernetes Secret",
    )
}
FILES: Mapping[str, Files] = {
    "Names": NAMES,
    "Folders": FOLDERS,
    "Encodings": ENCODINGS,
    "Text around it": TEXTS,
    "What it stands in": HOSTS,
    "What runs before it": FLOWS,
    "Spellings": SPELLINGS,
    "Tokens that no line holds whole": TOKENS,
}

State = Callable[[Project], None]
"""Disguises by what surrounds the file, which is ``app.py`` unless it is told otherwise."""


def ignored(project: Project) -> None:
    project.put(".gitignore", "*.py\n")
    project.put("app.py", PYTHON)


def attributed(project: Project) -> None:
    marks = (
        "export-ignore linguist-generated linguist-vendored binary -diff filter=x diff=x merge=ours"
    )
    project.put(".gitattributes", f"* {marks}\n")
    project.put("app.py", PYTHON)


def encoded_in_the_work_tree(project: Project) -> None:
    project.put(".gitattributes", "*.py working-tree-encoding=UTF-16LE-BOM\n")
    project.put("app.py", b"\xff\xfe" + PYTHON.encode("utf-16-le"))


def assumed_unchanged(project: Project) -> None:
    project.put("app.py", "x = 1\n")
    project.commit()
    project.put("app.py", PYTHON)
    project.git("update-index", "--assume-unchanged", "app.py")


def colliding(project: Project) -> None:
    project.put("app.py", "x = 1\n")
    project.put("App.py", PYTHON)


def linked(project: Project) -> None:
    project.put("LICENSE", PYTHON)
    (project.root / "app.py").symlink_to("LICENSE")


def linked_folder(project: Project) -> None:
    project.put("data/app.txt", PYTHON)
    (project.root / "app").symlink_to("data")
    (project.root / "app.py").symlink_to("app/app.txt")


def linked_outside(project: Project) -> None:
    (project.root / "app.py").symlink_to("/usr/share/app.py")


def pointer(project: Project) -> None:
    project.put("app.py", lfs("a" * 64))


def sparse(project: Project) -> None:
    project.put("app.py", PYTHON)
    project.commit()
    project.git("sparse-checkout", "set", "--no-cone", "/clean.py", "/work.py")


def deleted(project: Project) -> None:
    project.put("app.py", PYTHON)
    project.commit()
    (project.root / "app.py").unlink()


def submodule(project: Project) -> None:
    inner = Project(project.root.with_name("inner"))
    inner.put("app.py", PYTHON)
    inner.commit()
    address = str(inner.root)
    project.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", address, "app")
    project.git("commit", "-q", "-m", "x")
    project.git("submodule", "deinit", "-q", "-f", "app")


def another_repository(project: Project) -> None:
    Project(project.root / "app").put("app.py", PYTHON)


def behind_empty_files(project: Project) -> None:
    for number in range(3_000):
        project.put(f"a/{number}.txt", "")
    project.put("z.py", PYTHON)


def out_of_a_sample(project: Project) -> None:
    project.put(
        "pyproject.toml", '[build-system]\nrequires = ["hatchling"]\n[project]\nname = "x"\n'
    )
    project.put("examples/app.py", PYTHON)
    project.starts_here()
    project.git("mv", "examples", "src")


def sample_put_to_use(project: Project) -> None:
    out_of_a_sample(project)
    project.git("mv", "src", "examples")
    project.put("main.py", "from examples import app\n")


def copied(project: Project) -> None:
    project.put("other.py", PYTHON)
    project.starts_here()
    project.put("app.py", PYTHON)


def moved(project: Project) -> None:
    project.put("other.py", PYTHON)
    project.starts_here()
    project.put("other.py", "x = 1\n")
    project.put("app.py", f"{WORK}\n{PYTHON}")


def renamed_and_made_worse(project: Project) -> None:
    project.put("other.py", PYTHON.replace("request.args['x']", "'ls'"))
    project.starts_here()
    project.git("mv", "other.py", "app.py")
    project.put("app.py", PYTHON)


def brought_to_life(project: Project) -> None:
    project.put("app.py", f"if False:\n{below('    ')}")
    project.starts_here()
    project.put("app.py", PYTHON)


def uncommented(project: Project) -> None:
    project.put("app.py", below("# "))
    project.starts_here()
    project.put("app.py", PYTHON)


def first_of_two(project: Project) -> None:
    project.put("b.py", PYTHON)
    project.put(
        ".mergegate.yml",
        "suppressions:\n- {rule: python-os-command-injection, path: b.py, reason: known,"
        " owner: x, expires: 2099-01-01}\n",
    )
    project.starts_here()
    project.put("a.py", PYTHON)


def shadowed_base(project: Project) -> None:
    project.git("branch", "release", project.base)
    project.put("app.py", PYTHON)
    project.commit()
    project.git("tag", "release")
    project.base = "release"


def unknown_base(project: Project) -> None:
    project.put("app.py", PYTHON)
    project.base = "origin/mian"


def option_as_base(project: Project) -> None:
    project.put("app.py", PYTHON)
    project.base = "--all"


def replaced_base(project: Project) -> None:
    project.put("app.py", PYTHON)
    project.git("replace", project.base, project.commit())


def grafted_base(project: Project) -> None:
    project.put("app.py", PYTHON)
    parents = f"{project.base} {project.commit()}\n"
    project.put(".git/info/grafts", parents)


def in_a_merge(project: Project) -> None:
    project.git("checkout", "-q", "-b", "side")
    project.put("side.py", "x = 1\n")
    project.commit()
    project.git("checkout", "-q", "main")
    project.put("main.py", "x = 1\n")
    project.commit()
    project.git("merge", "-q", "--no-commit", "side")
    project.put("app.py", PYTHON)


def own_policy(project: Project) -> None:
    project.put("app.py", PYTHON)
    project.put(
        ".mergegate.yml",
        "paths: {exclude: ['**']}\nrules: {python-os-command-injection: 'off'}\n"
        "inline-suppressions: honour\nfail-change-on: critical\n",
    )


def own_dismissal(project: Project) -> None:
    project.put("app.py", PYTHON)
    project.put(
        ".mergegate.yml",
        "suppressions:\n- {rule: python-os-command-injection, path: app.py, reason: fine,"
        " owner: x, expires: 2099-01-01}\n",
    )


def excluded(project: Project) -> None:
    project.put(".mergegate.yml", "paths: {exclude: ['docs/**']}\n")
    project.starts_here()
    project.put("docs/app.py", PYTHON)


def linked_policy(project: Project) -> None:
    (project.root / ".mergegate.yml").symlink_to("paths: {exclude: ['app.py']}")
    project.starts_here()
    project.put("app.py", PYTHON)


def empty_policy(project: Project) -> None:
    project.put(".mergegate.yml", "")
    project.starts_here()
    project.put(".mergegate.yml", "accept-unsearched: ['**']\n")
    project.put("app.py", f"{PYTHON}x = '{'x' * 70_000}'\n")


def settings_of_engines(project: Project) -> None:
    project.put("app.py", PYTHON)
    project.put(".semgrepignore", "*\n")
    project.put(".semgrep.yml", "rules: []\n")
    project.put("zizmor.yml", "rules: {}\n")


def tracked_cache(project: Project) -> None:
    project.put("app.py", PYTHON)
    project.put(".mergegate-cache/answers.sqlite", b"SQLite format 3\0" + bytes(99))


def vendored_by_a_note(project: Project) -> None:
    project.put("app/README.chromium", "Name: x\nVersion: 1\n")
    project.put("app/.gitrepo", "[subrepo]\n\tremote = https://example.org\n")
    project.put("app/app.py", PYTHON)


def vendored_by_a_record(project: Project) -> None:
    digest = base64.urlsafe_b64encode(hashlib.sha256(PYTHON.encode()).digest()).decode()
    project.put("x-1.dist-info/RECORD", f"app.py,sha256={digest.rstrip('=')},9\n")
    project.put("app.py", PYTHON)


def vendored_in_two_steps(project: Project) -> None:
    project.put("app/README.chromium", "Name: x\nVersion: 1\n")
    project.put("app/app.py", "x = 1\n")
    project.starts_here()
    project.put("app/app.py", PYTHON)


def called_tests_by_settings(project: Project) -> None:
    project.put("pyproject.toml", '[tool.pytest.ini_options]\ntestpaths = ["testing", "app"]\n')
    project.put("testing/app.py", PYTHON)


def generated_by_a_fake(project: Project) -> None:
    project.put("tools/make.py", "x = 1\n")
    project.put("app.py", f"# Generated by tools/make.py. DO NOT EDIT.\n{PYTHON}")


def test_that_is_imported(project: Project) -> None:
    project.put("tests/test_app.py", f"import pytest\n\ndef test_x():\n    assert 1\n\n{PYTHON}")
    project.put("main.py", "from tests.test_app import f\n")


def test_that_is_loaded_by_name(project: Project) -> None:
    test_that_is_imported(project)
    project.put("main.py", "import importlib\nimportlib.import_module('tests.test_app').f()\n")


def test_that_is_deployed(project: Project) -> None:
    test_that_is_imported(project)
    project.put("main.py", "x = 1\n")
    project.put("Procfile", "web: gunicorn tests.test_app:f\n")


def test_that_an_entry_point_starts(project: Project) -> None:
    test_that_is_imported(project)
    project.put("main.py", "x = 1\n")
    project.put(
        "pyproject.toml", '[project]\nname = "x"\n[project.scripts]\nx = "tests.test_app:f"\n'
    )


def test_that_an_image_copies(project: Project) -> None:
    test_that_is_imported(project)
    project.put("main.py", "x = 1\n")
    image = "FROM python:3.12\nCOPY tests /app\nUSER app\nCMD python /app/test_app.py\n"
    project.put("Dockerfile", image)


def test_whose_name_is_computed(project: Project) -> None:
    test_that_is_imported(project)
    project.put("main.py", "import importlib\nimportlib.import_module('tests.' + name).f()\n")


def removed_again(project: Project) -> None:
    project.put("key.txt", KEY)
    project.commit()
    (project.root / "key.txt").unlink()


def removed_in_a_merge(project: Project) -> None:
    project.git("checkout", "-q", "-b", "side")
    project.put("side.py", "x = 1\n")
    project.commit()
    project.git("checkout", "-q", "main")
    project.put("main.py", "x = 1\n")
    project.commit()
    project.git("merge", "-q", "--no-commit", "side")
    removed_again(project)


def removed_behind_many_lines(project: Project) -> None:
    project.put("key.txt", b"line\n" * 60_000 + b"\0" + KEY)
    project.commit()
    (project.root / "key.txt").unlink()


def in_a_message(project: Project) -> None:
    project.git("commit", "-q", "--allow-empty", "-m", f"x\n\n{KEY.decode()}")


STATES: Mapping[str, Mapping[str, State]] = {
    "Git": {
        "ignored by Git, and tracked": ignored,
        "attributes that call it generated, vendored or binary": attributed,
        "another encoding in the work tree": encoded_in_the_work_tree,
        "called unchanged to Git": assumed_unchanged,
        "a name that differs in case alone": colliding,
        "a link to it under another name": linked,
        "a link through a linked folder": linked_folder,
        "a link out of the repository": linked_outside,
        "a pointer of Git LFS": pointer,
        "left out of a sparse checkout": sparse,
        "deleted from the work tree": deleted,
        "in a submodule that is not checked out": submodule,
        "in another repository inside": another_repository,
        "behind 3,000 empty files": behind_empty_files,
        "in a merge commit": in_a_merge,
    },
    "Moves": {
        "moved out of a sample": out_of_a_sample,
        "a sample that is put to use": sample_put_to_use,
        "copied from an existing one": copied,
        "moved to another file": moved,
        "renamed, and only then dangerous": renamed_and_made_worse,
        "dead code brought to life": brought_to_life,
        "a comment brought to life": uncommented,
        "a copy that sorts before a dismissed one": first_of_two,
    },
    "Bases": {
        "a tag called like the base": shadowed_base,
        "a base that is misspelt": unknown_base,
        "an option as base": option_as_base,
        "a base that Git replaces": replaced_base,
        "a base whose parents are grafted": grafted_base,
    },
    "Policies, dismissals, caches": {
        "a policy of the change's own": own_policy,
        "a dismissal of the change's own": own_dismissal,
        "a path that the base's policy excludes": excluded,
        "a link of the base that reads like a policy": linked_policy,
        "accepted by the change beside a policy that says nothing": empty_policy,
        "settings of the engines": settings_of_engines,
        "a cache that the change brings": tracked_cache,
    },
    "False evidence": {
        "notes that call a folder vendored": vendored_by_a_note,
        "a record that calls a file vendored": vendored_by_a_record,
        "a note that an earlier change brought": vendored_in_two_steps,
        "settings that call a folder one of tests": called_tests_by_settings,
        "a header with a generator that is there": generated_by_a_fake,
        "a test that production imports": test_that_is_imported,
        "a test that production loads by name": test_that_is_loaded_by_name,
        "a test that is deployed": test_that_is_deployed,
        "a test that an entry point starts": test_that_an_entry_point_starts,
        "a test that an image copies": test_that_an_image_copies,
        "a test whose name is put together in the run": test_whose_name_is_computed,
    },
    "History": {
        "a key that a later commit removes": removed_again,
        "a key that a merge brings and a later commit removes": removed_in_a_merge,
        "a removed key behind 60,000 lines and a NUL": removed_behind_many_lines,
        "a key in a message": in_a_message,
    },
}


def made(root: Path, name: str) -> Project:
    """The project with the change that holds the disguise ``name``."""
    project = Project(root)
    for files in FILES.values():
        if name in files:
            project.put(*files[name])
    for states in STATES.values():
        if name in states:
            states[name](project)
    if (
        project.root / ".git/info/sparse-checkout"
    ).exists() or name == "deleted from the work tree":
        return project
    project.put("work.py", WORK)
    project.commit()
    return project


def place(name: str) -> str:
    """The path of the file that holds the flaw; empty where it is not one file."""
    found = [files[name][0] for files in FILES.values() if name in files]
    return shown(found[0]) if found else ""


def shown(path: str) -> str:
    """``path`` as reports show it."""
    return display(os.fsencode(path))


def outcome(said: Said, path: str) -> Outcome:
    """What a scan says of the flaw in the file at ``path``."""
    if said.code:
        return EXITS[said.code]
    return Outcome.NAMED if is_named(said.report, path) else Outcome.SILENT


def is_named(report: Mapping[str, Any], path: str) -> bool:
    """Whether the report tells of ``path``, without one of anything, that it was not searched."""
    coverage = report["coverage"]
    listed = [*coverage["skipped"], *coverage["limited"], *coverage["unread"]]
    places = {one["path"] for one in listed}
    places |= {one["file"] for one in (*report["issues"], *report["riskFindings"]) if one["isNew"]}
    language = language_of(path)
    blind = {one["language"] for one in coverage["languages"] if one["searched"] < one["files"]}
    unread = language in blind if language else bool(blind)
    return path in places or unread or bool(not path and places)


def tried(name: str, folder: Path) -> tuple[Outcome, int]:
    """What became of a disguise, and the exit code."""
    project = made(folder / "project", name)
    said = scanned(project, folder / "data", ASPECTS)
    return outcome(said, place(name)), said.code
