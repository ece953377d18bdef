"""What an editor shows of findings, made by hand."""

import pytest
from lsprotocol.types import DiagnosticSeverity
from markdown_it import MarkdownIt

from mergegate.core.finding import Finding, Place
from mergegate.core.report import Coverage, Gate, Ledger, Report, Target, Verdict
from mergegate.core.severity import Category, Confidence, Kind, Severity
from mergegate.core.tree import Skipped
from mergegate.editor import hover
from mergegate.editor.scanning import Order, Outcome
from mergegate.editor.shown import Shown, shown
from mergegate.editor.text import Bytes, Text
from tests.editor.test_text import UTF_16

HOSTILE = "](command:evil) <img src=x> [a](https://evil.example) \x1b[31m\u202e @all"


def finding(
    severity: Severity = Severity.HIGH,
    confidence: Confidence = Confidence.HIGH,
    *,
    rule: str = "python-yaml-load",
    title: str = "A title",
    message: str = "A message.",
    references: tuple[str, ...] = (),
) -> Finding:
    return Finding(
        rule_id=rule,
        title=title,
        message=message,
        severity=severity,
        confidence=confidence,
        category=Category.SECURITY,
        kind=Kind.CODE,
        place=Place("a.py", 2, 2, 1, 3),
        references=references,
        id="0123456789",
    )


def told(
    tmp_path_factory: pytest.TempPathFactory,
    *findings: Finding,
    verdict: Verdict = Verdict(Gate.PASSED, ()),
    coverage: Coverage = Coverage(),
) -> Shown:
    folder = tmp_path_factory.getbasetemp()
    report = Report(
        target=Target(),
        verdict=verdict,
        ledger=Ledger(100, (), ()),
        issues=findings,
        risks=(),
        vulnerabilities=(),
        coverage=coverage,
    )
    held = Bytes("a.py", b"x\nf(x)\n")
    order = Order("file:///a.py", folder / "a.py", folder, 1)
    outcome = Outcome(held, folder / ".mergegate.yml", report=report)
    return shown(order, outcome, Text(held, UTF_16), related=True)


@pytest.mark.parametrize(
    ("severity", "confidence", "level"),
    [
        (Severity.CRITICAL, Confidence.HIGH, DiagnosticSeverity.Error),
        (Severity.HIGH, Confidence.MEDIUM, DiagnosticSeverity.Error),
        (Severity.HIGH, Confidence.LOW, DiagnosticSeverity.Warning),
        (Severity.MEDIUM, Confidence.LOW, DiagnosticSeverity.Warning),
        (Severity.LOW, Confidence.HIGH, DiagnosticSeverity.Information),
        (Severity.INFO, Confidence.LOW, DiagnosticSeverity.Hint),
    ],
)
def test_red_is_what_is_high_and_sure(
    severity: Severity,
    confidence: Confidence,
    level: DiagnosticSeverity,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    found = told(tmp_path_factory, finding(severity, confidence))
    assert [one.severity for one in found.diagnostics] == [level]


def test_only_addresses_of_the_rule_are_links(tmp_path_factory: pytest.TempPathFactory) -> None:
    known, stranger = (
        finding(references=("https://evil.example",)),
        finding(rule="no-such-rule", references=("https://evil.example",)),
    )
    second, first = told(tmp_path_factory, known, stranger).diagnostics
    assert first.code_description
    assert first.code_description.href.startswith("https://cwe.mitre.org/")
    assert second.code_description is None


def test_hostile_text_stays_text(tmp_path_factory: pytest.TempPathFactory) -> None:
    found = told(tmp_path_factory, finding(title=HOSTILE, message=HOSTILE))
    (diagnostic,) = found.diagnostics
    assert "\x1b" not in diagnostic.message
    assert "\u202e" not in diagnostic.message
    assert diagnostic.message.count("\n") == 1
    assert _links(hover.markdown(found.flagged)) == [
        "https://cwe.mitre.org/data/definitions/502.html"
    ]
    assert "\x1b" not in hover.plain(found.flagged)


def _links(markdown: str) -> list[object]:
    """The addresses that are links; raises AssertionError for anything of HTML or an image."""
    tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(markdown)
    inside = [one for token in tokens for one in (token, *(token.children or ()))]
    assert not {one.type for one in inside} & {"html_block", "html_inline", "image"}
    return [one.attrs["href"] for one in inside if one.type == "link_open"]


def test_a_hover_tells_what_explain_tells_once(tmp_path_factory: pytest.TempPathFactory) -> None:
    found = told(tmp_path_factory, finding(message="Found here."))
    text = hover.markdown(found.flagged)
    assert "Found here." in text
    assert text.count("Call yaml") == 1
    assert "Call yaml" in hover.explained("python-yaml-load")
    assert hover.explained("no-such-rule") == ""


def test_what_was_not_checked_stands_in_the_first_line(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    verdict = Verdict(Gate.INCOMPLETE, ("Not checked: semgrep: it crashed", "1 critical"))
    coverage = Coverage(skipped=(Skipped("a.py", "larger than 5 MiB"),))
    found = told(tmp_path_factory, verdict=verdict, coverage=coverage)
    assert [one.message for one in found.diagnostics] == [
        "Incomplete: semgrep: it crashed",
        "Not all of it was scanned: larger than 5 MiB",
    ]
    assert {one.range.start.line for one in found.diagnostics} == {0}


def test_very_many_findings_are_cut_and_counted(tmp_path_factory: pytest.TempPathFactory) -> None:
    found = told(tmp_path_factory, *[finding()] * 600)
    assert len(found.diagnostics) == 501
    assert found.diagnostics[0].message.startswith("100 more findings")
