"""CVSS base scores from vectors: versions 2, 3.0 and 3.1 by FIRST's equations.

Version 4.0 has no closed equation (it looks scores up in a table of expert rankings). Its vector
is read as the 3.1 vector it resembles, for a severity only: no score is given for it.
"""

import math

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


def base_score(vector: str) -> float | None:
    """0.0–10.0; None for a vector of another version or one that is not complete."""
    try:
        if vector.startswith(("CVSS:3.0/", "CVSS:3.1/")):
            return _v3(_metrics(vector), vector[5:8])
        if vector.startswith("AV:"):
            return _v2(_metrics(vector))
    except KeyError:
        return None
    return None


def label(vector: str) -> str:
    """``critical`` … ``low`` by the score, that of a look-alike for 4.0; empty when unknown."""
    if vector.startswith("CVSS:4.0/"):
        try:
            return rating(_v3(_as_v3(_metrics(vector)), "3.1"))
        except KeyError:
            return ""
    score = base_score(vector)
    return "" if score is None else rating(score)


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


def _as_v3(metrics: dict[str, str]) -> dict[str, str]:
    """The 3.1 metrics that say about the same; harm to other systems is a changed scope."""
    beyond = any(metrics.get(name, "N") != "N" for name in ("SC", "SI", "SA"))
    hard = metrics["AC"] == "H" or metrics.get("AT", "N") == "P"
    return {
        "AV": metrics["AV"],
        "AC": "H" if hard else "L",
        "PR": metrics["PR"],
        "UI": "N" if metrics["UI"] == "N" else "R",
        "S": "C" if beyond else "U",
        "C": metrics["VC"],
        "I": metrics["VI"],
        "A": metrics["VA"],
    }
