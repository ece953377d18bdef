"""Every format of the site tools' reports, by the name that ``--format`` takes."""

from collections.abc import Mapping

from mergegate.model.site.audit import AuditReport
from mergegate.model.site.browser_test import BrowserReport
from mergegate.report.site import audit, browser_test
from mergegate.report.site.screen import Screen
from mergegate.wire.site import browser_test as test_shape
from mergegate.wire.site.audit import Shape, to_json
from mergegate.wiring.formats import Format, Surface


def audit_formats(shape: Shape = Shape.FLAT) -> Mapping[str, Format[AuditReport]]:
    """The formats of an audit, JSON in that shape."""
    return {
        "console": Format("txt", _audit_text),
        "json": Format("json", lambda report, _: to_json(report, shape)),
        "markdown": Format("md", lambda report, _: audit.markdown.render(report)),
        "html": Format("html", lambda report, _: audit.html.render(report)),
        "sarif": Format("sarif", lambda report, _: audit.sarif.render(report)),
        "junit": Format("junit.xml", lambda report, _: audit.junit.render(report)),
    }


def _audit_text(report: AuditReport, surface: Surface) -> str:
    return audit.console.render(report, _screen(surface), verbose=surface.verbose)


def _test_text(report: BrowserReport, surface: Surface) -> str:
    return browser_test.console.render(report, _screen(surface), verbose=surface.verbose)


def _screen(surface: Surface) -> Screen:
    return Screen(surface.width, surface.colour, ascii_only=not surface.unicode)


AUDIT_FORMATS: Mapping[str, Format[AuditReport]] = audit_formats()
TEST_FORMATS: Mapping[str, Format[BrowserReport]] = {
    "console": Format("txt", _test_text),
    "json": Format("json", lambda report, _: test_shape.to_json(report)),
    "markdown": Format("md", lambda report, _: browser_test.markdown.render(report)),
    "html": Format("html", lambda report, _: browser_test.html.render(report)),
    "sarif": Format("sarif", lambda report, _: browser_test.sarif.render(report)),
    "junit": Format("junit.xml", lambda report, _: browser_test.junit.render(report)),
}
