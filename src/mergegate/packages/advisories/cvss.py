"""CVSS scores from vectors: versions 2, 3.0 and 3.1 by FIRST's equations, 4.0 by its table.

Version 4.0 (specification document 1.2, section 8): the metrics form six equivalence classes, each
at a level of severity. The levels together are the macrovector, and ``cvss4.json`` holds the score
of its most severe vectors. From there a milder vector goes towards the next milder macrovectors:
in each class by the share of the level's depth that its metrics are below the most severe ones.
Classes 3 and 6 count as one.

The table is FIRST's (copyright FIRST, Red Hat, and contributors; BSD-2-Clause).
"""

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_V3 = {
    "AV": {"N": 0.85, "A": 0.62, "L": 0.55, "P": 0.2},
    "AC": {"L": 0.77, "H": 0.44},
    "UI": {"N": 0.85, "R": 0.62},
    "C": {"H": 0.56, "L": 0.22, "N": 0.0},
    "I": {"H": 0.56, "L": 0.22, "N": 0.0},
    "A": {"H": 0.56, "L": 0.22, "N": 0.0},
}
_V3_PRIVILEGES = {
    "U": {"N": 0.85, "L": 0.62, "H": 0.27},
    "C": {"N": 0.85, "L": 0.68, "H": 0.5},
}
_V2 = {
    "AV": {"L": 0.395, "A": 0.646, "N": 1.0},
    "AC": {"H": 0.35, "M": 0.61, "L": 0.71},
    "Au": {"M": 0.45, "S": 0.56, "N": 0.704},
    "C": {"N": 0.0, "P": 0.275, "C": 0.66},
    "I": {"N": 0.0, "P": 0.275, "C": 0.66},
    "A": {"N": 0.0, "P": 0.275, "C": 0.66},
}
_LABELS = ((9.0, "critical"), (7.0, "high"), (4.0, "medium"), (0.1, "low"))


def score(vector: str) -> float | None:
    """0.0–10.0; None for a vector of another version or one that is not complete.

    Up to 3.1 it is the base score. Version 4.0 has a single one, of all metrics that are given.
    """
    metrics = _metrics(vector)
    try:
        if vector.startswith("CVSS:4.0/"):
            return _v4(metrics)
        if vector.startswith(("CVSS:3.0/", "CVSS:3.1/")):
            return _v3(metrics, vector[5:8])
        return _v2(metrics) if vector.startswith("AV:") else None
    except KeyError:
        return None


def rating(score: float) -> str:
    """CVSS 3.1's qualitative rating; empty for 0.0."""
    return next((word for least, word in _LABELS if score >= least), "")


def _metrics(vector: str) -> dict[str, str]:
    return dict(part.split(":", 1) for part in vector.split("/") if ":" in part)


def _v3(metrics: dict[str, str], version: str) -> float:
    weights = {name: table[metrics[name]] for name, table in _V3.items()}
    scope = metrics["S"]
    privileges = _V3_PRIVILEGES[scope][metrics["PR"]]
    lost = 1 - (1 - weights["C"]) * (1 - weights["I"]) * (1 - weights["A"])
    exploitability = 8.22 * weights["AV"] * weights["AC"] * privileges * weights["UI"]
    if scope == "U":
        impact, factor = 6.42 * lost, 1.0
    else:
        impact, factor = 7.52 * (lost - 0.029) - 3.25 * (lost - 0.02) ** 15, 1.08
    if impact <= 0:
        return 0.0
    return _rounded_up(min(factor * (impact + exploitability), 10.0), version)


def _rounded_up(score: float, version: str) -> float:
    """``score`` rounded up to one decimal: by appendix A for 3.1, by plain floats for 3.0."""
    if version == "3.0":
        return math.ceil(score * 10) / 10
    whole = round(score * 100_000)
    if whole % 10_000 == 0:
        return whole / 100_000
    return (math.floor(whole / 10_000) + 1) / 10


def _v2(metrics: dict[str, str]) -> float:
    weights = {name: table[metrics[name]] for name, table in _V2.items()}
    impact = 10.41 * (1 - (1 - weights["C"]) * (1 - weights["I"]) * (1 - weights["A"]))
    exploitability = 20 * weights["AV"] * weights["AC"] * weights["Au"]
    factor = 0.0 if impact == 0 else 1.176
    return round((0.6 * impact + 0.4 * exploitability - 1.5) * factor, 1)


_TABLE = "cvss4.json"
_IMPACTS = ("VC", "VI", "VA", "SC", "SI", "SA")
_BASE = ("AV", "AC", "AT", "PR", "UI", *_IMPACTS)
_OTHERS = ("E", "CR", "IR", "AR")
"""Threat and requirements: where nothing is said the worst is assumed."""
_ROUNDING = 1e-6
"""Added before rounding, as floating point may make a half slightly smaller than a half."""


def _ranked(**values: str) -> Mapping[str, Mapping[str, int]]:
    return {
        name: {value: rank for rank, value in enumerate(worst_first)}
        for name, worst_first in values.items()
    }


_RANKS = _ranked(
    AV="NALP", AC="LH", AT="NP", PR="NLH", UI="NPA",
    VC="HLN", VI="HLN", VA="HLN", SC="HLN", SI="SHLN", SA="SHLN",
    E="APU", CR="HML", IR="HML", AR="HML",
)  # fmt: skip
"""Metric → value → how many values are worse; ``S`` (safety) is a modified impact's alone."""
_PHYSICAL = _RANKS["AV"]["P"]


@dataclass(frozen=True, slots=True)
class _Class:
    """An equivalence class, or the two that count as one."""

    digits: tuple[int, ...]
    """Its places in the macrovector."""
    metrics: tuple[str, ...]
    levels: Mapping[str, tuple[int, int]]
    """Level → the sum of ranks of each of its most severe vectors, and the level's depth.

    The mildest level needs neither: nothing lies below it.
    """


_CLASSES = (
    _Class((0,), ("AV", "PR", "UI"), {"0": (0, 1), "1": (1, 4)}),
    _Class((1,), ("AC", "AT"), {"0": (0, 1)}),
    _Class(
        (2, 5),
        ("VC", "VI", "VA", "CR", "IR", "AR"),
        {"00": (0, 7), "01": (3, 6), "10": (1, 8), "11": (3, 8)},
    ),
    _Class((3,), ("SC", "SI", "SA"), {"0": (0, 6), "1": (2, 5)}),
    _Class((4,), ("E",), {"0": (0, 1), "1": (1, 1)}),
)


def _v4(metrics: Mapping[str, str]) -> float:
    """0.0–10.0, for base, threat and environmental metrics as they are given.

    Raises KeyError for a missing base metric or a value that does not exist.
    """
    ranks = {name: _rank(metrics, name) for name in (*_BASE, *_OTHERS)}
    if all(ranks[name] == _RANKS[name]["N"] for name in _IMPACTS):
        return 0.0
    macrovector = _macrovector(ranks)
    highest = _scores()[macrovector]
    steps = [
        (highest - milder) * _severity_distance(ranks, macrovector, one)
        for one in _CLASSES
        if (milder := max(_next_milder(macrovector, one), default=None)) is not None
    ]
    value = highest - (sum(steps) / len(steps) if steps else 0)
    return math.floor(10 * max(value, 0.0) + 0.5 + _ROUNDING) / 10


@cache
def _scores() -> Mapping[str, float]:
    scores: dict[str, float] = json.loads(Path(__file__).with_name(_TABLE).read_bytes())
    return scores


def _rank(metrics: Mapping[str, str], name: str) -> int:
    ranks = _RANKS[name]
    if name in _OTHERS:
        stated = metrics.get(name, "X")
        return 0 if stated == "X" else ranks[stated]
    stated, modified = metrics[name], metrics.get(f"M{name}", "X")
    if stated == "S":
        raise KeyError(stated)
    return ranks[stated] if modified == "X" else ranks[modified]


def _macrovector(ranks: Mapping[str, int]) -> str:
    """The level of each class, 0 the most severe (tables 24 to 29)."""
    worst = {name: rank == 0 for name, rank in ranks.items()}
    entry = [worst["AV"], worst["PR"], worst["UI"]]
    vulnerable = [worst["VC"], worst["VI"], worst["VA"]]
    safety = worst["SI"] or worst["SA"]
    high = worst["SC"] or min(ranks["SI"], ranks["SA"]) <= 1
    needed = (worst[f"{one}R"] and worst[f"V{one}"] for one in "CIA")
    levels = (
        0 if all(entry) else 1 if any(entry) and ranks["AV"] != _PHYSICAL else 2,
        0 if worst["AC"] and worst["AT"] else 1,
        0 if worst["VC"] and worst["VI"] else 1 if any(vulnerable) else 2,
        0 if safety else 1 if high else 2,
        ranks["E"],
        0 if any(needed) else 1,
    )
    return "".join(map(str, levels))


def _severity_distance(ranks: Mapping[str, int], macrovector: str, one: _Class) -> float:
    """0.0 for a most severe vector of the level, 1.0 for one as deep as the level goes."""
    top, depth = one.levels["".join(macrovector[digit] for digit in one.digits)]
    return (sum(ranks[name] for name in one.metrics) - top) / depth


def _next_milder(macrovector: str, one: _Class) -> Iterator[float]:
    """Scores of the macrovectors that are one level lower in the class alone."""
    for digit in one.digits:
        level = int(macrovector[digit]) + 1
        lower = f"{macrovector[:digit]}{level}{macrovector[digit + 1 :]}"
        if lower in _scores():
            yield _scores()[lower]
