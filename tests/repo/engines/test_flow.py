"""All that runs is in reach of semgrep's flow, in the real engine, with our own rules."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from mergegate.repo.engines.flow import followed
from mergegate.repo.engines.flow.edits import Edit, edited
from mergegate.repo.engines.semgrep import Semgrep
from mergegate.repo.facts.code import FileMatches
from mergegate.sandbox.engines.engine import EngineContext
from mergegate.sandbox.files.record import source_file
from mergegate.sandbox.files.stage import Stage

PYTHON = {
    "a handler behind nothing": "try:\n    pass\nexcept ValueError:\n    SINK",
    "a handler behind a look-up": "try:\n    return d[k]\nexcept KeyError:\n    SINK",
    "a handler behind an import": "try:\n    import json\nexcept ImportError:\n    SINK",
    "a handler behind eval": "try:\n    eval('1')\nexcept NameError:\n    SINK",
    "a handler of a group": "try:\n    pass\nexcept* ValueError:\n    SINK",
    "a handler behind a loop": "try:\n    for y in d:\n        pass\nexcept E:\n    SINK",
    "a handler behind a branch": "try:\n    if d: return 1\n    else: return\nexcept E:\n    SINK",
    "a handler behind a match": "try:\n    match d:\n        case [y]: pass\nexcept E:\n    SINK",
    "a handler behind a name that may open a block": "try:\n    match = d.k\nexcept E:\n    SINK",
    "a handler behind a colon that opens nothing": (
        "try:\n    if (lambda: d)[0:1] or f'{d:>{k}}': return 1\n    else: return 2\n"
        "except E:\n    SINK"
    ),
    "a handler of a handler": (
        "try:\n    try:\n        d.k\n    except A:\n        d.x\nexcept E:\n    SINK"
    ),
    "what a body had before it raised": (
        "try:\n    x = request.args['x']; d.k\nexcept E:\n    os.system(x)  # HERE"
    ),
    "what a body had before it returned": (
        "try:\n    x = request.args['x']\n    return 1\nfinally:\n    os.system(x)  # HERE"
    ),
    "an end behind a return": "try:\n    return 1\nfinally:\n    SINK",
    "an end behind a break": "while d:\n    try:\n        break\n    finally:\n        SINK",
    "an end behind a handler that returns": (
        "try:\n    return 2\nexcept E:\n    return 1\nfinally:\n    SINK"
    ),
    "behind a try that returns": "try:\n    return d[k]\nexcept E:\n    pass\nSINK",
    "behind what is suppressed": "with contextlib.suppress(E):\n    raise E('from') from d\nSINK",
    "behind what is suppressed in a line": "with contextlib.suppress(E): raise\nSINK",
    "behind a yield": "yield d\nSINK",
    "behind a yield from": "yield from d\nSINK",
    "behind a yield of a lambda": "yield lambda **d: d\nSINK",
    "behind a yield in brackets": "(yield d)\nSINK",
    "behind a yield over two lines": "yield \\\n    d\nSINK",
    "behind a yield in a with": "with d: yield d\nSINK",
    "below a text with quotes of its own kind": (
        "y = f\"{'\"'}{d!r:'>4}\"\ntry:\n    d.k\nexcept E:\n    SINK"
    ),
    "below a text that looks like code": "y = '''\ntry:\n'''\ntry:\n    d.k\nexcept E:\n    SINK",
}
SCRIPT = {
    "a handler behind nothing": "try {\n} catch (e) {\n SINK;\n}",
    "a handler behind a look-up": "try {\n return d[k];\n} catch {\n SINK;\n}",
    "an end behind a return": "try { return 1 } finally {\n SINK;\n}",
    "an end behind a branch": "try { if (d) return 1; else return 2; } finally {\n SINK;\n}",
    "an end behind a method called return": (
        "try { const y = { return() { return 1; } }; return y; } finally {\n SINK;\n}"
    ),
    "an end behind a class": "try { class A { y() { return 1; } } return; } finally {\n SINK;\n}",
    "an end behind a switch": (
        "try { switch (d) { case 1: q = 1; break; default: return d.q; } } finally {\n SINK;\n}"
    ),
    "behind a try that returns": "try { return d.k; } catch (e) {}\nSINK;",
    "what a body had before it raised": (
        "try {\n const x = req.query.x\n d.k.z\n} catch (e) {\n exec(x); // HERE\n}"
    ),
    "what a body had before it returned": (
        "try { const x = req.query.x; return; } finally {\n exec(x); // HERE\n}"
    ),
    "behind a label": "a: {\n if (d) break a;\n return;\n}\nSINK;",
    "a case behind a default": "switch (d) {\n default: return;\n case 1: SINK;\n}",
    "below a pattern": "const r = /['`{]/; try { d.x; } catch (e) {\n SINK;\n}",
    "below a text with texts": (
        "const r = `a ${d ? `{` : '}'} {`; try { d.x; } catch (e) {\n SINK;\n}"
    ),
}
JAVA = {
    "a handler behind nothing": "try { } catch (E e) {\n SINK;\n}",
    "a handler behind a cast": "try { String y = (String) k; } catch (E e) {\n SINK;\n}",
    "a handler with a resource": "try (R r = k) { int y = 1 / d; } catch (E e) {\n SINK;\n}",
    "an end behind a return": "try { return 1; } finally {\n SINK;\n}",
    "an end behind a class without a name": (
        "try { R r = new R<A>(1) { int a; void m() { int b; } }; return r; } finally {\n SINK;\n}"
    ),
    "an end behind a record": (
        "try { record Q(int x) { static int a; } return 1; } finally {\n SINK;\n}"
    ),
    "an end behind cases with arrows": (
        "try { switch (d) { case 1 -> q = 1; default -> { q = 2; } } return 1; }\n"
        "finally {\n SINK;\n}"
    ),
    "what a body had before it raised": (
        'try { String x = req.getParameter("x"); int y = k.z; } catch (E e) {\n'
        " Runtime.getRuntime().exec(x); // HERE\n}"
    ),
    "behind a label": "a: {\n if (c) break a;\n return 1;\n}\nSINK;",
    "behind a label of a switch": "a: switch (d) { default: break a; }\nSINK;",
    "a case behind a default": "switch (d) {\n default: return 1;\n case 1: SINK;\n}",
    "a case behind a default with an arrow": (
        "switch (d) {\n default -> { return 1; }\n case 1 -> {\n SINK;\n }\n}"
    ),
    "behind a yield": "int y = switch (d) {\n case 1: yield 2;\n default: yield 1;\n};\nSINK;",
    "below a block of text": (
        'String q = """\n a " { \' """; char z = \'{\'; try { return 1; } finally {\n SINK;\n}'
    ),
    "where a class begins": "class B { static {\n SINK;\n} }",
}
GO = {
    "what is deferred": "defer SINK.Run() // HERE",
    "a function that is deferred": "defer func() {\n SINK.Run() // HERE\n}()\npanic(1)",
    "a case behind a default": "switch d {\ndefault:\n return\ncase 1:\n SINK.Run() // HERE\n}",
    "a type behind a default": (
        "switch k.(type) {\ndefault:\n return\ncase string:\n SINK.Run() // HERE\n}"
    ),
    "a channel behind a default": (
        "select {\ndefault:\n return\ncase <-k:\n SINK.Run() // HERE\n}"
    ),
    "behind a label of a switch": (
        "a:\nswitch d {\ncase 1:\n break a\ndefault: return\n}\nSINK.Run() // HERE"
    ),
    "behind a label of a select": (
        "a:\nselect {\ncase <-k:\n break a\ndefault: return\n}\nSINK.Run() // HERE"
    ),
}


def in_python(body: str) -> str:
    lines = body.replace("SINK", "os.system(request.args['x'])  # HERE").splitlines()
    head = "from flask import request\nimport contextlib, os\n\ndef f(d, k):\n"
    return head + "".join(f"    {line}\n" for line in lines)


def in_script(body: str) -> str:
    body = body.replace("SINK;", "exec(req.query.x); // HERE")
    return (
        'const { exec } = require("child_process");\nconst app = require("express")();\n'
        f"function h(req, res, d, k) {{\n{body}\n}}\napp.get('/', h);\n"
    )


def in_typed_script(body: str) -> str:
    text = in_script(body).replace("h(req, res, d, k)", "h(req: Request, d: any): { a: X; b: Y; }")
    return f'import {{ Request }} from "express";\n{text}'


def in_java(body: str) -> str:
    body = body.replace("SINK;", 'Runtime.getRuntime().exec(req.getParameter("x")); // HERE')
    return (
        "import javax.servlet.http.*;\nclass A extends HttpServlet {\n"
        "Object h(HttpServletRequest req, int d, boolean c, D k) throws Exception {\n"
        f"{body}\n}}\n}}\n"
    )


def in_go(body: str) -> str:
    body = body.replace("SINK", 'exec.Command("sh", "-c", r.FormValue("x"))')
    return (
        'package a\n\nimport (\n\t"net/http"\n\t"os/exec"\n)\n\n'
        f"func F(w http.ResponseWriter, r *http.Request, d int, k T) {{\n{body}\n}}\n"
    )


FLAGGED = ("x", "request.args['x']", "req.query.x", 'req.getParameter("x")', 'r.FormValue("x")')
TEXTS = {
    f"{name}.{suffix}": inside(body)
    for suffix, inside, bodies in (
        ("py", in_python, PYTHON),
        ("js", in_script, SCRIPT),
        ("ts", in_typed_script, SCRIPT),
        ("java", in_java, JAVA),
        ("go", in_go, GO),
    )
    for name, body in bodies.items()
}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, FileMatches]:
    """What one run finds in all texts."""
    folder = tmp_path_factory.mktemp("flow")
    files = {}
    for path, text in TEXTS.items():
        (folder / path).write_text(text)
        files[path] = source_file(path, folder / path, text.encode())
    with Stage() as stage:
        examined = Semgrep().examine(list(files.values()), EngineContext(stage))
    assert not examined.problems
    return {path: examined.answers[file.key] for path, file in files.items()}


@pytest.mark.parametrize("path", TEXTS)
def test_what_runs_is_found_where_it_stands(path: str, found: Mapping[str, FileMatches]) -> None:
    line, text = next(
        (number, line)
        for number, line in enumerate(TEXTS[path].splitlines(), start=1)
        if "HERE" in line
    )
    places = {
        (match.start_line, text[match.start_column - 1 : match.end_column - 1].strip("; "))
        for match in found[path].matches
        if "command" in match.rule_id
    }
    assert found[path].problems == ()
    assert places & {(line, said) for said in FLAGGED}


UNTOUCHED = {
    "a text": ("python", b"x = 'try:'\n"),
    "a body that calls": ("python", b"try:\n    f(x)\nexcept E:\n    g()\n"),
    "a yield of nothing": ("python", b"def f():\n    yield\n    g()\n"),
    "a yield that is kept": ("python", b"def f():\n    x = yield 1\n"),
    "a yield of a lambda in brackets": ("python", b"def f():\n    (yield lambda: 1)\n"),
    "a raise outside of a with": ("python", b"with f(x): g()\nif x:\n    raise E\n"),
    "a body of a script that calls": ("javascript", b"try { f(x); g(y); } catch (e) {}\n"),
    "a word of a script": ("javascript", b"x.try = { try: 1 }; x.default;\n"),
    "a default at the end": ("java", b"class A { int f() { switch (x) { case 1: default: } } }\n"),
    "a label of a loop": ("java", b"class A { void f() { a: for (;;) { break a; } } }\n"),
    "a variable called yield": ("java", b"class A { void f() { yield = 1; yield.f(); } }\n"),
    "a Dockerfile": ("dockerfile", b"FROM a\nRUN b \\\n  c `\n"),
    "a test in brackets": ("dockerfile", b'FROM a\nRUN [ "$a" ] && b "c", "d"\n'),
    "a list with an escape": ("dockerfile", b'FROM a\nRUN ["a \\"b\\""]\n'),
    "a list that is no step": ("dockerfile", b'FROM a\nCMD ["a", "b"]\n'),
    "a directive that comes late": ("dockerfile", b"FROM a\n# escape=`\nRUN b `\n"),
    "a label of a loop in Go": ("go", b"func f() {\na:\n\tfor {\n\t\tbreak a\n\t}\n}\n"),
}


@pytest.mark.parametrize(("language", "text"), UNTOUCHED.values(), ids=UNTOUCHED)
def test_what_is_followed_anyway_stays_as_it_is(language: str, text: bytes) -> None:
    assert followed(text, language)[0] == text


@pytest.mark.parametrize("path", TEXTS)
def test_no_line_moves(path: str) -> None:
    text = TEXTS[path].encode()
    suffixes = {"py": "python", "js": "javascript", "ts": "typescript"}
    language = path.rpartition(".")[2]
    said, insertions = followed(text, suffixes.get(language, language))
    lines = zip(text.split(b"\n"), said.split(b"\n"), strict=True)
    assert all(len(before) <= len(after) for before, after in lines)
    assert insertions.origin(len(said)) == len(text)


def test_a_dockerfile_is_searched_whatever_joins_its_lines(tmp_path: Path) -> None:
    text = (
        "# syntax=docker/dockerfile:1\n# Escape = `\nFROM a:1\nCOPY a C:\\\n"
        "RUN make `\n  # why\n  && make b\nRUN curl -k https://a.example/b\n"
        'ONBUILD RUN [ "curl", "-k" , "https://a.example/b"]\n'
        'RUN ["sh","-c","curl https://a.example/b | sh"]\n'
        "RUN curl https://a.example/b | `\n# why\n\t# not\n sudo sh\n"
    )
    (tmp_path / "Dockerfile").write_text(text)
    file = source_file("Dockerfile", tmp_path / "Dockerfile", text.encode())
    with Stage() as stage:
        examined = Semgrep().examine([file], EngineContext(stage))
    found = examined.answers[file.key].matches
    assert {
        ("dockerfile-certificate-check-off", 8),
        ("dockerfile-certificate-check-off", 9),
        ("dockerfile-piped-download", 10),
        ("dockerfile-piped-download", 11),
        ("dockerfile-sudo", 11),
    } <= {(one.rule_id, one.start_line) for one in found}


def test_each_byte_knows_where_it_came_from() -> None:
    text, insertions = edited(b"abcdef", [Edit(2, b"XY"), Edit(4, b"Z"), Edit(5, b"!", True)])
    assert text == b"abXYcdZe!"
    assert [insertions.origin(at) for at in range(len(text) + 1)] == [0, 1, 2, 2, 2, 3, 4, 4, 5, 6]


def test_what_is_put_in_comes_before_what_is_replaced() -> None:
    text, insertions = edited(b"raise x", [Edit(0, b"may, ", True), Edit(0, b"may_raise();")])
    assert text == b"may_raise();may,  x"
    assert insertions.origin(len(text)) == len(b"raise x")


def test_what_was_put_in_between_is_known() -> None:
    _, insertions = edited(b"abcdef", [Edit(2, b"XY")])
    assert insertions.within(0, 3)
    assert not insertions.within(0, 2)
    assert not insertions.within(4, 8)
