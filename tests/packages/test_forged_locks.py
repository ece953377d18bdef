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
