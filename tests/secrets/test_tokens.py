"""Every entry of the detectors: its hit, its near-miss, and what only resembles a token."""

import pytest

from mergegate.core.severity import Confidence
from mergegate.secrets import plugins
from mergegate.secrets.checksums import PROOFS
from mergegate.secrets.detectors import DETECTORS, Detector, Family, Look, Nearby, Shape
from mergegate.secrets.prefilter import TOKENS
from mergegate.secrets.scan import scan
from tests.secrets.mint import minted

LOOKS = [
    (one, look) for one in DETECTORS.values() for look in one.looks if not isinstance(look, Nearby)
]
SHAPES = [(token.id, token.shape) for token in TOKENS]


def told(text: str) -> set[str]:
    return {match.detector for match in scan(text.encode()).matches}


@pytest.mark.parametrize(("detector", "look"), LOOKS, ids=lambda one: getattr(one, "id", ""))
def test_the_hit_is_told_and_the_near_miss_is_not(detector: Detector, look: Look) -> None:
    assert told(minted(look.hit)) == {detector.id}
    assert detector.id not in told(minted(look.near_miss))


@pytest.mark.parametrize(("detector", "shape"), SHAPES)
@pytest.mark.parametrize("line", ["{}", "x = call('{}', 1)", "DATA={} # note", '  "a": "{}",'])
def test_token_is_found_wherever_it_stands(detector: str, shape: Shape, line: str) -> None:
    found = scan(line.format(minted(shape.hit)).encode(), ".py").matches
    assert [match.detector for match in found] == [detector]


@pytest.mark.parametrize("seed", range(5))
def test_hardly_a_token_escapes_by_chance(seed: int) -> None:
    missed = [one.id for one, look in LOOKS if one.id not in told(minted(look.hit, seed))]
    assert len(missed) <= 1


def test_every_detector_is_whole() -> None:
    for one in DETECTORS.values():
        assert one.title
        assert one.issuer or one.family is not Family.TOKEN or one.id == "age-key"
        assert one.public is None or one.public.reference.startswith("https://")
        assert one.in_trees or one.in_pages
        assert one.in_trees or not [x for x in one.looks if not isinstance(x, Nearby)]


def test_every_proof_and_plugin_that_an_entry_names_is_there_and_every_proof_is_asked() -> None:
    assert {shape.proof for _, shape in SHAPES if shape.proof} == PROOFS.keys()
    assert {shape.plugin for _, shape in SHAPES if shape.plugin} <= set(plugins.__all__)


def test_every_detector_nearby_is_there() -> None:
    assert {look.other for one in DETECTORS.values() for look in one.nearby} <= DETECTORS.keys()


def test_every_plugin_has_the_patterns_that_are_asked_of_it() -> None:
    assert all(token.patterns for token in TOKENS)


def test_token_with_a_wrong_checksum_is_less_sure() -> None:
    right = minted("ghp_<alnum:30><crc62>")
    wrong = right[:-1] + ("A" if right[-1] != "A" else "B")
    sure, unsure = scan(right.encode()).matches[0], scan(wrong.encode()).matches[0]
    assert (sure.confidence, unsure.confidence) == (Confidence.HIGH, Confidence.MEDIUM)


@pytest.mark.parametrize(
    "text",
    [
        "ghp_" + "x" * 36,
        "ghp_" + "abcdefghijklmnopqrstuvwxyz0123456789",
        "AKIA" + "IOSFODNN7" + "EXAMPLE",
        "AKIA" + "0189018901890189",
        "sk_live_" + "x" * 24,
        "sk_live_...",
        "SK" + "ILLS" + "a" * 20,
        "SG.example",
        "xoxb-your-token",
        "xoxb-" + "1234567890-" * 2 + "abcdefghijklmnopqrstuvwx",
        "glpat-" + "1" * 20,
        "dapi" + "0" * 32,
        "https://hooks.slack.com/services/T00000000/B00000000/" + "X" * 24,
        "eyJhbGciOi.eyJzdWIiOi.not-a-token-at-all-really",
        "key-" + "a" * 32,
        "hf_transfer",
        "npm_config_registry",
        "npm_package_config_some_value_that_is_long_name",
        "shpat_" + "0" * 32,
        "12:AABBCC",
        "MIIEowIBAAKCAQEA",
        "secret_name_of_the_thing_that_is_quite_long_for_a_name",
        "AccountKey=" + "A" * 86 + "==",
        "DefaultEndpointsProtocol=https;AccountName=devstoreaccount1",
        "hvs.CAESI",
        "https://discord.com/api/webhooks/123/abc",
        "patients.0123456789",
        "pul-request",
        "TASIAN" + "ABCDEFGHIJKLMNOP",
    ],
)
def test_what_only_resembles_a_token_is_left_alone(text: str) -> None:
    assert scan(f"value = '{text}'".encode(), ".py").matches == ()


def test_well_known_emulator_key_is_no_secret() -> None:
    documented = "".join(
        (
            "Eby8vdM02xNOcqFlqUwJPLlmEtlC",
            "DXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq",
            "/K1SZFPTOtr/KBHBeksoGMGw==",
        )
    )
    assert scan(f"AccountKey={documented}".encode()).matches == ()
