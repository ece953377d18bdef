"""Make ``data/libraries.json`` from retire.js' ``jsrepository.json``, whatever package carries it.

``python -m tests.site.security.gather.reduction JSREPOSITORY.json`` writes it anew: patterns with
an end to each repetition and the longest text that every match holds (what lacks that is not
searched), and of each advisory what a report shows. Left out: the example, what only says that a
version is no longer maintained, hashes, and patterns that evaluate code or replace text.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

VERSION = "§§version§§"
TARGET = Path("src/mergegate/site/security/gather/data/libraries.json")
_SKIPPED = {"retire-example", "dont check"}
_UNMAINTAINED = "CWE-1104"
_SHORTEST_NEED = 4
_ATOM = re.compile(r"(\\.|\[(?:\\.|[^\]\\])*\]|.)([*+]?)", re.DOTALL)
"""A character, an escape, a set or a bracket, and how it is repeated."""


def reduced(repository: dict[str, Any]) -> list[dict[str, Any]]:
    """One entry a library, in order of name."""
    return [
        _library(name, repository[name])
        for name in sorted(repository, key=str.lower)
        if name not in _SKIPPED and _advisories(repository[name])
    ]


def _library(name: str, entry: dict[str, Any]) -> dict[str, Any]:
    extractors = entry.get("extractors", {})
    return {
        "name": name,
        "package": entry.get("npmname", ""),
        "url": extractors.get("uri", []),
        "file": extractors.get("filename", []),
        "content": [[needs(one), one] for one in _readable(extractors.get("filecontent", []))],
        "advisories": _advisories(entry),
    }


def _readable(patterns: list[str]) -> list[str]:
    """Each once; JavaScript looks back over any width, Python does not."""
    return [bounded(one) for one in dict.fromkeys(patterns) if "(?<=[0-9]{1,2}" not in one]


def bounded(pattern: str) -> str:
    """The same with an end to every repetition: hostile text is searched with it."""
    atoms = _ATOM.findall(pattern)
    return "".join(_ended(atom, repeated) for atom, repeated in atoms)


def _ended(atom: str, repeated: str) -> str:
    if not repeated:
        return atom
    least = 1 if repeated == "+" else 0
    most = 2000 if atom == r"[\s\S]" else 500 if atom == "." else 60
    return f"{atom}{{{least},{most}}}"


def _advisories(entry: dict[str, Any]) -> list[dict[str, Any]]:
    return [_advisory(one) for one in entry["vulnerabilities"] if _UNMAINTAINED not in one["cwe"]]


def _advisory(one: dict[str, Any]) -> dict[str, Any]:
    identifiers = one["identifiers"]
    ids = [name for name in identifiers.get("CVE", []) if re.fullmatch(r"CVE-\d{4}-\d+", name)]
    ids += [identifiers["githubID"]] if "githubID" in identifiers else []
    summary = identifiers.get("summary") or "A weakness that its authors have fixed"
    return {
        "ids": ids,
        "severity": one["severity"],
        "summary": summary.split("\n")[0][:240],
        "from": one.get("atOrAbove", ""),
        "below": one["below"],
        "cwe": next(iter(one["cwe"]), ""),
        "reference": _reference(ids, one["info"]),
    }


def _reference(ids: list[str], info: list[str]) -> str:
    if ids:
        first = ids[0]
        return (
            f"https://nvd.nist.gov/vuln/detail/{first}"
            if first.startswith("CVE-")
            else f"https://github.com/advisories/{first}"
        )
    return next((address for address in info if address.startswith("https://")), "")


def needs(pattern: str) -> str:
    """The longest text that every match holds; empty when it is too short to help."""
    parser: Any = re._parser  # type: ignore[attr-defined]
    runs = [""]
    for operation, value in parser.parse(pattern.replace(VERSION, r"\d+")):
        if str(operation) == "LITERAL":
            runs[-1] += chr(value)
        else:
            runs.append("")
    longest = max(runs, key=len)
    return longest if len(longest) >= _SHORTEST_NEED else ""


if __name__ == "__main__":
    repository = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    text = json.dumps(reduced(repository), ensure_ascii=False, indent=1)
    TARGET.write_text(text + "\n", encoding="utf-8")
