"""Git LFS pointers: small files that stand for others, which are kept elsewhere."""

import re

_LARGEST_BYTES = 1024
"""Git LFS takes no longer file for a pointer."""
_LAYOUT = re.compile(
    rb"version https://(?:git-lfs\.github\.com|hawser\.github\.com)/spec/v1\n"
    rb"(?:[a-z0-9.-]+ [^\n]*\n)*?oid sha256:([0-9a-f]{64})\nsize \d+\n"
)


def pointed_digest(content: bytes) -> str | None:
    """SHA-256 of the file that ``content`` stands for; None where it is a file of its own."""
    found = _LAYOUT.fullmatch(content) if len(content) <= _LARGEST_BYTES else None
    return found[1].decode() if found else None
