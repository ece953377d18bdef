"""Values of a request are cleaned where they are plain, and nothing that a program made is."""

import pytest

from mergegate.repo.fixes import values
from mergegate.repo.fixes.recipe import Steps
from tests.repo.fixes.steps import mended

FLASK = "import os\nimport re\n\nfrom flask import Flask, request\n\napp = Flask(__name__)\n\n\n"
VIEW = FLASK + '@app.get("/a/<b>")\ndef a(b):\n    c = request.args["c"]\n'


def of_view(by: Steps, line: str, marked: str) -> str | None:
    """The line of a view of Flask after ``by``."""
    made = mended(by, "python", f"{VIEW}    {line}\n", marked)
    return None if made is None else made.splitlines()[-1].strip()


ONE_LINE = r"String(a).replace(/[\r\n]+/g, ' ')}`); }"


@pytest.mark.parametrize(
    ("line", "marked", "expected"),
    [
        ('return f"<p>{b}</p>"', 'f"<p>{b}</p>"', 'return f"<p>{html.escape(str(b))}</p>"'),
        ('return "<p>" + c + "</p>"', "c", 'return "<p>" + html.escape(str(c)) + "</p>"'),
        ('return "<p>%s</p>" % c', '"<p>%s</p>" % c', 'return "<p>%s</p>" % html.escape(str(c))'),
        ('return f"<p>{d}</p>"', 'f"<p>{d}</p>"', None),
        ('return f"<p>{c}{d}</p>"', 'f"<p>{c}{d}</p>"', None),
        ('d = f"<i>{c}</i>"; return f"<p>{d}</p>"', 'f"<p>{d}</p>"', None),
    ],
)
def test_markup_is_escaped(line: str, marked: str, expected: str | None) -> None:
    assert of_view(values.escaped_for_html, line, marked) == expected


def test_a_page_that_a_name_stands_for_is_escaped_where_it_is_made() -> None:
    text = f'{VIEW}    page = f"<p>{{c}}</p>"\n    return page\n'
    made = mended(values.escaped_for_html, "python", text, "page")
    assert made is not None
    assert '    page = f"<p>{html.escape(str(c))}</p>"\n    return page\n' in made


def test_a_variable_of_the_name_of_a_module_is_left_alone() -> None:
    assert of_view(values.escaped_for_html, 'html = f"<p>{c}</p>"', 'f"<p>{c}</p>"') is None


@pytest.mark.parametrize(
    ("line", "marked", "expected"),
    [
        ("re.search(c, d)", "c", "re.search(re.escape(c), d)"),
        ('re.search("^" + b, d)', '"^" + b', 're.search("^" + re.escape(b), d)'),
        ("re.search(regex, d)", "regex", None),
        ('re.search(request.args["pattern"], d)', 'request.args["pattern"]', None),
        ("re.search(d, c)", "d", None),
    ],
)
def test_patterns_are_escaped(line: str, marked: str, expected: str | None) -> None:
    assert of_view(values.escaped_for_regex, line, marked) == expected


@pytest.mark.parametrize(
    ("line", "marked", "expected"),
    [
        ('open("d/" + b)', '"d/" + b', 'open("d/" + os.path.basename(b))'),
        (
            "open(os.path.join(D, b))",
            "os.path.join(D, b)",
            "open(os.path.join(D, os.path.basename(b)))",
        ),
        ("open(D / b)", "D / b", "open(D / os.path.basename(b))"),
        (
            'open("d/" + request.args["file"])',
            '"d/" + request.args["file"]',
            'open("d/" + os.path.basename(request.args["file"]))',
        ),
        ('open("d/" + request.args["image"])', '"d/" + request.args["image"]', None),
        ("open(D / d)", "D / d", None),
    ],
)
def test_paths_lose_their_folders(line: str, marked: str, expected: str | None) -> None:
    assert of_view(values.last_part, line, marked) == expected


def test_a_route_of_whole_paths_keeps_them() -> None:
    text = FLASK + '@app.get("/a/<path:b>")\ndef a(b):\n    open("c/" + b)\n'
    assert mended(values.last_part, "python", text, '"c/" + b') is None


@pytest.mark.parametrize(
    ("by", "line", "marked", "expected"),
    [
        (
            values.last_part,
            "f('a/' + req.params.b);",
            "'a/' + req.params.b",
            "f('a/' + path.basename(req.params.b));",
        ),
        (values.last_part, "f('a/' + b);", "'a/' + b", None),
        (
            values.escaped_for_regex,
            "new RegExp(req.query.b);",
            "req.query.b",
            r"new RegExp(String(req.query.b ?? '').replace(/[\\^$.*+?()[\]{|}]/g, '\\$&'));",
        ),
        (
            values.one_line,
            "console.log('a ' + req.body.b);",
            "'a ' + req.body.b",
            r"console.log('a ' + String(req.body.b).replace(/[\r\n]+/g, ' '));",
        ),
        (
            values.one_line,
            "function f() { let a = req.params.a; a = c(a); console.log(`b ${a}`); }",
            "`b ${a}`",
            r"function f() { let a = req.params.a; a = c(a); console.log(`b ${" + ONE_LINE,
        ),
        (
            values.one_line,
            "function f() { let a = c(); console.log(`b ${a}`); }",
            "`b ${a}`",
            None,
        ),
        (
            values.compared,
            "A.findOne({ b: req.body.b, c: true });",
            "{ b: req.body.b, c: true }",
            "A.findOne({ b: { $eq: req.body.b }, c: true });",
        ),
        (values.compared, "A.find({ b: pattern });", "{ b: pattern }", None),
        (values.escaped_for_html, "res.send('<b>' + req.query.b);", "'<b>' + req.query.b", None),
    ],
)
def test_values_of_javascript(by: Steps, line: str, marked: str, expected: str | None) -> None:
    head = "const path = require('path');\n"
    made = mended(by, "javascript", f"{head}{line}\n", marked)
    assert made == (None if expected is None else f"{head}{expected}\n")
