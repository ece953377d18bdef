"""The API's security scan result: every field of the specification, and what is added."""

import json
from dataclasses import replace
from typing import Any

import pytest

from mergegate.core.severity import Severity
from mergegate.site.security.report import SecurityReport
from mergegate.site.security.wire.result import SecurityScanResult, to_json
from tests.site.security.render import samples

SPECIFIED = {
    "scanId": "string",
    "riskScore": "integer",
    "findings": "array",
    "headers": "object",
    "sslInfo": "SslInfoOut",
    "suggestions": "array",
    "aiSummary": "string",
}
HALF = "\\ud800"


def document(of: SecurityReport) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(to_json(of))
    return found


def test_it_begins_with_every_field_of_the_specification() -> None:
    assert list(document(samples.bad()))[:7] == list(SPECIFIED)


def test_every_specified_field_is_always_there_and_of_its_type() -> None:
    schema = SecurityScanResult.model_json_schema(mode="serialization")
    for name, kind in SPECIFIED.items():
        field = schema["properties"][name]
        assert kind in {field.get("type"), field.get("$ref", "").rpartition("/")[2]}
        assert name in schema["required"]
    assert schema["properties"]["grade"]["enum"] == ["A+", "A", "B", "C", "D", "F"]
    assert (
        schema["properties"]["riskScore"] | {"minimum": 0, "maximum": 100}
        == (schema["properties"]["riskScore"])
    )


def test_a_finding_has_its_severity_place_and_remedy() -> None:
    secret, framing, form, _ = document(samples.bad())["findings"]
    assert (secret["severity"], secret["line"], secret["cwe"]) == ("critical", 12, "CWE-798")
    assert [one["product"] for one in framing["patches"]] == ["nginx", "HTTP"]
    assert framing["line"] is None
    assert (form["confidence"], form["count"], form["category"]) == ("medium", 3, "csrf")


def test_headers_are_by_their_name() -> None:
    found = document(samples.bad())["headers"]
    assert found["Strict-Transport-Security"] == {
        "present": True,
        "value": "max-age=63072000",
        "verdict": "good",
        "note": "",
    }
    assert found["X-Frame-Options"]["present"] is False


def test_ssl_info_tells_of_the_sites_own_certificate() -> None:
    found = document(samples.bad())["sslInfo"]
    assert (found["enabled"], found["protocol"], found["daysLeft"]) == (True, "TLSv1.3", 9)
    assert (found["issuer"], found["validTo"]) == ("CN=R11,O=Authority", "2026-11-29T00:00:00Z")
    assert found["nameMatches"] is True


def test_a_page_without_tls_has_ssl_info_that_says_so() -> None:
    found = document(samples.plain())["sslInfo"]
    assert found.keys() == document(samples.bad())["sslInfo"].keys()
    assert (found["enabled"], found["port"], found["nameMatches"]) == (False, None, None)


def test_counts_and_deductions_add_up() -> None:
    found = document(samples.bad())
    assert found["counts"] == {"critical": 1, "high": 1, "medium": 1, "low": 0, "info": 1}
    assert found["deductions"]["secrets"] == {"points": 30, "capped": 25}
    assert 100 - sum(one["capped"] for one in found["deductions"].values()) == found["riskScore"]


def test_the_policy_says_whether_it_was_proved() -> None:
    found = document(samples.bad())["contentSecurityPolicy"]
    assert (found["proved"], found["nonces"], len(found["breaches"])) == (False, True, 1)
    assert document(samples.good())["contentSecurityPolicy"]["proved"] is True
    assert document(replace(samples.bad(), trial=None))["contentSecurityPolicy"] is None


def test_suggestions_lead_to_their_findings() -> None:
    found = document(samples.bad())
    ids = {one["id"] for one in found["findings"]}
    assert {id for one in found["suggestions"] for id in one["findingIds"]} <= ids


@pytest.mark.parametrize("severity", Severity)
def test_every_severity_has_its_word(severity: Severity) -> None:
    flaw = replace(samples.FORM, severity=severity)
    [found] = document(replace(samples.bad(), flaws=(flaw,)))["findings"]
    assert found["severity"] == severity.label


def test_half_a_letter_breaks_nothing() -> None:
    flaw = replace(samples.FORM, evidence="\ud800")
    [found] = document(replace(samples.bad(), flaws=(flaw,)))["findings"]
    assert found["evidence"] == HALF


def test_a_second_opinion_is_there_where_there_is_one() -> None:
    told = document(samples.bad())["observatory"]
    assert (told["score"], told["grade"], len(told["tests"])) == (35, "D", 3)
    assert told["tests"][1] == {
        "name": "cookies",
        "result": "cookies-not-found",
        "passed": True,
        "modifier": 0,
    }
    assert document(samples.plain())["observatory"] is None


def test_what_could_not_be_looked_at_is_told_apart_from_what_was_not_asked_for() -> None:
    told = document(replace(samples.bad(), skipped=("Not asked.", "Cut."), gaps=("Cut.",)))
    assert (told["skipped"], told["gaps"]) == (["Not asked.", "Cut."], ["Cut."])
