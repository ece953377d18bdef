"""Scores of CVSS vectors: FIRST's published examples, and another implementation as the measure."""

import random
from collections.abc import Mapping

import cvss as measure
import pytest

from mergegate.packages.advisories.cvss import rating, score
from mergegate.packages.advisories.records import read_record

IMPACT = {"C": "HLN", "I": "HLN", "A": "HLN"}
V2 = {"AV": "LAN", "AC": "HML", "Au": "MSN", "C": "NPC", "I": "NPC", "A": "NPC"}
V3 = {"AV": "NALP", "AC": "LH", "PR": "NLH", "UI": "NR", "S": "UC"} | IMPACT
V4 = (
    {"AV": "NALP", "AC": "LH", "AT": "NP", "PR": "NLH", "UI": "NPA"}
    | {f"V{name}": values for name, values in IMPACT.items()}
    | {f"S{name}": values for name, values in IMPACT.items()}
)
V4_OTHERS = (
    {f"M{name}": f"X{values}" for name, values in V4.items()}
    | {"MSI": "XSHLN", "MSA": "XSHLN"}
    | {"E": "XAPU", "CR": "XHML", "IR": "XHML", "AR": "XHML"}
)
EACH = 3_000

# https://www.first.org/cvss/v2/guide, section 3.3, and by its equations for AV:A and Au:S.
PUBLISHED_V2 = [
    ("AV:N/AC:L/Au:N/C:N/I:N/A:C", 7.8),
    ("AV:N/AC:L/Au:N/C:C/I:C/A:C", 10.0),
    ("AV:L/AC:H/Au:N/C:C/I:C/A:C", 6.2),
    ("AV:N/AC:L/Au:N/C:P/I:P/A:P", 7.5),
    ("AV:N/AC:L/Au:N/C:N/I:N/A:N", 0.0),
    ("AV:A/AC:L/Au:N/C:C/I:C/A:C", 8.3),
    ("AV:N/AC:L/Au:S/C:P/I:P/A:P", 6.5),
]
# https://www.first.org/cvss/v3-1/examples, and NVD.
PUBLISHED_V3 = [
    ("CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H", 9.8),
    ("CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H", 10.0),
    ("CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N", 6.1),
    ("CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H", 7.5),
    ("CVSS:3.1/AV:L/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H", 7.8),
    ("CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:L/I:N/A:N", 3.7),
    ("CVSS:3.1/AV:A/AC:L/PR:N/UI:N/S:C/C:H/I:N/A:H", 9.3),
    ("CVSS:3.0/AV:N/AC:L/PR:L/UI:N/S:C/C:L/I:L/A:N", 6.4),
    ("CVSS:3.0/AV:A/AC:L/PR:N/UI:N/S:C/C:H/I:N/A:H", 9.3),
    ("CVSS:3.0/AV:P/AC:H/PR:H/UI:R/S:U/C:L/I:N/A:N", 1.6),
    ("CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N", 0.0),
    ("CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H/E:P/RL:O", 9.8),
]
OPENSHIFT = "AV:N/AC:L/AT:P/PR:N/UI:N/VC:H/VI:L/VA:L/SC:N/SI:N/SA:N"  # CVE-2023-3089
# https://www.first.org/cvss/v4.0/examples
PUBLISHED_V4 = [
    ("AV:L/AC:L/AT:P/PR:L/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N", 7.3),  # CVE-2022-41741
    ("AV:N/AC:L/AT:P/PR:N/UI:P/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N", 7.7),  # CVE-2020-3549
    ("AV:N/AC:L/AT:P/PR:N/UI:P/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N/E:U", 5.2),
    (OPENSHIFT, 8.3),
    (f"{OPENSHIFT}/CR:H/IR:L/AR:L/MAV:N/MAC:H/MVC:H/MVI:L/MVA:L", 8.1),
    ("AV:L/AC:L/AT:N/PR:N/UI:A/VC:L/VI:N/VA:N/SC:N/SI:N/SA:N", 4.6),  # CVE-2021-44714
    ("AV:N/AC:L/AT:N/PR:N/UI:A/VC:N/VI:N/VA:N/SC:L/SI:L/SA:N", 5.1),  # CVE-2022-21830
    ("AV:N/AC:L/AT:N/PR:N/UI:N/VC:N/VI:N/VA:N/SC:L/SI:L/SA:N", 6.9),  # CVE-2022-22186
    ("AV:L/AC:L/AT:N/PR:H/UI:N/VC:N/VI:N/VA:N/SC:H/SI:N/SA:N", 5.9),  # CVE-2023-21989
    ("AV:L/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:H/SI:H/SA:H", 9.4),  # CVE-2020-3947
    ("AV:P/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:H/SA:N/S:P/V:D", 8.3),  # CVE-2023-30560
    ("AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N/E:A", 8.7),  # CVE-2014-0160
    ("AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:H/SI:H/SA:H/E:A", 10.0),  # CVE-2021-44228
    ("AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N/E:A", 9.3),  # CVE-2014-6271
    ("AV:A/AC:L/AT:N/PR:N/UI:N/VC:N/VI:L/VA:N/SC:H/SI:N/SA:H", 6.4),  # CVE-2013-6014
    ("AV:N/AC:L/AT:P/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N", 9.2),
    ("AV:N/AC:L/AT:N/PR:N/UI:N/VC:N/VI:N/VA:N/SC:N/SI:N/SA:N", 0.0),
]
NO_VECTORS = [
    "CVSS:4.0/AV:N",
    "CVSS:4.0/AV:X/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N",
    "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:S/SA:N",
    "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N/E:",
    "CVSS:4.1/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N",
    "CVSS:3.1/AV:N/AC:L",
    "CVSS:3.1/AV:X/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H",
    "AV:N/AC:L/Au:X/C:C/I:C/A:C",
    "9.8",
    "",
]


def a_vector(dice: random.Random, values: Mapping[str, str]) -> str:
    return "/".join(f"{name}:{dice.choice(allowed)}" for name, allowed in values.items())


@pytest.mark.parametrize(
    ("vector", "published"),
    [
        *PUBLISHED_V2,
        *PUBLISHED_V3,
        *((f"CVSS:4.0/{given}", value) for given, value in PUBLISHED_V4),
    ],
)
def test_published_examples_have_their_score(vector: str, published: float) -> None:
    assert score(vector) == published


@pytest.mark.parametrize("vector", NO_VECTORS)
def test_what_is_no_whole_vector_has_no_score(vector: str) -> None:
    assert score(vector) is None


def test_version_2_is_measured() -> None:
    dice = random.Random(2)
    vectors = [a_vector(dice, V2) for _ in range(EACH)]
    assert [(one, score(one)) for one in vectors] == [
        (one, float(measure.CVSS2(one).base_score)) for one in vectors
    ]


@pytest.mark.parametrize("version", ["3.0", "3.1"])
def test_version_3_is_measured(version: str) -> None:
    dice = random.Random(3)
    vectors = [f"CVSS:{version}/{a_vector(dice, V3)}" for _ in range(EACH)]
    assert [(one, score(one)) for one in vectors] == [
        (one, float(measure.CVSS3(one).base_score)) for one in vectors
    ]


@pytest.mark.parametrize("others", [{}, V4_OTHERS], ids=["base", "all metrics"])
def test_version_4_is_measured(others: Mapping[str, str]) -> None:
    dice = random.Random(4)
    vectors = [f"CVSS:4.0/{a_vector(dice, {**V4, **others})}" for _ in range(EACH)]
    assert [(one, score(one)) for one in vectors] == [
        (one, float(measure.CVSS4(one).base_score)) for one in vectors
    ]


def test_a_score_has_a_word() -> None:
    scores = (10.0, 9.0, 8.9, 7.0, 6.9, 4.0, 3.9, 0.1, 0.0)
    words = " ".join(rating(one) or "none" for one in scores)
    assert words == "critical critical high high medium medium low low none"


def test_an_advisory_with_a_vector_of_version_4_alone_is_as_severe_as_its_score() -> None:
    vector = "CVSS:4.0/AV:N/AC:L/AT:P/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N"
    (read,) = read_record(
        {
            "id": "T-1",
            "severity": [{"type": "CVSS_V4", "score": vector}],
            "database_specific": {"severity": "HIGH"},
            "affected": [{"package": {"ecosystem": "PyPI", "name": "a"}}],
        }
    )
    assert (read.record.severity, read.record.cvss) == ("critical", 9.2)
