"""Permissions-Policy: which features of the browser the page and its frames may use."""

import re
from collections.abc import Iterator

from mergegate.core.severity import Severity
from mergegate.site.security.checks.flaw import Rule, flaw
from mergegate.site.security.checks.origins import is_trustworthy
from mergegate.site.security.facts import SecurityFacts
from mergegate.site.security.report import Area, Flaw
from mergegate.site.words import listed

HEADER = "Permissions-Policy"
_OLD = "Feature-Policy"
_GOOD = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"
_MOST = 8 * 1024
_ITEM = r'(?:\*|"[^"\\,()]{0,500}"|[a-z][a-z0-9-]*)'
_PARAMETERS = r"(?:;\s*[a-z][a-z0-9_-]*(?:=[^,;\s]+)?)*"
_MEMBER = re.compile(
    rf"([a-z*][a-z0-9_.*-]*)(?:=({_ITEM}|\(\s*(?:{_ITEM}(?:\s+{_ITEM})*)?\s*\)|\?[01]))?{_PARAMETERS}\Z"
)
"""A member of a dictionary of RFC 9651, as far as this header uses them."""
_POWERFUL = frozenset(
    {
        *("bluetooth", "camera", "clipboard-read", "display-capture", "geolocation", "hid"),
        *("microphone", "midi", "payment", "publickey-credentials-get", "serial", "usb"),
    }
)


def _rule(id: str, title: str, remedy: str) -> Rule:
    return Rule(
        id=id,
        area=Area.HEADERS,
        severity=Severity.LOW,
        title=title,
        remedy=remedy,
        cwe="CWE-693",
        reference=f"https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/{HEADER}",
        header=HEADER,
        fix=_GOOD,
    )


_MISSING = _rule(
    "permissions-policy-missing",
    "No Permissions-Policy",
    f"Send {HEADER} and switch off what the page does not use.",
)
_OLD_NAME = _rule(
    "permissions-policy-old-name",
    "Feature-Policy was renamed",
    f"Send {HEADER} in its own syntax: camera=() instead of camera 'none'.",
)
_INVALID = _rule(
    "permissions-policy-invalid",
    "Permissions-Policy cannot be read",
    'Write features as camera=(), fullscreen=(self), payment=(self "https://pay.example.org").',
)
_WIDE = _rule(
    "permissions-policy-wide",
    "Every frame may ask for powerful features",
    "Name the origins that need the feature instead of *.",
)


def flaws(facts: SecurityFacts) -> Iterator[Flaw]:
    """At most one; none for a page over http, where browsers offer none of these features."""
    url = facts.page.final_url
    if not is_trustworthy(url):
        return
    answer = facts.page.final
    value = ", ".join(answer.all(HEADER.lower()) if answer else ())[:_MOST]
    if value.strip():
        yield from _judge(value, url)
    elif old := facts.page.header(_OLD.lower()):
        message = "Browsers that know Permissions-Policy do not read Feature-Policy."
        yield flaw(_OLD_NAME, message, url, evidence=f"{_OLD}: {old}")
    else:
        message = "Injected scripts may ask for camera, place and payment in the site's name."
        yield flaw(_MISSING, message, url)


def _judge(value: str, url: str) -> Iterator[Flaw]:
    members = [_MEMBER.match(part.strip(" \t")) for part in value.split(",")]
    evidence = f"{HEADER}: {value}"
    if not all(members):
        message = "One mistake makes browsers ignore the whole header; its lists are not CSP's."
        yield flaw(_INVALID, message, url, evidence=evidence)
        return
    wide = [one[1] for one in members if one and one[1] in _POWERFUL and one[2] in {"*", "(*)"}]
    if wide:
        message = f"Any frame that is let in may use {listed(wide)}."
        yield flaw(_WIDE, message, url, evidence=evidence)
