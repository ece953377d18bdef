"""The parts of the API's security scan result (service specification, decisions)."""

from typing import Annotated, Any, Literal

from pydantic import Field

from mergegate.core.wire.camel import Camel
from mergegate.core.wire.parts import Severity
from mergegate.site.security.facts import Certificate, TlsFacts
from mergegate.site.security.report import HeaderJudgement

Count = Annotated[int, Field(ge=0)]
AreaOut = Literal[
    "secrets",
    "headers",
    "cookies",
    "csrf",
    "mixed-content",
    "subresource-integrity",
    "transport",
    "content",
]

_NO_CERTIFICATE = Certificate(subject="", issuer="", not_before="", not_after="")


class PatchOut(Camel):
    """A remedy as code; ``product`` is ``HTTP`` for a bare header, ``HTML`` for an element."""

    product: str
    language: str
    code: str


class SecurityFindingOut(Camel):
    """An element of ``findings``; all of its text may come from the site, and none is a secret."""

    id: str
    """Equal in every scan of this site, under whatever host."""
    rule: str = Field(alias="ruleId")
    severity: Severity
    confidence: Literal["high", "medium", "low"]
    area: AreaOut = Field(alias="category")
    title: str
    message: str
    url: str
    selector: str
    """Of the element; empty where there is none."""
    line: int | None
    """In the text at ``url``, from 1."""
    evidence: str
    """A header, a tag, a masked secret."""
    remedy: str
    patches: tuple[PatchOut, ...]
    """The remedy as code, the detected product's first."""
    cwe: str
    owasp: str
    reference: str
    count: Count

    @classmethod
    def _fields_of(cls, value: Any) -> dict[str, Any]:
        return super()._fields_of(value) | {"line": value.line or None}

    def _made(self) -> dict[str, Any]:
        return {"line": self.line or 0}


class HeaderOut(Camel):
    """A value of ``headers``."""

    present: bool
    value: str
    verdict: Literal["good", "weak", "missing", "not needed"]
    note: str

    @classmethod
    def _fields_of(cls, value: HeaderJudgement) -> dict[str, Any]:
        return super()._fields_of(value) | {"present": bool(value.value)}


class CertificateOut(Camel):
    """A certificate of the chain; times are ISO 8601 in UTC."""

    subject: str
    issuer: str
    not_before: str
    not_after: str
    names: tuple[str, ...]
    key: str
    signature: str
    serial: str
    sha256: str


class SslInfoOut(Camel):
    """``sslInfo``: how the site speaks TLS. Of a site that does not, ``enabled`` is false."""

    enabled: bool
    host: str
    port: int | None
    protocol: str
    cipher: str
    alpn: str
    issuer: str
    """Of the site's own certificate."""
    valid_from: str
    valid_to: str
    days_left: int | None
    """Until it expires; negative afterwards."""
    trusted: bool | None
    """Null where that was not found out."""
    trust_error: str
    name_matches: bool | None
    accepts: tuple[str, ...]
    """Protocol versions that came about."""
    untested: tuple[str, ...]
    """Versions that nobody could try from here."""
    weak_ciphers: tuple[str, ...]
    chain: tuple[CertificateOut, ...]
    """The site's own first."""
    failure: str

    @classmethod
    def _fields_of(cls, value: TlsFacts) -> dict[str, Any]:
        own = next(iter(value.chain), _NO_CERTIFICATE)
        return super()._fields_of(value) | {
            "enabled": bool(value.protocol),
            "port": value.port or None,
            "issuer": own.issuer,
            "valid_from": own.not_before,
            "valid_to": own.not_after,
            "name_matches": value.name_matches if value.chain else None,
        }

    def _made(self) -> dict[str, Any]:
        return {"port": self.port or 0, "name_matches": self.name_matches is not False}


class BreachOut(Camel):
    """Something that the page does and the policy forbids."""

    directive: str
    blocked: str
    source: str
    sample: str


class PolicyOut(Camel):
    """``contentSecurityPolicy``: the policy that is proposed.

    ``proved`` says whether the page was loaded under it and nothing broke. With ``nonces``,
    ``{NONCE}`` in ``policy`` stands for a random value that the server makes for each answer, and
    puts on its inline scripts.
    """

    policy: str
    proved: bool
    nonces: bool
    breaches: tuple[BreachOut, ...]
    errors: tuple[str, ...]
    """Script errors that only appear under it."""
    failure: str
    """Why it was not tried, or could not be."""


class SecuritySuggestionOut(Camel):
    """An element of ``suggestions``."""

    title: str
    message: str
    flaw_ids: tuple[str, ...] = Field(alias="findingIds")
    points: Count
    """What the score gains."""
    patches: tuple[PatchOut, ...]


class DeductionOut(Camel):
    """What an area costs before and after its cap."""

    points: Count
    capped: Count


class LibraryOut(Camel):
    """A JavaScript library that was recognised."""

    name: str
    version: str


class ObservatoryTestOut(Camel):
    """One of the ten tests of Mozilla's HTTP Observatory, in its words."""

    name: str
    result: str
    passed: bool
    modifier: int
    """What its score gains or loses."""


class ObservatoryOut(Camel):
    """``observatory``: what Mozilla's HTTP Observatory would say, by our reading of its rules.

    It has no part in ``riskScore``.
    """

    score: Count
    """Above 100 by extra points."""
    grade: str
    """``A+`` to ``F``, with ``A-``, ``B+`` and so on between them."""
    tests: tuple[ObservatoryTestOut, ...]
