"""Templates that are compiled once: the same text, whoever compiled them, and never in the way."""

import sys
from pathlib import Path

import jinja2
import pytest

from mergegate.core.render import escape, templates


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of templates, with one whose constants are worked out when it is compiled."""
    (tmp_path / "one.j2").write_text("{{ '<b>@x</b>' }} {{ '<i>' | clip(2) }}{{ given }}")
    monkeypatch.setattr(templates, "folder", lambda: tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    return tmp_path


def markdown() -> str:
    return templates.markdown.__wrapped__().get_template("one.j2").render(given="<u>")


def html() -> str:
    return templates.html.__wrapped__().get_template("one.j2").render(given="<u>")


def never_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> str:
        raise AssertionError("compiled again")

    monkeypatch.setattr(jinja2.Environment, "_generate", refuse)


def test_a_compiled_template_says_the_same(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fresh = markdown()
    never_again(monkeypatch)
    assert markdown() == fresh


def test_each_target_has_its_own(folder: Path) -> None:
    first = markdown()
    assert html() == "&lt;b&gt;@x&lt;/b&gt; &lt;…&lt;u&gt;"
    assert markdown() == first != html()


def test_a_changed_template_is_compiled_anew(folder: Path) -> None:
    markdown()
    (folder / "one.j2").write_text("other")
    assert markdown() == "other"


def test_what_was_compiled_with_other_filters_is_not_used(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    markdown()
    other = folder / "escape.py"
    other.write_text("# another mergegate's")
    monkeypatch.setattr(escape, "__file__", str(other))
    never_again(monkeypatch)
    with pytest.raises(AssertionError, match="compiled again"):
        markdown()


@pytest.mark.parametrize("content", [b"", b"j2", b"\x00" * 200])
def test_a_damaged_one_is_compiled_anew(folder: Path, content: bytes) -> None:
    fresh = markdown()
    (kept,) = (folder / "__pycache__").iterdir()
    kept.write_bytes(content)
    assert markdown() == fresh


def test_a_folder_that_may_not_be_written_is_no_reason_to_fail(folder: Path) -> None:
    (folder / "__pycache__").write_text("in the way")
    assert html() == "&lt;b&gt;@x&lt;/b&gt; &lt;…&lt;u&gt;"


def test_who_wants_no_compiled_modules_gets_no_compiled_templates(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert markdown()
    assert not (folder / "__pycache__").exists()
