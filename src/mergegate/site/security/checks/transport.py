"""Whether the page comes by https, and how well: redirects, certificate, TLS.

The redirects are judged as Mozilla's HTTP Observatory does (``redirection``), save that an http
side that answers with an error is no flaw: nothing is served there.
"""

from collections.abc import Iterator
from itertools import pairwise

from mergegate.core.severity import Severity
from mergegate.site.security.checks.flaw import RULES, flaw
from mergegate.site.security.facts import Certificate, SecurityFacts, TlsFacts
from mergegate.site.security.origins import host, plain, scheme
from mergegate.site.security.report import Flaw

_SOON_DAYS = 14
_OLD = frozenset({"TLSv1", "TLSv1.1"})
_BROKEN_DIGESTS = frozenset({"md5", "sha1"})
_LEAST_BITS = {"RSA": 2048, "DSA": 2048}
_WEAK_CURVES = frozenset({"secp192r1", "secp160r1", "sect163k1", "sect163r2", "prime192v1"})
_NO_CIPHERS = ("NULL", "ADH", "AECDH")
"""Without encryption, or without a certificate."""
_BROKEN_CIPHERS = ("RC4", "DES", "EXP", "MD5", "SEED", "IDEA")


_MISSING = RULES["https-missing"]
_NOT_ENFORCED = RULES["https-not-enforced"]
_DOWNGRADED = RULES["https-downgraded"]
_DETOUR = RULES["redirect-over-http"]
_OFF_HOST = RULES["redirect-to-other-host"]
_EXPIRED = RULES["certificate-expired"]
_EXPIRING = RULES["certificate-expiring"]
_EARLY = RULES["certificate-not-yet-valid"]
_OTHER_NAME = RULES["certificate-name"]
_UNTRUSTED = RULES["certificate-untrusted"]
_WEAK_KEY = RULES["certificate-weak-key"]
_WEAK_SIGNATURE = RULES["certificate-weak-signature"]
_OLD_VERSION = RULES["tls-old-version"]
_NO_13 = RULES["tls-1-3-missing"]
_NO_CIPHER = RULES["tls-no-cipher"]
_WEAK_CIPHER = RULES["tls-weak-cipher"]
_NO_SECRECY = RULES["tls-without-forward-secrecy"]


def flaws(facts: SecurityFacts) -> Iterator[Flaw]:
    """None for a page of this machine or a private network, for which no certificate is given.

    A page that a browser would refuse for its certificate has not been read, and is judged by it.
    """
    if facts.local:
        return
    if facts.page.final:
        yield from _arrival(facts)
    tls = facts.tls
    if tls and not tls.failure and scheme(facts.page.final_url) == "https":
        yield from _validity(tls, facts)
        yield from _strength(tls, facts.page.final_url)
        yield from _protocol(tls, facts.page.final_url)


def _arrival(facts: SecurityFacts) -> Iterator[Flaw]:
    page = facts.page
    if scheme(page.final_url) == "https":
        yield from _from_http(facts)
    elif any(scheme(answer.url) == "https" for answer in page.answers):
        yield flaw(_DOWNGRADED, page.final_url)
    elif facts.tls and not facts.tls.failure:
        yield flaw(_NOT_ENFORCED, page.final_url)
    else:
        yield flaw(_MISSING, page.final_url)


def _from_http(facts: SecurityFacts) -> Iterator[Flaw]:
    """What happens to a visitor who types the address without https."""
    insecure = facts.insecure
    if insecure is None or insecure.final is None:
        return
    way = [answer.url for answer in insecure.answers]
    if scheme(insecure.final_url) != "https":
        if insecure.ok:
            yield flaw(_NOT_ENFORCED, insecure.final_url)
    elif scheme(way[0]) == "http":
        yield from _first_hop(way)


def _first_hop(way: list[str]) -> Iterator[Flaw]:
    shown = " → ".join(map(plain, way[:4]))
    first, second = next(pairwise(way), (way[0], way[0]))
    if scheme(second) != "https":
        yield flaw(_DETOUR, first, evidence=shown)
    elif host(first) != host(second):
        yield flaw(_OFF_HOST, first, evidence=shown)


def _validity(tls: TlsFacts, facts: SecurityFacts) -> Iterator[Flaw]:
    """Dates, name and trust; the trust in an expired one does not matter."""
    url, own = facts.page.final_url, tls.chain[0] if tls.chain else None
    dated = list(_dates(own, tls.days_left, facts)) if own else []
    yield from dated
    if own and not tls.name_matches:
        names = ", ".join(own.names[:10]) or own.subject
        yield flaw(_OTHER_NAME, url, _OTHER_NAME.said(host=tls.host), evidence=names)
    if tls.trusted is False and not any(one.severity is Severity.HIGH for one in dated):
        message = _UNTRUSTED.said(reason=tls.trust_error or "its issuer is not known")
        yield flaw(_UNTRUSTED, url, message, evidence=own.issuer if own else "")


def _dates(own: Certificate, days_left: int | None, facts: SecurityFacts) -> Iterator[Flaw]:
    """High where browsers refuse the page for them today."""
    url, day = facts.page.final_url, _day(own)
    if days_left is not None and days_left < 0:
        yield flaw(_EXPIRED, url, _EXPIRED.said(day=day), evidence=day)
    elif days_left is not None and days_left < _SOON_DAYS:
        message = _EXPIRING.said(days=days_left, day=day)
        yield flaw(_EXPIRING, url, message, key="expiring", evidence=f"not after {day}")
    if facts.now and own.not_before > facts.now:
        yield flaw(_EARLY, url, evidence=own.not_before)


def _strength(tls: TlsFacts, url: str) -> Iterator[Flaw]:
    if tls.chain and _is_short(tls.chain[0].key):
        yield flaw(_WEAK_KEY, url, evidence=tls.chain[0].key)
    weak = [one for one in tls.chain if one.signature in _BROKEN_DIGESTS and not _is_root(one)]
    if weak:
        message = _WEAK_SIGNATURE.said(digest=weak[0].signature.upper())
        yield flaw(_WEAK_SIGNATURE, url, message, evidence=weak[0].subject)


def _protocol(tls: TlsFacts, url: str) -> Iterator[Flaw]:
    old = [name for name in tls.accepts if name in _OLD]
    if old:
        message = _OLD_VERSION.said(versions=" and ".join(old))
        yield flaw(_OLD_VERSION, url, message, evidence=", ".join(old))
    if tls.accepts and "TLSv1.3" not in (*tls.accepts, *tls.untested):
        yield flaw(_NO_13, url, evidence=tls.protocol)
    rest = tls.weak_ciphers
    for rule, marks in ((_NO_CIPHER, _NO_CIPHERS), (_WEAK_CIPHER, _BROKEN_CIPHERS)):
        met = [one for one in rest if any(mark in one for mark in marks)]
        rest = tuple(one for one in rest if one not in met)
        if met:
            yield flaw(rule, url, evidence=", ".join(met))
    if rest:
        yield flaw(_NO_SECRECY, url, evidence=", ".join(rest))


def _is_short(key: str) -> bool:
    kind, _, size = key.partition(" ")
    if kind in _LEAST_BITS:
        return size.isdigit() and int(size) < _LEAST_BITS[kind]
    return kind == "EC" and size in _WEAK_CURVES


def _is_root(certificate: Certificate) -> bool:
    """The signature of a root is not checked: it is known, or it is not."""
    return certificate.subject == certificate.issuer


def _day(certificate: Certificate) -> str:
    return certificate.not_after[:10]
