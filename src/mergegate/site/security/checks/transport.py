"""Whether the page comes by https, and how well: redirects, certificate, TLS.

The redirects are judged as Mozilla's HTTP Observatory does (``redirection``), save that an http
side that answers with an error is no flaw: nothing is served there.
"""

from collections.abc import Iterator
from itertools import pairwise

from mergegate.core.severity import Severity
from mergegate.site.security.checks.flaw import Rule, flaw
from mergegate.site.security.checks.origins import host, plain, scheme
from mergegate.site.security.facts import Certificate, SecurityFacts, TlsFacts
from mergegate.site.security.report import Area, Flaw

_TLS_GUIDE = "https://wiki.mozilla.org/Security/Server_Side_TLS"
_OWASP = "https://cheatsheetseries.owasp.org/cheatsheets/Transport_Layer_Security_Cheat_Sheet.html"
_OBSERVATORY = "https://developer.mozilla.org/en-US/observatory/docs/tests_and_scoring"
_SOON_DAYS = 14
_OLD = frozenset({"TLSv1", "TLSv1.1"})
_BROKEN_DIGESTS = frozenset({"md5", "sha1"})
_LEAST_BITS = {"RSA": 2048, "DSA": 2048}
_WEAK_CURVES = frozenset({"secp192r1", "secp160r1", "sect163k1", "sect163r2", "prime192v1"})
_BROKEN_CIPHERS = ("RC4", "DES", "NULL", "EXP", "MD5", "ADH", "AECDH", "SEED", "IDEA")


def _rule(
    id: str,
    severity: Severity,
    title: str,
    remedy: str,
    cwe: str,
    *,
    reference: str = _OWASP,
) -> Rule:
    return Rule(
        id=id,
        area=Area.TRANSPORT,
        severity=severity,
        title=title,
        remedy=remedy,
        cwe=cwe,
        reference=reference,
    )


_INFO, _LOW, _MEDIUM, _HIGH = Severity.INFO, Severity.LOW, Severity.MEDIUM, Severity.HIGH
_REDIRECT = "Answer every request over http with a 301 to the same address over https."
_RENEW = "Renew it, and let it be renewed automatically from now on (ACME)."
_MISSING = _rule(
    "https-missing",
    _HIGH,
    "The page is not served over https",
    "Get a certificate (ACME authorities give them away), serve the site over https, and redirect.",
    "CWE-319",
)
_NOT_ENFORCED = _rule(
    "https-not-enforced",
    _HIGH,
    "http is not redirected to https",
    _REDIRECT,
    "CWE-319",
    reference=_OBSERVATORY,
)
_DOWNGRADED = _rule(
    "https-downgraded", _HIGH, "https is redirected to http", "Redirect to https only.", "CWE-319"
)
_DETOUR = _rule(
    "redirect-over-http",
    _MEDIUM,
    "The first redirect does not lead to https",
    "Redirect to https first, and only then to another address.",
    "CWE-319",
    reference=_OBSERVATORY,
)
_OFF_HOST = _rule(
    "redirect-to-other-host",
    _LOW,
    "http leads to https of another host at once",
    "Redirect to https of the same host first: its HSTS header is not seen otherwise.",
    "CWE-319",
    reference=_OBSERVATORY,
)
_EXPIRED = _rule("certificate-expired", _HIGH, "The certificate has expired", _RENEW, "CWE-298")
_EXPIRING = _rule(
    "certificate-expiring", _MEDIUM, "The certificate expires soon", _RENEW, "CWE-298"
)
_EARLY = _rule(
    "certificate-not-yet-valid",
    _HIGH,
    "The certificate is not valid yet",
    "Install one that is, and check the clock of the machine that issued it.",
    "CWE-298",
)
_OTHER_NAME = _rule(
    "certificate-name",
    _HIGH,
    "The certificate is for another host",
    "Install a certificate that names this host.",
    "CWE-297",
)
_UNTRUSTED = _rule(
    "certificate-untrusted",
    _HIGH,
    "Nobody vouches for the certificate",
    "Install one of an authority that browsers know, with the intermediate certificates.",
    "CWE-295",
)
_WEAK_KEY = _rule(
    "certificate-weak-key",
    _HIGH,
    "The certificate's key is too short",
    "Make a new key: RSA of at least 2048 bits, or the curve P-256.",
    "CWE-326",
    reference=_TLS_GUIDE,
)
_WEAK_SIGNATURE = _rule(
    "certificate-weak-signature",
    _HIGH,
    "A certificate is signed with a broken digest",
    "Have it issued anew: authorities sign with SHA-256 or better today.",
    "CWE-328",
    reference=_TLS_GUIDE,
)
_OLD_VERSION = _rule(
    "tls-old-version",
    _MEDIUM,
    "TLS 1.0 or 1.1 is spoken",
    "Allow TLS 1.2 and 1.3 alone.",
    "CWE-327",
    reference="https://www.rfc-editor.org/rfc/rfc8996",
)
_NO_13 = _rule(
    "tls-1-3-missing",
    _INFO,
    "TLS 1.3 is not spoken",
    "Allow TLS 1.3 beside TLS 1.2: it takes a round trip less, too.",
    "CWE-327",
    reference=_TLS_GUIDE,
)
_WEAK_CIPHER = _rule(
    "tls-weak-cipher",
    _MEDIUM,
    "Broken ciphers are accepted",
    "Allow the ciphers of Mozilla's intermediate configuration alone.",
    "CWE-327",
    reference=_TLS_GUIDE,
)
_NO_SECRECY = _rule(
    "tls-without-forward-secrecy",
    _LOW,
    "Ciphers without forward secrecy are accepted",
    "Allow key exchange by ECDHE alone, as Mozilla's intermediate configuration does.",
    "CWE-327",
    reference=_TLS_GUIDE,
)


def flaws(facts: SecurityFacts) -> Iterator[Flaw]:
    """None for a page of this machine or a private network, where nobody gets a certificate.

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
        message = (
            "Who asks for it over https is sent to http: what follows can be read and changed."
        )
        yield flaw(_DOWNGRADED, message, page.final_url)
    elif facts.tls and not facts.tls.failure:
        yield _open(page.final_url)
    else:
        message = "Everyone on the way to a visitor can read the page and change it."
        yield flaw(_MISSING, message, page.final_url)


def _from_http(facts: SecurityFacts) -> Iterator[Flaw]:
    """What befalls whoever types the address without https."""
    insecure = facts.insecure
    if insecure is None or insecure.final is None:
        return
    way = [answer.url for answer in insecure.answers]
    if scheme(insecure.final_url) != "https":
        if insecure.ok:
            yield _open(insecure.final_url)
    elif scheme(way[0]) == "http":
        yield from _first_hop(way)


def _open(url: str) -> Flaw:
    message = (
        "Who comes over http stays there, though there is https: everyone on the way can read the "
        "page and change it."
    )
    return flaw(_NOT_ENFORCED, message, url)


def _first_hop(way: list[str]) -> Iterator[Flaw]:
    shown = " → ".join(map(plain, way[:4]))
    first, second = next(pairwise(way), (way[0], way[0]))
    if scheme(second) != "https":
        message = "A second answer over http can be changed on the way as the first can."
        yield flaw(_DETOUR, message, first, evidence=shown)
    elif host(first) != host(second):
        message = "The browser never asks the first host over https, so it learns no HSTS of it."
        yield flaw(_OFF_HOST, message, first, evidence=shown)


def _validity(tls: TlsFacts, facts: SecurityFacts) -> Iterator[Flaw]:
    """Dates, name and trust; of an expired one nobody asks who vouches for it."""
    url, own = facts.page.final_url, tls.chain[0] if tls.chain else None
    dated = list(_dates(own, tls.days_left, facts)) if own else []
    yield from dated
    if own and not tls.name_matches:
        names = ", ".join(own.names[:10]) or own.subject
        message = f"It is not for {tls.host}: browsers refuse the page."
        yield flaw(_OTHER_NAME, message, url, evidence=names)
    if tls.trusted is False and not any(one.severity is _HIGH for one in dated):
        message = f"Browsers warn of the page: {tls.trust_error or 'its issuer is not known'}."
        yield flaw(_UNTRUSTED, message, url, evidence=own.issuer if own else "")


def _dates(own: Certificate, days_left: int | None, facts: SecurityFacts) -> Iterator[Flaw]:
    """High where browsers refuse the page for them today."""
    url, day = facts.page.final_url, _day(own)
    if days_left is not None and days_left < 0:
        yield flaw(_EXPIRED, f"Browsers refuse the page since {day}.", url, evidence=day)
    elif days_left is not None and days_left < _SOON_DAYS:
        message = f"It expires in {days_left} days, on {day}: browsers then refuse the page."
        yield flaw(_EXPIRING, message, url, key="expiring", evidence=f"not after {day}")
    if facts.now and own.not_before > facts.now:
        yield flaw(_EARLY, "Browsers refuse the page until then.", url, evidence=own.not_before)


def _strength(tls: TlsFacts, url: str) -> Iterator[Flaw]:
    if tls.chain and _is_short(tls.chain[0].key):
        message = (
            "Such a key can be worked out with enough machines: others could pass for the site."
        )
        yield flaw(_WEAK_KEY, message, url, evidence=tls.chain[0].key)
    weak = [one for one in tls.chain if one.signature in _BROKEN_DIGESTS and not _is_root(one)]
    if weak:
        message = f"{weak[0].signature.upper()} can be forged: browsers refuse such certificates."
        yield flaw(_WEAK_SIGNATURE, message, url, evidence=weak[0].subject)


def _protocol(tls: TlsFacts, url: str) -> Iterator[Flaw]:
    old = [name for name in tls.accepts if name in _OLD]
    if old:
        message = f"{' and '.join(old)}: both rest on broken digests, and no browser needs them."
        yield flaw(_OLD_VERSION, message, url, evidence=", ".join(old))
    if tls.accepts and "TLSv1.3" not in (*tls.accepts, *tls.untested):
        yield flaw(_NO_13, "Browsers have spoken it since 2018.", url, evidence=tls.protocol)
    broken = [one for one in tls.weak_ciphers if _is_broken(one)]
    if broken:
        message = "A connection with them can be read: an attacker on the way may bring them about."
        yield flaw(_WEAK_CIPHER, message, url, evidence=", ".join(broken))
    if len(broken) < len(tls.weak_ciphers):
        rest = [one for one in tls.weak_ciphers if one not in broken]
        message = "Whoever gets the server's key later can read what was recorded today."
        yield flaw(_NO_SECRECY, message, url, evidence=", ".join(rest))


def _is_short(key: str) -> bool:
    kind, _, size = key.partition(" ")
    if kind in _LEAST_BITS:
        return size.isdigit() and int(size) < _LEAST_BITS[kind]
    return kind == "EC" and size in _WEAK_CURVES


def _is_root(certificate: Certificate) -> bool:
    """Nobody checks the signature of a root: it is known, or it is not."""
    return certificate.subject == certificate.issuer


def _is_broken(cipher: str) -> bool:
    return any(mark in cipher for mark in _BROKEN_CIPHERS)


def _day(certificate: Certificate) -> str:
    return certificate.not_after[:10]
