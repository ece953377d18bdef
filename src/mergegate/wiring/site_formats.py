"""Every format of the site tools' reports, by the name that ``--format`` takes."""

from collections.abc import Mapping

from mergegate.model.site.audit import AuditReport
from mergegate.model.site.browser_test import BrowserReport
from mergegate.model.site.security import SecurityReport
from mergegate.model.site.seo import SeoReport
from mergegate.report.site import audit, browser_test, security, seo
from mergegate.report.site.screen import Screen
from mergegate.wire.site import browser_test as test_shape
from mergegate.wire.site import security as security_shape
from mergegate.wire.site import seo as seo_shape
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


def _security_text(report: SecurityReport, surface: Surface) -> str:
    return security.console.render(report, _screen(surface), verbose=surface.verbose)


def _seo_text(report: SeoReport, surface: Surface) -> str:
    return seo.console.render(report, _screen(surface), verbose=surface.verbose)


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
SECURITY_FORMATS: Mapping[str, Format[SecurityReport]] = {
    "console": Format("txt", _security_text),
    "json": Format("json", lambda report, _: security_shape.to_json(report)),
    "markdown": Format("md", lambda report, _: security.markdown.render(report)),
    "html": Format("html", lambda report, _: security.html.render(report)),
    "sarif": Format("sarif", lambda report, _: security.sarif.render(report)),
    "junit": Format("junit.xml", lambda report, _: security.junit.render(report)),
}
SEO_FORMATS: Mapping[str, Format[SeoReport]] = {
    "console": Format("txt", _seo_text),
    "json": Format("json", lambda report, _: seo_shape.to_json(report)),
    "markdown": Format("md", lambda report, _: seo.markdown.render(report)),
    "html": Format("html", lambda report, _: seo.html.render(report)),
    "sarif": Format("sarif", lambda report, _: seo.sarif.render(report)),
    "junit": Format("junit.xml", lambda report, _: seo.junit.render(report)),
}
