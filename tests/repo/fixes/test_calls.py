"""Recipes change calls, arguments, names and literals in the syntax tree, or nothing at all."""

from typing import Any

import pytest

from mergegate.core.finding import Place
from mergegate.repo.fixes import calls
from mergegate.repo.fixes.edits import apply, line_edits
from mergegate.repo.fixes.recipe import Found, Recipe

SUFFIXES = {"python": ".py", "javascript": ".js", "typescript": ".ts", "java": ".java", "go": ".go"}


def mended(language: str, text: str, marked: str, **said: Any) -> str | None:
    """``text`` after the recipe, of which ``marked`` was found; None where it is left alone."""
    start = text.index(marked)
    end = start + len(marked)
    place = Place("a", *_lines(text, start, end))
    recipe = Recipe(rule="r", does="It is mended.", **said)
    found = Found("a", text, language, SUFFIXES[language], place, recipe)
    edits = line_edits("a", text.encode(), calls.steps(found))
    return apply(text, *edits) if edits else None


def _lines(text: str, start: int, end: int) -> tuple[int, int, int, int]:
    first, last = text[:start], text[:end]
    return (
        first.count("\n") + 1,
        last.count("\n") + 1,
        start - first.rfind("\n"),
        end - last.rfind("\n"),
    )


@pytest.mark.parametrize(
    ("text", "said", "expected"),
    [
        ("x = get(a)\n", {"set": {"t": "1"}}, "x = get(a, t=1)\n"),
        ("x = get()\n", {"set": {"t": "1"}}, "x = get(t=1)\n"),
        ("x = get(a, t=None)\n", {"set": {"t": "1"}}, "x = get(a, t=1)\n"),
        ("x = get(a,)\n", {"set": {"t": "1"}}, "x = get(a, t=1,)\n"),
        (
            "x = get(\n    a,\n    b,\n)\n",
            {"set": {"t": "1"}},
            "x = get(\n    a,\n    b,\n    t=1,\n)\n",
        ),
        ("x = get(\n    a\n)\n", {"set": {"t": "1"}}, "x = get(\n    a,\n    t=1\n)\n"),
        ("x = get(a, t=0, u=2)\n", {"drop": ("t",)}, "x = get(a, u=2)\n"),
        ("x = get(t=0, u=2)\n", {"drop": ("t",)}, "x = get(u=2)\n"),
        ("x = get(t=0)\n", {"drop": ("t",)}, "x = get()\n"),
        ("x = a.get(b)\n", {"callee": "{object}.put"}, "x = a.put(b)\n"),
        ("x = a.get(b)\n", {"callee": "z.put"}, "x = z.put(b)\n"),
        ("x = get(b)\n", {"arguments": {"0": "int({})"}}, "x = get(int(b))\n"),
        ("x = get(**b)\n", {"set": {"t": "1"}}, None),
        ("x = get(b for b in c)\n", {"set": {"t": "1"}}, None),
        ("x = get(b)\n", {"arguments": {"1": "2"}}, None),
        ("x = get(b)\n", {"set": {"t": "1"}, "on": "put"}, None),
        ("x = get(put(b))\n", {"set": {"t": "1"}, "on": "put"}, "x = get(put(b, t=1))\n"),
        ("x = get(b) +\n", {"set": {"t": "1"}}, None),
    ],
)
def test_calls_of_python(text: str, said: Any, expected: str | None) -> None:
    assert mended("python", text, text.removesuffix("\n").removeprefix("x = "), **said) == expected


@pytest.mark.parametrize(
    ("language", "text", "marked", "said", "expected"),
    [
        (
            "javascript",
            "f(a, { s: 0 });\n",
            "f(a, { s: 0 })",
            {"set": {"s": "1"}},
            "f(a, { s: 1 });\n",
        ),
        ("javascript", "f(a, {});\n", "f(a, {})", {"set": {"s": "1"}}, "f(a, { s: 1 });\n"),
        ("javascript", "f(a);\n", "f(a)", {"set": {"s": "1"}, "options": 1}, "f(a, { s: 1 });\n"),
        ("javascript", "f(a);\n", "f(a)", {"set": {"s": "1"}}, None),
        ("javascript", "f(a, b);\n", "f(a, b)", {"set": {"s": "1"}, "options": 1}, None),
        ("javascript", "f({ s: 0 });\n", "f", {"drop": ("s",)}, "f({});\n"),
        ("javascript", "new F(a);\n", "new F(a)", {"callee": "F.g"}, "F.g(a);\n"),
        ("javascript", "f({ s: 0, t: 1 });\n", "f", {"drop": ("s",)}, "f({ t: 1 });\n"),
        ("javascript", "f({ ...b });\n", "f({ ...b })", {"set": {"s": "1"}}, None),
        (
            "typescript",
            "const a = new F({\n  b: 1,\n});\n",
            "new F({\n  b: 1,\n})",
            {"set": {"s": "1"}},
            "const a = new F({\n  b: 1,\n  s: 1,\n});\n",
        ),
        (
            "java",
            "class A { void b() { c.d(e); } }\n",
            "c.d(e)",
            {"callee": "f.g"},
            "class A { void b() { f.g(e); } }\n",
        ),
        (
            "java",
            "class A { B b = new B(c); }\n",
            "new B(c)",
            {"callee": "D"},
            "class A { B b = new D(c); }\n",
        ),
        (
            "go",
            "package a\n\nvar b = &c.D{}\n",
            "c.D{}",
            {"set": {"S": "1"}},
            "package a\n\nvar b = &c.D{S: 1}\n",
        ),
        (
            "go",
            "package a\n\nvar b = c.D{\n\tE: 1,\n}\n",
            "c.D{\n\tE: 1,\n}",
            {"set": {"S": "1"}},
            "package a\n\nvar b = c.D{\n\tE: 1,\n\tS: 1,\n}\n",
        ),
    ],
)
def test_calls_of_other_languages(
    language: str, text: str, marked: str, said: Any, expected: str | None
) -> None:
    assert mended(language, text, marked, **said) == expected


def test_names_and_literals_are_replaced_where_they_were_found_alone() -> None:
    text = "a = md5.new(x)\nb = md5.new(y)\n"
    assert mended("python", text, "md5.new(y)", replace={"md5.new": "sha256"}) == (
        "a = md5.new(x)\nb = sha256(y)\n"
    )
    assert mended("python", text, "md5.new(y)", replace={"md4.new": "sha256"}) is None


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("javascript", "f({ a: { 's': 0 }, t: 0 });\n", "f({ a: { 's': 1 }, t: 0 });\n"),
        ("python", "f(s=0, a={'s': 0})\n", "f(s=1, a={'s': 1})\n"),
        ("javascript", "f({ t: 0 });\n", None),
        ("javascript", "f({ s });\n", None),
        ("javascript", "f({ s: 1 });\n", None),
    ],
)
def test_entries_are_set_where_they_stand(language: str, text: str, expected: str | None) -> None:
    assert mended(language, text, text.strip(";\n"), entries={"s": "1"}) == expected


def test_an_expression_is_wrapped_with_what_that_needs() -> None:
    text = '"""About."""\nimport os\n\nfind(word)\n'
    assert mended("python", text, "word", wrap="re.escape({})", imports=("import re",)) == (
        '"""About."""\nimport os\nimport re\n\nfind(re.escape(word))\n'
    )


@pytest.mark.parametrize(
    ("language", "text", "line", "expected"),
    [
        ("python", "find(word)\n", "import re", "import re\n\nfind(word)\n"),
        ("python", "import re\nfind(word)\n", "import re", "import re\nfind(word)\n"),
        (
            "python",
            "#!/bin/x\n# c\nfind(word)\n",
            "import re",
            "#!/bin/x\n# c\nimport re\n\nfind(word)\n",
        ),
        (
            "javascript",
            "const a = require('a');\nfind(word);\n",
            "import b from 'b';",
            "const a = require('a');\nconst b = require('b');\nfind(word);\n",
        ),
        (
            "javascript",
            "import a from 'a';\nfind(word);\n",
            "import b from 'b';",
            "import a from 'a';\nimport b from 'b';\nfind(word);\n",
        ),
        (
            "java",
            "package a;\n\nclass B { C c = find(word); }\n",
            "import d.E;",
            "package a;\nimport d.E;\n\nclass B { C c = find(word); }\n",
        ),
        (
            "go",
            'package a\n\nimport (\n\t"b"\n)\n\nvar c = find(word)\n',
            '"d"',
            'package a\n\nimport (\n\t"b"\n\t"d"\n)\n\nvar c = find(word)\n',
        ),
        (
            "go",
            "package a\n\nvar c = find(word)\n",
            '"d"',
            'package a\n\nimport "d"\n\nvar c = find(word)\n',
        ),
    ],
)
def test_an_import_stands_with_the_others(
    language: str, text: str, line: str, expected: str
) -> None:
    made = mended(language, text, "word", wrap="{}", imports=(line,))
    assert made == expected


def test_a_line_that_only_held_what_goes_goes_too() -> None:
    text = "@free\n@kept\ndef a():\n    pass\n"
    assert mended("python", text, "free", remove="decorator") == "@kept\ndef a():\n    pass\n"


def test_what_is_alike_on_the_line_is_not_confused() -> None:
    text = "é = get(a); è = get(b)\n"
    assert mended("python", text, "get(b)", set={"t": "1"}) == "é = get(a); è = get(b, t=1)\n"


def test_an_import_whose_name_means_something_else_is_no_help() -> None:
    said = {"wrap": "html.escape({})", "imports": ("import html",)}
    assert mended("python", "html = find(word)\n", "word", **said) is None
    assert mended("python", "from d import html\nfind(word)\n", "word", **said) is None
    assert mended("python", "a.html = find(word)\n", "word", **said) == (
        "import html\n\na.html = find(html.escape(word))\n"
    )
    assert mended("python", "import html, re\nfind(word)\n", "word", **said) == (
        "import html, re\nfind(html.escape(word))\n"
    )


def test_a_script_of_a_page_imports_nothing() -> None:
    said = {"wrap": "b({})", "imports": ("import { b } from 'b';",)}
    assert mended("javascript", "find(word);\n", "word", **said) is None
    loaded = "const { b } = require('node:b');\n"
    assert mended("javascript", f"{loaded}find(word);\n", "word", **said) == (
        f"{loaded}find(b(word));\n"
    )
