"""What each rule that a site tool prints by its id looks for: ours, Lighthouse's and axe's.

The texts of Lighthouse and axe are read where their packages are installed, as they ship them.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import PurePosixPath
from typing import Any

from mergegate.core.errors import EngineMissing
from mergegate.sandbox.process.node import packaged
from mergegate.site.audit.checks.judge import prose, references
from mergegate.site.browser_test.checks.suggest import REMEDIES
from mergegate.site.security.checks import flaw, secrets
from mergegate.site.seo.checks import point


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A rule of one tool."""

    id: str
    tool: str
    """The command that prints it."""
    title: str
    facts: tuple[str, ...] = ()
    """What it weighs and belongs to."""
    paragraphs: tuple[str, ...] = ()
    references: tuple[str, ...] = ()


@cache
def entries() -> Mapping[str, Sequence[Entry]]:
    """Every rule by its id; an id that several tools print has an entry of each."""
    found: defaultdict[str, list[Entry]] = defaultdict(list)
    for one in (*_security(), *_seo(), *_browser_test(), *_audit()):
        found[one.id].append(one)
    return found


def _security() -> Iterator[Entry]:
    for rule in (*flaw.RULES.values(), *secrets.rules()):
        milder = f"{rule.without_stakes.label} where a page has nothing to take"
        yield Entry(
            id=rule.id,
            tool="security-scan",
            title=rule.title,
            facts=(
                rule.severity.label,
                *([milder] if rule.without_stakes < rule.severity else ()),
                rule.area.value,
                rule.cwe,
                rule.owasp,
            ),
            paragraphs=(_whole(rule.message), rule.remedy, *(one.code for one in rule.patches)),
            references=(rule.reference,),
        )


def _seo() -> Iterator[Entry]:
    for rule in point.RULES.values():
        yield Entry(
            id=rule.id,
            tool="seo",
            title=rule.title,
            facts=(rule.severity.label, rule.theme.value, rule.ground.value),
            paragraphs=(_whole(rule.message), rule.remedy),
            references=(rule.source,),
        )


_BLANK = re.compile(r"\{\w+\}")


def _whole(message: str) -> str:
    """A message without a finding: dots stand for what it names."""
    return _BLANK.sub("…", message)


def _browser_test() -> Iterator[Entry]:
    told, version = _axe()
    for id in dict.fromkeys((*REMEDIES, *told)):
        ours, axe = REMEDIES.get(id), told.get(id)
        yield Entry(
            id=id,
            tool="browser-test",
            title=axe["help"] if axe else ours.order if ours else id,
            paragraphs=(
                *([f"{axe['description']}."] if axe else ()),
                *([f"{ours.order}.", ours.text.strip()] if ours else ()),
            ),
            references=(f"{_DEQUE}/{version}/{id}",) if axe else (),
        )


_DEQUE = "https://dequeuniversity.com/rules/axe"


def _axe() -> tuple[Mapping[str, Mapping[str, str]], str]:
    """Help and description of each rule of axe, and its minor version; empty without axe."""
    told, package = (
        _shipped("axe-core", one) for one in ("locales/_template.json", "package.json")
    )
    if not told or not package:
        return {}, ""
    return told["rules"], package["version"].rpartition(".")[0]


def _audit() -> Iterator[Entry]:
    """Audits by the files that their messages come from, which are called as they are."""
    told: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for key, said in _shipped("lighthouse", _MESSAGES).items():
        file, _, name = key.partition(" | ")
        if "core/audits/" in file or "/insights/" in file:
            told[file][name] = said["message"]
    for file, words in told.items():
        if "description" in words:
            id = _audit_id(PurePosixPath(file))
            named = words.get("title", id.replace("-", " ").capitalize())
            yield Entry(
                id=id,
                tool="audit",
                title=prose(words.get("failureTitle", named)).rstrip("."),
                paragraphs=(prose(words["description"]),),
                references=references(words["description"]),
            )


_MESSAGES = "shared/localization/locales/en-US.json"
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def _audit_id(file: PurePosixPath) -> str:
    """``csp-xss`` of ``core/audits/csp-xss.js``; ``cache-insight`` of an insight's ``Cache.js``."""
    insight = "/insights/" in str(file) and not file.stem.endswith("-insight")
    return f"{_HUMP.sub('-', file.stem).lower()}{'-insight' if insight else ''}"


def _shipped(package: str, file: str) -> Mapping[str, Any]:
    with suppress(EngineMissing):
        read: Mapping[str, Any] = json.loads(packaged(package, file).read_text("utf-8"))
        return read
    return {}
