"""A lock file or manifest of which nothing was seen is named, whatever hides it."""

from dataclasses import replace
from pathlib import Path

import pytest

from mergegate.core.report import EngineStatus
from mergegate.core.tree import Link, Skipped, Tree
from mergegate.packages.ecosystems import lock_format, manifest_format, without_reader
from tests.packages.dependency_tree import fact_of, gather, written

PIN = "flask==2.2.2\n"

KNOWN = {
    "app/thing.gemspec": "RubyGems",
    "build.sbt": "Maven",
    "paket.lock": "NuGet",
    "ios/Podfile.lock": "CocoaPods",
    "bun.lockb": "npm",
    "conanfile.py": "ConanCenter",
    "Package.swift": "SwiftURL",
    "rebar.config": "Hex",
    "pixi.lock": "conda",
    "sbom/app.cdx.json": "CycloneDX",
    "bom.xml": "CycloneDX",
    "app.spdx.json": "SPDX",
    "sbom.json": "CycloneDX",
    "linux.conda-lock.yml": "conda",
    "conda-linux-64.lock": "conda",
    "vendor/modules.txt": "Go",
    "a/brand-new.lock": "this kind of lock file",
    "new-lock.yaml": "this kind of lock file",
    "package-lock.json": None,
    "pnpm-lock.yaml": None,
    "yarn.lock": None,
    "pylock.dev.toml": None,
    "lock.py": None,
    "modules.txt": None,
    "package.json": None,
    "notes.xml": None,
    "aGemfile.lock": "this kind of lock file",
}


@pytest.mark.parametrize(("path", "ecosystem"), KNOWN.items())
def test_what_has_no_reader_is_known_by_its_name(path: str, ecosystem: str | None) -> None:
    assert without_reader(path) == ecosystem
    assert ecosystem is None or not (lock_format(path) or manifest_format(path))


def test_it_is_named_and_what_was_read_too(tmp_path: Path) -> None:
    gathered = gather(written(tmp_path, build__sbt="x", requirements__txt=PIN))
    (fact,) = gathered.facts
    assert fact.read == ("requirements.txt",)
    assert [(one.path, one.ecosystem, one.has_reader) for one in fact.unread] == [
        ("build.sbt", "Maven", False)
    ]
    assert (gathered.run.status, gathered.limited) == (EngineStatus.OK, ())


@pytest.mark.parametrize("reason", ["larger than 5 MiB", "unreadable: Permission denied"])
def test_a_lock_file_that_the_listing_left_out_is_a_limit(reason: str) -> None:
    gathered = gather(Tree((), skipped=(Skipped("web/package-lock.json", reason),)))
    assert gathered.run.status is EngineStatus.LIMITED
    assert gathered.limited == (Skipped("web/package-lock.json", reason),)


def linked(tree: Tree, path: str, target: str) -> Tree:
    return replace(tree, links=(*tree.links, Link(path, target, escapes=False)))


def test_a_lock_file_that_is_a_link_is_read_where_it_leads(tmp_path: Path) -> None:
    tree = linked(written(tmp_path, deps___pins=PIN), "deps/latest", "pins")
    fact = fact_of(linked(tree, "requirements.txt", "deps/latest"))
    assert [(one.file, one.name) for one in fact.packages] == [("requirements.txt", "flask")]


@pytest.mark.parametrize("target", ["gone", "/etc/passwd", "../x", "requirements.txt", "deps"])
def test_a_link_that_leads_to_no_file_is_a_limit(target: str, tmp_path: Path) -> None:
    tree = linked(written(tmp_path, deps___pins=PIN), "requirements.txt", target)
    assert [one.path for one in gather(tree).limited] == ["requirements.txt"]


def test_included_lists_are_read_whatever_their_name(tmp_path: Path) -> None:
    tree = written(
        tmp_path,
        requirements__txt="-r deps/prod.lst\n-r ../outside.lst\n-r gone.lst\n",
        deps___prod__lst="-r more.lst\njinja2==3.0\n",
        deps___more__lst=f"-r prod.lst\n{PIN}",
    )
    fact = fact_of(tree)
    assert {(one.file, one.name) for one in fact.packages} == {
        ("deps/prod.lst", "jinja2"),
        ("deps/more.lst", "flask"),
    }
    assert [one.line for one in fact.unresolved] == [2, 3]
    assert fact.read == ("deps/more.lst", "deps/prod.lst", "requirements.txt")
