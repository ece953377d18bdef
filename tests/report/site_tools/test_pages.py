"""Console and Markdown as prose: the kept pages, to be read whenever they change."""

from dataclasses import replace

import pytest
from tests.repo.report.golden import expected
from tests.report.site_tools import samples

from mergegate.report.site import audit, browser_test
from mergegate.report.site.screen import Screen


@pytest.mark.parametrize("sample", [samples.quick, samples.shop])
def test_audit_reads_well(sample: type) -> None:
    report = sample()
    console, markdown = audit.console.render(report), audit.markdown.render(report)
    assert console == expected(f"site/audit-{sample.__name__}.txt", console)
    assert markdown == expected(f"site/audit-{sample.__name__}.md", markdown)


@pytest.mark.parametrize("sample", [samples.clean, samples.broken])
def test_browser_test_reads_well(sample: type) -> None:
    report = sample()
    console = browser_test.console.render(report, Screen(width=100))
    markdown = browser_test.markdown.render(report)
    assert console == expected(f"site/test-{sample.__name__}.txt", console)
    assert markdown == expected(f"site/test-{sample.__name__}.md", markdown)


def test_machine_forms_are_kept() -> None:
    junit = audit.junit.render(samples.shop())
    assert junit == expected("site/audit-shop.junit.xml", junit)
    junit = browser_test.junit.render(samples.broken())
    assert junit == expected("site/test-broken.junit.xml", junit)


def test_console_lists_every_issue_when_asked() -> None:
    many = tuple(replace(samples.IMAGE_ALT, id=f"{n}") for n in range(40))
    report = replace(samples.quick(), issues=many)
    assert "and 25 more" in audit.console.render(report)
    assert audit.console.render(report, verbose=True).count("[alt]") == 40


def test_markdown_says_what_it_leaves_out() -> None:
    page = audit.markdown.render(samples.huge(), limit=10_000)
    assert "and 398 more" in page
    assert "and 498 more" in page
