"""Where in a page of HTML a value stands."""

import re

_SCRIPTS = re.compile(r"(?is)<(script|style)\b(?!.*</\1)")
_TAG = re.compile(r"(?s)<[^<>]*$")
_ATTRIBUTE = re.compile(r"""(?s)\s([\w-]+)=(?:\\?"[^"<>]*|\\?'[^'<>]*)$""")
_HARMLESS = re.compile(r"(?i)alt|class|content|for|id|label|name|placeholder|title|value|data-\w+")


def shows_text(before: str) -> bool:
    """Whether text follows ``before``, or a quoted attribute that is no address or script."""
    if _SCRIPTS.search(before):
        return False
    tag = _TAG.search(before)
    if tag is None:
        return True
    attribute = _ATTRIBUTE.search(tag[0])
    return attribute is not None and _HARMLESS.fullmatch(attribute[1]) is not None
