"""Bills of materials in the tree: what they list is looked up, too."""

import json
from pathlib import Path

import pytest

from mergegate.core.errors import EngineFailed
from mergegate.core.report import EngineStatus
from mergegate.packages.dependencies import Dependencies
from tests.packages.dependency_tree import fact_of, gather, written

PARTS = {
    "npm": "pkg:npm/%40types/node@18.0.1",
    "maven": "pkg:maven/org.yaml/snakeyaml@1.29?type=jar",
    "python": "pkg:pypi/Jinja2@3.0.0",
    "go": "pkg:golang/golang.org/x/text@v0.3.3#unicode",
}
NAMES = [
    ("Go", "golang.org/x/text", "v0.3.3"),
    ("Maven", "org.yaml:snakeyaml", "1.29"),
    ("PyPI", "jinja2", "3.0.0"),
    ("npm", "@types/node", "18.0.1"),
]
CYCLONEDX = {
    "bomFormat": "CycloneDX",
    "specVersion": "1.5",
    "metadata": {"component": {"bom-ref": "app", "name": "app"}},
    "components": [
        {"bom-ref": "npm", "purl": PARTS["npm"], "components": [{"purl": PARTS["python"]}]},
        {"bom-ref": "maven", "purl": PARTS["maven"]},
        {"bom-ref": "go", "purl": PARTS["go"], "scope": "excluded"},
        {"bom-ref": "odd", "purl": "pkg:npm"},
        {"bom-ref": "own", "purl": "pkg:github/example/own@1"},
        {"bom-ref": "none", "name": "x"},
    ],
    "dependencies": [{"ref": "app", "dependsOn": ["maven"]}],
}
XML = f"""<?xml version="1.0"?>
<bom xmlns="http://cyclonedx.org/schema/bom/1.4">
  <metadata><component bom-ref="app"/></metadata>
  <components>
    <component bom-ref="npm"><purl>{PARTS["npm"]}</purl>
      <components><component><purl>{PARTS["python"]}</purl></component></components>
    </component>
    <component bom-ref="maven"><purl>{PARTS["maven"]}</purl></component>
    <component bom-ref="go"><scope>excluded</scope><purl>{PARTS["go"]}</purl></component>
  </components>
  <dependencies><dependency ref="app"><dependency ref="maven"/></dependency></dependencies>
</bom>"""
SPDX = {
    "spdxVersion": "SPDX-2.3",
    "packages": [
        {
            "SPDXID": f"SPDXRef-{ref}",
            "externalRefs": [
                {"referenceType": "purl", "referenceLocator": purl},
                {"referenceType": "cpe23Type", "referenceLocator": "cpe:2.3:a"},
            ],
        }
        for ref, purl in PARTS.items()
    ],
    "relationships": [
        {"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES",
         "relatedSpdxElement": "SPDXRef-app"},
        {"spdxElementId": "SPDXRef-app", "relationshipType": "DEPENDS_ON",
         "relatedSpdxElement": "SPDXRef-maven"},
        {"spdxElementId": "SPDXRef-npm", "relationshipType": "DEPENDENCY_OF",
         "relatedSpdxElement": "SPDXRef-maven"},
    ],
}  # fmt: skip
TAGS = "SPDXVersion: SPDX-2.3\n" + "".join(
    f"PackageName: x\nExternalRef: PACKAGE-MANAGER purl {purl}\n" for purl in PARTS.values()
)
BILLS = {
    "sbom/app.cdx.json": json.dumps(CYCLONEDX, indent=1),
    "bom.xml": XML,
    "app.spdx.json": json.dumps(SPDX, indent=1),
    "app.spdx": TAGS,
}


def of(tmp_path: Path, path: str, text: str) -> Dependencies:
    (tmp_path / path).parent.mkdir(exist_ok=True)
    (tmp_path / path).write_text(text)
    return fact_of(written(tmp_path))


@pytest.mark.parametrize(("path", "text"), BILLS.items(), ids=BILLS)
def test_parts_are_read_by_their_package_urls(path: str, text: str, tmp_path: Path) -> None:
    fact = of(tmp_path, path, text)
    assert sorted((one.ecosystem, one.name, one.version) for one in fact.packages) == NAMES
    assert all("pkg:" in text.splitlines()[one.line - 1] for one in fact.packages)
    assert (fact.read, fact.unread) == ((path,), ())


@pytest.mark.parametrize("path", list(BILLS)[:3])
def test_what_the_product_needs_itself_is_direct(path: str, tmp_path: Path) -> None:
    packages = of(tmp_path, path, BILLS[path]).packages
    direct = {one.name for one in packages if one.direct}
    assert direct == {"org.yaml:snakeyaml"}
    assert {one.dev for one in packages if one.name == "golang.org/x/text"} == {"spdx" not in path}


def test_without_a_graph_nothing_is_said_of_it(tmp_path: Path) -> None:
    assert {one.direct for one in of(tmp_path, "app.spdx", TAGS).packages} == {None}


def test_what_a_lock_file_fixes_is_told_once(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("jinja2==3.0.0\nflask==2.0\n")
    fact = of(tmp_path, "bom.xml", XML)
    assert [one.file for one in fact.packages if one.name == "jinja2"] == ["requirements.txt"]
    assert len(fact.packages) == 5


LAUGHS = '<!DOCTYPE bom [<!ENTITY a "b">]><bom>&a;</bom>'


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("bom.xml", "<project/>"),
        ("bom.xml", LAUGHS),
        ("bom.json", "{}"),
        ("bom.json", '{"bomFormat":' + "[" * 100_000),
        ("app.spdx", "hello"),
        ("app.spdx.json", '{"spdxVersion": "SPDX-9.0"}'),
    ],
)
def test_what_is_no_bill_stays_named_and_is_no_limit(path: str, text: str, tmp_path: Path) -> None:
    (tmp_path / path).write_text(text)
    gathered = gather(written(tmp_path))
    (fact,) = gathered.facts
    assert [(one.path, one.has_reader) for one in fact.unread] == [(path, False)]
    assert (gathered.run.status, gathered.limited) == (EngineStatus.IDLE, ())


def test_a_reader_that_finds_nothing_has_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mergegate.packages.bills._named", lambda _: None)
    with pytest.raises(EngineFailed, match="bills of materials misses the part"):
        of(tmp_path, "bom.xml", XML)
