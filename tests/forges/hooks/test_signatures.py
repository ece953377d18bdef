"""Only who knows the secret is listened to."""

import base64
import datetime as dt

import pytest

from mergegate.core.change import Provider
from mergegate.forges.deliveries import Delivery
from mergegate.forges.hooks import delivery_of, is_genuine
from tests.forges.hooks.saying import NOW, SECRET, delivery, hub, standard

BODY = b'{"a": 1}'
HUB = {Provider.GITHUB: "x-hub-signature-256", Provider.BITBUCKET: "x-hub-signature"}


def by_hub(provider: Provider, said: str, body: bytes = BODY) -> bool:
    return is_genuine(provider, Delivery({HUB[provider]: said}, body), SECRET, NOW)


@pytest.mark.parametrize("provider", HUB)
def test_the_right_digest_of_the_raw_bytes_is_genuine(provider: Provider) -> None:
    assert by_hub(provider, hub(BODY))


# The example of https://docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries
def test_the_example_that_github_gives_is_genuine() -> None:
    said = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"
    given = Delivery({"x-hub-signature-256": said}, b"Hello, World!")
    assert is_genuine(Provider.GITHUB, given, b"It's a Secret to Everybody", NOW)


@pytest.mark.parametrize("provider", HUB)
@pytest.mark.parametrize(
    "said", ["", "sha256=", "sha256=00", "sha1=" + "0" * 40, hub(BODY, b"other"), "sha256=é" * 9]
)
def test_any_other_digest_is_not(provider: Provider, said: str) -> None:
    assert not by_hub(provider, said)


@pytest.mark.parametrize("provider", HUB)
def test_another_body_of_the_same_meaning_is_not_genuine(provider: Provider) -> None:
    assert not by_hub(provider, hub(BODY), b'{"a":1}')


def test_the_token_of_gitlab_is_genuine() -> None:
    given = delivery(BODY, x_gitlab_token=SECRET.decode())
    assert is_genuine(Provider.GITLAB, given, SECRET, NOW)


@pytest.mark.parametrize("said", ["", "wrong", SECRET.decode() + " ", SECRET.decode().upper()])
def test_any_other_token_is_not(said: str) -> None:
    assert not is_genuine(Provider.GITLAB, delivery(BODY, x_gitlab_token=said), SECRET, NOW)


def test_a_signature_of_gitlab_is_genuine() -> None:
    assert is_genuine(Provider.GITLAB, delivery(BODY, **standard(BODY)), SECRET, NOW)


def test_a_signing_token_may_be_given_as_gitlab_shows_it() -> None:
    shown = b"whsec_" + base64.b64encode(SECRET)
    assert is_genuine(Provider.GITLAB, delivery(BODY, **standard(BODY)), shown, NOW)


@pytest.mark.parametrize("minutes", [-6, 6])
def test_an_old_signature_is_not_genuine_again(minutes: int) -> None:
    late = NOW + dt.timedelta(minutes=minutes)
    assert not is_genuine(Provider.GITLAB, delivery(BODY, **standard(BODY)), SECRET, late)


@pytest.mark.parametrize("name", ["webhook_id", "webhook_timestamp", "webhook_signature"])
def test_a_changed_part_of_the_signature_is_found_out(name: str) -> None:
    said = {**standard(BODY), name: "1"}
    assert not is_genuine(Provider.GITLAB, delivery(BODY, **said), SECRET, NOW)


def test_a_bad_signature_is_not_saved_by_the_token() -> None:
    said = {**standard(BODY, secret=b"other"), "x_gitlab_token": SECRET.decode()}
    assert not is_genuine(Provider.GITLAB, delivery(BODY, **said), SECRET, NOW)


@pytest.mark.parametrize("provider", Provider)
@pytest.mark.parametrize("secret", [None, b""])
def test_without_a_secret_nothing_is_genuine(provider: Provider, secret: bytes | None) -> None:
    zeros = b"\x00" * 32
    said = {
        "x_hub_signature_256": hub(BODY, zeros),
        "x_hub_signature": hub(BODY, zeros),
        "x_gitlab_token": "\x00" * 32,
    }
    assert not is_genuine(provider, delivery(BODY, **said), secret, NOW)
    assert not is_genuine(provider, delivery(BODY, **standard(BODY, secret=zeros)), secret, NOW)


@pytest.mark.parametrize(
    ("provider", "headers", "name"),
    [
        (Provider.GITHUB, {"x_github_delivery": "d-1"}, "d-1"),
        (Provider.GITLAB, {"idempotency_key": "k-1", "x_gitlab_event_uuid": "e-1"}, "k-1"),
        (Provider.GITLAB, {"x_gitlab_event_uuid": "e-1"}, "e-1"),
        (Provider.BITBUCKET, {"x_request_uuid": "r-1"}, "r-1"),
    ],
)
def test_a_delivery_has_the_name_that_its_forge_gives(
    provider: Provider, headers: dict[str, str], name: str
) -> None:
    assert delivery_of(provider, delivery(BODY, **headers)) == name


@pytest.mark.parametrize("said", ["", "x" * 101, "a\nb"])
def test_a_delivery_without_a_usable_name_is_known_by_its_bytes(said: str) -> None:
    given = delivery(BODY, x_github_delivery=said)
    assert delivery_of(Provider.GITHUB, given) == delivery_of(Provider.GITLAB, delivery(BODY))
    assert len(delivery_of(Provider.GITHUB, given)) == 64
