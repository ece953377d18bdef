"""What engines read of a file: its text, and the programs inside, in the lines of the file."""

import json
from pathlib import Path

import pytest

from mergegate.core.tree import Reason, Role, SourceFile
from mergegate.sandbox.files.checkout import read_tree
from mergegate.sandbox.files.record import source_file
from mergegate.sandbox.files.text import text_of


def read(tmp_path: Path, path: str, content: bytes) -> SourceFile:
    location = tmp_path / "file"
    location.write_bytes(content)
    return source_file(path, location, content, tmp_path)


def program(file: SourceFile) -> str:
    (code,) = file.programs
    return code.location.read_text("utf-8")


@pytest.mark.parametrize(
    ("content", "language", "text"),
    [
        (b"x = 1\n", "python", b"x = 1\n"),
        ("class A {}\n".encode("utf-16"), "java", b"class A {}\n"),
        ("class A {}\n".encode("utf-16-be"), "java", b"class A {}\n"),
        ("class A {}\n".encode("utf-32"), "java", b"class A {}\n"),
        ("// é\n".encode("latin-1"), "javascript", "// \N{REPLACEMENT CHARACTER}\n".encode()),
        (
            "# coding: latin-1\n# é\n".encode("latin-1"),
            "python",
            "# coding: latin-1\n# é\n".encode(),
        ),
        (b"// \0\n" + b"x" * 99, "javascript", b"//  \n" + b"x" * 99),
        (b"a\rb\r\nc", "python", b"a\nb\r\nc"),
        (bytes(range(256)) * 9, "typescript", None),
        (b"\x89PNG\0" + bytes(range(256)), None, None),
        (b"# coding: punycode\n", "python", b"# coding: punycode\n"),
    ],
)
def test_the_text_is_what_is_run(content: bytes, language: str | None, text: bytes | None) -> None:
    assert text_of(content, language) == text


def test_a_plain_file_is_neither_copied_nor_changed(tmp_path: Path) -> None:
    file = read(tmp_path, "a.py", "x = 'é'\r\n".encode())
    assert (file.location, file.verbatim, file.code) == (tmp_path / "file", True, (file,))


def test_scripts_of_a_page_stand_where_they_stood(tmp_path: Path) -> None:
    page = "<p>é</p><script>\nf();</script><SCRIPT type='text/template'>x</SCRIPT>\n<script>g()"
    found = program(read(tmp_path, "a.html", page.encode())).split("\n")
    assert [line.rstrip() for line in found] == ["", "f();;", "        g()"]


def test_marks_of_templates_are_read_as_code_and_as_values(tmp_path: Path) -> None:
    page = b"<script>{% if x %}a = {{ b }};</script>"
    raw, plain = read(tmp_path, "a.html", page).programs
    assert (raw.spare, plain.spare) == (True, False)
    assert plain.location.read_bytes() == b"        " + b" " * 10 + b"a = 0      ;"


def test_a_component_in_typescript_is_typescript(tmp_path: Path) -> None:
    file = read(tmp_path, "a.vue", b'<script setup lang="ts">\nlet a: string\n</script>')
    assert [one.language for one in file.programs] == ["typescript"]


def notebook(*sources: list[str] | str) -> dict[str, object]:
    cells: list[object] = [{"cell_type": "code", "metadata": {}, "source": one} for one in sources]
    return {"cells": cells, "metadata": {}, "nbformat": 4}


def test_cells_of_a_notebook_keep_the_lines_of_the_file(tmp_path: Path) -> None:
    said = notebook(["%matplotlib inline\n", "x = 1\n", "%time f(x)"], ["%%bash\n", "ls"])
    text = json.dumps(said, indent=1)
    (code,) = read(tmp_path, "a.ipynb", text.encode()).programs
    assert code.location.read_text().split("\n") == ["pass", "x = 1", "f(x)"]
    lines = text.split("\n")
    assert ["x = 1" in lines[number - 1] for number in code.line_map] == [False, True, False]


def test_a_notebook_on_one_line_has_all_its_code_there(tmp_path: Path) -> None:
    file = read(tmp_path, "a.ipynb", json.dumps(notebook("a = 1\nb = 2")).encode())
    assert (program(file), file.programs[0].line_map) == ("a = 1\nb = 2", (1, 1))


@pytest.mark.parametrize("broken", [b"{", b"[]", b'{"cells": 1}', b'{"cells": [{"source": [1]}]}'])
def test_what_no_notebook_program_opens_has_no_code(broken: bytes, tmp_path: Path) -> None:
    assert read(tmp_path, "a.ipynb", broken).programs == ()


@pytest.mark.parametrize(
    ("path", "text", "code", "lines"),
    [
        ("a.py", "os.𝐬ystem(é)", "os.system(é)", ()),
        (
            "a.py",
            "# coding: raw_unicode_escape\n#\\u000af()",
            "# coding: raw_unicode_escape\n#\nf()",
            (1, 2, 2),
        ),
        ("A.java", "e\\u0078ec(); // \\\\u0078", "exec(); // \\\\u0078", ()),
        ("A.java", "//\\u000af();\ng();", "//\nf();\ng();", (1, 1, 2)),
        ("a.js", "e\\u{78}ec('\\u0027')", "exec('\\u0027')", ()),
    ],
)
def test_names_in_escapes_are_read_as_compilers_read_them(
    path: str, text: str, code: str, lines: tuple[int, ...], tmp_path: Path
) -> None:
    file = read(tmp_path, path, text.encode())
    assert (program(file), file.programs[0].line_map) == (code, lines)
    assert file.code == file.programs


@pytest.mark.parametrize(
    ("path", "first", "languages"),
    [
        ("run", b"#!/usr/bin/env python3", ["python"]),
        ("run", b"#!/usr/bin/env -S A=1 node --flag", ["javascript"]),
        ("a.txt", b"#!/usr/bin/python3.11 -u", ["python"]),
        ("a.rb", b"#!/usr/bin/python", ["ruby", "python"]),
        ("run", b"#!", [None]),
        ("run", b"# /usr/bin/python", [None]),
    ],
)
def test_the_first_line_tells_the_language(
    path: str, first: bytes, languages: list[str | None], tmp_path: Path
) -> None:
    assert [one.language for one in read(tmp_path, path, first + b"\n").code] == languages


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ('<?xml version="1.0"?>\n<TS/>', "xml"),
        ("\n<!DOCTYPE TS>\n", "xml"),
        ("<T>x;", "typescript"),
    ],
)
def test_a_translation_of_qt_is_no_typescript(text: str, language: str, tmp_path: Path) -> None:
    assert read(tmp_path, "a.ts", text.encode()).language == language


def test_a_link_makes_code_of_its_target(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / "texts").mkdir(parents=True)
    (root / "texts" / "notes.txt").write_text("x\n")
    (root / "folder").symlink_to("texts")
    (root / "app.py").symlink_to("folder/notes.txt")
    (root / "gone.py").symlink_to("../outside.txt")
    tree = read_tree(root, readings=tmp_path)
    (file,) = tree.files
    assert (file.role, [one.language for one in file.code]) == (Role.SOURCE, [None, "python"])
    assert [(one.path, one.cause) for one in tree.skipped] == [("gone.py", Reason.LINK)]


def test_one_long_line_makes_no_bundle_and_most_of_them_do(tmp_path: Path) -> None:
    comment = b"// " + b"x" * 5000 + b"\n"
    assert not read(tmp_path, "a.js", comment + b"f();\n").minified
    assert not read(tmp_path, "a.js", comment + b"f();\n" * 20_000).minified
    assert read(tmp_path, "a.js", b"f();" * 20_000).minified


CODE = "import os\nos.f()"
INDENTED = "\n".join(f"    {line}" for line in CODE.split("\n"))
EMBEDDED = {
    "a value of YAML": ("a.yaml", f"x:\n  run: |\n{INDENTED}\ny: 1\n", "python", CODE, (3, 4)),
    "an entry of YAML": ("a.yml", f"- x: >-  # y\n{INDENTED}\n", "python", CODE, (2, 3)),
    "a here-document": ("a.sh", f"python <<-'E'\n{CODE}\nE\n", "python", CODE, (2, 3)),
    "COPY": ("Dockerfile", f"COPY <<E /a\n{CODE}\nE\n", "python", CODE, (2, 3)),
    "Make": ("Makefile", 'a:\n\tpython3 -u -c "f(\\"x\\")"\n', "python", 'f("x")', (2,)),
    "npm": ("package.json", '{"a": "node -e \\"f()\\""}', "javascript", "f()", (1,)),
    "a string": ("a.py", 'x = 1\nexec("""import os\nf()""")\n', "python", "import os\nf()", (2, 3)),
    "a tag": ("a.ejs", "<p>\n<% f() %>", "javascript", "   \n   f() ", ()),
    "text": ("a.txt", f"{CODE}\n", "python", f"{CODE}\n", ()),
    "no suffix": ("a", "const x = require('y')", "javascript", "const x = require('y')", ()),
    "a page": ("a.svg", "<svg><script>f()</script>", "javascript", f"{' ' * 13}f()", ()),
}


@pytest.mark.parametrize("name", EMBEDDED)
def test_code_inside_is_read_where_no_name_announces_it(name: str, tmp_path: Path) -> None:
    path, text, language, code, lines = EMBEDDED[name]
    file = read(tmp_path, path, text.encode())
    (found,) = file.programs
    assert (found.language, found.spare, found.line_map) == (language, True, lines)
    assert found.location.read_text().rstrip(" ") == code.rstrip(" ")


PLAIN = {
    "notes.txt": "We import goods from abroad. The function of the class is a require.\n",
    "a.yaml": "x: |\n  some words\n  and more\nimport: y\n",
    "a.sh": "cat <<E\nhello\nE\nif a << b; then python -m x; fi\n",
    "a.py": "re.compile('x')\npattern.exec('y')\n",
    "package.json": '{"scripts": {"start": "node -r esm app.js"}}',
}


@pytest.mark.parametrize("path", PLAIN)
def test_what_is_no_code_is_read_once(path: str, tmp_path: Path) -> None:
    assert read(tmp_path, path, PLAIN[path].encode()).programs == ()


@pytest.mark.parametrize(
    "text", ["/*\n  ...\n  */", "f(\n  ...\n  x)", "// `\n  y = `\n  ...\n  `"]
)
def test_a_line_of_three_dots_makes_no_pattern_of_a_program(text: str, tmp_path: Path) -> None:
    yaml = f"run: |\n  {text}\n  const x = require('x');\n  eval(x);\n"
    (found,) = read(tmp_path, "a.yaml", yaml.encode()).programs
    assert found.language == "javascript"


@pytest.mark.parametrize("path", ["a.py", "a.js", "a.ts"])
def test_a_text_that_is_let_run_is_read_beside_its_program(path: str, tmp_path: Path) -> None:
    file = read(tmp_path, path, b"f()\neval('g()')\n")
    (piece,) = file.programs
    assert file.code == (file, piece)


def test_many_pieces_are_one_program(tmp_path: Path) -> None:
    file = read(tmp_path, "a.py", b"exec('f()')\n" * 5_000)
    (found,) = file.programs
    assert found.line_map == tuple(range(1, 5_001))


@pytest.mark.parametrize("word", ["class ", "public class A ", "import a ", "def a ", "class aa"])
def test_a_text_of_many_beginnings_ends(word: str, tmp_path: Path) -> None:
    """Where each beginning had the rest read again, this would not end today."""
    assert read(tmp_path, "notes.md", (word * 150_000).encode()).language is None


def test_a_row_of_blanks_ends(tmp_path: Path) -> None:
    assert not read(tmp_path, "a.yaml", b"a: |\n" + b" " * 1_000_000).programs


DISGUISED = {
    "a.md": f"# Use\n\n{CODE}\n",
    "a.json": f"{CODE}\n",
    "a.yaml": f"# x\n{CODE}\n",
    "a.html": f"{CODE}\n",
    "a.tf": f"{CODE}\n",
}


@pytest.mark.parametrize("path", DISGUISED)
def test_code_under_the_name_of_another_format_is_read(path: str, tmp_path: Path) -> None:
    (found,) = read(tmp_path, path, DISGUISED[path].encode()).programs
    assert (found.language, found.spare, found.lines) == (
        "python",
        True,
        DISGUISED[path].count("\n"),
    )


FORMATS = {
    "a.md": f"# Use\n\n```python\n{CODE}\n```\n\nThen import it.\n",
    "a.rst": f"Use\n===\n\n::\n\n{INDENTED}\n\nfrom there on\n",
    "a.adoc": f"= Use\n\n----\n{CODE}\n----\n",
    "a.json": '{"import": "from x import y"}\n',
    "a.html": "<p>import</p>\n",
}


@pytest.mark.parametrize("path", FORMATS)
def test_what_is_in_the_format_of_its_name_is_read_once(path: str, tmp_path: Path) -> None:
    assert read(tmp_path, path, FORMATS[path].encode()).programs == ()


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("MyImage", "dockerfile"),
        ("a.docker", "dockerfile"),
        ("a.txt", "dockerfile"),
        ("a.py", "python"),
    ],
)
def test_a_build_is_one_under_any_name(tmp_path: Path, path: str, language: str) -> None:
    location = tmp_path / "a"
    content = "FROM a:1\nRUN b\n".encode("utf-16")
    location.write_bytes(content)
    assert source_file(path, location, content, tmp_path).language == language
