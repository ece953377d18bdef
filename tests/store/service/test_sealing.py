import pytest
from cryptography.fernet import Fernet

from mergegate.errors import StoreError, UsageError
from mergegate.store.service.sealing import Sealer, new_key

OLD, NEW, OTHER = new_key(), new_key(), new_key()


def test_what_is_sealed_opens_and_shows_nothing() -> None:
    sealer = Sealer([NEW])
    sealed = sealer.seal("glpat-sesame")
    assert sealer.open(sealed) == "glpat-sesame"
    assert "sesame" not in sealed
    assert sealed != sealer.seal("glpat-sesame")


def test_the_first_key_seals_and_every_key_opens() -> None:
    sealed = Sealer([OLD]).seal("token")
    both = Sealer([NEW, OLD])
    assert both.open(sealed) == "token"
    assert Sealer([NEW]).open(both.seal("token")) == "token"


def test_a_secret_that_was_sealed_anew_opens_with_the_first_key_alone() -> None:
    sealed = Sealer([NEW, OLD]).reseal(Sealer([OLD]).seal("token"))
    assert Sealer([NEW]).open(sealed) == "token"
    with pytest.raises(StoreError, match="opens with none of the keys"):
        Sealer([OLD]).open(sealed)


@pytest.mark.parametrize("sealed", ["", "token", "gAAAA", "\N{SNOWMAN}"])
def test_what_nobody_sealed_does_not_open(sealed: str) -> None:
    with pytest.raises(StoreError, match="opens with none of the keys"):
        Sealer([NEW]).open(sealed)


def test_a_secret_that_was_tampered_with_does_not_open() -> None:
    sealed = Sealer([NEW]).seal("token")
    flipped = sealed[:40] + ("A" if sealed[40] != "A" else "B") + sealed[41:]
    with pytest.raises(StoreError):
        Sealer([NEW]).open(flipped)


@pytest.mark.parametrize("keys", [[], [""], ["short"], [OLD, "not a key"], ["\N{SNOWMAN}" * 44]])
def test_a_key_that_is_none_is_refused_without_being_told(keys: list[str]) -> None:
    with pytest.raises(UsageError, match="key") as refused:
        Sealer(keys)
    assert OLD not in str(refused.value)
    assert "MERGEGATE_SECRET_KEYS" in refused.value.remedy


def test_no_key_stands_in_a_representation() -> None:
    assert OTHER not in repr(Sealer([OTHER]))


def test_new_keys_are_keys_of_fernet_and_differ() -> None:
    assert Fernet(OLD)
    assert OLD != NEW
