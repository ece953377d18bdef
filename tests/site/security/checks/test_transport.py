"""https, redirects, certificates and TLS: what was seen, and exactly what is found."""

from typing import Any

import pytest

from mergegate.site.security.checks import transport
from mergegate.site.security.facts import SecurityFacts
from tests.site.security.checks.seen import PAGE, certificate, facts, fetched, tls, told

HTTP = "http://www.example.org/shop/"
BARE = "http://example.org/shop/"


@pytest.mark.parametrize(
    ("seen", "expected"),
    [
        (facts(insecure=fetched(HTTP, PAGE), tls=tls()), []),
        (facts(insecure=fetched(HTTP, PAGE, "https://other.example.org/"), tls=tls()), []),
        (facts(insecure=fetched(HTTP, failure="it does not answer in time")), []),
        (facts(insecure=fetched(HTTP, status=403)), []),
        (facts(insecure=None), []),
        (facts(fetched(HTTP)), [("https-missing", "high")]),
        (facts(fetched(HTTP), tls=tls()), [("https-not-enforced", "high")]),
        (facts(fetched(HTTP), tls=tls(failure="no")), [("https-missing", "high")]),
        (facts(fetched(PAGE, HTTP)), [("https-downgraded", "high")]),
        (facts(insecure=fetched(HTTP)), [("https-not-enforced", "high")]),
        (facts(insecure=fetched(HTTP, BARE)), [("https-not-enforced", "high")]),
        (facts(insecure=fetched(BARE, HTTP, PAGE)), [("redirect-over-http", "medium")]),
        (facts(insecure=fetched(BARE, PAGE)), [("redirect-to-other-host", "low")]),
        (facts(insecure=fetched(BARE, "https://example.org/", PAGE)), []),
        (facts(fetched(BARE, PAGE), insecure=fetched(BARE, PAGE)),
         [("redirect-to-other-host", "low")]),
        (facts(fetched("http://localhost:3000/"), local=True), []),
        (facts(fetched(PAGE), local=True, tls=tls(trusted=False)), []),
        (facts(fetched(HTTP, failure="it hangs up")), []),
        (facts(fetched(PAGE, failure="its certificate has expired"),
               tls=tls(trusted=False, days_left=-4)), [("certificate-expired", "high")]),
    ],
)  # fmt: skip
def test_how_the_page_is_reached(seen: SecurityFacts, expected: list[tuple[str, str]]) -> None:
    assert told(transport.flaws(seen)) == expected


SHA1 = certificate(signature="sha1")


@pytest.mark.parametrize(
    ("chain", "fields", "expected"),
    [
        ((), {}, []),
        ((), {"days_left": 14}, []),
        ((), {"days_left": 13}, [("certificate-expiring", "medium")]),
        ((), {"days_left": 0}, [("certificate-expiring", "medium")]),
        ((), {"days_left": -1, "trusted": False}, [("certificate-expired", "high")]),
        ((certificate(not_before="2026-11-23T00:00:00Z"),), {"trusted": False},
         [("certificate-not-yet-valid", "high")]),
        ((), {"name_matches": False}, [("certificate-name", "high")]),
        ((), {"trusted": False, "trust_error": "it vouches for itself"},
         [("certificate-untrusted", "high")]),
        ((), {"trusted": None}, []),
        ((certificate(key="RSA 1024"),), {}, [("certificate-weak-key", "high")]),
        ((certificate(key="RSA 2048"),), {}, []),
        ((certificate(key="EC secp192r1"),), {}, [("certificate-weak-key", "high")]),
        ((certificate(key="Ed25519", signature=""),), {}, []),
        ((SHA1,), {}, [("certificate-weak-signature", "high")]),
        ((certificate(), certificate(subject="CN=Middle", signature="md5")), {},
         [("certificate-weak-signature", "high")]),
        ((certificate(), certificate(subject="CN=Root", issuer="CN=Root", signature="sha1")), {},
         []),
        ((), {"accepts": ("TLSv1", "TLSv1.1", "TLSv1.2", "TLSv1.3")},
         [("tls-old-version", "medium")]),
        ((), {"accepts": ("TLSv1.2",)}, [("tls-1-3-missing", "info")]),
        ((), {"accepts": ("TLSv1.2",), "untested": ("TLSv1.3",)}, []),
        ((), {"accepts": ()}, []),
        ((), {"weak_ciphers": ("AES128-GCM-SHA256",)}, [("tls-without-forward-secrecy", "low")]),
        ((), {"weak_ciphers": ("ECDHE-RSA-DES-CBC3-SHA",)}, [("tls-weak-cipher", "medium")]),
        ((), {"weak_ciphers": ("AES128-SHA", "NULL-SHA256")},
         [("tls-no-cipher", "high"), ("tls-without-forward-secrecy", "low")]),
        ((), {"weak_ciphers": ("ADH-DES-CBC3-SHA", "ECDHE-RSA-RC4-SHA", "AECDH-AES128-SHA")},
         [("tls-no-cipher", "high"), ("tls-weak-cipher", "medium")]),
        ((), {"chain": (), "days_left": None}, []),
    ],
)  # fmt: skip
def test_how_well_it_is_secured(
    chain: tuple[Any, ...], fields: dict[str, Any], expected: list[tuple[str, str]]
) -> None:
    assert told(transport.flaws(facts(tls=tls(*chain, **fields)))) == expected


def test_what_is_found_says_until_when_and_for_whom() -> None:
    seen = facts(
        tls=tls(certificate(names=("other.example.org",)), days_left=3, name_matches=False)
    )
    expiring, name = transport.flaws(seen)
    assert expiring.evidence == "not after 2027-01-01"
    assert name.evidence == "other.example.org"
    assert (name.cwe, name.owasp) == ("CWE-297", "A07:2025 Authentication Failures")
