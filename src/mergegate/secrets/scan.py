"""All detectors over one file's bytes; what comes out holds no secret."""

import hashlib
import re
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice

from mergegate.core.severity import Confidence
from mergegate.secrets import filters
from mergegate.secrets.addresses import addresses
from mergegate.secrets.assignments import assignments
from mergegate.secrets.checksums import PROOFS
from mergegate.secrets.formats import formats, private_keys
from mergegate.secrets.found import FileSecrets, SecretMatch
from mergegate.secrets.keystores import keystore
from mergegate.secrets.listings import listings
from mergegate.secrets.names import QUOTED_ONLY
from mergegate.secrets.native import native
from mergegate.secrets.outside import outside
from mergegate.secrets.prefilter import LITERALS, Token, announced, literal_places, token_places
from mergegate.secrets.source import REACH, Hit, Source
from mergegate.secrets.spellings import changes
from mergegate.secrets.spellings.view import spelled
from mergegate.secrets.sql import dumps

LARGEST_BYTES = 64 * 1024 * 1024
"""Only the beginning of longer files is scanned."""
MOST_PLACES = 20
"""Places of one value that are told each; the others are counted."""
MOST_VALUES = 2_000
"""Different secrets of one file; each takes 4 ms to hash."""
MOST_HITS = 200_000
"""What the detectors may say of one file, all together; a text may be nothing but beginnings."""
COST = 2**11
"""What guessing a value from its identity takes, as scrypt counts it."""
_STRIDE = 2 * REACH
_ALLOWED = re.compile(
    r"pragma: ?(?:allow|white)list[ -](?:nextline[ -])?secret|gitleaks:allow|trufflehog:ignore"
)
_NEXT_LINE = re.compile(r"pragma: ?allowlist[ -]nextline[ -]secret")
_PREFIX = re.compile(
    r"(?:gh[opsur]_|gith|glpa|npm_|pypi|xox|xapp|[rs]k_l|[rs]k_t|SG\.|AKIA|ASIA|AIza|GOCS|sk-|hf_|dop_"
    r"|dapi|dckr|shp|NRAK|ATAT|lin_|ntn_|dp\.|hvs\.|AGE-|glsa|PMAK|eyJ|ya29)"
)
_COMMENT = re.compile(r"[ \t]*(?P<mark>#|//|\*|/\*|<!--|--[ ]|;;|%[ ]|\.\.[ ])")
_WITH_COMMENTS = QUOTED_ONLY - {".md", ".markdown", ".rst", ".adoc", ".json", ".csv"}
"""In prose such a mark begins a heading or an item of a list."""
_SAMPLE = re.compile(r"[ \t]*#[ ]{2,}")
_DOCUMENTED = re.compile(
    r"(?:[ \t]*#[^\n]*\n)*[ \t]*(?:def|class|module|define_method|attr_\w+|alias_method)\b"
)
"""What RDoc takes for documentation: a comment right above a definition; code in it is indented."""
_GZIP = b"\x1f\x8b\x08"


def scan(data: bytes, suffix: str = "") -> FileSecrets:
    """Every secret in ``data``, in order of place; a limit that was reached is named."""
    if key := keystore(data, suffix):
        return FileSecrets((key,))
    return _packed(data) if data.startswith(_GZIP) else _searched(data, suffix)


def _searched(data: bytes, suffix: str = "") -> FileSecrets:
    source = Source(data[:LARGEST_BYTES], suffix)
    found = list(islice(chain(hits(source), listings(source)), MOST_HITS + 1))
    values = _by_value(source, resolved(found[:MOST_HITS]))
    surest = sorted(values.items(), key=lambda one: (-one[1][0].confidence, -one[1][0].rank))
    told = dict(surest[:MOST_VALUES])
    return FileSecrets(
        _masked(source, told),
        _limit(len(data) > LARGEST_BYTES, len(found) > MOST_HITS, len(values) > MOST_VALUES),
    )


def _packed(data: bytes) -> FileSecrets:
    """What a compressed file holds, without a line; each secret once."""
    unpacked, is_whole = _unpacked(data)
    found = _searched(unpacked)
    once = {
        (match.detector, match.identity): replace(match, line=0, start_column=0, end_column=0)
        for match in found.matches
    }
    limit = "" if is_whole else "it is compressed, and only its beginning was searched for secrets"
    return FileSecrets(tuple(once.values()), limit or found.limit)


def _unpacked(data: bytes) -> tuple[bytes, bool]:
    """All its members, at most LARGEST_BYTES, and whether that is all; within it none is opened."""
    parts = b""
    while data.startswith(_GZIP):
        member = zlib.decompressobj(zlib.MAX_WBITS | 16)
        try:
            parts += member.decompress(data, LARGEST_BYTES + 1 - len(parts))
        except zlib.error:
            return parts, False
        if not member.eof or len(parts) > LARGEST_BYTES:
            return parts[:LARGEST_BYTES], False
        data = member.unused_data
    return parts, True


def _limit(too_long: bool, too_many_hits: bool, too_many_values: bool) -> str:
    if too_long:
        return f"only its first {LARGEST_BYTES >> 20} MiB were searched for secrets"
    if too_many_hits:
        return f"more than {MOST_HITS:,} places look like secrets: the others were not judged"
    if too_many_values:
        return f"more than {MOST_VALUES:,} different secrets: the others are not told"
    return ""


def hits(source: Source) -> Iterator[Hit]:
    """What the detectors say of the text and of what it spells otherwise, overlaps included."""
    yield from plain_hits(source)
    yield from spelled(source, changes, plain_hits)


def plain_hits(source: Source) -> Iterator[Hit]:
    """What the detectors say of the text as it stands."""
    yield from tokens(source)
    for hit in private_keys(source):
        shown = _comment(source, hit.start) == "*"
        yield replace(hit, confidence=Confidence.LOW) if shown else hit
    for detect in (addresses, formats, dumps, assignments):
        for hit in detect(source):
            comment = _comment(source, hit.start)
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
    if source.suffix not in _WITH_COMMENTS:
        return ""
    start, _ = source.line_span(offset)
    match = _COMMENT.match(source.text, start, offset)
    if match and source.suffix == ".rb" and _SAMPLE.match(source.text, start, offset):
        return "*" if _DOCUMENTED.match(source.text, start, start + 8 * REACH) else "#"
    return match["mark"] if match else ""


def tokens(source: Source) -> Iterator[Hit]:
    """What its shape alone tells to be a secret."""
    for token, place in _announcements(source):
        yield from _shaped(source.text, token, place)
    for detector, look in LITERALS:
        for place in literal_places(source.text, look.literal):
            if match := re.match(look.pattern, source.text[place : place + REACH]):
                start, end = match.span("value")
                yield Hit(place + start, place + end, detector, Confidence.HIGH, rank=8)


def _announcements(source: Source) -> Iterator[tuple[Token, int]]:
    """Each token with the places from which _STRIDE characters are worth a search for it.

    A lead that stands everywhere would else have the same text searched again for each.
    """
    last: dict[int, int] = {}
    for place in token_places(source):
        for token in announced(source.text, place):
            if not 0 <= place - last.get(id(token), place + 1) < _STRIDE:
                last[id(token)] = place
                yield token, place


def _shaped(text: str, token: Token, place: int) -> Iterator[Hit]:
    for pattern in token.patterns:
        for match in pattern.finditer(text, max(0, place - 100), place + _STRIDE + 2 * REACH):
            group = "value" if "value" in pattern.groupindex else 0
            confidence = _proven(token, match.group(group))
            if confidence is not None and token.stands_at(text, match.start()):
                yield Hit(*match.span(group), token.id, confidence, rank=8)


def _proven(token: Token, value: str) -> Confidence | None:
    body = value.partition("AccountKey=")[2] or value
    if filters.is_placeholder(body) or filters.is_repetitive(value):
        return None
    proof = token.shape.proof
    proven = PROOFS[proof](value) if proof else not filters.is_worded(token.body(value))
    return token.shape.confidence if proven else token.shape.unproven


def _by_value(source: Source, found: Iterable[Hit]) -> dict[tuple[str, str], list[Hit]]:
    """The hits by detector and value, in order of each value's first place."""
    values: dict[tuple[str, str], list[Hit]] = defaultdict(list)
    for hit in found:
        values[hit.detector, value_of(source, hit)].append(hit)
    return values


def value_of(source: Source, hit: Hit) -> str:
    """The secret that ``hit`` found."""
    return hit.value or source.text[hit.start : hit.end]


def _masked(
    source: Source, values: Mapping[tuple[str, str], Sequence[Hit]]
) -> tuple[SecretMatch, ...]:
    identities = {key: identity(*key) for key in values}
    more = {key: max(0, len(places) - MOST_PLACES) for key, places in values.items()}
    apart = outside(source, values.values())
    handed_out = native(source, values)
    told = sorted(
        (hit, key)
        for key, places in values.items()
        for hit in sorted(places, key=apart.__contains__)[:MOST_PLACES]
    )
    return tuple(
        replace(
            _match(source, hit, identities[key], more.pop(key, 0)),
            outside=hit in apart,
            native=key in handed_out,
        )
        for hit, key in told
    )


def _match(source: Source, hit: Hit, identity: str, more: int) -> SecretMatch:
    line, start_column, end_column = source.place(hit.start, hit.end)
    return SecretMatch(
        detector=hit.detector,
        line=line,
        start_column=start_column,
        end_column=end_column,
        masked=masked(value_of(source, hit)),
        identity=identity,
        confidence=hit.confidence,
        ignored=_is_allowed(source, hit.start),
        more=more,
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
    return hashlib.scrypt(secret, salt=salt, n=COST, r=8, p=1, dklen=16).hex()


def _is_allowed(source: Source, offset: int) -> bool:
    if _ALLOWED.search(source.full_line(offset)):
        return True
    above = source.text.rfind("\n", 0, offset)
    return above > 0 and _NEXT_LINE.search(source.full_line(above - 1)) is not None
