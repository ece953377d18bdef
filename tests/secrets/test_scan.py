"""What no other text in the same file may do to a secret: hide it, or have it given up unnamed."""

import pytest

from mergegate.secrets import scan as scanning
from mergegate.secrets.filters import is_worded
from mergegate.secrets.prefilter import TOKENS
from mergegate.secrets.scan import MOST_PLACES, scan
from tests.secrets.mint import SAMPLES, minted

REAL = SAMPLES["github-token"]


def told(text: str) -> set[str]:
    return {match.detector for match in scan(text.encode()).matches}


@pytest.mark.parametrize(
    "before",
    [
        "sk-" * 100_000,
        "sk-T3BlbkFJ" * 10_000,
        "xoxb-" * 20_000,
        "a://u:p" * 50_000,
        'password="' * 5_000,
        "-----BEGIN PRIVATE KEY-----" * 5_000,
        "x" * 200_000,
    ],
)
def test_no_text_before_a_token_hides_it_or_holds_the_search_up(before: str) -> None:
    found = scan(f"{before}\n{REAL}\n".encode())
    assert ([match.detector for match in found.matches], found.limit) == (["github-token"], "")


def test_other_keys_before_a_token_do_not_hide_it(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = [minted("sk_test_<alnum:24>", seed) for seed in range(250)]
    monkeypatch.setattr(scanning, "identity", lambda detector, value: value)
    found = scan("\n".join([*keys, REAL]).encode())
    assert (len(found.matches), found.matches[-1].detector) == (251, "github-token")


def test_one_value_is_told_at_its_first_places_and_counted_at_the_others() -> None:
    found = scan("\n".join([*[SAMPLES["npm-token"]] * 50, REAL]).encode())
    lines = [(match.line, match.more) for match in found.matches]
    assert lines == [(1, 30), *((line, 0) for line in range(2, MOST_PLACES + 1)), (51, 0)]


def test_of_too_many_secrets_the_surest_are_told_and_the_limit_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(scanning, "MOST_VALUES", 3)
    keys = [minted("sk_test_<alnum:24>", seed) for seed in range(5)]
    found = scan("\n".join([*keys, REAL]).encode())
    assert [match.detector for match in found.matches][2:] == ["github-token"]
    assert found.limit == "more than 3 different secrets: the others are not told"


def test_too_many_candidates_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scanning, "MOST_HITS", 2)
    found = scan("\n".join([SAMPLES["stripe-test-key"]] * 4).encode())
    assert found.limit == "more than 2 places look like secrets: the others were not judged"


IDENTIFIERS = (
    "nfp_net_tls_resync_request_and_flow_tabs",
    "nfp_cpp_explicit_readback_registers_init",
    "nfp_abm_qdisc_offload_update_statistics_",
    "nfp_x86_avx512_mask_pmov_dw_mem_512_bits",
    "hf_getProcessorArchitectureDescription",
    "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",
    "r8_registerComponentDescriptionProviders",
    "secret_ManagerConfigurationProviderFactoryBeans",
    "pplx-ApplicationConfigurationManagerFactoryProviderBean",
    "phc_registerComponentDescriptionProvidersFactory",
    "tfp_the_quick_brown_fox_jumps_over_a_lazy_dog_and_then_it_rests",
    "AKIDApplicationConfigurationManager",
    "LTAIApplicationManagers",
    "key-deadlock",
)


@pytest.mark.parametrize("name", IDENTIFIERS)
def test_a_name_made_of_words_is_no_token_though_it_has_the_shape(name: str) -> None:
    assert told(f"static int {name}(struct device *dev);\n") == set()


def test_generated_values_are_not_taken_for_words() -> None:
    unproven = [token for token in TOKENS if not token.shape.proof and "/" not in token.shape.hit]
    bodies = [token.body(minted(token.shape.hit, seed)) for token in unproven for seed in range(20)]
    assert sum(map(is_worded, bodies)) <= len(bodies) / 500
