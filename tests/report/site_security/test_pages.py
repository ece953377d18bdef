"""Console, Markdown and machine forms of a security scan, kept to be read as prose."""

import json
from collections.abc import Callable
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

from mergegate.model.facts.web_security import TlsFacts
from mergegate.model.site.security import SecurityReport
from mergegate.report.site import security
from mergegate.report.site.screen import Screen
from mergegate.report.site.security import rows
from tests.report.golden import expected
from tests.report.site_security import samples

SAMPLES = [samples.bad, samples.good, samples.plain]


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda one: one.__name__)
def test_it_reads_well(sample: Callable[[], SecurityReport]) -> None:
    console = security.console.render(sample(), Screen(width=100))
    markdown = security.markdown.render(sample())
    assert console == expected(f"site/security-{sample.__name__}.txt", console)
    assert markdown == expected(f"site/security-{sample.__name__}.md", markdown)


def test_the_machine_forms_are_kept() -> None:
    junit = security.junit.render(samples.bad())
    assert junit == expected("site/security-bad.junit.xml", junit)


def test_console_lists_everything_when_asked() -> None:
    flaws = tuple(replace(samples.FRAMING, id=f"{n}") for n in range(40))
    report = replace(samples.bad(), flaws=flaws)
    assert "and 30 more" in security.console.render(report)
    shown = security.console.render(report, verbose=True)
    assert shown.count("Any site may show the page in a frame") == 40
    assert "Full list" not in shown


def test_what_is_high_fails_and_what_is_less_is_skipped() -> None:
    root = ET.fromstring(security.junit.render(samples.bad()))
    found = {case.get("classname"): [child.tag for child in case] for case in root.iter("testcase")}
    assert found["exposed secrets.secret-stripe-secret-key"] == ["failure"]
    assert found["security headers.framing-missing"] == ["failure"]
    assert found["forged requests.csrf-token-missing"] == ["skipped"]
    assert found["security headers.header"] == []


def test_sarif_says_how_severe_and_where() -> None:
    run = json.loads(security.sarif.render(samples.bad()))["runs"][0]
    assert run["automationDetails"] == {"id": "mergegate/security-scan/"}
    assert run["properties"] == {"riskScore": 35, "grade": "D"}
    secret, *_, note = run["results"]
    assert (secret["level"], secret["properties"]["security-severity"]) == ("error", "9.5")
    place = secret["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "https://shop.example.org/app.js"
    assert place["region"] == {"startLine": 12}
    assert note["level"] == "warning"


@pytest.mark.parametrize(
    ("tls", "name", "text", "band"),
    [
        (samples.TLS, "Accepts", "TLSv1.1, TLSv1.2, TLSv1.3 (not tried: SSLv3)", "poor"),
        (samples.TLS, "Trust", "trusted", "good"),
        (samples.TLS, "Ends", "in 9 days", "needs improvement"),
        (replace(samples.TLS, days_left=-1), "Ends", "has expired", "poor"),
        (replace(samples.TLS, days_left=90), "Ends", "in 90 days", "good"),
        (replace(samples.TLS, trusted=None), "Trust", "not found out", "unknown"),
        (
            replace(samples.TLS, trusted=False, trust_error="it has expired"),
            "Trust",
            "it has expired",
            "poor",
        ),
        (
            replace(samples.TLS, name_matches=False),
            "Trust",
            "its certificate names another host",
            "poor",
        ),
        (TlsFacts(host="a", port=443, failure="it hangs up"), "TLS", "it hangs up", "poor"),
    ],
)
def test_the_connection_is_told_in_words(tls: TlsFacts, name: str, text: str, band: str) -> None:
    found = {one.name: (one.text, one.band) for one in rows.connection(tls)}
    assert found[name] == (text, band)
