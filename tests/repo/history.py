"""The history of the rules: which version brought each, and since when it finds what it finds.

    python -m tests.repo.history [--write]

Prints `src/mergegate/repo/rules/history.toml`, or writes it: after every change of what a rule
finds or of how that weighs. Take `changed` out again by hand where a rule only finds less.
"""

import argparse
import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from mergegate import __version__
from mergegate.core.rule import Rule
from mergegate.repo import infrastructure, rules
from mergegate.repo.checks import all_rules
from mergegate.repo.rules.history import HISTORY, NEXT, RuleHistory, history
from mergegate.secrets.detectors import DETECTORS

_CHANGELOG = Path(__file__).parents[2] / "CHANGELOG.md"
_TOLD = frozenset({"message", "fix", "fix-regex"})
"""What of a semgrep rule changes no finding."""
_INTRODUCTION = """\
# Which version of Mergegate brought each rule (`since`), and since which it finds more or rates it
# higher (`changed`): an upgrade turns nothing red overnight. `meaning` is a digest of what the rule
# finds and how that weighs, as far as this is data; where a check's code or an engine finds more,
# write `changed` by hand. Written by `python -m tests.repo.history --write`, which says "next" of
# what no version has yet; cutting one puts it in. Take `changed` out again where a rule finds less.

"""


def meaning(rule: Rule, written: Mapping[str, Any]) -> str:
    """A digest of what ``rule`` finds; ``written`` is it as semgrep reads it, or empty."""
    said: list[Any] = [
        rule.severity.label,
        rule.confidence.name,
        sorted(one.label for one in rule.milder),
        {name: value for name, value in written.items() if name not in {*_TOLD, "metadata"}},
    ]
    if detector := DETECTORS.get(rule.id.removeprefix("secret-")):
        said.append({name: one for name, one in asdict(detector).items() if name != "title"})
    if entry := infrastructure.by_rule().get(rule.id):
        said += [
            {name: one for name, one in asdict(subject).items() if name not in {"bad", "good"}}
            for subject in entry.subjects
        ]
    return hashlib.sha256(json.dumps(said, sort_keys=True, default=str).encode()).hexdigest()[:12]


def meanings() -> dict[str, str]:
    """The digest of every rule, by its id."""
    written = {str(one["id"]): one for one in rules.catalogue().written}
    return {id: meaning(rule, written.get(id, {})) for id, rule in all_rules().items()}


def coming() -> str:
    """The version of what is changed now: the package's own, as long as that is not released."""
    told = _CHANGELOG.read_text("utf-8")
    return (
        NEXT if re.search(rf"^## \[{re.escape(__version__)}\]", told, re.MULTILINE) else __version__
    )


def brought_up(
    known: Mapping[str, RuleHistory], now: Mapping[str, str], version: str
) -> dict[str, RuleHistory]:
    """``known`` with the rules and the meanings of ``now``, which ``version`` brings."""
    found = {}
    for rule, digest in sorted(now.items()):
        old = known.get(rule) or RuleHistory(rule=rule, since=version, meaning=digest)
        changed = old.changed if old.meaning == digest or old.since == version else version
        found[rule] = replace(old, meaning=digest, changed=changed)
    return found


def line(one: RuleHistory) -> str:
    """Its entry in the table."""
    changed = f', changed = "{one.changed}"' if one.changed else ""
    return f'{one.rule} = {{ since = "{one.since}"{changed}, meaning = "{one.meaning}" }}'


def table(found: Mapping[str, RuleHistory]) -> str:
    """``history.toml``."""
    return _INTRODUCTION + "\n".join(map(line, found.values())) + "\n"


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    known = history() if HISTORY.exists() else {}
    text = table(brought_up(known, meanings(), coming()))
    if parser.parse_args().write:
        HISTORY.write_text(text, encoding="utf-8")
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
