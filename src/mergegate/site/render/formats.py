"""Every format of the site tools' reports, by the name that ``--format`` takes.

What writes a format is loaded when it is asked for.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from mergegate.core.render.formats import Format, Surface, anywhere

if TYPE_CHECKING:
    from mergegate.site.audit.report import AuditReport
    from mergegate.site.audit.wire.result import Shape
    from mergegate.site.browser_test.report import BrowserReport
    from mergegate.site.render.layout import Layout
    from mergegate.site.security.report import SecurityReport
    from mergegate.site.seo.report import SeoReport

_EXTENSIONS = {"markdown": "md", "html": "html", "sarif": "sarif", "junit": "junit.xml"}
"""Formats that need nothing but the layout; a further one is a module and an entry here."""


def audit_formats(shape: "Shape | None" = None) -> "Mapping[str, Format[AuditReport]]":
    """The formats of an audit, JSON in that shape; flat without one."""

    def to_json(report: "AuditReport") -> str:
        from mergegate.site.audit.wire import result  # noqa: PLC0415

        return result.to_json(report, shape or result.Shape.FLAT)

    return _formats("audit", to_json)


def _formats(tool: str, to_json: Callable[[Any], str]) -> Mapping[str, Format[Any]]:
    """Those that every tool has; ``tool`` is the folder whose ``layout`` makes the layout."""
    rendered = {
        name: Format(extension, anywhere(_rendered(tool, name)))
        for name, extension in _EXTENSIONS.items()
    }
    return {
        "console": Format("txt", _text(tool)),
        "json": Format("json", anywhere(to_json)),
        **rendered,
    }


def _document(tool: str, report: Any) -> "Layout":
    made: Layout = import_module(f"mergegate.site.{tool}.layout").layout(report)
    return made


def _rendered(tool: str, name: str) -> Callable[[Any], str]:
    """The report in the format of that name."""

    def render(report: Any) -> str:
        renderer = import_module(f"mergegate.site.render.{name}")
        text: str = renderer.render(_document(tool, report))
        return text

    return render


def _text(tool: str) -> Callable[[Any, Surface], str]:
    """The report for a terminal."""

    def render(report: Any, surface: Surface) -> str:
        from mergegate.core.render.screen import Screen  # noqa: PLC0415
        from mergegate.site.render import console  # noqa: PLC0415

        screen = Screen(surface.width, surface.colour, ascii_only=not surface.unicode)
        return console.render(_document(tool, report), screen, verbose=surface.verbose)

    return render


def _shaped(tool: str) -> Callable[[Any], str]:
    """The report as the API's JSON."""

    def to_json(report: Any) -> str:
        text: str = import_module(f"mergegate.site.{tool}.wire.result").to_json(report)
        return text

    return to_json


AUDIT_FORMATS: "Mapping[str, Format[AuditReport]]" = audit_formats()
TEST_FORMATS: "Mapping[str, Format[BrowserReport]]" = _formats(
    "browser_test", _shaped("browser_test")
)
SECURITY_FORMATS: "Mapping[str, Format[SecurityReport]]" = _formats("security", _shaped("security"))
SEO_FORMATS: "Mapping[str, Format[SeoReport]]" = _formats("seo", _shaped("seo"))
