"""What a host sends is read back: the same report in every format; what is odd is refused."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import pytest

from mergegate.core.errors import UsageError
from mergegate.core.render.formats import Surface
from mergegate.core.strict_json import LARGEST_BYTES, MOST_ELEMENTS
from mergegate.site.audit.wire.result import read_audit_report
from mergegate.site.browser_test.report import BrowserReport
from mergegate.site.browser_test.wire.result import read_browser_test
from mergegate.site.render.formats import AUDIT_FORMATS, SECURITY_FORMATS, SEO_FORMATS, TEST_FORMATS
from mergegate.site.security.wire.result import read_security_scan
from mergegate.site.seo.wire.result import read_seo
from tests.site.render import samples, seo_samples
from tests.site.security.render import samples as security


@dataclass(frozen=True)
class Case:
    """One tool: how its results are written, read and shown."""

    formats: Mapping[str, Any]
    read: Callable[[bytes, Any], Any]
    """By the bytes, and by the report that they came from: an audit's result has no budget."""
    reports: tuple[Callable[[], Any], ...]
    hostile: Callable[[], Any]

    def written(self, report: Any) -> bytes:
        return str(self.formats["json"].render(report, Surface())).encode()

    def again(self, report: Any) -> Any:
        return self.read(self.written(report), report)


def _hostile_test() -> BrowserReport:
    """Of a first page that could be tested: without one there is no report."""
    report = samples.hostile_test()
    first, *others = report.visits
    return replace(report, visits=(replace(first, failure=""), *others))


CASES = {
    "audit": Case(
        AUDIT_FORMATS,
        lambda content, report: read_audit_report(content, report.held_to),
        (samples.quick, samples.shop),
        samples.hostile,
    ),
    "browser test": Case(
        TEST_FORMATS,
        lambda content, _: read_browser_test(content),
        (samples.clean, samples.broken),
        _hostile_test,
    ),
    "security scan": Case(
        SECURITY_FORMATS,
        lambda content, _: read_security_scan(content),
        (security.bad, security.good, security.plain),
        security.hostile,
    ),
    "seo": Case(
        SEO_FORMATS,
        lambda content, _: read_seo(content),
        (seo_samples.tea, seo_samples.well_made, seo_samples.hidden),
        seo_samples.hostile,
    ),
}
EVERY = [
    pytest.param(case, sample, id=f"{name}, {sample.__name__}")
    for name, case in CASES.items()
    for sample in case.reports
]
TOOLS = pytest.mark.parametrize("case", CASES.values(), ids=CASES)


def assert_same(one: Any, other: Any, formats: Mapping[str, Any]) -> None:
    for name, form in formats.items():
        for surface in (Surface(width=100), Surface(width=100, verbose=True)):
            assert form.render(other, surface) == form.render(one, surface), name


@pytest.mark.parametrize(("case", "sample"), EVERY)
def test_every_format_of_a_read_report_is_that_of_the_report(
    case: Case, sample: Callable[[], Any]
) -> None:
    report = sample()
    assert_same(report, case.again(report), case.formats)


@TOOLS
def test_hostile_text_is_read_as_it_stands(case: Case) -> None:
    once = case.again(case.hostile())  # what is no UTF-8 has become its escape
    assert_same(once, case.again(once), case.formats)


def changed(case: Case, change: Callable[[dict[str, Any]], object]) -> bytes:
    document = json.loads(case.written(case.reports[0]()))
    change(document)
    return json.dumps(document).encode()


@TOOLS
def test_a_field_that_a_later_release_adds_is_left_out(case: Case) -> None:
    def add(document: dict[str, Any]) -> None:
        document["later"] = {"deep": [1]}
        document["engines"][0]["later"] = 1
        for held in document.values():
            if isinstance(held, list) and held and isinstance(held[0], dict):
                held[0]["later"] = "field"

    report = case.reports[0]()
    assert_same(report, case.read(changed(case, add), report), case.formats)


ODD: Mapping[str, list[Callable[[dict[str, Any]], object]]] = {
    "audit": [
        lambda one: one.update(performanceScore=101),
        lambda one: one.update(device="fridge"),
        lambda one: one.update(issues={}),
        lambda one: one.pop("metrics"),
        lambda one: one["metrics"].update(lcp=-1),
        lambda one: one["perfBudget"].update(version=2),
        lambda one: one.update(budgetViolations=[{"key": "lcp", "limit": 1, "actual": 2}]),
    ],
    "browser test": [
        lambda one: one.update(pagesVisited=-1),
        lambda one: one.update(jsErrors="none"),
        lambda one: one["pages"][0].update(loadMs="slow"),
        lambda one: one["engines"][0].update(status="fine"),
        lambda one: one.pop("linkCounts"),
    ],
    "security scan": [
        lambda one: one.update(riskScore=101),
        lambda one: one.update(grade="S"),
        lambda one: one["findings"][0].update(severity="fatal"),
        lambda one: one["findings"][0].update(category="karma"),
        lambda one: one.pop("sslInfo"),
    ],
    "seo": [
        lambda one: one.update(score=-1),
        lambda one: one.update(status="running"),
        lambda one: one["findings"][0].update(ground="gossip"),
        lambda one: one["crawlability"].pop("crawlers"),
        lambda one: one.pop("pageData"),
    ],
}


@pytest.mark.parametrize(
    ("tool", "change"), [(tool, change) for tool, changes in ODD.items() for change in changes]
)
def test_what_no_scan_writes_is_refused(
    tool: str, change: Callable[[dict[str, Any]], object]
) -> None:
    case = CASES[tool]
    with pytest.raises(UsageError):
        case.read(changed(case, change), case.reports[0]())


@TOOLS
@pytest.mark.parametrize(
    "content", [b"", b"{}", b"[]", b"\xff\xfe", b"[" * 100_000, b'{"url": NaN}', b"null", b'"x"']
)
def test_what_is_no_result_at_all_is_refused(case: Case, content: bytes) -> None:
    with pytest.raises(UsageError, match="this is no result of a"):
        case.read(content, case.reports[0]())


@TOOLS
def test_hostile_names_and_values_do_not_reach_the_error(case: Case) -> None:
    def spoil(document: dict[str, Any]) -> None:
        document["engines"][0]["status"] = "\n::error::\u202e" + "x" * 9000

    with pytest.raises(UsageError) as caught:
        case.read(changed(case, spoil), case.reports[0]())
    assert str(caught.value).isascii()
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


@TOOLS
def test_more_than_a_scan_writes_is_refused(case: Case) -> None:
    def swell(document: dict[str, Any]) -> None:
        document["engines"] = [1] * (MOST_ELEMENTS + 1)

    with pytest.raises(UsageError, match="more than 100,000 elements"):
        case.read(changed(case, swell), case.reports[0]())
    with pytest.raises(UsageError, match="larger than 64 MiB"):
        case.read(b" " * (LARGEST_BYTES + 1), case.reports[0]())


@pytest.mark.parametrize(
    "url",
    [
        "https://pictures.example.org/1.jpg",
        "data:image/jpeg;base64,%%%",
        "data:image/svg+xml;base64,PHN2Zy8+",
        "file:///etc/passwd",
    ],
)
def test_a_picture_that_is_not_in_the_result_is_not_fetched(url: str) -> None:
    case = CASES["browser test"]
    report = case.again(samples.broken())

    def move(document: dict[str, Any]) -> None:
        for shot in document["screenshots"]:
            shot["url"] = url

    document = json.loads(case.written(report))
    move(document)
    again = read_browser_test(json.dumps(document).encode())
    assert len(again.screenshots) == len(report.screenshots) > 0
    assert not any(shot.image for shot in again.screenshots)
