"""What the checks share: the rules, how a flaw is made of one, and the names that they know."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from mergegate.core.data_table import read_table
from mergegate.core.severity import Confidence, Severity
from mergegate.site.level import stable_id
from mergegate.site.security.origins import path, plain
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


@dataclass(frozen=True, slots=True)
class _Category:
    """A category of OWASP Top 10."""

    name: str
    weaknesses: tuple[str, ...]


OWASP: Mapping[str, str] = {
    weakness: one.name
    for one in read_table(Path(__file__).with_name("owasp.toml"), _Category, "name").values()
    for weakness in one.weaknesses
}
"""The category of each weakness."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """What all flaws of one kind have in common."""

    id: str
    """Kebab-case; permanent."""
    area: Area
    severity: Severity
    without_stakes: Severity = Severity.CRITICAL
    """The most that it weighs where a page has nothing for an attacker to take (``stakes``)."""
    title: str
    """A few words; what is wrong."""
    message: str = ""
    """What is wrong and what can come of it, with ``{names}`` of what the check fills in; empty
    where the check has to choose its words."""
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

    def said(self, **found: object) -> str:
        """The message with what the check found in it."""
        return self.message.format(**found)


RULES: Mapping[str, Rule] = {
    id: rule
    for file in sorted((Path(__file__).parents[1] / "rules").glob("*.toml"))
    for id, rule in read_table(file, Rule).items()
}
"""Every rule that is always the same, by its id; those of secrets are made of their detectors."""


def header_patch(name: str, value: str) -> Patch:
    """A response header as it goes over the wire; ``patches`` writes it for a server."""
    return Patch(product="HTTP", code=f"{name}: {value}", language="http")


def _brief(text: str, most: int) -> str:
    """Cut last: half a key may be too short to be recognised."""
    return cut(shown(text[: 4 * most]), most)


def extended(message: str, sentence: str) -> str:
    """``message`` with one more sentence, cut alike."""
    return _brief(f"{message} {sentence}", _MESSAGE)


def _harmless(patch: Patch) -> Patch:
    return replace(patch, code=shown(patch.code))


def flaw(
    rule: Rule,
    url: str,
    message: str = "",
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
        message=_brief(message or rule.message, _MESSAGE),
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


@dataclass(frozen=True, slots=True)
class _List:
    id: str
    names: tuple[str, ...]


KNOWN: Mapping[str, frozenset[str]] = {
    row.id: frozenset(row.names)
    for row in read_table(Path(__file__).with_name("known.toml"), _List).values()
}
"""Names by what they have in common; ``known.toml`` says where they come from."""


def pattern(id: str) -> re.Pattern[str]:
    """A pattern that matches what any pattern of a list does, whatever the letter case."""
    return re.compile("|".join(sorted(KNOWN[id])), re.IGNORECASE)
