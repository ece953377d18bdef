"""An HTML page that needs nothing beside itself: its styles and script stand in it."""

import base64
import hashlib
from collections.abc import Sequence
from functools import cache
from typing import Any

from mergegate.core.render import escape, templates
from mergegate.core.render.templates import Escaped

STYLES = ("report.css",)
"""The look of every page."""
SCRIPTS = ("report.js",)
"""What every page does by itself."""


def sheet(
    template: str, styles: Sequence[str] = STYLES, scripts: Sequence[str] = SCRIPTS, **values: Any
) -> str:
    """The page; styles and script are inlined, and nothing but them is allowed, by their hash."""
    style, script = joined(styles), joined(scripts)
    page = (
        templates.html()
        .get_template(template)
        .render(
            style=Escaped(style), script=Escaped(script), policy=_policy(style, script), **values
        )
    )
    return f"{page}\n"


def content_security_policy(
    styles: Sequence[str] = STYLES, scripts: Sequence[str] = SCRIPTS
) -> str:
    """The policy of a page with these styles and scripts, for the header of its server."""
    return _policy(joined(styles), joined(scripts))


def joined(names: Sequence[str]) -> str:
    """The text of these styles or scripts, in their order."""
    return "\n".join(map(_source, names))


def copyable(text: str) -> Escaped:
    """For the clipboard: lines and tabs kept, everything else visible."""
    return Escaped(Escaped.escape(escape.copyable(text)))


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
