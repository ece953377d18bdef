"""What every flaw is made of: the rule it breaks, a name that stays, its weakness and its risk."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from mergegate.core.severity import Confidence, Severity
from mergegate.site.level import stable_id
from mergegate.site.security.checks.origins import path, plain
from mergegate.site.security.report import Area, Flaw, Patch
from mergegate.site.words import cut

_STARS = "********"
_KEYS = re.compile(
    r"(?P<start>gh[opsur]_|github_pat_|glpat-|[rs]k_live_|whsec_|xox[abeprs]-|xapp-|npm_|pypi-"
    r"|SG\.|A[KS]IA|GOCSPX-|hf_|dop_v1_|shp(?:at|ca|pa|ss)_|sk-(?:ant|proj)-|sb_secret_)"
    r"[\w.-]{12,}"
)
_TOKENS = re.compile(r"eyJ[\w-]{10,}\.eyJ[\w-]{10,}(?:\.[\w-]*)?")


def shown(text: str) -> str:
    """``text`` with stars in place of every key and signed token (JWT) in it."""
    return _TOKENS.sub(f"eyJ{_STARS}", _KEYS.sub(rf"\g<start>{_STARS}", text))


_EVIDENCE = 300
_MESSAGE = 600
_URL = 500

_ACCESS = "A01:2025 Broken Access Control"
_CONFIGURATION = "A02:2025 Security Misconfiguration"
_SUPPLY = "A03:2025 Software Supply Chain Failures"
_CRYPTOGRAPHY = "A04:2025 Cryptographic Failures"
_INJECTION = "A05:2025 Injection"
_DESIGN = "A06:2025 Insecure Design"
_AUTHENTICATION = "A07:2025 Authentication Failures"
_DATA = "A08:2025 Software or Data Integrity Failures"
_EXCEPTIONS = "A10:2025 Mishandling of Exceptional Conditions"

OWASP: Mapping[str, str] = MappingProxyType(
    {
        "CWE-16": _CONFIGURATION,
        "CWE-79": _INJECTION,
        "CWE-200": _ACCESS,
        "CWE-209": _EXCEPTIONS,
        "CWE-215": _EXCEPTIONS,
        "CWE-295": _AUTHENTICATION,
        "CWE-297": _AUTHENTICATION,
        "CWE-298": _AUTHENTICATION,
        "CWE-319": _CRYPTOGRAPHY,
        "CWE-326": _CRYPTOGRAPHY,
        "CWE-327": _CRYPTOGRAPHY,
        "CWE-328": _CRYPTOGRAPHY,
        "CWE-345": _DATA,
        "CWE-346": _AUTHENTICATION,
        "CWE-352": _ACCESS,
        "CWE-353": _DATA,
        "CWE-489": _CONFIGURATION,
        "CWE-497": _ACCESS,
        "CWE-523": _CRYPTOGRAPHY,
        "CWE-538": _ACCESS,
        "CWE-540": _ACCESS,
        "CWE-548": _ACCESS,
        "CWE-552": _ACCESS,
        "CWE-598": _DESIGN,
        "CWE-614": _CONFIGURATION,
        "CWE-615": _ACCESS,
        # The official table has it under A06; but A02's own text is where a server is named that
        # "does not send security headers or directives", and that is all we use it for.
        "CWE-693": _CONFIGURATION,
        "CWE-798": _AUTHENTICATION,
        "CWE-829": _DATA,
        "CWE-830": _DATA,
        "CWE-942": _CONFIGURATION,
        "CWE-1004": _CONFIGURATION,
        "CWE-1021": _DESIGN,
        "CWE-1104": _SUPPLY,
        "CWE-1275": _ACCESS,
        "CWE-1395": _SUPPLY,
    }
)
"""The category that lists each weakness, by the "List of Mapped CWEs" of OWASP Top 10:2025."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """What all flaws of one kind have in common."""

    id: str
    """Kebab-case; permanent."""
    area: Area
    severity: Severity
    title: str
    """A few words; what is wrong."""
    remedy: str
    """What to change, one sentence."""
    cwe: str
    """A key of :data:`OWASP`."""
    reference: str
    """The address of the document that the rule rests on."""
    header: str = ""
    """The response header it is about, as it is usually written; empty for none."""
    fix: str = ""
    """The whole value that header should have; empty where it depends on the site."""

    @property
    def owasp(self) -> str:
        """Such as ``A02:2025 Security Misconfiguration``."""
        return OWASP[self.cwe]

    @property
    def patches(self) -> tuple[Patch, ...]:
        """The bare header that ends the flaw; empty where there is none."""
        return (header_patch(self.header, self.fix),) if self.fix else ()


def header_patch(name: str, value: str) -> Patch:
    """A response header as it goes over the wire, for whoever translates it for a server."""
    return Patch(product="HTTP", code=f"{name}: {value}", language="http")


def _brief(text: str, most: int) -> str:
    """Cut last: half a key may be too short to be recognised."""
    return cut(shown(text[: 4 * most]), most)


def _harmless(patch: Patch) -> Patch:
    return replace(patch, code=shown(patch.code))


def flaw(
    rule: Rule,
    message: str,
    url: str,
    *,
    key: str = "",
    evidence: str = "",
    severity: Severity | None = None,
    confidence: Confidence = Confidence.HIGH,
    selector: str = "",
    line: int = 0,
    remedy: str = "",
    patches: tuple[Patch, ...] | None = None,
    title: str = "",
    count: int = 1,
) -> Flaw:
    """A breach of ``rule`` at ``url``, its texts cut; what is not given is the rule's own.

    ``url`` loses its query, and keys become stars wherever the site put them.

    ``key`` tells flaws of one rule and page apart, and holds nothing that changes from run to run
    or from preview to production: a cookie's name, a directive. Without it ``selector`` does.
    """
    return Flaw(
        id=stable_id(rule.id, path(url), key or selector),
        area=rule.area,
        rule=rule.id,
        severity=rule.severity if severity is None else severity,
        confidence=confidence,
        title=title or rule.title,
        message=_brief(message, _MESSAGE),
        url=_brief(plain(url), _URL),
        selector=_brief(selector, _EVIDENCE),
        line=line,
        evidence=_brief(evidence, _EVIDENCE),
        remedy=remedy or rule.remedy,
        patches=rule.patches if patches is None else tuple(map(_harmless, patches)),
        cwe=rule.cwe,
        owasp=rule.owasp,
        reference=rule.reference,
        count=count,
    )
