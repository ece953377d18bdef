"""Words without which a rule finds nothing, taken from what semgrep itself looks for.

    python -m tests.repo.gates [--write]

Prints `src/mergegate/repo/rules/gates.toml`, or writes it: after every change to a rule.
"""

import argparse
import json
import re
import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from mergegate.repo import rules
from mergegate.repo.rules.gates import Gate, formula
from tests.repo.test_rules import semgrep_core

LANGUAGES = {"go", "java", "javascript", "python", "typescript"}
"""Where what a pattern names stands as a whole word."""
Formula = tuple[str, Any]
"""What semgrep wants of a file before it parses it: ``And``, ``Or`` or ``Pred`` and what of."""
_INTRODUCTION = """\
# Words without which a rule finds nothing. Written by `python -m tests.repo.gates --write`.
"""


def gates(written: Iterable[Mapping[str, Any]]) -> dict[str, Gate]:
    """By the rules' ids; a rule without a word that all it finds has in common is left out."""
    judged = [rule for rule in written if LANGUAGES.issuperset(rule["languages"])]
    looked = {
        f"{rule['id']}.{part}.{number}": _apart(rule, owner)
        for rule in judged
        for part, owners in _parts(rule).items()
        for number, owner in enumerate(owners)
    }
    found = {name: _words(wanted) for name, wanted in _formulas(looked).items()}
    made = {}
    for rule in judged:
        words = {
            part: tuple(
                found.get(f"{rule['id']}.{part}.{number}", ()) for number in range(len(owners))
            )
            for part, owners in _parts(rule).items()
        }
        if any(map(any, words.values())):
            made[rule["id"]] = _gate(rule["id"], words)
    return made


def table(found: Mapping[str, Gate]) -> str:
    """``gates.toml``."""
    lines = [_INTRODUCTION]
    for gate in found.values():
        lines.append(f"[{gate.rule}]")
        for part in ("words", "sources", "sinks"):
            if words := getattr(gate, part):
                lines.append(f"{part} = {json.dumps(words)}")
        lines.append("")
    return "\n".join(lines)


def _parts(rule: Mapping[str, Any]) -> dict[str, list[Mapping[str, Any]]]:
    """All that looks for something in a rule."""
    if rule.get("mode") != "taint":
        return {"words": [rule]}
    return {"sources": rule["pattern-sources"], "sinks": rule["pattern-sinks"]}


def _apart(rule: Mapping[str, Any], owner: Mapping[str, Any]) -> dict[str, Any]:
    """A rule that looks for what a part of ``rule`` looks for."""
    return {"languages": rule["languages"], "severity": "INFO", "message": "-", **formula(owner)}


def _gate(rule: str, words: Mapping[str, tuple[tuple[str, ...], ...]]) -> Gate:
    own, sources, sinks = (words.get(part, ()) for part in ("words", "sources", "sinks"))
    return Gate(
        rule=rule,
        words=own[0] if own else (),
        sources=sources if any(sources) else (),
        sinks=sinks if any(sinks) else (),
    )


def _formulas(looked: Mapping[str, Mapping[str, Any]]) -> dict[str, Formula]:
    """What semgrep wants of a file, by name; where it wants nothing, the name is left out."""
    asked = [{"id": name, **rule} for name, rule in looked.items()]
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump({"rules": asked}, file)
        file.flush()
        argv = [str(semgrep_core()), "-prefilter_of_rules", file.name]
        said = json.loads(subprocess.run(argv, capture_output=True, check=True).stdout)
    return {one["rule_id"]: one["filter"][1] for one in said if one["filter"] != "None"}


def _words(wanted: Formula) -> tuple[str, ...]:
    """The fewest and longest words of which a file that fits holds one."""
    return tuple(sorted(min(_choices(wanted), key=_cost, default=())))


def _choices(wanted: Formula) -> list[frozenset[str]]:
    """Sets of words, of each of which a file that fits holds one."""
    kind, parts = wanted
    if kind == "Pred":
        what, words = parts
        whole = what == "Idents" and all(re.fullmatch(r"\w+", word) for word in words)
        return [frozenset([word]) for word in words] if whole else []
    if kind == "And":
        return [choice for part in parts for choice in _choices(part)]
    missing = [_choices(part) for part in parts]
    if not all(missing):
        return []
    chosen: set[str] = set()
    while missing:
        chosen |= _next(missing)
        missing = [some for some in missing if not any(one <= chosen for one in some)]
    return [frozenset(chosen)]


def _next(missing: list[list[frozenset[str]]]) -> frozenset[str]:
    """What serves the most of ``missing``, of any that do the rarest."""
    single = {one for some in missing for one in some if len(one) == 1}
    if not single:
        return min(missing[0], key=_cost)
    return min(single, key=lambda one: (_cost(one)[0] / sum(one in some for some in missing), *one))


def _cost(words: frozenset[str]) -> tuple[float, list[str]]:
    """Short words stand in many files."""
    return sum(1 + 64 / 2 ** len(word) for word in words), sorted(words)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    text = table(gates(rules.catalogue().written))
    if parser.parse_args().write:
        Path(rules.GATES).write_text(text, encoding="utf-8")
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
