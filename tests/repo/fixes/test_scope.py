"""What a change may touch beside the function that was meant, and what it may bring."""

from pathlib import Path
from typing import Any

from mergegate.core.finding import Edit, Finding, Place
from mergegate.core.severity import Category, Kind, Severity
from mergegate.core.tree import SourceFile
from mergegate.repo.fixes import gates
from mergegate.repo.fixes.candidate import Candidate
from mergegate.repo.fixes.recipe import Recipe


def candidate(
    language: str, text: str, line: int, edit: tuple[int, int, str], **recipe: Any
) -> Candidate:
    path = f"a.{language}"
    finding = Finding(
        rule_id="r",
        title="Title",
        message="Message.",
        severity=Severity.HIGH,
        category=Category.SECURITY,
        kind=Kind.CODE,
        place=Place(path, line, line),
    )
    file = SourceFile(path=path, location=Path(path), size=len(text), digest="0", language=language)
    made = Recipe(rule="r", does="It is mended.", **recipe) if recipe else None
    return Candidate(finding, (Edit(path, *edit),), file, text, made)


def stopped(one: Candidate) -> str:
    return gates.in_scope(one) or gates.nothing_smuggled(one)


GO = 'package a\n\nimport (\n\t"b"\n\t"c"\n)\n\nfunc f() {\n\tb.D()\n}\n\nfunc g() {\n\tc.E()\n}\n'


def test_an_import_that_nothing_uses_may_go_and_no_other() -> None:
    unused = GO.replace("b.D()", "d()")
    assert not stopped(candidate("go", unused, 9, (4, 5, '\t"c"'), imports=('"x"',)))
    assert stopped(candidate("go", GO, 9, (4, 5, '\t"c"'), imports=('"x"',)))
    assert stopped(candidate("go", unused, 9, (4, 5, '\t"c"')))


JAVA = "class A {\n    int b = 1;\n    int c = 1;\n    int d() {\n        return b;\n    }\n}\n"


def test_a_field_that_the_function_names_may_change_and_no_other() -> None:
    assert not stopped(candidate("java", JAVA, 5, (2, 2, "    int b = 2;")))
    assert stopped(candidate("java", JAVA, 5, (3, 3, "    int c = 2;")))


def test_an_address_is_new_only_as_the_name_of_a_setting() -> None:
    edit = (5, 5, '        return b("http://example.org/feature");')
    assert stopped(candidate("java", JAVA, 5, edit))
    named = ("http://example.org/feature",)
    assert not stopped(candidate("java", JAVA, 5, edit, addresses=named))


def test_what_an_annotation_says_may_change_where_it_was_found() -> None:
    text = 'interface A {\n    @B("c")\n    @D("e")\n    int f();\n}\n'
    assert not stopped(candidate("java", text, 2, (2, 2, '    @B("x")')))
    assert stopped(candidate("java", text, 2, (3, 3, '    @D("x")')))


def test_a_class_without_a_name_may_go() -> None:
    text = (
        "class A {\n    void b() {\n        c(new D() {\n            int e() { return 1; }\n"
        "        });\n    }\n    void f() { }\n}\n"
    )
    assert not stopped(candidate("java", text, 4, (3, 5, "        g();")))
    assert stopped(candidate("java", text, 4, (3, 7, "        g();\n    }")))


STACK = (
    "Outputs: {}\nParameters:\n  A:\n    Type: String\n"
    "Resources:\n  B:\n    Type: C\n  D: {}\n  F: {}\n"
)


def test_the_parameters_of_a_template_may_grow_where_a_recipe_declares_some() -> None:
    for edit in ((4, 4, "    Type: String\n  E: {Type: String}"), (5, 5, "  E: {}\nResources:")):
        assert not stopped(candidate("yaml", STACK, 7, edit, declares="Parameters"))
        assert stopped(candidate("yaml", STACK, 7, edit, set={"Type": "E"}))
    elsewhere = (1, 1, "Outputs: {A: 1}")
    assert stopped(candidate("yaml", STACK, 7, elsewhere, declares="Parameters"))
    assert stopped(candidate("yaml", STACK, 7, (9, 9, "  F: {A: 1}"), declares="Parameters"))
