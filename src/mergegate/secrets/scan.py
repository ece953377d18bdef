"""All detectors over one file's bytes; what comes out holds no secret."""

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from urllib.parse import unquote

from mergegate.core.severity import Confidence
from mergegate.secrets import filters
from mergegate.secrets.assignments import assignments
from mergegate.secrets.checksums import PROOFS
from mergegate.secrets.formats import formats, private_keys
from mergegate.secrets.found import FileSecrets, SecretMatch
from mergegate.secrets.names import QUOTED_ONLY
from mergegate.secrets.prefilter import LITERALS, Token, announced, literal_places, token_places
from mergegate.secrets.source import REACH, Hit, Source
from mergegate.secrets.sql import dumps

_USERINFO = re.compile(
    r"://(?P<user>[^\s:/?#\"'`<>\\|,;()\[\]]{0,100}):(?P<password>[^\s\"'`<>\\/]{1,200}?)@"
    r"(?P<host>\[[0-9a-fA-F:]{2,40}\]|[\w.-]{1,200}|\$\{?\w{1,60}\}?)"
    r"(?![\w.@-])"
)
_TOKEN_AS_USER = re.compile(
    r"://(?P<password>[A-Za-z0-9_-]{32,100}):?(?:x-oauth-basic)?@(?P<host>[\w.-]{3,200})"
)
_SCHEME = re.compile(r"(?<![a-z0-9])[a-z][a-z0-9+.-]{1,20}$")
_LOCAL = re.compile(
    r"localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[.*|host\.docker\.internal"
    r"|(?:[\w-]+\.)*(?:example|invalid|test|local|localdomain|localhost)"
    r"|(?:[a-z]+\.)?(?:host|server|domain|site|company|proxy)(?:name)?(?:\.(?:com|org|tld))?"
    r"|(?:[\w-]+\.)*(?:foo|bar|your|my)[a-z-]*\.(?:com|org|tld)"
)

_EXAMPLE = re.compile(r"(?:[\w-]+\.)*example(?:\.(?:com|org|net|edu))?")


def addresses(source: Source) -> Iterator[Hit]:
    """Every address that carries a password, unless it plainly stands for another."""
    done = 0
    for place in literal_places(source.lower, "://"):
        if place < done:
            continue
        match = _USERINFO.match(source.text, place) or _TOKEN_AS_USER.match(source.text, place)
        scheme = _SCHEME.search(source.lower, max(0, place - 22), place)
        if match is None or scheme is None:
            continue
        done = match.end()
        lenient = scheme.group() in {"http", "https"} or source.suffix in QUOTED_ONLY
        worth = _worth(match, lenient=lenient)
        if worth:
            yield Hit(*match.span("password"), *worth, rank=5)


def _worth(match: re.Match[str], *, lenient: bool) -> tuple[str, Confidence] | None:
    password = unquote(match["password"])
    if filters.is_placeholder(password) or "{" in password or password.startswith(("$", ":")):
        return None
    if match.re is _TOKEN_AS_USER:
        return ("credential-url", Confidence.HIGH) if filters.is_random(password) else None
    user, host = match["user"].lower(), match["host"].lower()
    port = password.isdigit() and len(password) < 6
    if len(password) < 3 or user.startswith(("$", "{", "<", "%")) or port:
        return None
    return _judged(user, password, host, lenient=lenient)


def _judged(user: str, password: str, host: str, *, lenient: bool) -> tuple[str, Confidence] | None:
    simple = filters.is_common(password) or password.lower() == user
    inside = "." not in host
    if _EXAMPLE.fullmatch(host):
        return None if simple else ("local-credential-url", Confidence.LOW)
    if _LOCAL.fullmatch(host) or (inside and not filters.is_random(password)):
        return "local-credential-url", Confidence.LOW
    if simple:
        weak = inside or lenient
        return "local-credential-url", (Confidence.LOW if weak else Confidence.MEDIUM)
    return "credential-url", (Confidence.HIGH if len(password) >= 8 else Confidence.MEDIUM)


LARGEST_BYTES = 64 * 1024 * 1024
"""Only the beginning of longer files is scanned, and the caller says so."""
MOST_MATCHES = 200
"""A file with more is a leak already told; the rest adds nothing but time."""
_MOST_HITS = 20_000
_ALLOWED = re.compile(
    r"pragma: ?(?:allow|white)list[ -](?:nextline[ -])?secret|gitleaks:allow|trufflehog:ignore"
)
_NEXT_LINE = re.compile(r"pragma: ?allowlist[ -]nextline[ -]secret")
_PREFIX = re.compile(
    r"(?:gh[opsur]_|gith|glpa|npm_|pypi|xox|xapp|[rs]k_l|[rs]k_t|SG\.|AKIA|ASIA|AIza|GOCS|sk-|hf_|dop_"
    r"|dapi|dckr|shp|NRAK|ATAT|lin_|ntn_|dp\.|hvs\.|AGE-|glsa|PMAK|eyJ|ya29)"
)
_COMMENT = re.compile(r"[ \t]*(?P<mark>#|//|\*|/\*|<!--|--[ ]|;;|%[ ]|\.\.[ ])")
_KEYSTORES = {
    b"\xfe\xed\xfe\xed": "java-keystore",
    b"\xce\xce\xce\xce": "java-keystore",
    b"\x03\xd9\xa2\x9a": "keepass-database",
}


def scan(data: bytes, suffix: str = "") -> FileSecrets:
    """Every secret in ``data``, in order of place, at most MOST_MATCHES."""
    keystore = _keystore(data, suffix)
    if keystore:
        return FileSecrets((keystore,))
    source = Source(data[:LARGEST_BYTES], suffix)
    return FileSecrets(_masked(source, resolved(islice(hits(source), _MOST_HITS))[:MOST_MATCHES]))


def hits(source: Source) -> Iterator[Hit]:
    """What the detectors say, overlaps included."""
    yield from _tokens(source)
    yield from private_keys(source)
    for detect in (addresses, formats, dumps, assignments):
        for hit in detect(source):
            comment = _comment(source, hit.start) if source.suffix in QUOTED_ONLY else ""
            if comment != "*":
                yield replace(hit, confidence=Confidence.LOW) if comment else hit


def resolved(found: Iterable[Hit]) -> list[Hit]:
    """The hits in order of place; of overlapping ones the one with the greatest rank."""
    kept: list[Hit] = []
    for hit in sorted(found, key=lambda hit: (hit.start, -hit.rank, -hit.end, hit.detector)):
        if kept and hit.start < kept[-1].end:
            if hit.rank <= kept[-1].rank:
                continue
            kept.pop()
        kept.append(hit)
    return kept


def _comment(source: Source, offset: int) -> str:
    """What opens the comment in which ``offset`` stands; ``*`` is documentation of code.

    In comments stand examples more often than what was commented out.
    """
    start, _ = source.line_span(offset)
    match = _COMMENT.match(source.text, start, offset)
    return match["mark"] if match else ""


def _tokens(source: Source) -> Iterator[Hit]:
    for place in token_places(source):
        for token in announced(source.text, place):
            yield from _shaped(source.text, token, place)
    for detector, look in LITERALS:
        for place in literal_places(source.text, look.literal):
            if match := re.match(look.pattern, source.text[place : place + REACH]):
                start, end = match.span("value")
                yield Hit(place + start, place + end, detector, Confidence.HIGH, rank=8)


def _shaped(text: str, token: Token, place: int) -> Iterator[Hit]:
    for pattern in token.patterns:
        for match in pattern.finditer(text, max(0, place - 100), place + 2 * REACH):
            group = "value" if "value" in pattern.groupindex else 0
            confidence = _proven(token, match.group(group))
            if confidence is not None and token.stands_at(text, match.start()):
                yield Hit(*match.span(group), token.id, confidence, rank=8)


def _proven(token: Token, value: str) -> Confidence | None:
    body = value.partition("AccountKey=")[2] or value
    if filters.is_placeholder(body) or filters.is_repetitive(value):
        return None
    proof = token.shape.proof
    proven = not proof or PROOFS[proof](value)
    return token.shape.confidence if proven else token.shape.unproven


def _masked(source: Source, found: Iterable[Hit]) -> tuple[SecretMatch, ...]:
    identities: dict[tuple[str, str], str] = {}
    return tuple(_match(source, hit, identities) for hit in found)


def _match(source: Source, hit: Hit, identities: dict[tuple[str, str], str]) -> SecretMatch:
    value = source.text[hit.start : hit.end]
    line, start_column, end_column = source.place(hit.start, hit.end)
    key = (hit.detector, value)
    if key not in identities:
        identities[key] = identity(hit.detector, value)
    return SecretMatch(
        detector=hit.detector,
        line=line,
        start_column=start_column,
        end_column=end_column,
        masked=masked(value),
        identity=identities[key],
        confidence=hit.confidence,
        ignored=_is_allowed(source, hit.start),
    )


def masked(value: str) -> str:
    """``value`` masked: up to four characters of a public prefix, then four to sixteen stars."""
    prefix = _PREFIX.match(value)
    stars = 4 if len(value) < 12 else 8 if len(value) < 40 else 16
    return (prefix.group()[:4] if prefix and len(value) >= 16 else "") + "*" * stars


def identity(detector: str, value: str) -> str:
    """Slow on purpose: a short password must not be guessed back from a report in passing."""
    secret = value.strip().encode("latin-1", "replace")
    salt = f"mergegate:{detector}".encode()
    return hashlib.scrypt(secret, salt=salt, n=2**11, r=8, p=1, dklen=16).hex()


def _is_allowed(source: Source, offset: int) -> bool:
    if _ALLOWED.search(source.full_line(offset)):
        return True
    above = source.text.rfind("\n", 0, offset)
    return above > 0 and _NEXT_LINE.search(source.full_line(above - 1)) is not None


def _keystore(data: bytes, suffix: str) -> SecretMatch | None:
    kind = _KEYSTORES.get(data[:4])
    if kind is None and suffix in {".p12", ".pfx"} and data[:1] == b"\x30":
        kind = "pkcs12-keystore"
    if kind is None:
        return None
    return SecretMatch(
        detector=kind,
        line=0,
        start_column=0,
        end_column=0,
        masked="",
        identity=hashlib.sha256(data).hexdigest()[:32],
        confidence=Confidence.MEDIUM,
    )
