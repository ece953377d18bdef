"""The fast searches find exactly what the plain patterns they stand for would find."""

import random
import re
import subprocess
import sys

import pytest

from mergegate.secrets import prefilter
from mergegate.secrets.detectors import DETECTORS
from mergegate.secrets.formats import _ACCEPTED, _FORMATS
from mergegate.secrets.prefilter import ATTENTION, INNER_LITERALS, keyword_places, token_places
from mergegate.secrets.source import Source
from tests.secrets.mint import samples

KEYWORD = re.compile("pass|pwd|secret|token|key|cred|auth|salt")
LETTERS = ("secre", "tok", "passw", "pwd", "auth", "salt", "cred", "key", "ken", "s", "t", "c", " ")


def keywords(source: Source) -> list[tuple[int, int]]:
    return [match.span() for match in KEYWORD.finditer(source.lower)]


@pytest.mark.parametrize("seed", range(20))
def test_stems_are_those_of_one_pattern_in_its_order(seed: int) -> None:
    dice = random.Random(seed)
    source = Source("".join(dice.choices(LETTERS, k=2000)).encode())
    assert list(keyword_places(source)) == keywords(source) != []


@pytest.mark.parametrize("seed", range(20))
def test_stems_on_the_edge_of_a_piece_are_found_once(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prefilter, "_PIECE", 7)
    dice = random.Random(seed)
    source = Source("".join(dice.choices(LETTERS, k=300)).encode())
    assert list(keyword_places(source)) == keywords(source)


def places(text: str) -> list[int]:
    """What the searches stand for: long words that hold a lead, then every lead of the text."""
    words = re.findall(r"[A-Za-z0-9_.+/=:~%@-]{20,}", text)
    found = any(ATTENTION.search(word) for word in words)
    leads = [match.start() for match in ATTENTION.finditer(text)] if found else []
    inner = (x for x in INNER_LITERALS if any(x in word for word in words))
    return leads + [match.start() for x in inner for match in re.finditer(re.escape(x), text)]


@pytest.mark.parametrize("opening", ["", " ", "x", "_", ".", "=", "a b ", "\xe9", '"'])
def test_leads_are_those_of_one_pattern(opening: str) -> None:
    for value in [*samples(1).values(), "https://acme.webhook.office.com/" + "a" * 30]:
        text = f"{opening}{value}\nand ghp_ then"
        assert list(token_places(Source(text.encode("latin-1")))) == places(text), text


def test_no_lead_in_a_short_word_draws_attention() -> None:
    assert list(token_places(Source(b"ghp_short and AKIA too, but test_of_a_long_name_here"))) == []


def test_what_a_format_names_is_there_and_all_of_it_is_named() -> None:
    assert {form.accepts for form in _FORMATS.values()} == _ACCEPTED.keys()
    assert {form.detector for form in _FORMATS.values()} <= DETECTORS.keys()


def test_worker_has_no_client_for_the_network() -> None:
    asked = "import mergegate.secrets.worker, sys; print('requests' in sys.modules)"
    told = subprocess.run([sys.executable, "-I", "-c", asked], capture_output=True, check=True)
    assert told.stdout == b"False\n"


def test_client_for_the_network_is_found_by_those_who_need_it() -> None:
    asked = "import mergegate.secrets.mask, requests; print(requests.Session.__name__)"
    told = subprocess.run([sys.executable, "-I", "-c", asked], capture_output=True, check=True)
    assert told.stdout == b"Session\n"
