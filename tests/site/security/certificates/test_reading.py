"""Whom a certificate is for, and what is read of one."""

import datetime as dt

import pytest

from mergegate.site.security.certificates import certificate, covers, days_left
from tests.site.security.certificates.servers import NOW, issued


@pytest.mark.parametrize(
    ("names", "host", "is_covered"),
    [
        (("example.org",), "example.org", True),
        (("example.org",), "EXAMPLE.org.", True),
        (("example.org",), "www.example.org", False),
        (("*.example.org",), "www.example.org", True),
        (("*.EXAMPLE.org",), "www.example.org", True),
        (("*.example.org",), "a.b.example.org", False),
        (("*.example.org",), "example.org", False),
        (("*",), "localhost", False),
        (("*.",), "localhost", False),
        (("w*.example.org",), "www.example.org", False),
        (("*.0.0.1",), "127.0.0.1", False),
        (("127.0.0.1",), "127.0.0.1", True),
        (("::1",), "[::1]", True),
        ((), "example.org", False),
    ],
)
def test_a_name_covers_a_host(names: tuple[str, ...], host: str, is_covered: bool) -> None:
    assert covers(names, host) is is_covered


@pytest.mark.parametrize(
    "der", [b"", b"0", b"\x30\x82\x00\x01\x00", b"-----BEGIN CERTIFICATE-----"]
)
def test_what_cannot_be_read_is_no_certificate(der: bytes) -> None:
    assert certificate(der) is None


def test_days_are_counted_whole() -> None:
    read = certificate(issued("example.org", days=13.99).der)
    assert read is not None
    assert days_left(read, NOW) == 13
    assert days_left(read, NOW + dt.timedelta(days=14)) == -1
    assert read.not_after.endswith("Z")
    assert len(read.sha256) == 64
