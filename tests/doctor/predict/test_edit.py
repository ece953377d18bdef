"""Edits of YAML: what they write, what they keep, and that they are refused in doubt."""

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from mergegate.doctor.predict.yaml.edit import Drop, Edit, Insert, Put, Rename, Swap, edited
from mergegate.doctor.predict.yaml.parse import documents, root

TEXT = """\
# top
on: # events
  pull_request:
    paths: [src/**] # code
  push:

jobs:
  a:
    runs-on: x # runner
    steps:
      # first
      - if: foo
        with: {a: 1, b: 2}
      - run: |
          echo 1
          mergegate ci || true

      - uses: z
  b: {runs-on: x, steps: [{run: y}]}
"""

EDITS: tuple[tuple[Edit, str, str], ...] = (
    (Put(("on", "merge_group"), None), "  push:\n", "  push:\n  merge_group:\n"),
    (
        Put(("on", "merge_group"), None, ("pull_request",)),
        "    paths: [src/**] # code\n",
        "    paths: [src/**] # code\n  merge_group:\n",
    ),
    (Put(("on", "push", "branches"), ["a"]), "  push:\n", "  push:\n    branches:\n      - a\n"),
    (
        Put(("jobs", "a", "timeout-minutes"), 30, ("runs-on",)),
        "    runs-on: x # runner\n",
        "    runs-on: x # runner\n    timeout-minutes: 30\n",
    ),
    (Put(("jobs", "a", "runs-on"), "y"), "runs-on: x # runner", "runs-on: y # runner"),
    (Put(("jobs", "b", "if"), "a && b"), "[{run: y}]}", "[{run: y}], if: a && b}"),
    (
        Put(("jobs", "a", "env", "X"), "1"),
        "      - uses: z\n",
        "      - uses: z\n    env:\n      X: '1'\n",
    ),
    (
        Put(("name",), "N", ("on",)),
        "  push:\n\n",
        "  push:\n\nname: N\n\n",
    ),
    (Insert(("jobs", "a", "steps"), {"uses": "n"}), "- uses: z\n", "- uses: z\n      - uses: n\n"),
    (
        Insert(("jobs", "a", "steps"), {"uses": "n"}, 0),
        "      # first\n",
        "      # first\n      - uses: n\n",
    ),
    (
        Insert(("jobs", "a", "steps"), {"run": "p\nq\n"}, 2),
        "|| true\n",
        "|| true\n      - run: |\n          p\n          q\n",
    ),
    (Insert(("on", "pull_request", "paths"), "b"), "[src/**]", "[src/**, b]"),
    (Drop(("jobs", "a", "steps", 0, "if")), "- if: foo\n        with", "- with"),
    (Drop(("jobs", "a", "steps", 0, "with", "a")), "{a: 1, b: 2}", "{b: 2}"),
    (Drop(("jobs", "a", "steps", 0, "with", "b")), "{a: 1, b: 2}", "{a: 1}"),
    (Drop(("jobs", "a", "runs-on")), "    runs-on: x # runner\n", ""),
    (
        Drop(("on", "pull_request", "paths"), keeps_parent=True),
        "    paths: [src/**] # code\n",
        "",
    ),
    (
        Drop(("on", "pull_request", "paths")),
        "  pull_request:\n    paths: [src/**] # code\n",
        "",
    ),
    (Rename(("on", "pull_request"), "push_2"), "  pull_request:", "  push_2:"),
    (Swap(("jobs", "a", "steps", 1, "run"), " || true", ""), " || true", ""),
)


@pytest.mark.parametrize(("edit", "old", "new"), EDITS, ids=lambda one: str(one)[:40])
def test_an_edit_changes_its_piece_and_nothing_else(edit: Edit, old: str, new: str) -> None:
    assert TEXT.count(old) == 1
    assert edited(TEXT, [edit]) == TEXT.replace(old, new)


@pytest.mark.parametrize(("edit", "old", "new"), EDITS[:12], ids=lambda one: str(one)[:40])
def test_line_ends_of_windows_are_kept(edit: Edit, old: str, new: str) -> None:
    carried = TEXT.replace("\n", "\r\n")
    assert edited(carried, [edit]) == TEXT.replace(old, new).replace("\n", "\r\n")


@pytest.mark.parametrize(
    ("text", "edit"),
    [
        ("a: &x {b: 1}\nc: *x\n", Put(("c", "b"), 2)),
        ("a: &x\n  b: 1\nc: *x\n", Put(("c", "d"), 2)),
        ("a: 1\na: 2\n", Put(("b",), 1)),
        ("a: 1\n---\na: 2\n", Put(("b",), 1)),
        ("a: [1\n", Put(("b",), 1)),
        ("a: 1\rb: 2\r", Put(("c",), 1)),
        ("a: 1\n", Drop(("b",))),
        ("a: 1\n", Insert(("a",), 1)),
        ("a: x x\n", Swap(("a",), "x", "y")),
        ("a:\n  # why\n  b: 1\n", Put(("a",), 1)),
        ("{}\n", Drop(())),
    ],
)
def test_an_edit_that_would_touch_more_is_refused(text: str, edit: Edit) -> None:
    assert edited(text, [edit]) is None


NAMES = st.text("abcxyz-_", min_size=1, max_size=6)
SCALARS = st.one_of(
    st.integers(0, 99), st.booleans(), st.text("ab #:'\"\\[]{}&*!|>%@`,\té-", max_size=8)
)
DOCUMENTS = st.dictionaries(
    NAMES,
    st.recursive(
        SCALARS,
        lambda inner: st.one_of(
            st.lists(inner, min_size=1, max_size=3),
            st.dictionaries(NAMES, inner, min_size=1, max_size=3),
        ),
        max_leaves=8,
    ),
    min_size=1,
    max_size=4,
)


@settings(max_examples=150, deadline=None)
@given(DOCUMENTS, NAMES, SCALARS, st.booleans())
def test_a_value_put_anywhere_is_read_back_and_the_rest_is_as_before(
    document: dict[str, object], name: str, value: str | int, flow: bool
) -> None:
    text = yaml.safe_dump(document, default_flow_style=flow, allow_unicode=True)
    after = edited(text, [Put((name,), value)])
    if after is not None:
        assert yaml.safe_load(after) == {**document, name: value}


@settings(max_examples=100, deadline=None)
@given(DOCUMENTS)
def test_places_are_those_of_the_text(document: dict[str, object]) -> None:
    text = "# é\n" + yaml.safe_dump(document, allow_unicode=True)
    for key, _ in root(text).pairs:
        if key.plain:
            assert text[key.start : key.end] == key.text
            assert text.count("\n", 0, key.start) == key.line - 1


def test_two_readers_place_every_value_alike() -> None:
    text = "é: [ü, b]\non:\n  x: |\n    ß\n    b\n\n  # c\n  y: &a {q: 1} # d\nz: *a\n"
    marks = [
        [
            (event.start_mark.index, event.end_mark.index)
            for event in yaml.parse(text, Loader=loader)
            if isinstance(event, yaml.ScalarEvent)
            and event.style != "|"
            and event.start_mark
            and event.end_mark
        ]
        for loader in (yaml.SafeLoader, getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    ]
    assert marks[0] == marks[1]


def test_a_list_and_no_document_are_read_too() -> None:
    assert documents("") == ()
    assert [item.text for item in root("- a\n- b\n").items] == ["a", "b"]
