"""What policy and environment come to, and who may say where a key goes."""

from pathlib import Path
from typing import Any

import pytest

from mergegate.core.errors import UsageError
from mergegate.model import settings
from mergegate.model.anthropic import ANTHROPIC
from mergegate.model.budget import Price
from mergegate.model.http import Address
from mergegate.model.openai import OPENAI
from mergegate.model.settings import Local, Off, Remote, chosen
from mergegate.repo.policy_file import read_policy
from mergegate.repo.settings import ModelPolicy, Policy

MODELS = Path("/data/models")
KEYED = {settings.PROVIDER: "openai", settings.KEY: "k-1", settings.NAME: "m-1"}


def wish(**said: Any) -> ModelPolicy:
    return Policy.model_validate({"model": said}).model


def found(environment: dict[str, str], **said: Any) -> Off | Remote | Local:
    return chosen(wish(**said), environment, MODELS)


def remote(environment: dict[str, str], **said: Any) -> Remote:
    got = found(environment, **said)
    assert isinstance(got, Remote), got
    return got


def test_by_default_there_is_none() -> None:
    assert found({}) == found({settings.KEY: "k-1"}) == Off("")


def test_the_environment_alone_is_enough() -> None:
    got = remote(KEYED)
    assert got.address == Address("https://api.openai.com/v1", OPENAI)
    assert (got.name, got.key, got.price) == ("m-1", "k-1", None)


def test_the_policy_names_model_limits_and_prices() -> None:
    environment = {settings.PROVIDER: "anthropic", settings.KEY: "k-1"}
    limits = {
        "calls": 3,
        "tokens": 900,
        "thinking": 50,
        "seconds": 20,
        "money": 0.5,
        "money-per-month": 7,
    }
    prices = {"input": 3, "output": 15}
    got = remote(environment, provider="anthropic", name="m-2", limits=limits, price=prices)
    assert got.address == Address("https://api.anthropic.com/v1", ANTHROPIC)
    assert (got.name, got.price) == ("m-2", Price(3, 15))
    most = got.allowance
    assert (most.calls, most.tokens, most.thinking, most.total_s) == (3, 900, 50, 20)
    assert (most.money, most.money_per_month) == (500_000, 7_000_000)


@pytest.mark.parametrize("key", ["a b", "a\nX: y", "ké"])
def test_what_is_no_key_is_refused_without_being_told(key: str) -> None:
    with pytest.raises(UsageError) as caught:
        found({**KEYED, settings.KEY: key})
    assert key not in str(caught.value)


def test_a_key_is_in_no_text_of_it() -> None:
    assert "k-1" not in repr(remote(KEYED))


_EITHER = f"{settings.PROVIDER} or {settings.URL}"
UNSENT: dict[str, tuple[dict[str, str], dict[str, Any], str]] = {
    "a policy that names a provider does not say where a key goes": (
        {settings.KEY: "k-1"},
        {"provider": "openai", "name": "m-1"},
        f"the environment names no provider: set {_EITHER}, and {settings.KEY}",
    ),
    "another provider": (
        KEYED,
        {"provider": "anthropic"},
        f"the policy wants another provider than {settings.PROVIDER} names",
    ),
    "no name": (
        {settings.PROVIDER: "openai", settings.KEY: "k"},
        {},
        f"no model is named: set {settings.NAME}, or `model.name`",
    ),
    "no key": (
        {settings.PROVIDER: "openai", settings.NAME: "m"},
        {},
        f"there is no key: set {settings.KEY}",
    ),
    "money without prices": (
        {**KEYED, settings.MOST_MONEY: "5"},
        {},
        f"{settings.MOST_MONEY} cannot be held: the policy has no `model.price`",
    ),
    "no file": (
        {},
        {"provider": "local"},
        f"no file of a local model is named: set {settings.FILE}, or `model.file`",
    ),
    "the policy says no": (KEYED, {"provider": "off"}, ""),
    "a bare off": (KEYED, {"provider": False}, ""),
    "the environment says no": (
        {**KEYED, settings.PROVIDER: "off"},
        {"provider": "local", "file": "m.gguf"},
        "",
    ),
}


@pytest.mark.parametrize(("environment", "said", "why"), UNSENT.values(), ids=UNSENT)
def test_without_all_of_it_no_model_is_asked(
    environment: dict[str, str], said: dict[str, Any], why: str
) -> None:
    assert found(environment, **said) == Off(why)


def test_a_fork_is_shown_to_none() -> None:
    got = chosen(wish(), KEYED, MODELS, from_fork=True)
    assert got == Off("a change from a fork is shown to no model")
    assert chosen(wish(), {}, MODELS, from_fork=True) == Off()


def test_the_environment_says_where_and_the_policy_how() -> None:
    environment = {settings.URL: "http://127.0.0.1:8000/v1/"}
    got = remote(environment, provider="anthropic", name="m-1")
    assert got.address == Address("http://127.0.0.1:8000/v1", ANTHROPIC)


ADDRESSES = [
    *("ftp://llm.example.org/v1", "llm.example.org", "https://", "https://ann:pw@llm.example.org"),
    *("https://llm.example.org/v1?a=b", "https://llm.example.org/#v1", "https://llm.example.org:x"),
    *("https://llm.example.org/ v1", "https://[::1", "http://llm.example.org/v1"),
]


@pytest.mark.parametrize("url", ADDRESSES)
def test_a_bad_address_is_refused(url: str) -> None:
    with pytest.raises(UsageError, match="MERGEGATE_MODEL") as caught:
        found({**KEYED, settings.URL: url})
    assert "pw" not in str(caught.value)


def test_without_a_key_an_inner_server_may_be_asked_plainly() -> None:
    environment = {**KEYED, settings.URL: "http://llm.example.org/v1", settings.KEY: ""}
    assert remote(environment).address.port == 80


@pytest.mark.parametrize(("said", "meant"), [("OpenAI", "openai"), ("antropic", "anthropic")])
def test_a_mistyped_provider_has_a_nearest_one(said: str, meant: str) -> None:
    with pytest.raises(UsageError, match=f"Did you mean {meant}"):
        found({settings.PROVIDER: said})


@pytest.mark.parametrize("said", ["x", "-1", "nan", "inf"])
def test_a_sum_is_a_sum(said: str) -> None:
    with pytest.raises(UsageError, match="is no sum"):
        found({**KEYED, settings.MOST_MONEY: said})


def test_the_lower_sum_holds() -> None:
    prices = {"input": 1, "output": 1}
    for own, policy in (("2", 9), ("9", 2)):
        environment = {**KEYED, settings.MOST_MONEY: own}
        got = remote(environment, price=prices, limits={"money-per-month": policy})
        assert got.allowance.money_per_month == 2_000_000


def test_a_local_model_lies_among_the_operators() -> None:
    got = found({}, provider="local", file="fixer.gguf")
    assert isinstance(got, Local) and got.file == MODELS / "fixer.gguf"
    assert got.allowance.call_s == got.allowance.total_s == 180
    named = found({settings.PROVIDER: "local", settings.FILE: "/srv/a.gguf"}, file="b.gguf")
    assert isinstance(named, Local) and named.file == Path("/srv/a.gguf")


MISTAKES = {
    "provider: antropic": "`model.provider`: 'openai', 'anthropic', 'local' or 'off' is wanted;"
    " the nearest is `anthropic`",
    "file: ../repo/m.gguf": "`model.file`",
    "file: /srv/m.gguf": "`model.file`",
    "file: .gguf": "`model.file`",
    "url: https://evil.example.org": "there is no such setting",
    "key: k-1": "there is no such setting",
    "limits: {calls: 1000}": "`model.limits.calls`: a number of at most 100 is wanted",
    "limits: {cals: 1}": "there is no such setting; the nearest is `calls`",
    "limits: {money: 5}": "without `price` no money can be counted",
    "price: {input: cheap, output: 1}": "`model.price.input`: a number is wanted",
}


@pytest.mark.parametrize(("said", "told"), MISTAKES.items(), ids=MISTAKES)
def test_mistakes_of_a_policy_are_told(said: str, told: str) -> None:
    (mistake,) = read_policy(f"model:\n  {said}\n".encode()).mistakes
    assert told in str(mistake)
