"""Templates of reports and pages, found in a checkout and in an installed package.

Each target has its own environment, in which every value is escaped unless the template asks
for code or a link by name: a forgotten filter is ugly, never dangerous. An HTML page needs nothing
beside itself: its styles and script stand in it, and its policy allows nothing else.
"""

import base64
import hashlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from mergegate.core.finding import Place
from mergegate.core.render import escape, source, wording
from mergegate.core.report import Target

if TYPE_CHECKING:
    from jinja2 import Environment

_PACKAGE = Path(__file__).parents[2]
_PACKAGED = _PACKAGE / "templates" / "report"
_CHECKOUT = _PACKAGE.parents[1] / "templates" / "report"


class Escaped(Markup):
    """Text that is fit for its target as it stands: written here, or escaped by ``escape``."""


def folder() -> Path:
    """Where the templates lie."""
    return _PACKAGED if _PACKAGED.is_dir() else _CHECKOUT


@cache
def markdown() -> "Environment":
    """Values become inert Markdown; ``| code``, ``| cell`` and ``| fence`` make code.

    ``| inline_html`` and ``| html_code`` are for text between HTML tags. ``at`` and ``html_at``
    write a place.
    """
    environment = _environment("markdown", _inert_markdown)
    environment.filters["code"] = lambda text: Escaped(escape.code(str(text)))
    environment.filters["cell"] = lambda text: Escaped(escape.code_cell(str(text)))
    environment.filters["fence"] = _fence
    environment.filters["inline_html"] = lambda text: Escaped(escape.inline_html(str(text)))
    environment.filters["html_code"] = lambda text: Escaped(escape.html_code(str(text)))
    environment.globals["at"] = _at
    environment.globals["html_at"] = _html_at
    return environment


@cache
def html() -> "Environment":
    """Values are made visible, then escaped for HTML."""
    environment = _environment("html", _visible)
    environment.filters["spans"] = escape.spans
    environment.globals["source_link"] = source.link
    return environment


def _at(place: Place, target: Target, most: int) -> Escaped:
    """The place as code of at most ``most`` characters, which leads to its forge if that is known.

    What is between the brackets is a code span, and the address has no character that ends it.
    """
    shown, address = escape.code(end(wording.place(place), most)), source.link(target, place)
    return Escaped(f"[{shown}]({address})" if address else shown)


def _html_at(place: Place, target: Target, most: int) -> Escaped:
    """The same between HTML tags."""
    shown, address = escape.html_code(end(wording.place(place), most)), source.link(target, place)
    return Escaped(f'<a href="{address}">{shown}</a>' if address else shown)


def _environment(target: str, finalize: Any) -> "Environment":
    # Loaded with the first template that is filled in: most scans on a laptop need none.
    from mergegate.core.render.compiled import environment  # noqa: PLC0415

    found = environment(folder(), target, (__file__, escape.__file__), finalize)
    found.globals["wording"] = wording
    found.filters["clip"] = clip
    found.filters["end"] = end
    return found


def clip(text: object, most: int) -> str:
    """``text`` made visible, without outer blanks, and cut to ``most`` characters."""
    shown = escape.visible(str(text)).strip()
    return shown if len(shown) <= most else f"{shown[: most - 1]}…"


def end(text: object, most: int) -> str:
    """The same of a place, cut at its beginning: the file's name and the line say most."""
    shown = escape.visible(str(text)).strip()
    return shown if len(shown) <= most else f"…{shown[1 - most :]}"


def _inert_markdown(value: object) -> object:
    # Autoescape leaves Markup alone, so this is the only escaping of the Markdown environment.
    return value if isinstance(value, Markup) else Escaped(escape.markdown(str(value)))


def _visible(value: object) -> object:
    if isinstance(value, Markup) or not isinstance(value, str):
        return value
    return escape.visible(value)


def _fence(lines: tuple[str, ...], language: str = "") -> Escaped:
    return Escaped(escape.fence(tuple(lines), language))


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
        html()
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
    """``text`` for the clipboard: lines and tabs kept, other control characters made visible."""
    return Escaped(Escaped.escape(escape.copyable(text)))


@cache
def _source(name: str) -> str:
    return (folder() / name).read_text("utf-8").strip()


def _policy(style: str, script: str) -> str:
    return (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _hash(source: str) -> str:
    digest = base64.b64encode(hashlib.sha256(source.encode()).digest())
    return f"sha256-{digest.decode()}"
