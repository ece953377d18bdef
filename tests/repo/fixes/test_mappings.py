"""Recipes change keys of YAML and JSON in the text, and leave alone what they do not know."""

from pathlib import Path
from typing import Any

import pytest

from mergegate.core.finding import Edit
from mergegate.repo.fixes import gates, manifests, mappings
from mergegate.repo.fixes.candidate import Candidate
from mergegate.repo.fixes.edits import Splice, line_edits
from mergegate.repo.fixes.recipe import Recipe
from mergegate.sandbox.files.record import source_file
from tests.repo.fixes.infrastructure import made
from tests.repo.fixes.test_proof import finding


def mended(text: str, marked: str, **said: Any) -> str | None:
    return made(mappings.steps, "yaml", text, marked, ".yaml", **said)


@pytest.mark.parametrize(
    ("text", "said", "expected"),
    [
        ("a: # é\n  x: no # why\n", {"set": {"x": "true"}}, "a: # é\n  x: true # why\n"),
        ("a:\n  x: 'no'\n", {"set": {"x": "true"}}, "a:\n  x: 'true'\n"),
        ("a:\n  x: no\n", {"set": {"y": "1"}}, "a:\n  x: no\n  y: 1\n"),
        ("a:\n  x: no", {"set": {"y": "1"}}, "a:\n  x: no\n  y: 1"),
        ("a:\n  x:\n", {"set": {"x": "1"}}, "a:\n  x: 1\n"),
        (
            "a:\n    x: no\nb: 1\n",
            {"set": {"y.z": "1"}},
            "a:\n    x: no\n    y:\n        z: 1\nb: 1\n",
        ),
        (
            "- x: no\n  s: |\n    t\n\n# end\n",
            {"set": {"y": "1"}},
            "- x: no\n  s: |\n    t\n  y: 1\n\n# end\n",
        ),
        ("a: {x: no}\n", {"set": {"y.z": "1"}}, "a: {x: no, y: {z: 1}}\n"),
        ('{"a": {"x": false}}\n', {"set": {"y": "on"}}, '{"a": {"x": false, "y": "on"}}\n'),
        ("a: {x: no, y: 1}\n", {"drop": ("x",)}, "a: {y: 1}\n"),
        ("a:\n- x: no\n  y: 1\n", {"drop": ("x",)}, "a:\n- y: 1\n"),
        ("a:\n  b:\n    x: no\n  c: 1\n", {"drop": ("x",)}, "a:\n  c: 1\n"),
        ("a:\n  x: no\n", {"replace": {"no": "yes"}}, "a:\n  x: yes\n"),
        ("a:\n  x: no\n  y: no\n", {"replace": {"yes": "no"}}, None),
        ("b: &b\n  x: no\na: *b\n", {"set": {"x": "true"}}, None),
        ("b: &b\n  y: 1\na:\n  <<: *b\n  x: no\n", {"set": {"y": "2"}}, None),
        ("b: &b {}\na:\n  <<: *b\n  x: no\n", {"set": {"z": "2"}}, None),
        ("a:\n  x: !Ref no\n", {"set": {"x": "true"}}, None),
        ("a:\n  x: no\n  y: {{ z }}\n", {"set": {"x": "true"}}, None),
        ('a:\n  x: no\n  y: "{{ z }}"\n', {"set": {"x": "true"}}, None),
        ("\ufeffa:\n  x: no\n", {"set": {"x": "true"}}, None),
        ("a: {b: {x: no}, c: {x: no}}\n", {"set": {"x": "true"}}, None),
        ("a:\n  x: no\n", {"set": {"x": "true"}, "on": "b"}, None),
        ("a:\n\tx: no\n", {"set": {"x": "true"}}, None),
    ],
)  # fmt: skip
def test_keys_change_where_they_stand(text: str, said: Any, expected: str | None) -> None:
    assert mended(text, "x", **said) == expected


def test_line_ends_of_windows_stay() -> None:
    text = "a:\r\n  x: no\r\n  z: 1\r\n"
    assert mended(text, "x", set={"y": "1"}) == "a:\r\n  x: no\r\n  z: 1\r\n  y: 1\r\n"


POD = "kind: Pod\nspec:\n  containers:\n  - name: a\n    tty: no\n  - name: b\n    tty: no\n"


def test_the_mapping_that_is_meant_is_known_by_its_path() -> None:
    set_tty = {"set": {"tty": "yes"}, "on": r"(?:.*\.)?containers\.\d+"}
    assert mended(POD, "- name: b", **set_tty) == f"{POD.removesuffix('no' + chr(10))}yes\n"
    assert mended(f"{POD}---\n{POD}", "- name: a", **set_tty) == (
        f"{POD.replace('tty: no', 'tty: yes', 1)}---\n{POD}"
    )


def test_a_list_loses_items_or_goes() -> None:
    text = "a:\n  capabilities:\n    add:\n    - CHOWN\n    - SYS_ADMIN # why\n    drop: [ALL]\n"
    steps = manifests.safe_capabilities
    assert made(steps, "yaml", text, "add") == text.replace("    - SYS_ADMIN # why\n", "")
    alone = text.replace("    - CHOWN\n", "")
    assert made(steps, "yaml", alone, "add") == "a:\n  capabilities:\n    drop: [ALL]\n"
    assert made(steps, "yaml", text.replace("- CHOWN", "- &c BPF"), "add") == (
        "a:\n  capabilities:\n    drop: [ALL]\n"
    )


STACK = "services:\n  a:\n    image: b\n    tty: no\n  c:\n    image: d\n"


@pytest.mark.parametrize(
    ("edit", "why"),
    [
        (Edit("a.yaml", 4, 4, "    tty: yes"), ""),
        (Edit("a.yaml", 3, 4, "    image: e\n    tty: yes"), "other keys"),
        (Edit("a.yaml", 4, 6, "    tty: yes\n  c:\n    image: d"), "outside the object"),
        (Edit("a.yaml", 6, 6, "    image: e"), "outside the object"),
        (Edit("a.yaml", 4, 4, "    tty: yes\n    tty: yes: no"), "no longer parse"),
    ],
)
def test_only_the_object_and_the_keys_that_are_meant_may_change(edit: Edit, why: str) -> None:
    file = source_file("a.yaml", Path(__file__), STACK.encode())
    recipe = Recipe(rule="r", does="It is mended.", set={"tty": "yes"})
    one = Candidate(finding("a.yaml", 4), (edit,), file, STACK, recipe)
    said = gates.refusal(one, gates.BEFORE)
    assert (why in said[1]) if said and why else said is None


def test_values_in_place_of_others_are_all_that_changes() -> None:
    recipe = Recipe(rule="r", does="It is mended.", replace={"off": "on"})
    assert not mappings.strays("a: {b: off, c: 1}\n", "a: {b: on, c: 1}\n", recipe)
    assert mappings.strays("a: {b: off, c: 1}\n", "a: {b: on, c: 2}\n", recipe)
    assert mappings.strays("a: {b: off}\n", "a: {b: on, d: 1}\n", recipe)


def test_what_an_image_starts_stays() -> None:
    text = "FROM a\nRUN b --c\nCMD d\n"
    file = source_file("Dockerfile", Path(__file__), text.encode())
    for edit, passes in (
        (Edit("Dockerfile", 2, 2, "RUN b"), True),
        (Edit("Dockerfile", 2, 3, "RUN b\nUSER e\nCMD d"), True),
        (Edit("Dockerfile", 2, 3, "RUN b\nCMD e"), False),
        (Edit("Dockerfile", 1, 2, "FROM f\nRUN b"), False),
    ):
        one = Candidate(finding("Dockerfile", 2), (edit,), file, text)
        assert (gates.nothing_smuggled(one) == "") is passes


def test_an_address_may_become_encrypted_and_nothing_else() -> None:
    text = "a: http://example.org/b\n"
    file = source_file("a.yaml", Path(__file__), text.encode())
    for new, passes in (
        ("https://example.org/b", True),
        ("http://example.org/c", False),
        ("https://example.com/b", False),
    ):
        edit = Edit("a.yaml", 1, 1, f"a: {new}")
        one = Candidate(finding("a.yaml", 1), (edit,), file, text)
        assert (gates.nothing_smuggled(one) == "") is passes


def test_an_edit_that_takes_lines_away_does_not_touch_the_one_below() -> None:
    text = "a\nb\nc\n"
    assert line_edits("f", text.encode(), [Splice(2, 4, "")]) == (Edit("f", 2, 2, ""),)
    assert line_edits("f", b"a\n\nc\n", [Splice(0, 2, "")]) == (Edit("f", 1, 1, ""),)
    assert line_edits("f", text.encode(), [Splice(0, 2, "d\n")]) == (Edit("f", 1, 2, "d\nb"),)


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("a: [b, --c=d]\n", 'a: [b, "--c=e,f"]\n'),
        ("a: [b, '--c=d']\n", "a: [b, '--c=e,f']\n"),
        ("a:\n- b\n- --c=d\n", "a:\n- b\n- --c=e,f\n"),
    ],
)
def test_a_value_with_a_comma_stays_one_item(text: str, after: str) -> None:
    assert mended(text, "--c=d", replace={"--c=d": "--c=e,f"}) == after
