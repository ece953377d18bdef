"""How the paths of a hostile repository are shown: they are bytes, and may be no text at all."""


def display(raw: bytes) -> str:
    r"""A path as shown: bytes that are not UTF-8 and control characters stand as ``\xNN``."""
    text = raw.decode("utf-8", "backslashreplace")
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
