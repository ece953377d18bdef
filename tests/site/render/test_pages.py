"""Console and Markdown as prose: the kept pages, to be read whenever they change."""

from dataclasses import replace

import pytest

from mergegate.site.audit import render
from mergegate.site.browser_test import render as browser_test
from mergegate.site.render.screen import Screen
from tests.repo.report.golden import expected
from tests.site.render import samples


@pytest.mark.parametrize("sample", [samples.quick, samples.shop])
def test_audit_reads_well(sample: type) -> None:
    report = sample()
    console, markdown = render.console.render(report), render.markdown.render(report)
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
    junit = render.junit.render(samples.shop())
    assert junit == expected("site/audit-shop.junit.xml", junit)
    junit = browser_test.junit.render(samples.broken())
    assert junit == expected("site/test-broken.junit.xml", junit)


def test_console_lists_every_issue_when_asked() -> None:
    many = tuple(replace(samples.IMAGE_ALT, id=f"{n}") for n in range(40))
    report = replace(samples.quick(), issues=many)
    assert "and 25 more" in render.console.render(report)
    assert render.console.render(report, verbose=True).count("[alt]") == 40


def test_markdown_says_what_it_leaves_out() -> None:
    page = render.markdown.render(samples.huge(), limit=10_000)
    assert "and 398 more" in page
    assert "and 498 more" in page
