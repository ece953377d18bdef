"""Addresses in style sheets."""

import re

_ADDRESS = re.compile(
    r"""url\(\s{0,9}(?:"([^"\n]{1,4000})"|'([^'\n]{1,4000})'|([^\s"'()]{1,4000}))\s{0,9}\)"""
    r"""|@import\s{1,9}(?:"([^"\n]{1,4000})"|'([^'\n]{1,4000})')""",
    re.IGNORECASE,
)
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)


def addresses(css: str) -> list[str]:
    """As they are written, in their order; those within the style sheet itself left out."""
    if "url(" not in css.lower() and "@import" not in css.lower():
        return []
    found = _ADDRESS.finditer(_COMMENT.sub(" ", css))
    written = ("".join(filter(None, one.groups())) for one in found)
    return [one for one in written if not one.startswith(("#", "data:"))]
