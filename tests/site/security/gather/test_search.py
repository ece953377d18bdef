"""What becomes of texts when the process that searches them dies or talks nonsense."""

import sys
from pathlib import Path

import pytest

from mergegate.core.errors import EngineFailed
from mergegate.sandbox.process import run
from mergegate.site.security.facts import SourceText
from mergegate.site.security.gather.contents import Found, search

_DIES = """
import json, os, signal, sys
with open(sys.argv[2], "w") as out:
    for number, text in enumerate(json.load(open(sys.argv[1]))["texts"]):
        print(json.dumps({"begun": number}), file=out, flush=True)
        if open(text["path"]).read() == "deadly":
            os.kill(os.getpid(), signal.SIGKILL)
        answer = {"secrets": [], "libraries": [["jquery", "1.8.3"]], "problems": []}
        print(json.dumps({"ended": number, **answer}), file=out, flush=True)
"""
JQUERY = Found(libraries=(("jquery", "1.8.3"),))
DIED = Found(problems=("searching it failed: it was ended by SIGKILL",))
LOST = Found(problems=("the search took too long, or ended too often",))


def texts(*contents: str) -> list[SourceText]:
    return [SourceText(url="https://example.org/", kind="script", text=one) for one in contents]


@pytest.fixture
def pretend(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file whose program stands in for the worker; a room for it lies beside."""
    program = tmp_path / "worker.py"
    monkeypatch.setattr(run, "python_module", lambda _: [sys.executable, str(program)])
    (tmp_path / "room").mkdir()
    return program


def test_the_text_it_died_on_is_told_and_the_others_are_searched(pretend: Path) -> None:
    pretend.write_text(_DIES)
    found = search(texts("a", "deadly", "b", "c"), pretend.parent / "room", 0, 60)
    assert found == (JQUERY, DIED, JQUERY, JQUERY)


def test_after_many_deaths_the_rest_is_not_searched(pretend: Path) -> None:
    pretend.write_text(_DIES)
    found = search(texts(*["deadly"] * 5), pretend.parent / "room", 0, 60)
    assert found == (DIED, DIED, DIED, DIED, LOST)


@pytest.mark.parametrize(
    "program",
    [
        "import sys; sys.exit(3)",
        "import sys; open(sys.argv[2], 'w').write('garbage\\n')",
        "import sys; open(sys.argv[2], 'w').write('{\"ended\": 0, \"secrets\": 7}\\n')",
        "import sys; open(sys.argv[2], 'w').write('')",
    ],
)
def test_nonsense_is_no_answer(program: str, pretend: Path) -> None:
    pretend.write_text(program)
    with pytest.raises(EngineFailed):
        search(texts("a"), pretend.parent / "room", 0, 60)


def test_without_texts_nothing_is_started(tmp_path: Path) -> None:
    assert search([], tmp_path, 0, 60) == ()
