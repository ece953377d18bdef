"""The Node.js that runs Lighthouse is new enough, and held on a short lead."""

from pathlib import Path

import pytest

from mergegate.core.errors import EngineMissing
from mergegate.sandbox.process import node


def as_version(monkeypatch: pytest.MonkeyPatch, version: tuple[int, int]) -> None:
    monkeypatch.setattr(node, "version", lambda: (*version, 0))


@pytest.mark.parametrize("version", [(0, 0), (20, 19), (22, 18)])
def test_a_node_that_lighthouse_does_not_support_is_refused(
    monkeypatch: pytest.MonkeyPatch, version: tuple[int, int]
) -> None:
    as_version(monkeypatch, version)
    with pytest.raises(EngineMissing, match=r"older than 22\.19"):
        node.confined()


@pytest.mark.parametrize(
    ("version", "asks"), [((22, 19), False), ((24, 1), False), ((25, 0), True)]
)
def test_the_network_is_asked_for_where_it_would_be_denied(
    monkeypatch: pytest.MonkeyPatch, version: tuple[int, int], asks: bool
) -> None:
    as_version(monkeypatch, version)
    argv = node.confined(Path("/"))
    assert ("--allow-net" in argv) is asks
    assert {"--permission", "--allow-fs-read=/"} <= set(argv)


def test_a_package_that_is_not_installed_names_the_remedy() -> None:
    with pytest.raises(EngineMissing) as error:
        node.packaged("no-such-package", "index.js")
    assert "doctor --fix" in error.value.remedy
