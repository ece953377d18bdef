"""Origins and usual ports of web addresses, read so that no hostile address raises."""

from collections.abc import Mapping
from types import MappingProxyType
from urllib.parse import urlsplit

DEFAULT_PORTS: Mapping[str, int] = MappingProxyType({"http": 80, "https": 443})
"""Usual ports by lower-case scheme; exactly the schemes that a scan requests."""


def origin(url: str, ports: Mapping[str, int] = DEFAULT_PORTS) -> str:
    """Scheme, host and port as browsers serialise them, such as ``https://example.org:8443``.

    In small letters, IPv6 addresses in brackets, without the usual port. Empty for what cannot be
    read, has no host, or has a scheme that is not among ``ports``.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return ""
    if parts.scheme not in ports or not parts.hostname:
        return ""
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    usual = port is None or port == ports[parts.scheme]
    return f"{parts.scheme}://{host}" if usual else f"{parts.scheme}://{host}:{port}"


def root(url: str) -> str:
    """Scheme and authority of ``url`` as they are spelled there; raises ValueError."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"
