"""Go packages that only tests import: which are theirs, and which may be somebody's product."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from mergegate.core.roles.go_packages import header
from tests.sandbox.files.test_roles import change, laid, roles

RELAY = "relay/test/server.go"
TREE = {
    "go.mod": "module acme.io/app\n\ngo 1.22\n",
    "main.go": 'package main\n\nimport "acme.io/app/relay"\n\nfunc main() { relay.Run() }\n',
    "relay/relay.go": "package relay\n\nfunc Run() {}\n",
    "relay/relay_test.go": 'package relay\n\nimport relaytest "acme.io/app/relay/test"\n',
    RELAY: 'package relaytest\n\nimport "net/http/httptest"\n\nconst Key = 1\n',
}


def moved(folder: str) -> dict[str, str]:
    """The tree with the package in another folder."""
    texts = {path.replace("relay/test", folder): text for path, text in TREE.items()}
    return {path: text.replace("relay/test", folder) for path, text in texts.items()}


def lowered(folder: Path, texts: Mapping[str, str]) -> set[str]:
    """The files that are tests, those aside that Go itself calls so."""
    return {path for path in roles(folder, texts) if not path.endswith("_test.go")}


FOR_TESTS: dict[str, tuple[dict[str, str], set[str]]] = {
    "in a folder of tests": (TREE, {RELAY}),
    "below internal": (moved("internal/fakes"), {"internal/fakes/server.go"}),
    "a whole package": (
        TREE | {"relay/test/more.go": "package relaytest\n"},
        {RELAY, "relay/test/more.go"},
    ),
    "through another": (
        TREE
        | {
            RELAY: 'package relaytest\n\nimport "acme.io/app/internal/keys"\n',
            "internal/keys/keys.go": "package keys\n",
        },
        {RELAY, "internal/keys/keys.go"},
    ),
    "of a module below": (
        {f"tools/{path}": text for path, text in TREE.items()} | {"go.mod": "module acme.io\n"},
        {f"tools/{RELAY}"},
    ),
}


@pytest.mark.parametrize("name", FOR_TESTS)
def test_what_tests_alone_import_is_theirs(name: str, tmp_path: Path) -> None:
    texts, expected = FOR_TESTS[name]
    assert lowered(tmp_path, texts) == expected


PRODUCT: dict[str, dict[str, str]] = {
    "used by the product": {"relay/use.go": 'package relay\n\nimport _ "acme.io/app/relay/test"\n'},
    "used in a group": {
        "relay/use.go": 'package relay\n\nimport (\n\t"fmt"\n\tt "acme.io/app/relay/test"\n)\n'
    },
    "used on a line with others": {
        "relay/use.go": 'package relay; import "fmt"; import ("acme.io/app/relay/test")\n'
    },
    "used between comments": {
        "relay/use.go": 'package relay\n\nimport /* a */ . /* b */ "acme.io/app/relay/test" // c\n'
    },
    "used in a raw text": {"relay/use.go": "package relay\nimport `acme.io/app/relay/test`\n"},
    "used below a long licence": {
        "relay/use.go": "// func (c) Acme\n" * 5000
        + 'package relay\nimport "acme.io/app/relay/test"\n'
    },
    "used by an escape": {"relay/use.go": 'package relay\nimport "acme.io/app/relay/te\\x73t"\n'},
    "used under its module's other name": {
        "cmd/use.go": 'package main\nimport "fork.io/app/relay/test"\n'
    },
    "used through a product's package": {
        "internal/a/a.go": 'package a\nimport "acme.io/app/relay/test"\n',
        "relay/use.go": 'package relay\nimport "acme.io/app/internal/a"\n',
    },
    "used under a build tag": {
        "relay/use.go": '//go:build prod\n\npackage relay\nimport "acme.io/app/relay/test"\n'
    },
    "a program": {RELAY: "package main\n\nfunc main() {}\n"},
    "a program beside it": {"relay/test/run.go": "package main\n\nfunc main() {}\n"},
    "imported in a comment alone": {
        "relay/relay_test.go": 'package relay\n\n// import "acme.io/app/relay/test"\n'
    },
    "named in a text alone": {
        "relay/relay_test.go": 'package relay\n\nvar a = "acme.io/app/relay/test"\n'
    },
    "another module's of that name": {
        "relay/relay_test.go": 'package relay\n\nimport "other.io/app/relay/test"\n'
    },
    "imported by nobody": {"relay/relay_test.go": "package relay\n"},
    "imported by its own tests alone": {
        "relay/relay_test.go": "package relay\n",
        "relay/test/a_test.go": 'package relaytest_test\n\nimport "acme.io/app/relay/test"\n',
    },
    "a tree without a module": {"go.mod": "go 1.22\n"},
    "a file that is no text": {"relay/use.go": "package relay\n\0"},
}


@pytest.mark.parametrize("name", PRODUCT)
def test_what_anything_else_may_hold_is_none(name: str, tmp_path: Path) -> None:
    assert lowered(tmp_path, TREE | PRODUCT[name]) == set()


@pytest.mark.parametrize("folder", ["fakes", "latest", "spec", "relay/client"])
def test_a_librarys_package_is_none_because_its_own_tree_only_tests_it(
    folder: str, tmp_path: Path
) -> None:
    assert lowered(tmp_path, moved(folder)) == set()


def test_where_a_file_was_not_read_nothing_is_known(tmp_path: Path) -> None:
    laid(tmp_path, TREE)
    (tmp_path / "relay" / "gone.go").symlink_to("/nowhere/gone.go")
    assert lowered(tmp_path, {}) == set()


def test_what_a_change_adds_to_such_a_package_is_told_in_full(tmp_path: Path) -> None:
    edit = {RELAY: TREE[RELAY] + "const Other = 2\n"}
    before, after = change(tmp_path, TREE, edit)
    assert RELAY not in before
    assert RELAY not in after


def test_a_test_that_a_change_adds_lowers_nothing(tmp_path: Path) -> None:
    base = TREE | {"relay/relay_test.go": "package relay\n"}
    before, after = change(tmp_path, base, {"relay/relay_test.go": TREE["relay/relay_test.go"]})
    assert RELAY not in before
    assert RELAY not in after


def test_a_package_that_a_change_puts_to_use_is_the_product_s(tmp_path: Path) -> None:
    before, after = change(tmp_path, TREE, PRODUCT["used by the product"])
    assert before[RELAY] == "test"
    assert RELAY not in after


def test_a_header_ends_where_no_import_may_stand() -> None:
    text = b'// package a\npackage b\nimport "x/y"\nvar s = "z/z"\nimport "late/late"\n'
    assert header(text) == ("b", ("x/y",))


def test_a_header_of_many_beginnings_ends() -> None:
    """Where each had the rest read again, this would not end today."""
    for word in (b"/*", b'"', b"`", b"package ", b'"a/b" '):
        header(word * 200_000)
