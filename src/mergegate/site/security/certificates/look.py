"""Ask a server about its TLS, one handshake a question."""

import datetime as dt
import ssl
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace

from mergegate.sandbox.web import trusted
from mergegate.site.security.certificates import offers
from mergegate.site.security.certificates.reading import certificate, covers, days_left
from mergegate.site.security.certificates.tunnel import PATIENCE_S, NoTunnel, shaken
from mergegate.site.security.facts import Certificate, TlsFacts

_AT_ONCE = 2
_MOST_CERTIFICATES = 10
_DER = 2
"""``_ssl.ENCODING_DER``, which the public module does not show."""
_REASONS = {
    9: "it is not valid yet",
    10: "it has expired",
    18: "it vouches for itself",
    19: "the chain ends in a certificate that vouches for itself and that nobody here knows",
    20: "its issuer is not known here, or the server leaves out a certificate of the chain",
    21: "the server sends no more than its own certificate, whose issuer is not known here",
}
"""OpenSSL's codes (x509_vfy.h)."""


@dataclass(frozen=True, slots=True)
class _Greeting:
    """What came of a handshake as browsers make it."""

    protocol: str
    cipher: str
    alpn: str
    chain: tuple[Certificate, ...]


@dataclass(frozen=True, slots=True)
class _Server:
    host: str
    port: int
    proxy: str
    until: float
    """Of the monotonic clock."""

    def shaken(self, context: ssl.SSLContext) -> AbstractContextManager[ssl.SSLSocket]:
        """The connection after its handshake; raises NoTunnel, ssl.SSLError or OSError."""
        left = self.until - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return shaken(self.host, self.port, self.proxy, context, min(left, PATIENCE_S))

    def negotiated(self, context: ssl.SSLContext) -> str | None:
        """The cipher that came about; empty when none did, None without an answer in time."""
        try:
            with self.shaken(context) as line:
                cipher = line.cipher()
                return cipher[0] if cipher else ""
        except TimeoutError:
            return None
        except (NoTunnel, OSError, ValueError):
            return ""


def tls_facts(
    host: str,
    port: int,
    proxy: str,
    now: dt.datetime,
    trust: Callable[[], ssl.SSLContext] = trusted,
    *,
    seconds: float = 30.0,
) -> TlsFacts:
    """What the server at ``host`` speaks; ``failure`` says why nothing came about.

    ``host`` is a name in ASCII or an address without brackets; ``now`` is in UTC. What is not
    answered within ``seconds`` by the clock is not found out.
    """
    server = _Server(host, port, proxy, time.monotonic() + seconds)
    try:
        greeting = _greeted(server)
    except (NoTunnel, OSError, ValueError) as error:
        return TlsFacts(host=host, port=port, failure=_failure(error), name_matches=False)
    vouched, objection = _trust(server, trust)
    return replace(
        _probed(server, _spoken(server, greeting, now)), trusted=vouched, trust_error=objection
    )


def _spoken(server: _Server, greeting: _Greeting, now: dt.datetime) -> TlsFacts:
    own = greeting.chain[0] if greeting.chain else None
    return TlsFacts(
        host=server.host,
        port=server.port,
        protocol=greeting.protocol,
        cipher=greeting.cipher,
        alpn=greeting.alpn,
        chain=greeting.chain,
        name_matches=own is None or covers(own.names, server.host),
        days_left=days_left(own, now) if own else None,
    )


def _greeted(server: _Server) -> _Greeting:
    with server.shaken(offers.modern()) as line:
        cipher = line.cipher()
        return _Greeting(
            protocol=line.version() or "",
            cipher=cipher[0] if cipher else "",
            alpn=line.selected_alpn_protocol() or "",
            chain=_chain(line),
        )


def _chain(line: ssl.SSLSocket) -> tuple[Certificate, ...]:
    """As it was sent; a Python that cannot show it all shows the server's own certificate."""
    sent = _sent(line) or [line.getpeercert(binary_form=True) or b""]
    read = (certificate(der) for der in sent[:_MOST_CERTIFICATES])
    return tuple(one for one in read if one)


def _sent(line: ssl.SSLSocket) -> list[bytes]:
    """Public from Python 3.13 on; before it stands on the object beneath."""
    public = getattr(line, "get_unverified_chain", None)
    if public:
        return list(public() or ())
    beneath = getattr(getattr(line, "_sslobj", None), "get_unverified_chain", None)
    return [one.public_bytes(_DER) for one in (beneath() if beneath else None) or ()]


def _trust(server: _Server, trust: Callable[[], ssl.SSLContext]) -> tuple[bool | None, str]:
    """Whether the chain is vouched for, its names aside; None when that was not found out."""
    context = trust()
    try:
        with server.shaken(_nameless(context)):
            return True, ""
    except ssl.SSLCertVerificationError as error:
        return False, _REASONS.get(error.verify_code, "nobody known here vouches for it")
    except (NoTunnel, OSError, ValueError):
        return None, ""


def _nameless(context: ssl.SSLContext) -> ssl.SSLContext:
    """A context with the same roots that does not look at names; the given one is shared."""
    copy = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    copy.check_hostname = False
    copy.verify_mode = ssl.CERT_REQUIRED
    roots = context.get_ca_certs(binary_form=True)
    if roots:
        copy.load_verify_locations(cadata=b"".join(roots))
    copy.load_default_certs()
    return copy


def _probed(server: _Server, spoken: TlsFacts) -> TlsFacts:
    """With the versions that came about, and the weak ciphers."""
    versions = [name for name in offers.VERSIONS if offers.speaks(name)]
    weak = [context for words in offers.WEAK if (context := offers.only_ciphers(words))]
    contexts = [*map(offers.only_version, versions), *weak]
    with ThreadPoolExecutor(max_workers=_AT_ONCE) as pool:
        ciphers = list(pool.map(server.negotiated, contexts))
    told = dict(zip(versions, ciphers, strict=False)) | {spoken.protocol: spoken.cipher}
    return replace(
        spoken,
        accepts=tuple(name for name in offers.VERSIONS if told.get(name)),
        untested=tuple(name for name in offers.VERSIONS if told.get(name) is None),
        weak_ciphers=_each_once(ciphers[len(versions) :]),
    )


def _each_once(ciphers: Sequence[str | None]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, ciphers)))


def _failure(error: Exception) -> str:
    match error:
        case NoTunnel():
            return error.reason
        case ssl.SSLError():
            return "no secure connection comes about"
        case TimeoutError():
            return "it does not answer in time"
    return "the connection breaks off"
