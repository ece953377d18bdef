"""Console and Markdown as prose: the kept pages, to be read whenever they change."""

from dataclasses import replace

import pytest

from mergegate.core.render.screen import Screen
from mergegate.site.audit import layout as audit
from mergegate.site.browser_test import layout as browser_test
from mergegate.site.render import console, junit, markdown
from tests.repo.report.golden import expected
from tests.site.render import samples
from tests.site.render.drawing import drawn


@pytest.mark.parametrize("sample", [samples.quick, samples.shop])
def test_audit_reads_well(sample: type) -> None:
    report = sample()
    terminal, comment = drawn(audit, console)(report), drawn(audit, markdown)(report)
    assert terminal == expected(f"site/audit-{sample.__name__}.txt", terminal)
    assert comment == expected(f"site/audit-{sample.__name__}.md", comment)


@pytest.mark.parametrize("sample", [samples.clean, samples.broken])
def test_browser_test_reads_well(sample: type) -> None:
    report = sample()
    terminal = drawn(browser_test, console)(report, Screen(width=100))
    comment = drawn(browser_test, markdown)(report)
    assert terminal == expected(f"site/test-{sample.__name__}.txt", terminal)
    assert comment == expected(f"site/test-{sample.__name__}.md", comment)


def test_machine_forms_are_kept() -> None:
    suites = drawn(audit, junit)(samples.shop())
    assert suites == expected("site/audit-shop.junit.xml", suites)
    suites = drawn(browser_test, junit)(samples.broken())
    assert suites == expected("site/test-broken.junit.xml", suites)


def test_console_lists_every_issue_when_asked() -> None:
    many = tuple(replace(samples.IMAGE_ALT, id=f"{n}") for n in range(40))
    report = replace(samples.quick(), issues=many)
    assert "and 25 more" in drawn(audit, console)(report)
    assert drawn(audit, console)(report, verbose=True).count("[alt]") == 40


def test_markdown_says_what_it_leaves_out() -> None:
    page = drawn(audit, markdown)(samples.huge(), limit=10_000)
    assert "and 398 more" in page
    assert "and 498 more" in page
