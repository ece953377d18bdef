"""CycloneDX: valid by the official schema, every reference leading somewhere, no false claim."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from mergegate.core.finding import Place
from mergegate.core.report import Report
from mergegate.repo.report.cyclonedx import render
from tests.repo.report import samples, shop, stock

ALL = [
    *(samples.passed, samples.failed, samples.incomplete, samples.hostile),
    *(stock.stocked, stock.monstrous),
]
JUDGE = JsonStrictValidator(SchemaVersion.V1_6)


def bom(report: Report | None = None) -> Any:
    return json.loads(render(report or stock.stocked()))


def component(name: str, report: Report | None = None) -> Any:
    return next(one for one in bom(report)["components"] if one["name"] == name)


@pytest.mark.parametrize("sample", ALL, ids=lambda one: one.__name__)
def test_output_is_valid(sample: Callable[[], Report]) -> None:
    assert str(JUDGE.validate_str(render(sample())))[:300] == "None"


def test_the_schema_refuses_an_unknown_field() -> None:
    document = bom()
    document["components"][0]["colour"] = "red"
    assert JUDGE.validate_str(json.dumps(document)) is not None


@pytest.mark.parametrize("sample", ALL, ids=lambda one: one.__name__)
def test_every_reference_leads_somewhere(sample: Callable[[], Report]) -> None:
    document = bom(sample())
    known = [one["bom-ref"] for one in document["components"] + document["vulnerabilities"]]
    known.append(document["metadata"]["component"]["bom-ref"])
    named = [one["ref"] for one in document["dependencies"]]
    named += [ref for one in document["dependencies"] for ref in one["dependsOn"]]
    named += [to["ref"] for one in document["vulnerabilities"] for to in one["affects"]]
    assert len(known) == len(set(known))
    assert set(named) <= set(known)


def test_packages_have_their_url() -> None:
    assert [one.get("purl") for one in bom()["components"]] == [
        "pkg:golang/golang.org/x/net@v0.17.0",
        "pkg:npm/%40acme/ui@1.0.0",
        "pkg:npm/lodash@4.17.15",
        "pkg:pypi/jinja2@3.1.2",
        "pkg:pypi/oldlib@0.3.0",
        "pkg:pypi/pillow@9.0.0",
        "pkg:pypi/pytest@8.4.2",
        "pkg:pypi/urllib3@1.26.4",
    ]


def test_a_package_of_two_files_is_one_component() -> None:
    lodash = component("lodash")
    assert lodash["scope"] == "required"
    assert lodash["evidence"]["occurrences"] == [
        {"location": "web/package-lock.json"},
        {"location": "widget/package-lock.json"},
    ]


def test_what_only_development_needs_is_excluded() -> None:
    assert component("pytest")["scope"] == "excluded"


def test_licences_are_expressions_where_they_can_be() -> None:
    assert component("@acme/ui")["licenses"] == [{"expression": "(MIT OR Apache-2.0)"}]
    assert component("lodash")["licenses"] == [{"license": {"name": "SEE LICENSE IN LICENSE.md"}}]
    assert "licenses" not in component("pytest")


def test_only_the_repository_states_what_it_depends_on() -> None:
    assert bom()["dependencies"] == [
        {
            "ref": "target",
            "dependsOn": [
                "pkg:npm/%40acme/ui@1.0.0",
                "pkg:npm/lodash@4.17.15",
                "pkg:pypi/jinja2@3.1.2",
                "pkg:pypi/oldlib@0.3.0",
                "pkg:pypi/pillow@9.0.0",
                "pkg:pypi/pytest@8.4.2",
            ],
        }
    ]


@pytest.mark.parametrize(
    ("sample", "aggregate"),
    [
        (samples.passed, "unknown"),
        (samples.failed, "incomplete"),
        (samples.incomplete, "incomplete"),
    ],
)
def test_completeness_is_not_claimed(sample: Callable[[], Report], aggregate: str) -> None:
    assert bom(sample())["compositions"][0]["aggregate"] == aggregate


def test_a_vulnerability_names_itself_its_rating_and_its_package() -> None:
    first = bom()["vulnerabilities"][0]
    assert first == {
        "bom-ref": f"finding:{shop.VULNERABILITIES[0].id}",
        "id": "GHSA-0001-shop-aaaa",
        "source": {"name": "OSV"},
        "ratings": [
            {"source": {"name": "mergegate"}, "severity": "high", "method": "other"},
            {"source": {"name": "OSV"}, "score": 8.1},
        ],
        "description": "pillow 9.0.0: heap overflow in a decoder",
        "detail": shop.VULNERABILITIES[0].message,
        "recommendation": "Repaired in 10.3.0.",
        "affects": [{"ref": "pkg:pypi/pillow@9.0.0"}],
        "references": [{"id": "CVE-2024-0001", "source": {"name": "NVD"}}],
        "advisories": [{"url": "https://osv.dev/vulnerability/GHSA-0001-shop-aaaa"}],
    }


def test_an_advisory_in_two_folders_is_one_vulnerability() -> None:
    pillow = shop.VULNERABILITIES[0]
    twin = replace(pillow, place=Place("api/requirements.txt", 4, 4), id="other")
    assert len(bom(samples.report((), (), [pillow, twin]))["vulnerabilities"]) == 1


def test_the_repository_is_the_subject() -> None:
    metadata = bom()["metadata"]
    assert metadata["timestamp"] == "2026-11-20T09:14:02Z"
    assert metadata["component"] == {
        "type": "application",
        "bom-ref": "target",
        "name": "acme/shop",
        "version": samples.TARGET.commit,
    }
    assert metadata["tools"] == {
        "components": [{"type": "application", "name": "mergegate", "version": "0.1.0"}]
    }


def test_the_serial_number_is_that_of_the_scan() -> None:
    other = replace(stock.stocked(), id="rs_other")
    assert bom()["serialNumber"] == bom()["serialNumber"]
    assert bom()["serialNumber"] != bom(other)["serialNumber"]


def test_the_order_of_packages_does_not_matter() -> None:
    turned = replace(stock.stocked(), packages=tuple(reversed(stock.PACKAGES)))
    refs = [one["bom-ref"] for one in bom()["components"]]
    assert [one["bom-ref"] for one in bom(turned)["components"]] == refs
