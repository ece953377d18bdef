"""An HTML page of the site tools: the look of the scan's report, and what the sites add to it."""

import base64
import hashlib
from functools import cache
from typing import Any

from mergegate.report import escape, figures, templates, wording
from mergegate.report.site import phrases
from mergegate.report.templates import Escaped

LONGEST = 3_000_000
"""Characters of a page: what mail and chat still take."""
LENGTHS = (200, 60, 25, 10, 3)
"""How long a list may be, tried in turn until the page is short enough."""


def sheet(template: str, **values: Any) -> str:
    """The page; styles and script are inlined and allowed by their hash alone."""
    style = "\n".join(map(_source, ("report.css", "site/site.css")))
    script = _source("report.js")
    page = (
        templates.html()
        .get_template(template)
        .render(
            style=Escaped(style),
            script=Escaped(script),
            policy=_policy(style, script),
            copyable=copyable,
            link=link,
            figures=figures,
            phrases=phrases,
            **values,
        )
    )
    return f"{page}\n"


def copyable(text: str) -> Escaped:
    """For the clipboard: lines and tabs kept, everything else visible."""
    return Escaped(Escaped.escape(escape.copyable(text)))


def link(address: str) -> str:
    """``address`` when it may be written as a link, else empty."""
    return next(iter(wording.plain_links((address,))), "")


@cache
def _source(name: str) -> str:
    return (templates.folder() / name).read_text("utf-8").strip()


def _policy(style: str, script: str) -> str:
    return (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _hash(source: str) -> str:
    digest = base64.b64encode(hashlib.sha256(source.encode()).digest())
    return f"sha256-{digest.decode()}"
