"""Lock files that name one package and install another, or none of what their manifest names."""

import json
from pathlib import Path

import pytest

from mergegate.sandbox.files.checkout import read_tree
from tests.packages.dependency_tree import fact_of

NPM, YARN = "https://registry.npmjs.org", "https://registry.yarnpkg.com"
MANIFEST = {"name": "x", "dependencies": {"a": "1.0.0"}}
CLASSIC = '# yarn lockfile v1\n\n"{}":\n  version "1.0.0"\n  resolved "{}"\n'
BERRY = '__metadata:\n  version: 6\n\n"{}":\n  version: 1.0.0\n  resolution: "{}"\n'
PNPM = "lockfileVersion: '9.0'\npackages:\n  a@1.0.0:\n    resolution: {{{}}}\n"
PATCHED = "a@patch:a@npm%3A1.0.0#./p.patch"


def entry(**more: object) -> dict[str, object]:
    return {"version": "1.0.0", **more}


def npm(one: dict[str, object], **more: object) -> str:
    packages = {"": {"dependencies": {"a": "1.0.0"}}, "node_modules/a": one}
    return json.dumps({"lockfileVersion": 3, "packages": packages, **more})


LOCKS: dict[str, tuple[str, str, list[str]]] = {
    # the lock file, its text, and what is told of it
    "npm": ("package-lock.json", npm(entry(resolved=f"{NPM}/a/-/a-1.0.0.tgz")), ["a 1.0.0"]),
    "another version": (
        "package-lock.json",
        npm(entry(resolved=f"{NPM}/a/-/a-0.9.0.tgz")),
        ["a is taken from a file or an address"],
    ),
    "an archive": (
        "package-lock.json",
        npm(entry(resolved="file:../a-1.0.0.tgz")),
        ["a is taken from a file or an address"],
    ),
    "an archive as version": (
        "package-lock.json",
        npm({"version": "file:lib/a-1.0.0.tgz"}),
        ["a is taken from a file or an address"],
    ),
    "ssh": (
        "package-lock.json",
        npm(entry(resolved="ssh://git@example.org/a")),
        ["a is taken from a version control repository"],
    ),
    "called extraneous": (
        "package-lock.json",
        npm(entry(resolved=f"{NPM}/a/-/a-1.0.0.tgz", extraneous=True)),
        ["a 1.0.0"],
    ),
    "told twice": (
        "package-lock.json",
        npm(entry(), dependencies={"a": {"version": "0.9.0"}, "b": {"version": "1.0.0"}}),
        ["a 0.9.0", "a 1.0.0", "b 1.0.0"],
    ),
    "told where old clients look": (
        "package-lock.json",
        json.dumps({"lockfileVersion": 1, "packages": {}, "dependencies": {"a": entry()}}),
        ["a 1.0.0"],
    ),
    "yarn": ("yarn.lock", CLASSIC.format("a@1.0.0", f"{YARN}/a/-/a-1.0.0.tgz#0"), ["a 1.0.0"]),
    "yarn's other version": (
        "yarn.lock",
        CLASSIC.format("a@1.0.0", f"{YARN}/a/-/a-0.9.0.tgz#0"),
        ["a is taken from a file or an address"],
    ),
    "yarn's other package": (
        "yarn.lock",
        CLASSIC.format("a@1.0.0", f"{YARN}/b/-/b-1.0.0.tgz#0"),
        ["a is taken from a file or an address"],
    ),
    "yarn's archive": (
        "yarn.lock",
        CLASSIC.format("a@file:lib/a.tgz", ""),
        ["a is taken from a file or an address"],
    ),
    "berry": ("yarn.lock", BERRY.format("a@npm:1.0.0", "a@npm:1.0.0"), ["a 1.0.0"]),
    "berry's patch": (
        "yarn.lock",
        BERRY.format(PATCHED, f"{PATCHED}::version=1.0.0"),
        ["a 1.0.0"],
    ),
    "berry's other version": (
        "yarn.lock",
        BERRY.format("a@npm:1.0.0", "a@npm:0.9.0"),
        ["a 0.9.0", "a 1.0.0"],
    ),
    "berry's other address": (
        "yarn.lock",
        BERRY.format("a@npm:1.0.0", "a@npm:1.0.0::__archiveUrl=https%3A%2F%2Fexample.org%2Fb.tgz"),
        ["a is taken from a file or an address"],
    ),
    "berry's own address": (
        "yarn.lock",
        BERRY.format(
            "a@npm:1.0.0",
            "a@npm:1.0.0::__archiveUrl=https%3A%2F%2Fexample.org%2Fa%2F1.0.0%2F0f",
        ),
        ["a 1.0.0"],
    ),
    "berry's archive": (
        "yarn.lock",
        BERRY.format("a@https://example.org/b.tgz", "a@https://example.org/b.tgz"),
        ["a is taken from a file or an address"],
    ),
    "pnpm": ("pnpm-lock.yaml", PNPM.format("integrity: sha512-x"), ["a 1.0.0"]),
    "pnpm's folder": (
        "pnpm-lock.yaml",
        PNPM.format("type: directory, directory: b"),
        ["a is taken from a file or an address"],
    ),
    "lacks it": ("yarn.lock", CLASSIC.format("b@1.0.0", ""), ["a 1.0.0", "b 1.0.0"]),
    "says nothing": ("yarn.lock", "# yarn lockfile v1\n", ["a 1.0.0"]),
}


def told(folder: Path) -> list[str]:
    """Every package, and what is known to come from elsewhere."""
    fact = fact_of(read_tree(folder))
    packages = [f"{one.name} {one.version}" for one in fact.packages]
    return sorted({*packages, *(f"{one.name} is {one.why.value}" for one in fact.unresolved)})


PYTHON = '[project]\nname = "x"\nversion = "1"\ndependencies = ["a-b==1.0"]\n'
FILES = "https://files.pythonhosted.org/packages/0f"
UV = '[[package]]\nname = "a-b"\nversion = "1.0"\nsource = {{ registry = "x" }}\n{}\n'
OTHERS = {
    # the lock file, how it begins, and what it says of the package's files
    "uv": ("uv.lock", "version = 1\n" + UV),
    "pdm": ("pdm.lock", '[metadata]\n[[package]]\nname = "a-b"\nversion = "1.0"\n{}\n'),
    "pylock": (
        "pylock.toml",
        'lock-version = "1"\n[[packages]]\nname = "a-b"\nversion = "1.0"\n{}\n',
    ),
}


@pytest.mark.parametrize("kind", OTHERS)
@pytest.mark.parametrize(
    ("name", "is_it"),
    [
        ("a_b-1.0-py3-none-any.whl", True),
        ("a.b-1.0.0.tar.gz", True),
        ("a-b-1.0.zip#sha256=0", True),
        ("A_B-1.0-1-cp311-cp311-manylinux_2_17_x86_64.whl", True),
        ("a_b-0.9-py3-none-any.whl", False),
        ("a-b-0.9.tar.gz", False),
        ("a_b_c-1.0-py3-none-any.whl", False),
        ("c-1.0.tar.gz", False),
    ],
)
def test_a_file_of_another_release_is_no_release_of_the_package(
    kind: str, name: str, is_it: bool, tmp_path: Path
) -> None:
    file, text = OTHERS[kind]
    listed = "files" if kind == "pdm" else "wheels"
    (tmp_path / file).write_text(text.format(f'{listed} = [{{ url = "{FILES}/{name}" }}]'))
    (tmp_path / "pyproject.toml").write_text(PYTHON)
    assert told(tmp_path) == ["a-b 1.0" if is_it else "a-b is taken from a file or an address"]


def test_pipenv_installs_what_an_entry_names_beside_its_version(tmp_path: Path) -> None:
    locked = {
        "default": {"a": {"version": "==1", "git": "https://example.org"}, "b": {"version": "==2"}},
        "develop": {"b": {"version": "==1"}},
    }
    (tmp_path / "Pipfile.lock").write_text(json.dumps(locked))
    assert told(tmp_path) == ["a is taken from a version control repository", "b 1", "b 2"]


def test_go_reads_quotes_and_tabs(tmp_path: Path) -> None:
    text = (
        "module x\ngo 1.21\nrequire\texample.org/a v1.0.0\nrequire `example.org/b` v1.0.0\n"
        'replace (\n\t"example.org/b" => "example.org/b" v0.9.0\n)\n'
    )
    (tmp_path / "go.mod").write_text(text)
    assert told(tmp_path) == ["example.org/a v1.0.0", "example.org/b v0.9.0", "stdlib 1.21"]


@pytest.mark.parametrize("name", LOCKS)
def test_what_is_installed_is_told_whatever_it_is_called(name: str, tmp_path: Path) -> None:
    file, text, expected = LOCKS[name]
    (tmp_path / file).write_text(text)
    (tmp_path / "package.json").write_text(json.dumps(MANIFEST))
    assert told(tmp_path) == expected


def test_a_version_that_the_lock_does_not_fix_is_asked_about(tmp_path: Path) -> None:
    """What installs without the lock, or renews it, takes the manifest's."""
    (tmp_path / "package-lock.json").write_text(npm(entry()))
    wanted = {"dependencies": {"a": "0.9.0", "b": "^1.0.0", "x-own": "1.0.0"}}
    (tmp_path / "package.json").write_text(json.dumps(wanted))
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "package.json").write_text('{"name": "x-own", "version": "1.0.0"}')
    assert told(tmp_path) == ["a 0.9.0", "a 1.0.0", "b is no exact version"]
