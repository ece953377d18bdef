"""Report → text: one renderer a format, all pure. JSON is the API's business: see ``wire``."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from mergegate.model.report import Report
from mergegate.report import gitlab
from mergegate.report.late import late


@dataclass(frozen=True, slots=True)
class Format:
    """How a report is written to a file."""

    name: str
    """As ``--format`` takes it."""
    render: Callable[[Report], str]
    """With each option at its default."""
    extension: str
    """With its dot."""
    media_type: str


def _named(*formats: Format) -> Mapping[str, Format]:
    return MappingProxyType({one.name: one for one in formats})


FORMATS = _named(
    Format("console", late("console"), ".txt", "text/plain; charset=utf-8"),
    Format("markdown", late("markdown"), ".md", "text/markdown; charset=utf-8"),
    Format("html", late("html"), ".html", "text/html; charset=utf-8"),
    Format("sarif", late("sarif"), ".sarif", "application/sarif+json"),
    Format("codequality", late("codequality"), ".codequality.json", "application/json"),
    Format("junit", late("junit"), ".junit.xml", "application/xml"),
    Format("cyclonedx", late("cyclonedx"), ".cdx.json", "application/vnd.cyclonedx+json"),
    *(
        Format(name, render, f".{name}", "application/json")
        for name, render in gitlab.FILES.items()
    ),
)
"""Every format this room writes, by name."""
