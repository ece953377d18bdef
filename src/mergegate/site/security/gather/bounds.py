"""How much of a site a security scan takes."""

from dataclasses import dataclass

_MEBIBYTE = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """Sizes in bytes, times in seconds by the clock."""

    scripts: int = 60
    """Files of the page's own origin, fetched."""
    script_bytes: int = 5 * _MEBIBYTE
    """One script or source map."""
    all_bytes: int = 30 * _MEBIBYTE
    """All scripts and, apart from them, all source maps."""
    maps: int = 20
    """Source maps, fetched or in the script itself."""
    map_files: int = 400
    """Files that are searched, of all source maps together."""
    inline_scripts: int = 100
    """Of those that a browser saw and the page as it was sent does not hold."""
    cookies: int = 100
    cookie_letters: int = 4096
    """Of one ``Set-Cookie`` header; browsers drop longer ones."""
    file_bytes: int = 1024
    """Read of a path that should not be public."""
    at_once: int = 2
    """Requests for such paths side by side."""
    security_txt_bytes: int = 32 * 1024
    """As RFC 9116, 2.2 advises."""
    step_s: float = 20.0
    """For what is asked of the server, its TLS at the same time, and again for the scripts."""
    total_s: float = 80.0
    """For all of it: what is left of that is for searching the texts."""
