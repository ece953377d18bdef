"""The parts of the API's security scan result (service specification, decisions)."""

from typing import Annotated, Any, Literal

from pydantic import Field

from mergegate.core.wire.camel import Camel
from mergegate.core.wire.parts import Severity
from mergegate.site.security.facts import Certificate, PolicyBreach, PolicyTrial, TlsFacts
from mergegate.site.security.report import (
    Advice,
    Flaw,
    HeaderJudgement,
    Observatory,
    ObservatoryTest,
    Patch,
)

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


class PatchOut(Camel, of=Patch):
    """A remedy as code; ``product`` is ``HTTP`` for a bare header, ``HTML`` for an element."""


class SecurityFindingOut(Camel, of=Flaw):
    """An element of ``findings``; all of its text may come from the site, and none is a secret."""

    rule: str = Field(alias="ruleId")
    severity: Severity
    confidence: Literal["high", "medium", "low"]
    area: AreaOut = Field(alias="category")
    line: int | None
    patches: tuple[PatchOut, ...]
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


class CertificateOut(Camel, of=Certificate):
    """A certificate of the chain; times are ISO 8601 in UTC."""


class SslInfoOut(Camel):
    """``sslInfo``: how the site speaks TLS. Of a site that does not, ``enabled`` is false."""

    enabled: bool
    host: str
    port: int | None
    protocol: str
    cipher: str
    alpn: str
    issuer: str
    """The issuer of the site's own certificate."""
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
    """Protocol versions that could not be tried from here."""
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


class BreachOut(Camel, of=PolicyBreach):
    """Something that the page does and the policy forbids."""


class PolicyOut(Camel, of=PolicyTrial):
    """``contentSecurityPolicy``: the policy that is proposed.

    ``proved`` says whether the page was loaded under it and nothing broke. With ``nonces``,
    ``{NONCE}`` in ``policy`` stands for a random value that the server makes for each answer, and
    puts on its inline scripts.
    """

    breaches: tuple[BreachOut, ...]


class SecuritySuggestionOut(Camel, of=Advice):
    """An element of ``suggestions``."""

    flaw_ids: tuple[str, ...] = Field(alias="findingIds")
    points: Count
    patches: tuple[PatchOut, ...]


class DeductionOut(Camel):
    """What an area costs before and after its cap."""

    points: Count
    capped: Count


class LibraryOut(Camel):
    """A JavaScript library that was recognised."""

    name: str
    version: str


class ObservatoryTestOut(Camel, of=ObservatoryTest):
    """One of the ten tests of Mozilla's HTTP Observatory, in its words."""


class ObservatoryOut(Camel, of=Observatory):
    """``observatory``: what Mozilla's HTTP Observatory would say, by our reading of its rules.

    It has no part in ``riskScore``.
    """

    score: Count
    tests: tuple[ObservatoryTestOut, ...]
