"""Which lines of manifests may be edited for an upgrade: those with one version."""

from pathlib import Path

import pytest

from mergegate.packages.dependencies import Pin
from tests.packages.dependency_tree import fact_of, package, written

PACKAGE_LOCK = """{"lockfileVersion": 3, "packages": {
"": {"dependencies": {"qs": "*"}},
"node_modules/qs": {"version": "6.7.0", "dependencies": {"deep": "^1.0.0"}},
"node_modules/deep": {"version": "1.0.0"}}}
"""
POETRY_LOCK = '[[package]]\nname = "flask"\nversion = "2.2.2"\n'
CARGO_LOCK = """version = 3
[[package]]
name = "own"
version = "0.1.0"
dependencies = ["time"]
[[package]]
name = "time"
version = "0.1.0"
source = "registry+https://registry.example.org/index"
"""


@pytest.mark.parametrize(
    ("constraint", "floor"),
    [
        ("^6.5.0", "6.5.0"),
        ("~6.5", "6.5"),
        (">=6.5.0", "6.5.0"),
        ("*", None),
        (">=6.5.0 <7", None),
        ("6.x", None),
        ("latest", None),
    ],
)
def test_ranges_of_package_json(constraint: str, floor: str | None, tmp_path: Path) -> None:
    manifest = f'{{"private": true, "dependencies": {{\n  "qs": "{constraint}"\n}}}}\n'
    tree = written(tmp_path, package__json=manifest, package_DASH_lock__json=PACKAGE_LOCK)
    pin = package(fact_of(tree), "qs").pin
    line = f'  "qs": "{constraint}"'
    expected = Pin("package.json", 2, line, floor, constraint) if floor else None
    assert pin == expected


def test_what_no_manifest_names_has_no_line(tmp_path: Path) -> None:
    manifest = '{"private": true, "dependencies": {\n  "qs": "^6.5.0"\n}}\n'
    tree = written(tmp_path, package__json=manifest, package_DASH_lock__json=PACKAGE_LOCK)
    assert package(fact_of(tree), "deep").pin is None


def test_a_range_of_several_manifests_is_left_alone(tmp_path: Path) -> None:
    manifest = '{"private": true, "workspaces": ["b"], "dependencies": {\n  "qs": "^6.5.0"\n}}\n'
    tree = written(
        tmp_path,
        package__json=manifest,
        b___package__json='{"name": "b", "dependencies": {"qs": "^6.5.0"}}\n',
        package_DASH_lock__json=PACKAGE_LOCK,
    )
    assert package(fact_of(tree), "qs").pin is None


@pytest.mark.parametrize(
    ("line", "floor", "range_"),
    [
        ('flask = "^2.2"', "2.2", "^2.2"),
        ('flask = {version = "~2.2", extras = ["async"]}', "2.2", "~2.2"),
        ('flask = ">=2.2,<3"', "", ""),
    ],
)
def test_ranges_of_poetry(line: str, floor: str, range_: str, tmp_path: Path) -> None:
    manifest = f"[tool.poetry.dependencies]\n{line}\n"
    tree = written(tmp_path, pyproject__toml=manifest, poetry__lock=POETRY_LOCK)
    pin = package(fact_of(tree), "flask").pin
    assert pin == (Pin("pyproject.toml", 2, line, floor, range_) if floor else None)


@pytest.mark.parametrize(
    ("entry", "floor", "range_"),
    [
        ("flask>=2.2", "2.2", ">=2.2"),
        ("flask[async] ~= 2.2 ; python_version > '3.8'", "2.2", "~= 2.2"),
        ("flask>=2.2,<3", "", ""),
        ("flask", "", ""),
    ],
)
def test_ranges_of_a_project_table(entry: str, floor: str, range_: str, tmp_path: Path) -> None:
    line = f'dependencies = ["{entry}"]'
    manifest = f'[project]\nname = "x"\n{line}\n'
    tree = written(tmp_path, pyproject__toml=manifest, poetry__lock=POETRY_LOCK)
    pin = package(fact_of(tree), "flask").pin
    assert pin == (Pin("pyproject.toml", 3, line, floor, range_) if floor else None)


@pytest.mark.parametrize(("line", "floor"), [('time = "0.1"', "0.1"), ('time = "<0.2"', "")])
def test_ranges_of_cargo(line: str, floor: str, tmp_path: Path) -> None:
    manifest = f'[package]\nname = "own"\n[dependencies]\n{line}\n'
    tree = written(tmp_path, Cargo__toml=manifest, Cargo__lock=CARGO_LOCK)
    pin = package(fact_of(tree), "time").pin
    assert pin == (Pin("Cargo.toml", 4, line, floor, floor) if floor else None)
