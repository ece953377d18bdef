import pytest
from cryptography.fernet import Fernet

from mergegate.core.errors import StoreError, UsageError
from mergegate.host.store.sealing import Place, Sealer, new_key

OLD, NEW, OTHER = new_key(), new_key(), new_key()
HERE: Place = ("connection", "acc_1", "gitlab", "https://gitlab.example.org")


def test_what_is_sealed_opens_and_shows_nothing() -> None:
    sealer = Sealer([NEW])
    sealed = sealer.seal("glpat-sesame", HERE)
    assert sealer.open(sealed, HERE) == "glpat-sesame"
    assert "sesame" not in sealed
    assert sealed != sealer.seal("glpat-sesame", HERE)


@pytest.mark.parametrize(
    "elsewhere",
    [
        ("connection", "acc_2", "gitlab", "https://gitlab.example.org"),
        ("connection", "acc_1", "github", "https://gitlab.example.org"),
        ("connection", "acc_1", "gitlab", "https://thief.example.org"),
        ("hook", "acc_1", "gitlab", "https://gitlab.example.org"),
        ("connection", "acc_1", "gitlab https://gitlab.example.org"),
        (),
    ],
)
def test_a_secret_opens_nowhere_but_where_it_belongs(elsewhere: Place) -> None:
    sealer = Sealer([NEW, OLD])
    with pytest.raises(StoreError, match="opens with none of the keys"):
        sealer.open(sealer.seal("token", HERE), elsewhere)


def test_the_given_key_itself_opens_no_secret_that_belongs_somewhere() -> None:
    """Else who takes the binding off a secret could pass it as one of an earlier release."""
    sealed = Sealer([NEW]).seal("token", HERE)
    with pytest.raises(StoreError):
        Sealer([OLD, NEW]).open(sealed, ())


def test_a_secret_of_an_earlier_release_opens_until_its_key_is_let_go() -> None:
    earlier = Fernet(OLD).encrypt(b"token").decode()
    assert Sealer([NEW, OLD]).open(earlier, HERE) == "token"
    with pytest.raises(StoreError):
        Sealer([NEW]).open(earlier, HERE)


def test_the_first_key_seals_and_every_key_opens() -> None:
    sealed = Sealer([OLD]).seal("token", HERE)
    both = Sealer([NEW, OLD])
    assert both.open(sealed, HERE) == "token"
    assert Sealer([NEW]).open(both.seal("token", HERE), HERE) == "token"
    with pytest.raises(StoreError):
        Sealer([OLD]).open(both.seal("token", HERE), HERE)


@pytest.mark.parametrize("sealed", ["", "token", "gAAAA", "\N{SNOWMAN}"])
def test_what_nobody_sealed_does_not_open(sealed: str) -> None:
    with pytest.raises(StoreError, match="opens with none of the keys"):
        Sealer([NEW]).open(sealed, HERE)


def test_a_secret_that_was_tampered_with_does_not_open() -> None:
    sealed = Sealer([NEW]).seal("token", HERE)
    flipped = sealed[:40] + ("A" if sealed[40] != "A" else "B") + sealed[41:]
    with pytest.raises(StoreError):
        Sealer([NEW]).open(flipped, HERE)


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
