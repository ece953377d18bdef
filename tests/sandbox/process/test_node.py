"""Node.js is found, and what keeps it from starting is told."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from mergegate.core.errors import EngineFailed, EngineMissing
from mergegate.sandbox.process import node

LAME = (
    "/opt/node: error while loading shared libraries: libatomic.so.1: cannot open shared object "
    "file: No such file or directory"
)


@pytest.fixture
def fresh() -> Iterator[None]:
    """What was found out before is asked again, and what is found here is forgotten."""
    node.node.cache_clear()
    node.version.cache_clear()
    yield
    node.node.cache_clear()
    node.version.cache_clear()


def named(monkeypatch: pytest.MonkeyPatch, folder: Path, script: str) -> None:
    program = folder / "node"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setenv(node.VARIABLE, str(program))


@pytest.mark.usefixtures("fresh")
def test_the_node_of_playwright_is_new_enough() -> None:
    assert node.version() >= node.OLDEST


@pytest.mark.usefixtures("fresh")
def test_a_library_that_is_missing_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named(monkeypatch, tmp_path, f"echo '{LAME}' >&2; exit 127")
    with pytest.raises(EngineMissing, match="does not start: cannot open shared object") as lame:
        node.confined()
    assert lame.value.remedy == "Install libatomic1."


@pytest.mark.usefixtures("fresh")
@pytest.mark.parametrize("script", ["exit 1", "echo no version", "kill -9 $$"])
def test_what_is_no_node_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str
) -> None:
    named(monkeypatch, tmp_path, script)
    with pytest.raises((EngineMissing, EngineFailed)):
        node.version()


@pytest.mark.usefixtures("fresh")
def test_a_node_that_is_too_old_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    named(monkeypatch, tmp_path, "echo v20.19.2")
    with pytest.raises(EngineMissing, match=r"is older than 22\.19"):
        node.confined()


@pytest.mark.usefixtures("fresh")
def test_a_variable_that_names_no_program_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(node.VARIABLE, "/no/such/node")
    with pytest.raises(EngineMissing, match="PLAYWRIGHT_NODEJS_PATH names no program"):
        node.node()


def test_packages_behind_a_link_are_found_where_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "real" / "axe-core"
    package.mkdir(parents=True)
    (package / "package.json").write_text("{}")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    monkeypatch.setattr(node, "_HOMES", (tmp_path / "link",))
    assert node.packages("axe-core") == (tmp_path / "real").resolve()
