"""Any format of any site tool's report."""

from collections.abc import Callable
from functools import cache
from types import ModuleType

from mergegate.site.render import console, html, junit, markdown, sarif

FORMS = {
    "console": console,
    "html": html,
    "markdown": markdown,
    "sarif": sarif,
    "junit": junit,
}
SIZES = {
    "console": 100_000,
    "html": 3_000_000,
    "markdown": 65_000,
    "sarif": 12_000_000,
    "junit": 30_000_000,
}
"""Characters that no report of a format outgrows."""


@cache
def drawn(tool: ModuleType, form: ModuleType) -> Callable[..., str]:
    """What renders a tool's report in a format; the same for the same."""

    def render(report: object, *where: object, **how: object) -> str:
        text: str = form.render(tool.layout(report), *where, **how)
        return text

    return render
