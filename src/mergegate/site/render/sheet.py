"""An HTML page of the site tools: the look of the scan's report, and what the sites add to it.

Its template extends ``site/frame.html.j2``.
"""

from collections.abc import Callable, Mapping
from typing import Any

from mergegate.core.render import sheet as page
from mergegate.core.render import wording
from mergegate.site.render import figures, phrases
from mergegate.site.render.fitting import first, fitting
from mergegate.site.render.scanned import Scanned

_LONGEST = 3_000_000
"""Characters of a page: what mail and chat still take."""
_LENGTHS = (200, 60, 25, 10, 3)
_STYLES = (*page.STYLES, "site/site.css")


def sheet(template: str, report: Scanned, values: Callable[[int], Mapping[str, Any]]) -> str:
    """The page in at most three million characters: lists are cut until it is.

    ``values`` gets how long a list may be, and gives what the template needs beside the report:
    its ``title`` at least.
    """
    return fitting(lambda most: _page(template, report, most, values(most)), _LENGTHS, _LONGEST)


def _page(template: str, report: Scanned, most: int, values: Mapping[str, Any]) -> str:
    return page.sheet(
        template,
        _STYLES,
        report=report,
        first=first(most),
        copyable=page.copyable,
        link=_link,
        figures=figures,
        phrases=phrases,
        **values,
    )


def _link(address: str) -> str:
    """``address`` when it may be written as a link, else empty."""
    return next(iter(wording.plain_links((address,))), "")
