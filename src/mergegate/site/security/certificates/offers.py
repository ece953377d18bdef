"""What a client can offer in a handshake: versions and ciphers, the bad ones on purpose."""

import contextlib
import ssl
import warnings
from functools import cache

VERSIONS = {
    "TLSv1": ssl.TLSVersion.TLSv1,
    "TLSv1.1": ssl.TLSVersion.TLSv1_1,
    "TLSv1.2": ssl.TLSVersion.TLSv1_2,
    "TLSv1.3": ssl.TLSVersion.TLSv1_3,
}
WEAK = (
    "kRSA:!aNULL:!eNULL:!RC4:!3DES",
    "3DES:!aNULL:!eNULL",
    "RC4:!aNULL:!eNULL",
    "aNULL:!eNULL",
    "eNULL",
)
"""Offers in OpenSSL's words (openssl-ciphers(1)): without forward secrecy, with broken algorithms,
without a certificate, without encryption. What this OpenSSL was built without cannot be offered."""
_EVERYTHING = "ALL:@SECLEVEL=0"
_ALPN = ["h2", "http/1.1"]


def modern() -> ssl.SSLContext:
    """As a browser of today offers, whoever vouches for the certificate."""
    context = _unquestioning()
    context.set_alpn_protocols(_ALPN)
    return context


@cache
def speaks(name: str) -> bool:
    """Whether this machine can offer the version at all: many builds leave the old ones out."""
    context = only_version(name)
    hello = ssl.MemoryBIO()
    trial = context.wrap_bio(ssl.MemoryBIO(), hello, server_hostname="example.org")
    with contextlib.suppress(ssl.SSLError):
        trial.do_handshake()
    return hello.pending > 0


def only_version(name: str) -> ssl.SSLContext:
    """One version, and every cipher of it."""
    context = _unquestioning()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # old versions are what we ask about
        context.minimum_version = VERSIONS[name]
        context.maximum_version = VERSIONS[name]
    context.set_ciphers(_EVERYTHING)
    return context


def only_ciphers(words: str) -> ssl.SSLContext | None:
    """Up to TLS 1.2 with these ciphers alone; None where this OpenSSL knows none of them."""
    context = _unquestioning()
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    try:
        context.set_ciphers(f"{words}:@SECLEVEL=0")
    except ssl.SSLError:
        return None
    return context


def _unquestioning() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context
