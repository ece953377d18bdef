"""Console, Markdown and machine forms of a security scan, kept to be read as prose."""

import json
from collections.abc import Callable
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

from mergegate.core.render.screen import Screen
from mergegate.site.render import console, html, junit, markdown, sarif
from mergegate.site.security import layout as security
from mergegate.site.security.facts import PolicyTrial, TlsFacts
from mergegate.site.security.report import Advice, Patch, SecurityReport
from tests.repo.report.golden import expected
from tests.site.render.drawing import drawn
from tests.site.security.render import samples

SAMPLES = [samples.bad, samples.good, samples.plain]


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda one: one.__name__)
def test_it_reads_well(sample: Callable[[], SecurityReport]) -> None:
    terminal = drawn(security, console)(sample(), Screen(width=100))
    comment = drawn(security, markdown)(sample())
    assert terminal == expected(f"site/security-{sample.__name__}.txt", terminal)
    assert comment == expected(f"site/security-{sample.__name__}.md", comment)


def test_the_machine_forms_are_kept() -> None:
    suites = drawn(security, junit)(samples.bad())
    assert suites == expected("site/security-bad.junit.xml", suites)


def test_console_lists_everything_when_asked() -> None:
    flaws = tuple(replace(samples.FRAMING, id=f"{n}") for n in range(40))
    report = replace(samples.bad(), flaws=flaws)
    assert "and 30 more" in drawn(security, console)(report)
    shown = drawn(security, console)(report, verbose=True)
    assert shown.count("Any site may show the page in a frame") == 40
    assert "Full list" not in shown


def test_what_is_high_fails_and_what_is_less_is_skipped() -> None:
    root = ET.fromstring(drawn(security, junit)(samples.bad()))
    found = {case.get("classname"): [child.tag for child in case] for case in root.iter("testcase")}
    assert found["exposed secrets.secret-stripe-secret-key"] == ["failure"]
    assert found["security headers.framing-missing"] == ["failure"]
    assert found["forged requests.csrf-token-missing"] == ["skipped"]
    assert found["security headers.header"] == []


def test_sarif_says_how_severe_and_where() -> None:
    run = json.loads(drawn(security, sarif)(samples.bad()))["runs"][0]
    assert run["automationDetails"] == {"id": "mergegate/security-scan/"}
    assert run["properties"] == {"riskScore": 35, "grade": "D"}
    secret, *_, note = run["results"]
    assert (secret["level"], secret["properties"]["security-severity"]) == ("error", "9.5")
    place = secret["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "https://shop.example.org/app.js"
    assert place["region"] == {"startLine": 12}
    assert note["level"] == "warning"


def test_sarif_says_of_a_rule_what_viewers_rank_it_by() -> None:
    run = json.loads(drawn(security, sarif)(samples.bad()))["runs"][0]
    [rule] = [
        one for one in run["tool"]["driver"]["rules"] if one["id"] == "secret-stripe-secret-key"
    ]
    assert rule["properties"] == {
        "tags": ["secrets", "security", "external/cwe/cwe-798"],
        "security-severity": "9.5",
        "precision": "high",
    }


def test_headers_are_ready_to_paste_before_any_number_of_elements() -> None:
    tag = Patch(product="HTML", code="<script>", language="html")
    many = Advice(title="", message="", flaw_ids=("a", "b", "c"), patches=(tag,))
    report = samples.bad()
    assert security.ready(replace(report, advice=(many, *report.advice))) == report.advice[1]
    assert security.ready(replace(report, advice=(many,))) == many


def test_code_that_has_no_room_is_not_offered_in_part() -> None:
    long = Patch(product="nginx", code="a" * 7_000, language="nginx")
    trial = PolicyTrial(policy="b" * 7_000, proved=True)
    step = replace(samples.bad().advice[0], patches=(long,))
    report = replace(samples.bad(), flaws=(), advice=(step,), trial=trial)
    for text in (drawn(security, markdown)(report), drawn(security, html)(report)):
        assert "aaaa" not in text
        assert "bbbb" not in text
        assert text.count("too long to be shown here") == 2


@pytest.mark.parametrize(
    ("tls", "name", "text", "band"),
    [
        (samples.TLS, "Accepts", "TLSv1.1, TLSv1.2, TLSv1.3 (not tried: SSLv3)", "poor"),
        (samples.TLS, "Trust", "trusted", "good"),
        (samples.TLS, "Ends", "in 9 days", "needs improvement"),
        (replace(samples.TLS, days_left=-1), "Ends", "has expired", "poor"),
        (replace(samples.TLS, days_left=90), "Ends", "in 90 days", "good"),
        (replace(samples.TLS, trusted=None), "Trust", "not found out", ""),
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
    found = {one.name: (one.text, one.band) for one in security.connection(tls)}
    assert found[name] == (text, band)
