"""Who vouches for a certificate."""

import ssl
from functools import cache

import httpx


@cache
def trusted() -> ssl.SSLContext:
    """Those that httpx brings, and those this machine knows.

    Reading them takes tens of milliseconds.
    """
    context = httpx.create_ssl_context(trust_env=False)
    context.load_default_certs()
    return context


def unquestioned() -> ssl.SSLContext:
    """Anybody, for looking at what stands behind a bad certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context
