"""The table of formats, the templates behind it, and what all formats share."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from mergegate.core.render import templates, wording
from mergegate.core.render.formats import Format, Surface
from mergegate.core.report import Gate, Report
from mergegate.repo.report import news
from mergegate.repo.report.formats import FORMATS, OF_A_SCAN
from tests.repo.report import samples, shop

OF_SAMPLES = sorted(FORMATS.keys() - OF_A_SCAN)
ALL = [samples.passed, samples.failed, samples.incomplete, samples.hostile]


def texts(format: Format[Report], report: Report) -> list[str]:
    """What ``--format`` writes: one text, or each file of a folder."""
    return [render(report) for render in format.parts.values()] or [
        format.render(report, Surface())
    ]


@pytest.mark.parametrize("name", OF_SAMPLES)
@pytest.mark.parametrize("sample", ALL, ids=lambda one: one.__name__)
def test_the_same_report_gives_the_same_bytes(name: str, sample: Callable[[], Report]) -> None:
    assert texts(FORMATS[name], sample()) == texts(FORMATS[name], sample())


@pytest.mark.parametrize("name", OF_SAMPLES)
def test_every_format_writes_utf8_and_ends_its_last_line(name: str) -> None:
    for text in texts(FORMATS[name], samples.hostile()):
        assert text.encode("utf-8")
        assert text.endswith("\n")
        assert not text.endswith("\n\n")


def test_extensions_differ() -> None:
    assert len({one.extension for one in FORMATS.values()}) == len(FORMATS)


def test_every_template_loads_in_its_environment() -> None:
    folder = templates.folder()
    names = {str(path.relative_to(folder)) for path in folder.rglob("*.j2")}
    assert names > {"report.html.j2", "site/report.html.j2", "comment/head.md.j2"}
    for name in sorted(names):
        environment = templates.html() if name.endswith(".html.j2") else templates.markdown()
        assert environment.get_template(name)


def test_templates_escape_what_they_are_not_told_about() -> None:
    text = "<b>@x</b>\u202e"
    assert templates.html().from_string("{{ x }}").render(x=text) == (
        "&lt;b&gt;@x&lt;/b&gt;\\u202e"
    )
    assert templates.markdown().from_string("{{ x }}").render(x=text) == "`<b>@x</b>\\u202e`"


@pytest.mark.parametrize(
    ("reference", "links"),
    [
        ("https://cwe.mitre.org/data/definitions/89.html", True),
        ("https://example.org/a?b=c#d", True),
        ("http://example.org/", False),
        ("javascript:alert(1)", False),
        ("https://example.org/a b", False),
        ("https://example.org/>\n<script>", False),
        ('https://example.org/"onclick', False),
    ],
)
def test_only_plain_https_references_are_links(reference: str, links: bool) -> None:
    finding = replace(shop.SQL, references=(reference,))
    assert bool(wording.links(finding)) is links


@pytest.mark.parametrize(
    ("of_bytes", "said"), [(0, "0 B"), (1023, "1023 B"), (1536, "1.5 KiB"), (5 << 30, "5.0 GiB")]
)
def test_sizes_have_a_unit(of_bytes: int, said: str) -> None:
    assert wording.size(of_bytes) == said


def test_next_step_names_every_missing_remedy() -> None:
    said = news.next_step(samples.incomplete())
    assert "engines.semgrep.timeout" in said
    assert "mergegate advisories update" in said


def test_a_failed_report_without_a_way_out_still_says_what_to_do() -> None:
    report = samples.failed()
    verdict = replace(report.verdict, way_out=())
    bare = replace(report, verdict=verdict, comparison=None)
    assert news.next_step(bare) == "Fix the findings, worst first."


def test_way_out_of_an_incomplete_scan_promises_no_pass() -> None:
    report = samples.failed()
    incomplete = replace(report, verdict=replace(report.verdict, gate=Gate.INCOMPLETE))
    assert "fails in any case" in news.next_step(incomplete)
    assert "the gate passes" in news.next_step(report)


@pytest.mark.parametrize("name", ["console", "markdown", "html"])
def test_transitive_dependencies_show_their_route(name: str) -> None:
    text = FORMATS[name].render(replace(samples.failed(), comparison=None), Surface())
    assert "Comes through requests → urllib3" in text
    assert "Comes through pillow" not in text
