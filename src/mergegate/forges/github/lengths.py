"""Cut texts to GitHub's limits, which count UTF-8 bytes wherever it stores a text in a row.

The reference says "65535 characters"; the refusal says "summary exceeds a maximum bytesize of
65535" (github/docs issue 35252).
"""

_CUT = "…"


def cut(text: str, most: int) -> str:
    """``text`` in at most ``most`` bytes of UTF-8; what cannot be encoded becomes ``?``."""
    raw = text.encode(errors="replace")
    if len(raw) <= most:
        return raw.decode()
    kept = raw[: most - len(_CUT.encode())].decode(errors="ignore")
    return kept + _CUT


def encodable(text: str) -> bool:
    """Whether GitHub could take it as it is: a file name of arbitrary bytes has no UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
