"""The rule files: every pattern is one, none explodes, every rule can be met."""

import re
import time
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest

from mergegate.site.stack import rule
from mergegate.site.stack.rule import Pattern, clean_version

HOSTILE_TEXTS = {
    "letters": "a" * 100_000,
    "digits": "1" * 100_000,
    "dots": "1." * 50_000,
    "tags": "<" * 100_000,
    "comments": "<!-- " * 20_000,
    "spaces": " " * 100_000,
    "slashes": "/" * 100_000,
    "addresses": "//www.google.com/" * 6_000,
    "classes": "<!-- Generated with Sphinx 1" * 4_000,
    "titles": "<title>x - " * 9_000,
    "lines": "/jquery-1\n" * 10_000,
    "variables": "--tw-" * 20_000,
}
LINEAR_S = 0.25
"""What a search may take on a hundred thousand characters: a hundred times what one takes."""


def _expressions() -> Iterator[tuple[str, Pattern]]:
    for name, one in rule.rules().items():
        patterns = (
            *one.headers.values(),
            *one.metas.values(),
            *one.cookies,
            *one.addresses,
            *one.paths,
            *one.html,
            *one.told.values(),
            *(element.pattern for element in one.elements),
        )
        yield from ((name, pattern) for pattern in patterns)


def test_every_version_names_a_group_that_is_there() -> None:
    for name, pattern in _expressions():
        asked = [int(number) for number in re.findall(r"\\(\d)", pattern.version)]
        assert all(number <= pattern.expression.groups for number in asked), name


@pytest.mark.parametrize("text", HOSTILE_TEXTS.values(), ids=HOSTILE_TEXTS)
def test_no_expression_explodes(text: str) -> None:
    slow = []
    for name, pattern in _expressions():
        start = time.thread_time()
        pattern.expression.search(text)
        if time.thread_time() - start > LINEAR_S:
            slow.append((name, pattern.expression.pattern))
    assert slow == []


def test_no_expression_explodes_on_its_own_beginning() -> None:
    slow = []
    for name, pattern in _expressions():
        literal = re.match(r"[\w/<!=@ -]+", pattern.expression.pattern)
        beginning = (literal[0] if literal else "/") + "1"
        text = "\n".join([(beginning * 500)[:500]] * 200)
        start = time.thread_time()
        pattern.expression.search(text)
        if time.thread_time() - start > LINEAR_S:
            slow.append((name, pattern.expression.pattern))
    assert slow == []


def test_every_rule_says_what_it_is_and_how_to_know_it() -> None:
    brought = {one.text for each in rule.rules().values() for one in each.implies}
    evidence = [field.name for field in fields(rule.Signature)][3:-3]
    for name, one in rule.rules().items():
        assert one.categories, name
        assert one.website.startswith(("https://", "http://")), name
        assert name in brought or any(getattr(one, kind) for kind in evidence), name


def test_no_evidence_is_mere_noise() -> None:
    for name, pattern in _expressions():
        assert pattern.confidence >= 30, name


def test_header_meta_and_host_names_are_in_small_letters() -> None:
    for name, one in rule.rules().items():
        names = [*one.headers, *one.metas, *(p.text for p in (*one.hosts, *one.sites))]
        assert [each.lower() for each in names] == names, name


@pytest.mark.parametrize(
    ("written", "text", "version"),
    [
        (r"jquery-([\d.]+)\;version:\1", "jquery-3.7.1", "3.7.1"),
        (r"a(b)?\;version:\1?2:1", "ab", "2"),
        (r"a(b)?\;version:\1?2:1", "a", "1"),
        (r"a(b)?\;version:\1?2:", "a", ""),
        (r"a\;version:3", "a", "3"),
        (r"a\;confidence:50", "a", ""),
        (r"a(b)?\;version:\1", "a", ""),
    ],
)
def test_a_pattern_tells_the_version(written: str, text: str, version: str) -> None:
    pattern = Pattern.parse(written)
    match = pattern.expression.search(text)
    assert match
    assert pattern.version_in(match) == version


@pytest.mark.parametrize("written", [r"a\;confidence:0", r"a\;confidence:x", r"a\;versoin:1", "a("])
def test_what_is_no_pattern_is_refused(written: str) -> None:
    with pytest.raises(ValueError):
        Pattern.parse(written)


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("v1.2.3", "1.2.3"),
        (" 3.0 ", "3.0"),
        ("r160", "160"),
        ("1.2.", "1.2"),
        ("two", ""),
        ("١", ""),
    ],
)
def test_a_version_is_plain(text: str, version: str) -> None:
    assert clean_version(text) == version


@pytest.mark.parametrize(
    "said",
    ['["A"]\nwrong = 1', '["A"]\ncategories = "x"', '["A"]\nheaders = []', '["A"]\nhtml = ["("]'],
)
def test_a_broken_rule_file_is_refused(
    said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.toml").write_text(said)
    monkeypatch.setattr(rule, "FOLDER", tmp_path)
    with pytest.raises(ValueError):
        rule.rules.__wrapped__()


def test_a_name_stands_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for file in ("a.toml", "b.toml"):
        (tmp_path / file).write_text('["A"]\ncategories = ["x"]')
    monkeypatch.setattr(rule, "FOLDER", tmp_path)
    with pytest.raises(ValueError, match="A: in another file"):
        rule.rules.__wrapped__()
