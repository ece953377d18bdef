"""Every code that an answer or a scan may carry is explained, in the reference and in the guide."""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from mergegate.core.render import failures
from mergegate.host.api.problems import Code
from mergegate.host.api.reference import ANSWERS
from mergegate.host.causes import CAUSES, remedy

ROOT = Path(__file__).parents[4]
SOURCE = ROOT / "src" / "mergegate"
CODE = re.compile(r"[A-Z]+(?:_[A-Z]+)*")
WORTH_READING = re.compile(r"^    code\b.*=|\b(?:Failed|ErrorOut)\(", re.MULTILINE)
MAKERS = frozenset({"Failed", "ErrorOut"})


def test_every_error_says_what_to_do() -> None:
    assert list(ANSWERS) == list(Code) == list(read_codes())


def test_every_code_that_the_source_gives_a_scan_is_explained_and_no_other() -> None:
    assert given() == set(CAUSES)


def test_the_guide_lists_the_same_codes_in_the_same_words() -> None:
    guide = (ROOT / "docs" / "api.md").read_text()
    for code, what in ANSWERS.items():
        assert f"| `{code}` | {code.status} | {code.phrase} | {what} |\n" in guide
    for name, cause in CAUSES.items():
        assert f"| `{name}` | {cause.meaning} | {cause.remedy} |\n" in guide
    listed = re.findall(r"^\| `([A-Z_]+)` \|", guide, re.MULTILINE)
    assert sorted(listed) == sorted([*ANSWERS, *CAUSES])


def test_nobody_is_advised_on_a_code_of_another_release() -> None:
    assert remedy("SOMETHING_NEW") == ""


def read_codes() -> list[str]:
    """The entries of the table that explains them, in its order."""
    return list(tomllib.loads((SOURCE / "host" / "api" / "codes.toml").read_text()))


def given() -> set[str]:
    """The codes that errors are classed by, that outcomes are made with, and the usual ones."""
    found: set[str] = set()
    for text in (path.read_text() for path in SOURCE.rglob("*.py")):
        if WORTH_READING.search(text):
            tree = ast.parse(text)
            found |= set(of_errors(tree)) | set(of_outcomes(tree))
    usual = ast.parse(Path(failures.__file__).read_text())
    found |= {text for text in texts(usual) if CODE.fullmatch(text)}
    return found | {one.code for one in failures._FAILED.values()} | failures._NEXT.keys()


def of_errors(tree: ast.AST) -> Iterator[str]:
    """``code = "…"`` in the body of a class."""
    for kind in ast.walk(tree):
        for one in kind.body if isinstance(kind, ast.ClassDef) else ():
            if isinstance(one, ast.Assign) and ast.unparse(one.targets[0]) == "code":
                yield from (text for text in texts(one) if CODE.fullmatch(text))


def of_outcomes(tree: ast.AST) -> Iterator[str]:
    """``Failed("…", detail)``, ``ErrorOut(code="…")``."""
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and ast.unparse(call.func) in MAKERS:
            named = [one.value for one in call.keywords if one.arg == "code"]
            for first in (*call.args[:1], *named):
                yield from (text for text in texts(first) if CODE.fullmatch(text))


def texts(tree: ast.AST) -> Iterator[str]:
    for one in ast.walk(tree):
        if isinstance(one, ast.Constant) and isinstance(one.value, str):
            yield one.value
