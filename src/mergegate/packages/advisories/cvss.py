"""CVSS scores from vectors: versions 2, 3.0 and 3.1 by FIRST's equations, 4.0 by its table."""

import math

from mergegate.packages.advisories import cvss4

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
            return cvss4.score(metrics)
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
    """To one decimal, upwards; 3.1 states how (appendix A), 3.0 leaves it to the machine."""
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
