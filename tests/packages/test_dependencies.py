"""What each lock file and manifest format says, and what hostile ones may not do."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from mergegate.core.errors import EngineFailed
from mergegate.core.report import EngineStatus
from mergegate.core.tree import Role, Tree
from mergegate.packages import lockfile_engine as lockfiles
from mergegate.packages.dependencies import Dependencies, Why
from mergegate.packages.ecosystems import ECOSYSTEMS
from mergegate.packages.readers.requirements import is_dev, is_requirements
from tests.packages.dependency_tree import (
    FIXTURES,
    fact_of,
    fixture,
    gather,
    package,
    tree_of,
    written,
)

# Fixture, package, version, line, direct, dev, path
ENTRIES = [
    ("poetry", "flask", "2.2.2", 4, True, False, ("flask",)),
    ("poetry", "markupsafe", "2.1.1", 52, False, False, ("flask", "jinja2", "markupsafe")),
    ("poetry", "iniconfig", "2.0.0", 33, False, True, ("pytest", "iniconfig")),
    ("uv", "werkzeug", "2.2.2", 67, False, False, ("flask", "werkzeug")),
    ("uv", "pytest", "8.0.0", 33, True, True, ("pytest",)),
    ("pipenv", "django", "3.2.0", 14, True, False, ("django",)),
    ("pipenv", "sqlparse", "0.4.1", 19, False, False, ()),
    ("pipenv", "pytest", "7.4.0", 29, True, True, ("pytest",)),
    ("pdm", "werkzeug", "2.2.2", 30, False, False, ("flask", "werkzeug")),
    ("pdm", "pytest", "7.4.0", 25, True, True, ("pytest",)),
    ("pylock", "attrs", "25.1.0", 6, None, False, ()),
    ("requirements", "django", "3.2.0", 7, True, False, ("Django",)),
    ("requirements", "cryptography", "3.2", 14, True, False, ("cryptography",)),
    ("requirements", "markupsafe", "2.1.1", 8, False, True, ("flask", "jinja2", "markupsafe")),
    ("npm-v1", "qs", "6.7.0", 15, False, False, ("express", "qs")),
    ("npm-v1", "qs", "6.9.0", 40, False, True, ("mocha", "qs")),
    ("npm-v3", "qs", "6.7.0", 27, False, False, ("express", "qs")),
    ("npm-v3", "lodash", "4.17.20", 46, True, False, ("lodash",)),
    ("npm-v3", "minimist", "1.2.0", 32, True, False, ("minimist",)),
    ("yarn-v1", "lodash", "4.17.20", 17, True, False, ("lodash",)),
    ("yarn-v1", "qs", "6.7.0", 25, False, False, ("express", "qs")),
    ("yarn-v1", "@types/node", "18.0.1", 5, True, True, ("@types/node",)),
    ("yarn-berry", "lodash", "4.17.20", 24, True, False, ("lodash",)),
    ("yarn-berry", "qs", "6.7.0", 37, False, False, ("express", "qs")),
    ("yarn-berry", "@types/node", "18.0.1", 8, True, True, ("@types/node",)),
    ("pnpm-v5", "react-thing", "1.0.0", 31, False, False, ("express", "react-thing")),
    ("pnpm-v5", "@types/node", "18.0.1", 15, True, True, ("@types/node",)),
    ("pnpm-v6", "react-thing", "1.0.0", 34, False, False, ("express", "react-thing")),
    ("pnpm-v9", "lodash", "4.17.20", 40, True, False, ("lodash",)),
    ("pnpm-v9", "qs", "6.7.0", 47, False, False, ("express", "qs")),
    ("pnpm-v9", "react-thing", "1.0.0", 50, True, False, ("react-thing",)),
    ("go", "github.com/gin-gonic/gin", "v1.7.0", 8, True, False, ("github.com/gin-gonic/gin",)),
    ("go", "stdlib", "1.22.1", 5, True, False, ("stdlib",)),
    ("go", "golang.org/x/text", "v0.3.3", 11, False, False, ()),
    ("cargo", "smallvec", "1.6.0", 38, True, False, ("smallvec",)),
    ("cargo", "smallvec", "0.6.13", 33, False, True, ("tempfile", "smallvec")),
    ("cargo", "tempfile", "3.2.0", 43, True, True, ("tempfile",)),
    ("bundler", "sinatra", "2.0.8", 30, True, False, ("sinatra",)),
    ("bundler", "rack", "2.2.3", 25, False, False, ("sinatra", "rack")),
    ("bundler", "nokogiri", "1.13.3", 19, True, False, ("nokogiri",)),
    ("bundler", "diff-lcs", "1.5.0", 17, False, True, ("rspec", "rspec-expectations", "diff-lcs")),
    (
        "composer",
        "guzzlehttp/psr7",
        "2.1.0",
        26,
        False,
        False,
        ("guzzlehttp/guzzle", "guzzlehttp/psr7"),
    ),
    ("composer", "phpunit/phpunit", "9.5.0", 38, True, True, ("phpunit/phpunit",)),
    ("nuget", "log4net", "2.0.5", 3, None, False, ()),
    ("nuget", "newtonsoft.json", "12.0.3", 5, True, False, ("Newtonsoft.Json",)),
    ("nuget", "serilog", "2.9.0", 7, True, True, ("Serilog",)),
    (
        "nuget",
        "system.text.encodings.web",
        "4.5.0",
        19,
        False,
        False,
        ("Serilog", "System.Text.Encodings.Web"),
    ),
    ("nuget", "dapper", "2.0.35", 29, True, False, ("Dapper",)),
    ("nuget", "xunit", "2.4.1", 4, True, True, ("xunit",)),
    ("nuget", "stylecop.analyzers", "1.1.118", 8, True, True, ("StyleCop.Analyzers",)),
    (
        "maven",
        "com.fasterxml.jackson.core:jackson-databind",
        "2.13.1",
        20,
        True,
        False,
        ("com.fasterxml.jackson.core:jackson-databind",),
    ),
    ("maven", "junit:junit", "4.12", 33, True, True, ("junit:junit",)),
    ("maven", "org.yaml:snakeyaml", "1.29", 24, True, False, ("org.yaml:snakeyaml",)),
    ("maven", "commons-io:commons-io", "2.6", 28, True, False, ("commons-io:commons-io",)),
    (
        "gradle",
        "com.squareup.okhttp3:okhttp",
        "4.9.0",
        5,
        True,
        False,
        ("com.squareup.okhttp3:okhttp",),
    ),
    ("gradle", "junit:junit", "4.12", 6, True, True, ("junit:junit",)),
    ("gradle", "com.google.code.gson:gson", "2.8.6", 4, None, False, ()),
    ("gradle", "commons-io:commons-io", "2.6", 8, True, False, ("commons-io:commons-io",)),
    (
        "gradle",
        "com.fasterxml.jackson.core:jackson-databind",
        "2.13.1",
        2,
        True,
        False,
        ("com.fasterxml.jackson.core:jackson-databind",),
    ),
    (
        "gradle",
        "io.netty:netty-handler",
        "4.1.60.Final",
        5,
        True,
        False,
        ("io.netty:netty-handler",),
    ),
    (
        "gradle",
        "mysql:mysql-connector-java",
        "8.0.20",
        8,
        True,
        False,
        ("mysql:mysql-connector-java",),
    ),
    (
        "gradle",
        "org.apache.logging.log4j:log4j-core",
        "2.14.1",
        4,
        True,
        False,
        ("org.apache.logging.log4j:log4j-core",),
    ),
    ("gradle", "org.assertj:assertj-core", "3.19.0", 10, True, True, ("org.assertj:assertj-core",)),
    ("actions", "actions/checkout", "v4", 7, True, False, ("actions/checkout",)),
    (
        "actions",
        "tj-actions/changed-files",
        "v45.0.6",
        10,
        True,
        False,
        ("tj-actions/changed-files",),
    ),
    ("bun", "qs", "6.9.0", 25, False, True, ("mocha", "qs")),
    ("bun", "qs", "6.7.0", 29, False, False, ("express", "qs")),
    ("bun", "express", "4.17.1", 21, True, False, ("express",)),
    ("deno", "express", "4.17.1", 16, True, False, ("express",)),
    ("deno", "qs", "6.7.0", 22, False, False, ("express", "qs")),
    ("pub", "http", "0.13.0", 15, True, False, ("http",)),
    ("pub", "http_parser", "4.0.0", 22, False, False, ()),
    ("pub", "lints", "2.0.0", 29, True, True, ("lints",)),
    ("hex", "plug", "1.12.1", 7, False, False, ("phoenix", "plug")),
    ("hex", "erlex", "0.2.6", 3, False, True, ("dialyxir", "erlex")),
    ("rebar", "cowboy", "2.8.0", 2, True, False, ("cowboy",)),
    ("rebar", "cowlib", "2.9.1", 3, False, False, ()),
    ("swift", "github.com/apple/swift-nio", "2.38.0", 15, None, False, ()),
    ("conan", "openssl", "1.1.1k", 5, None, False, ()),
    ("conan", "cmake", "3.20.0", 8, None, True, ()),
    ("conda", "flask", "2.2.2", 9, True, False, ("flask",)),
    ("conda", "jinja2", "3.0.0", 0, None, False, ()),
    ("bundler", "tilt", "2.0.10", 33, True, False, ("tilt",)),
]


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: f"{entry[0]}-{entry[1]}-{entry[2]}")
def test_a_package_is_read_with_its_place_and_way_in(entry: tuple[object, ...]) -> None:
    folder, name, version, *rest = entry
    found = package(fixture(str(folder)), str(name), str(version))
    assert [found.line, found.direct, found.dev, found.path] == rest


@pytest.mark.parametrize(
    ("folder", "count"),
    [
        ("poetry", 6),
        ("uv", 6),
        ("pipenv", 4),
        ("pdm", 4),
        ("pylock", 2),
        ("requirements", 8),
        ("npm-v1", 5),
        ("npm-v3", 6),
        ("yarn-v1", 4),
        ("yarn-berry", 4),
        ("pnpm-v5", 4),
        ("pnpm-v6", 4),
        ("pnpm-v9", 5),
        ("go", 5),
        ("cargo", 5),
        ("bundler", 10),
        ("conda", 2),
        ("bun", 4),
        ("deno", 4),
        ("pub", 4),
        ("hex", 5),
        ("rebar", 2),
        ("swift", 1),
        ("conan", 3),
        ("actions", 6),
        ("gradle", 11),
        ("maven", 4),
        ("nuget", 10),
        ("composer", 4),
    ],
)
def test_nothing_more_and_nothing_less_is_read(folder: str, count: int) -> None:
    assert len(fixture(folder).packages) == count


@pytest.mark.parametrize(
    ("folder", "name"),
    [
        ("poetry", "internal-lib"),
        ("uv", "helper"),
        ("pipenv", "tooling"),
        ("pylock", "own"),
        ("npm-v1", "own"),
        ("npm-v3", "own"),
        ("yarn-v1", "own"),
        ("yarn-berry", "own"),
        ("pnpm-v5", "own"),
        ("pnpm-v9", "own"),
        ("cargo", "own"),
        ("bundler", "own"),
        ("bun", "own"),
        ("pub", "own"),
        ("hex", "own"),
        ("rebar", "own"),
        ("swift", "git.example.org/team/own"),
        ("composer", "acme/own"),
    ],
)
def test_a_commit_is_unresolved_and_never_a_version(folder: str, name: str) -> None:
    fact = fixture(folder)
    assert [entry.why for entry in fact.unresolved if entry.name == name] == [Why.GIT]
    assert name not in {found.name for found in fact.packages}


def test_every_line_of_a_requirements_file_is_a_pin_or_has_a_reason() -> None:
    reasons = {
        entry.line: entry.why
        for entry in fixture("requirements").unresolved
        if entry.file == "requirements.txt"
    }
    assert reasons == {
        2: Why.INDEX,
        4: Why.INCLUDE,
        6: Why.GIT,
        9: Why.RANGE,
        10: Why.RANGE,
        11: Why.URL,
        12: Why.URL,
    }


@pytest.mark.parametrize("folder", ["requirements", "npm-v3", "pipenv", "yarn-berry"])
def test_no_credential_reaches_the_fact(folder: str) -> None:
    shown = repr(fixture(folder))
    assert not [secret for secret in ("t0ken", "s3cret", "token=abc", "git@git") if secret in shown]


def test_an_exact_manifest_line_may_be_edited_but_one_with_hashes_may_not() -> None:
    fact = fixture("requirements")
    pins = {p.name: p.pin.text for p in fact.packages if p.pin and p.file == "requirements.txt"}
    assert set(pins) == {"django", "jinja2", "pillow"}
    assert pins["pillow"] == 'Pillow[extra]==9.0.0 ; python_version >= "3.8"  # images'


@pytest.mark.parametrize(
    ("folder", "name", "file"),
    [
        ("cargo", "smallvec", "Cargo.toml"),
        ("npm-v3", "express", "package.json"),
        ("uv", "flask", "pyproject.toml"),
        ("pipenv", "django", "Pipfile"),
    ],
)
def test_a_lock_files_package_points_to_its_exact_manifest_line(
    folder: str, name: str, file: str
) -> None:
    pins = [p.pin for p in fixture(folder).packages if p.name == name and p.pin]
    assert [pin.file for pin in pins] == [file]
    assert name in pins[0].text


def test_a_replaced_go_module_is_the_replacement_and_a_local_one_is_nothing() -> None:
    versions = {p.name: p.version for p in fixture("go").packages}
    assert versions["github.com/new/thing"] == "v2.1.0+incompatible"
    assert not {"github.com/old/thing", "example.org/shop/local"} & versions.keys()


def test_old_go_modules_do_not_list_what_is_indirect(tmp_path: Path) -> None:
    fact = fact_of(written(tmp_path, go__mod="module m\n\ngo 1.16\n\nrequire a.b/c v1.0.0\n"))
    assert [(entry.line, entry.why) for entry in fact.unresolved] == [(3, Why.PARTIAL)]


def test_a_member_of_the_workspace_is_locked_and_a_stranger_below_is_not(tmp_path: Path) -> None:
    lock = {"lockfileVersion": 3, "packages": {"": {"name": "a"}, "packages/b": {"version": "1"}}}
    tree = written(
        tmp_path,
        package__json='{"name": "a", "dependencies": {"x": "^1"}}',
        package_DASH_lock__json=json.dumps(lock),
        packages___b___package__json='{"dependencies": {"x": "^1"}}',
        other___package__json='{"dependencies": {"x": "^1"}}',
    )
    locked = {manifest.file: manifest.has_lock for manifest in fact_of(tree).manifests}
    assert locked == {
        "package.json": True,
        "packages/b/package.json": True,
        "other/package.json": False,
    }


ADDRESSES = {
    "https://registry.example.org/@a/b/-/b-1.2.0.tgz": True,
    "https://registry.example.org/@a/b/-/b-1.2.0.tgz?cache=1": True,
    "https://registry.example.org/download/@a/b/1.2.0/5e8f": True,
    "https://registry.example.org/~/11/@a/b/1.2.0.tgz": True,
    "https://registry.example.org/c/-/c-0.0.8.tgz": False,
    "https://registry.example.org/@a/b/-/b-0.9.0.tgz": False,
    "https://registry.example.org/@a/b/-/../../../c/-/b-1.2.0.tgz": False,
    "https://registry.example.org/c/-/c-0.0.8.tgz#/b/1.2.0": False,
    "https://example.org/archive.tar.gz": False,
}


@pytest.mark.parametrize("address", ADDRESSES)
def test_what_npm_fetches_is_what_the_lock_file_calls_it(address: str, tmp_path: Path) -> None:
    entry = {"version": "1.2.0", "resolved": address}
    lock = {"lockfileVersion": 3, "packages": {"": {}, "node_modules/@a/b": entry}}
    fact = fact_of(written(tmp_path, package_DASH_lock__json=json.dumps(lock)))
    whys = [entry.why for entry in fact.unresolved]
    assert (len(fact.packages), whys) == ((1, []) if ADDRESSES[address] else (0, [Why.URL]))


def test_what_a_yarn_workspace_names_is_direct(tmp_path: Path) -> None:
    lock = '# yarn lockfile v1\n\na@^1:\n  version "1.2.0"\n\nb@^2:\n  version "2.1.0"\n'
    tree = written(
        tmp_path,
        yarn__lock=lock,
        package__json='{"private": true, "workspaces": ["pkgs/*"]}',
        pkgs___w___package__json='{"dependencies": {"a": "^1"}, "devDependencies": {"b": "^2"}}',
    )
    fact = fact_of(tree)
    assert [(p.name, p.direct, p.dev) for p in fact.packages] == [
        ("a", True, False),
        ("b", True, True),
    ]
    assert all(manifest.has_lock for manifest in fact.manifests)


def test_lines_are_counted_as_editors_do(tmp_path: Path) -> None:
    text = "# a\x0cb\u2028c\r\nflask==2.2.2\r\n"
    (found,) = fact_of(written(tmp_path, requirements__txt=text)).packages
    assert found.pin is not None
    assert (found.pin.line, found.pin.text) == (2, "flask==2.2.2")


def test_a_manifest_without_a_lock_gives_its_exact_pins_and_lists_the_rest(tmp_path: Path) -> None:
    text = '{"dependencies": {"x": "1.2.3", "y": "^1", "z": "me/z", "w": "file:../w"}}'
    fact = fact_of(written(tmp_path, package__json=text))
    assert [(p.name, p.version, p.direct) for p in fact.packages] == [("x", "1.2.3", True)]
    assert [(u.name, u.why) for u in fact.unresolved] == [("y", Why.RANGE), ("z", Why.GIT)]


PYPROJECT = """
[project]
name = "x"
dependencies = ["django==3.2", "flask>=2", "own @ git+https://git.example.org/own"]
[project.optional-dependencies]
dev = ["pytest==7.0"]
"""


def test_pyproject_without_a_lock_counts_its_pins(tmp_path: Path) -> None:
    fact = fact_of(written(tmp_path, pyproject__toml=PYPROJECT))
    assert [(p.name, p.version, p.dev) for p in fact.packages] == [
        ("django", "3.2", False),
        ("pytest", "7.0", True),
    ]
    assert {(u.name, u.why) for u in fact.unresolved} == {("flask", Why.RANGE), ("own", Why.GIT)}


def test_firm_pins_beside_a_manifest_are_its_lock(tmp_path: Path) -> None:
    tree = written(tmp_path, pyproject__toml=PYPROJECT, requirements__txt="flask==2.2.2\n")
    assert [m.has_lock for m in fact_of(tree).manifests if m.kind == "pyproject.toml"] == [True]


def test_compiled_requirements_lock_their_source(tmp_path: Path) -> None:
    tree = written(tmp_path, requirements__in="flask\n", requirements__txt="flask==2.2.2\n")
    assert [(m.file, m.has_lock) for m in fact_of(tree).manifests] == [
        ("requirements.in", True),
        ("requirements.txt", True),
    ]


def test_a_compiled_list_without_comments_does_not_tell_what_is_direct(tmp_path: Path) -> None:
    text = "# This file was autogenerated by uv via the following command:\nflask==2.2.2\n"
    assert [p.direct for p in fact_of(written(tmp_path, requirements__txt=text)).packages] == [None]


def test_in_a_list_with_comments_a_line_without_one_is_direct(tmp_path: Path) -> None:
    text = "flask==2.2.2\nwerkzeug==2.2.2\n    # via flask\n"
    fact = fact_of(written(tmp_path, requirements__txt=text))
    assert [(p.name, p.direct) for p in fact.packages] == [("flask", True), ("werkzeug", False)]


def test_setup_py_is_code_and_only_noted(tmp_path: Path) -> None:
    canary = tmp_path / "canary"
    code = f"open({str(canary)!r}, 'w').close()\nsetup(\n    install_requires=['x'],\n)\n"
    fact = fact_of(written(tmp_path / "tree", setup__py=code, requirements__txt="-e .\n./evil\n"))
    assert [entry.why for entry in fact.unresolved] == [Why.URL, Why.CODE]
    assert not canary.exists()


def test_setup_cfg_names_what_it_installs(tmp_path: Path) -> None:
    text = "[metadata]\nname = x\n[options]\ninstall_requires =\n    flask==2.2.2\n    six>=1\n"
    fact = fact_of(written(tmp_path, setup__cfg=text))
    assert [(p.name, p.line) for p in fact.packages] == [("flask", 5)]
    assert [entry.name for entry in fact.unresolved] == ["six"]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("requirements.txt", True),
        ("requirements-dev.txt", True),
        ("dev_requirements.txt", True),
        ("a/requirements/base.txt", True),
        ("constraints.txt", True),
        ("docs/notes.txt", False),
        ("requirements.md", False),
        ("myrequirementsfoo.txt", False),
    ],
)
def test_requirements_files_are_known_by_name(path: str, expected: bool) -> None:
    assert is_requirements(path) is expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("requirements-dev.txt", True),
        ("requirements/test.txt", True),
        ("dev-requirements.txt", True),
        ("requirements.txt", False),
        ("requirements/production.txt", False),
        ("dev/requirements.txt", False),
    ],
)
def test_development_lists_are_known_by_name(path: str, expected: bool) -> None:
    assert is_dev(path) is expected


def test_utf16_as_a_shell_on_windows_writes_it_is_read(tmp_path: Path) -> None:
    fact = fact_of(written(tmp_path, requirements__txt="flask==2.2.2\r\n".encode("utf-16")))
    assert [p.version for p in fact.packages] == ["2.2.2"]


def test_lists_carry_the_role_of_their_file(tmp_path: Path) -> None:
    pin = "flask==2.2.2\n"
    tree = written(
        tmp_path,
        docs___requirements__txt=pin,
        tests___requirements__txt=pin,
        requirements___base__txt=pin,
    )
    roles = {
        "docs/requirements.txt": Role.DOCS,
        "tests/requirements.txt": Role.TEST,
        "requirements/base.txt": Role.GENERATED,
    }
    judged = Tree(tuple(replace(file, role=roles[file.path]) for file in tree.files))
    found = {p.file: p.role for p in fact_of(judged).packages}
    assert found == roles | {"requirements/base.txt": Role.SOURCE}


def test_installed_packages_own_files_are_not_the_repositorys(tmp_path: Path) -> None:
    text = '{"dependencies": {"y": "1.0.0"}}'
    assert fact_of(written(tmp_path, node_modules___x___package__json=text)) == Dependencies()


DEEP = 100_000
BOMB = "a: &a [x]\n" + "".join(f"b{n}: &b{n} [*a, *a]\n" for n in range(30))
BROKEN = {
    "not JSON": {"package_DASH_lock__json": "{"},
    "deep JSON": {"package_DASH_lock__json": '{"a":' * DEEP + "1" + "}" * DEEP},
    "another JSON": {"package_DASH_lock__json": "[]"},
    "no lock": {"package_DASH_lock__json": '{"x": 1}'},
    "not TOML": {"poetry__lock": "<<<<<<< ours\n"},
    "deep TOML": {"uv__lock": "a = " + "[" * DEEP + "]" * DEEP},
    "another TOML": {"Cargo__lock": "x = 1\n"},
    "nameless": {"Cargo__lock": 'version = 3\n[[package]]\nversion = "1"\n'},
    "YAML aliases": {"pnpm_DASH_lock__yaml": BOMB},
    "deep YAML": {"pnpm_DASH_lock__yaml": "lockfileVersion: " + "[" * 1000 + "]" * 1000},
    "not YAML": {"pnpm_DASH_lock__yaml": "a: b: c: [\n"},
    "no yarn lock": {"yarn__lock": "hello\n"},
    "half a yarn lock": {"yarn__lock": "x@^1:\n  resolved abc\n"},
    "no module": {"go__mod": "require a v1.0.0\n"},
    "not text": {"go__mod": b"module \xff\xfe\x00"},
    "a list drowned in prose": {"requirements__txt": "a==1\n" + "You will need these\n" * 30},
    "empty": {"package_DASH_lock__json": ""},
    "no Gemfile.lock": {"Gemfile__lock": "hello\n"},
    "an empty Gemfile.lock": {"Gemfile__lock": ""},
    "no composer.lock": {"composer__lock": "{}"},
    "a nameless package of PHP": {"composer__lock": '{"packages": [{"version": "1"}]}'},
    "deep composer.lock": {"composer__lock": '{"packages":' + "[" * DEEP + "]" * DEEP + "}"},
    "no packages.lock.json": {"packages__lock__json": '{"version": 1}'},
    "a package of .NET without a version": {
        "packages__lock__json": '{"dependencies": {"net8.0": {"a": {"type": "Direct"}}}}'
    },
    "no packages.config": {"packages__config": "<configuration/>"},
    "laughing packages.config": {
        "packages__config": '<!DOCTYPE p [<!ENTITY a "b">]><packages>&a;</packages>'
    },
    "no project": {"a__csproj": "<html/>"},
    "no gradle.lockfile": {"gradle__lockfile": "hello\n"},
    "no catalogue": {"libs__versions__toml": "<<<<<<< ours\n"},
    "no pubspec.lock": {"pubspec__lock": "a: b\n"},
    "a pubspec.lock that multiplies": {"pubspec__lock": BOMB},
    "a package of Dart without a version": {
        "pubspec__lock": "packages:\n  a:\n    source: hosted\n"
    },
    "no mix.lock": {"mix__lock": "[]"},
    "a mix.lock that is written otherwise": {"mix__lock": '%{\n  "a": {:zip, 1},\n}\n'},
    "no rebar.lock": {"rebar__lock": "hello"},
    "no Package.resolved": {"Package__resolved": "{}"},
    "a pin without an address": {"Package__resolved": '{"pins": [{"state": {"version": "1"}}]}'},
    "no conan.lock": {"conan__lock": "{}"},
    "no reference of Conan's": {"conan__lock": '{"requires": ["a/b/c d"]}'},
    "no bun.lock": {"bun__lock": '{"lockfileVersion": 1}'},
    "a nameless entry of bun": {"bun__lock": '{"lockfileVersion": 1, "packages": {"a": []}}'},
    "no environment.yml": {"environment__yml": "steps: []\n"},
    "an environment.yml that multiplies": {"environment__yml": BOMB},
    "no conda-lock.yml": {"conda_DASH_lock__yml": "a: b\n"},
    "no deno.lock": {"deno__lock": '{"version": "9", "modules": {}}'},
    "no package of npm's": {"deno__lock": '{"version": "5", "npm": {"a": {}}}'},
}


@pytest.mark.parametrize("texts", BROKEN.values(), ids=BROKEN)
def test_a_broken_lock_file_is_unseen_and_never_empty(
    texts: dict[str, str | bytes], tmp_path: Path
) -> None:
    gathered = gather(written(tmp_path, **texts))
    assert gathered.run.status is EngineStatus.LIMITED
    assert len(gathered.limited) == 1
    assert gathered.facts[0].packages == ()


def test_a_file_beyond_the_limit_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lockfiles, "MAX_FILE_BYTES", 10)
    gathered = gather(written(tmp_path, requirements__txt="flask==2.2.2\n"))
    assert [skipped.path for skipped in gathered.limited] == ["requirements.txt"]


def test_a_text_that_only_shares_the_name_is_no_list(tmp_path: Path) -> None:
    prose = "Constraints\n===========\nYou will want to read this: it is long.\n" * 30
    gathered = gather(written(tmp_path, docs___constraints__txt=prose))
    assert (gathered.facts[0].unresolved, gathered.limited) == ((), ())


@pytest.mark.parametrize("limit", ["MAX_PACKAGES", "MAX_EDGES"])
def test_a_graph_beyond_the_limit_is_named(
    limit: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"mergegate.packages.readers.reading.{limit}", 1)
    lock = (FIXTURES / "cargo" / "Cargo.lock").read_bytes()
    gathered = gather(written(tmp_path, Cargo__lock=lock))
    assert ["more than 1" in skipped.reason for skipped in gathered.limited] == [True]


def test_a_reader_that_finds_nothing_has_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = written(tmp_path, go__mod="module example.org/x\n\nrequire a.example/b v1.0.0\n")
    assert [one.name for one in fact_of(tree).packages] == ["a.example/b"]
    monkeypatch.setattr("mergegate.packages.readers.go_mod._REQUIRE", re.compile("(?!)(x)(y)"))
    with pytest.raises(EngineFailed, match=r"go\.mod cannot be read, not even one of ours"):
        gather(tree)


# Files of a later version, which has packages elsewhere
LATER = {
    "package-lock.json": '{"lockfileVersion": 9, "modules": [{"name": "a"}]}',
    "pnpm-lock.yaml": "lockfileVersion: '99.0'\n\nmodules:\n  - a\n",
    "yarn.lock": "# yarn lockfile v9\n\n[a]\nversion = 1\n",
    "poetry.lock": '[metadata]\nlock-version = "9.0"\n\n[[module]]\nname = "a"\n',
    "pdm.lock": '[metadata]\nlock_version = "9.0"\n\n[[module]]\nname = "a"\n',
    "uv.lock": 'version = 9\n\n[[distribution]]\nname = "a"\n',
    "pylock.toml": 'lock-version = "9.0"\n\n[[module]]\nname = "a"\n',
    "Pipfile.lock": '{"_meta": {"pipfile-spec": 9}, "modules": {}}',
    "Cargo.lock": 'version = 9\n\n[[module]]\nname = "a"\n',
}


@pytest.mark.parametrize(("name", "text"), LATER.items())
def test_a_file_of_no_known_version_is_named(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    assert [one.path for one in gather(tree_of(tmp_path)).limited] == [name]


# Files of projects that need nothing
EMPTY = {
    "package-lock.json": '{"lockfileVersion": 3, "packages": {"": {"name": "x"}}}',
    "npm-shrinkwrap.json": '{"lockfileVersion": 1}',
    "pnpm-lock.yaml": "lockfileVersion: '9.0'\n\nsettings:\n  autoInstallPeers: true\n",
    "yarn.lock": "# yarn lockfile v1\n",
    "poetry.lock": 'package = []\n\n[metadata]\nlock-version = "2.1"\n',
    "pdm.lock": '[metadata]\nlock_version = "4.5.0"\n[[metadata.targets]]\nrequires_python = "x"\n',
    "uv.lock": "version = 1\nresolution-markers = [\"python_version < '4'\"]\n",
    "Cargo.lock": "version = 4\n",
    "Gemfile.lock": "GEM\n  specs:\n\nPLATFORMS\n  ruby\n\nDEPENDENCIES\n",
    "composer.lock": '{"packages": [], "packages-dev": []}',
    "packages.lock.json": '{"version": 1, "dependencies": {}}',
    "packages.config": "<packages />",
    "pom.xml": "<project/>",
    "gradle.lockfile": "# generated\nempty=compileClasspath\n",
    "pubspec.lock": 'packages:\nsdks:\n  dart: ">=3.0.0"\n',
    "mix.lock": "%{\n}\n",
    "rebar.lock": "[].\n",
    "Package.resolved": '{"pins": [], "version": 2}',
    "conan.lock": '{"version": "0.5", "requires": [], "build_requires": []}',
    "bun.lock": '{"lockfileVersion": 1, "workspaces": {}, "packages": {}}',
    "deno.lock": '{"version": "4"}',
    "action.yml": "runs:\n  using: node20\n",
}


@pytest.mark.parametrize(("name", "text"), EMPTY.items())
def test_a_file_without_packages_is_no_limit(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    gathered = gather(tree_of(tmp_path))
    assert (gathered.limited, gathered.facts[0].packages) == ((), ())


@pytest.mark.parametrize("line", ["", "require mergegate-known-flaw v2.0.0\n"])
def test_one_that_misreads_our_own_file_has_failed(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (form,) = ECOSYSTEMS["Go"].locks
    misread = replace(form, read=lambda one: form.read(replace(one, text=f"module x\n{line}")))
    monkeypatch.setattr(lockfiles, "lock_format", lambda _: (ECOSYSTEMS["Go"], misread))
    with pytest.raises(EngineFailed, match=r"reads go\.mod misses the package"):
        gather(written(tmp_path, go__mod="module example.org/x\n"))


def test_names_of_a_hostile_lock_are_made_harmless(tmp_path: Path) -> None:
    entry = {"node_modules/a\u202e\nb": {"version": "1.0.0\x1b[31m"}}
    text = json.dumps({"lockfileVersion": 3, "packages": {"": {}, **entry}})
    (found,) = fact_of(written(tmp_path, package_DASH_lock__json=text)).packages
    assert (found.name, found.version) == ("a b", "1.0.0 [31m")


def test_without_dependency_files_the_engine_is_idle() -> None:
    gathered = gather(Tree(()))
    assert gathered.run.status is EngineStatus.IDLE
    assert gathered.facts == (Dependencies(),)


def test_the_same_tree_gives_the_same_fact() -> None:
    assert fixture("npm-v3") == fixture("npm-v3")
