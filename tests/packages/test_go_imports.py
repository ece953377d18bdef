"""An advisory on some packages of a Go module weighs by what the tree imports."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from mergegate.core.severity import Confidence, Severity
from mergegate.core.tree import Skipped, Tree
from mergegate.packages.advisories.records import read_record
from mergegate.packages.advisory_engine import AdvisoryEngine
from mergegate.packages.dependencies import (
    AdvisoryRecord,
    AffectedRange,
    Package,
    Use,
    Vulnerabilities,
    VulnerablePackage,
)
from mergegate.packages.ecosystems import ECOSYSTEMS
from mergegate.packages.go_imports import GoImports
from mergegate.packages.ranges import evaluate
from mergegate.packages.uses import Uses
from mergegate.repo.checks.advisories.vulnerable import severity_of, vulnerable_dependency
from tests.packages.advisory_index import store_of
from tests.packages.dependency_tree import fact_of, written

CRYPTO = "golang.org/x/crypto"
GO_MOD = f"module example.org/x\n\ngo 1.24\n\nrequire {CRYPTO} v0.31.0 // indirect\n"
PART = {
    "package": {"ecosystem": "Go", "name": CRYPTO},
    "ranges": [{"type": "SEMVER", "events": [{"introduced": "0"}]}],
}
OPENPGP = {"imports": [{"path": f"{CRYPTO}/openpgp", "symbols": ["Sign"]}]}
OTHER = f'package x\n\nimport "{CRYPTO}/ssh"\n'


def matched(file: str = "go.mod", fixed: tuple[str, ...] = ()) -> VulnerablePackage:
    package = Package(
        ecosystem="Go", name=CRYPTO, written=CRYPTO, version="v0.31.0", file=file, direct=True
    )
    paths = (f"{CRYPTO}/openpgp", f"{CRYPTO}/openpgp/armor")
    return VulnerablePackage(
        package=package, id="GO-2099-1", severity="high", imports=paths, fixed=fixed
    )


HERE = {
    "alone": f'import "{CRYPTO}/openpgp"\n',
    "in a block": f'import (\n\t"fmt"\n\n\tpgp "{CRYPTO}/openpgp" // old\n)\n',
    "in a line": f'import ("fmt"; _ `{CRYPTO}/openpgp/armor`)\n',
    "a part of it": f'import "{CRYPTO}/openpgp/packet"\n',
}


@pytest.mark.parametrize("text", HERE.values(), ids=HERE.keys())
def test_an_import_of_what_is_affected_is_seen(text: str, tmp_path: Path) -> None:
    tree = written(tmp_path, cmd___main__go=f"package main\n\n{text}", a__go=OTHER)
    assert GoImports(tree).use(matched()) is Use.HERE


def test_what_nothing_here_imports_may_be_a_dependency_s(tmp_path: Path) -> None:
    near = f'package x\n\nimport "{CRYPTO}/openpgpx"\n'
    tree = written(tmp_path, a__go=OTHER, b__go=near)
    assert GoImports(tree).use(matched()) is Use.NOT_HERE


def test_vendored_files_show_what_dependencies_import(tmp_path: Path) -> None:
    tree = written(tmp_path, a__go=OTHER, vendor___modules__txt=f"# {CRYPTO} v0.31.0\n")
    assert GoImports(tree).use(matched()) is Use.NOWHERE
    importing = f'package y\n\nimport "{CRYPTO}/openpgp"\n'
    tree = written(tmp_path, vendor___example__org___y___y__go=importing)
    assert GoImports(tree).use(matched()) is Use.HERE


def test_only_files_below_the_module_s_own_count(tmp_path: Path) -> None:
    tree = written(tmp_path, a__go=HERE["alone"], sub___b__go=OTHER)
    assert GoImports(tree).use(matched("sub/go.mod")) is Use.NOT_HERE
    assert GoImports(tree).use(matched("gone/go.mod")) is Use.UNKNOWN


def test_nothing_is_said_where_a_file_was_left_out(tmp_path: Path) -> None:
    tree = written(tmp_path, a__go=OTHER)
    assert GoImports(Tree(())).use(matched()) is Use.UNKNOWN
    cut = replace(tree, skipped=(Skipped("big.go", "larger than 5 MiB"),))
    assert GoImports(cut).use(matched()) is Use.UNKNOWN


# Use, versions that repair it, severity, confidence
WEIGHTS = [
    (Use.UNKNOWN, (), Severity.HIGH, Confidence.HIGH),
    (Use.HERE, (), Severity.HIGH, Confidence.HIGH),
    (Use.NOT_HERE, ("v0.35.0",), Severity.MEDIUM, Confidence.MEDIUM),
    (Use.NOT_HERE, (), Severity.INFO, Confidence.MEDIUM),
    (Use.NOWHERE, ("v0.35.0",), Severity.INFO, Confidence.LOW),
]


@pytest.mark.parametrize(("use", "fixed", "severity", "confidence"), WEIGHTS)
def test_what_is_not_imported_weighs_less(
    use: Use, fixed: tuple[str, ...], severity: Severity, confidence: Confidence
) -> None:
    match = replace(matched(fixed=fixed), use=use)
    assert severity_of(match) is severity
    (found,) = vulnerable_dependency(Vulnerabilities((match,)))
    assert found.confidence is confidence
    is_unused = use in (Use.NOT_HERE, Use.NOWHERE)
    assert ("Only what imports" in found.message) is is_unused


@pytest.mark.parametrize(
    ("text", "use"),
    [
        (f"{HERE['alone']}\nvar s = openpgp.Sign\n", Use.HERE),
        (HERE["alone"], Use.NOT_CALLED),
        (OTHER, Use.NOT_HERE),
    ],
)
def test_the_engine_asks_the_tree_about_the_packages_of_a_record(
    text: str, use: Use, tmp_path: Path
) -> None:
    (tmp_path / "osv").mkdir()
    record = {"id": "GO-2099-1", "affected": [PART | {"ecosystem_specific": OPENPGP}]}
    (tmp_path / "osv" / "GO-2099-1.json").write_text(json.dumps(record))
    tree = written(tmp_path / "tree", go__mod=GO_MOD, a__go=text)
    with store_of(tmp_path / "osv", tmp_path) as store:
        engine = AdvisoryEngine(lambda: store)
        (fact,) = engine.gather(fact_of(tree), imports=Uses(tree)).facts
    assert [(one.id, one.use, one.imports) for one in fact.matches] == [
        ("GO-2099-1", use, (f"{CRYPTO}/openpgp",))
    ]


def test_a_record_that_names_a_whole_module_beside_packages_means_the_module() -> None:
    some = {**PART, "ecosystem_specific": OPENPGP}
    odd = {**PART, "ecosystem_specific": {"imports": [{"path": 'x"; y'}]}}
    told = []
    for parts in ([some], [some, PART], [odd], [PART]):
        (one,) = read_record({"id": "GO-2099-1", "affected": parts})
        told.append(one.record.imports)
    assert told == [(f"{CRYPTO}/openpgp",), (), (), ()]


def standard(path: str) -> VulnerablePackage:
    one = matched()
    package = replace(one.package, name="stdlib", written="stdlib", version="1.22.1")
    return replace(one, package=package, imports=(path,), fixed=("v1.22.5",), upgrade="v1.22.5")


def test_the_standard_library_is_looked_up_by_what_is_imported(tmp_path: Path) -> None:
    tree = written(
        tmp_path, a__go='import (\n\t"net/http"\n)\n', vendor___modules__txt="# a v1.0.0\n"
    )
    told = [GoImports(tree).use(standard(path)) for path in ("net/http", "crypto/tls")]
    assert told == [Use.HERE, Use.NOT_HERE]


def test_a_newer_standard_library_comes_with_a_newer_go() -> None:
    (found,) = vulnerable_dependency(Vulnerabilities((standard("net/http"),)))
    assert "run `go get go@1.22.5`, and build with that release" in found.message
    assert "go.mod asks for that release at least; a newer one may build." in found.message
    assert found.severity is Severity.LOW


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("go 1.22.1\n", [("1.22.1", 3)]),
        ("go 1.21\n\ntoolchain go1.22.3\n", [("1.22.3", 5)]),
        ("go 1.22.1\n\ntoolchain default\n", [("1.22.1", 3)]),
        ("go 1.23\n", [("1.23", 3)]),
        ("go 1.20\n", []),
        ("go 1.23rc1\n", []),
        ("", []),
    ],
)
def test_the_go_directive_tells_the_standard_library(
    lines: str, expected: list[tuple[str, int]], tmp_path: Path
) -> None:
    fact = fact_of(written(tmp_path, go__mod=f"module example.org/x\n\n{lines}"))
    told = [(one.version, one.line) for one in fact.packages if one.name == "stdlib"]
    assert told == expected
    assert [one.has_lock for one in fact.manifests] == [True]


@pytest.mark.parametrize(
    ("version", "affected"), [("1.22", False), ("1.21", True), ("1.22.4", True), ("1.22.5", False)]
)
def test_a_line_of_go_is_affected_where_all_its_releases_are(version: str, affected: bool) -> None:
    events = (("introduced", "0"), ("fixed", "1.22.5"))
    flaw = AdvisoryRecord(id="GO-1", ranges=(AffectedRange("SEMVER", events),))
    assert evaluate(flaw, ECOSYSTEMS["Go"], version).affected is affected


SIGNING = replace(matched(fixed=("v0.32.0",)), symbols=("DetachSign", "Sign"))
CALLS = {
    "a function": (f'import "{CRYPTO}/openpgp"\n\nvar s = openpgp.Sign\n', Use.HERE),
    "a method": (f'import p "{CRYPTO}/openpgp"\n\nfunc f() {{ p.New().DetachSign() }}\n', Use.HERE),
    "another": (f'import "{CRYPTO}/openpgp"\n\nvar s = openpgp.Signed\n', Use.NOT_CALLED),
    "elsewhere": ("func Sign() {}\n", Use.NOT_HERE),
}


@pytest.mark.parametrize(("text", "use"), CALLS.values(), ids=CALLS)
def test_functions_that_the_advisory_names_are_looked_for(
    text: str, use: Use, tmp_path: Path
) -> None:
    tree = written(tmp_path, a__go=f"package x\n\n{text}", b__go="package x\n\nvar y = Sign\n")
    assert GoImports(tree).use(SIGNING) is use


def test_where_a_file_was_left_out_it_may_call_them(tmp_path: Path) -> None:
    tree = written(tmp_path, a__go=f"package x\n\n{CALLS['another'][0]}")
    lost = replace(tree, skipped=(Skipped("b.go", "larger"),))
    assert GoImports(lost).use(SIGNING) is Use.HERE


def test_what_is_not_called_weighs_a_step_less_and_is_told() -> None:
    one = replace(SIGNING, use=Use.NOT_CALLED)
    (found,) = vulnerable_dependency(Vulnerabilities((one,)))
    assert found.severity is Severity.MEDIUM
    assert "No file here names DetachSign, Sign, which it is about; a dependency may." in (
        found.message
    )
    assert severity_of(replace(one, known_exploited=True)) is Severity.HIGH


def test_a_record_s_functions_are_kept_by_their_last_names() -> None:
    go = {"imports": [{"path": f"{CRYPTO}/openpgp", "symbols": ["Sign", "DetachSign"]}]}
    method = {"imports": [{"path": f"{CRYPTO}/openpgp", "symbols": ["Sign", "Signer.Close"]}]}
    all_of_one = {"imports": [*go["imports"], {"path": f"{CRYPTO}/ssh"}]}
    rust = {"affects": {"functions": ["ammonia::clean", "ammonia::rcdom::parse"]}}
    trait = {"affects": {"functions": ["ammonia::clean", "ammonia::Document::to_string"]}}
    odd = {"affects": {"functions": ["x::<T>"]}}
    told = []
    cases: list[Mapping[str, object]] = [
        go,
        rust,
        method,
        trait,
        all_of_one,
        odd,
        {"affects": {"functions": []}},
        {},
    ]
    for specific in cases:
        part = {**PART, "ecosystem_specific": specific}
        (one,) = read_record({"id": "GO-2099-1", "affected": [part]})
        told.append(one.record.symbols)
    assert told == [("DetachSign", "Sign"), ("clean", "parse"), (), (), (), (), (), ()]
