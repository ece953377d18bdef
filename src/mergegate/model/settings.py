"""Which model is asked, where it is, with which key and how much: policy and environment → values.

The environment alone says where anything goes: a policy may come with a clone of a stranger's
repository, and could name his own server for our key. So a policy names a model and narrows limits.
"""

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

from mergegate.core.errors import UsageError
from mergegate.model.anthropic import ANTHROPIC
from mergegate.model.budget import MICRO, Allowance, Price
from mergegate.model.dialect import Dialect
from mergegate.model.http import Address
from mergegate.model.openai import OPENAI

PROVIDER = "MERGEGATE_MODEL_PROVIDER"
URL = "MERGEGATE_MODEL_URL"
NAME = "MERGEGATE_MODEL_NAME"
KEY = "MERGEGATE_MODEL_KEY"
FILE = "MERGEGATE_MODEL_FILE"
AUTHORITIES = "MERGEGATE_MODEL_CA_FILE"
MOST_MONEY = "MERGEGATE_MODEL_MONEY_PER_MONTH"
LOCAL, OFF = "local", "off"
_DIALECTS: Mapping[str, Dialect] = {one.name: one for one in (OPENAI, ANTHROPIC)}
PROVIDERS = (*_DIALECTS, LOCAL, OFF)
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_LONGEST_NAME = 100


class Priced(Protocol):
    """Prices for a million tokens, as a policy has them."""

    @property
    def input(self) -> float: ...  # noqa: D102
    @property
    def output(self) -> float: ...  # noqa: D102


class Limited(Protocol):
    """The most that a scan may use, as a policy has it."""

    @property
    def calls(self) -> int: ...  # noqa: D102
    @property
    def tokens(self) -> int: ...  # noqa: D102
    @property
    def thinking(self) -> int: ...  # noqa: D102
    @property
    def seconds(self) -> int: ...  # noqa: D102
    @property
    def money(self) -> float | None: ...  # noqa: D102
    @property
    def money_per_month(self) -> float | None: ...  # noqa: D102


class Wish(Protocol):
    """The part ``model`` of a policy: of the base's, wherever there is one."""

    @property
    def provider(self) -> str | None: ...  # noqa: D102
    @property
    def name(self) -> str | None: ...  # noqa: D102
    @property
    def file(self) -> str | None: ...  # noqa: D102
    @property
    def price(self) -> Priced | None: ...  # noqa: D102
    @property
    def limits(self) -> Limited: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class Off:
    """No model is asked."""

    why: str = ""
    """Empty where nobody wants one."""


@dataclass(frozen=True, slots=True)
class Remote:
    """A model behind an address."""

    address: Address
    name: str
    allowance: Allowance
    price: Price | None = None
    key: str = field(default="", repr=False)
    authorities: Path | None = None
    """Who vouches for the host beside those whom this machine trusts."""


@dataclass(frozen=True, slots=True)
class Local:
    """A model in a file of this machine; it costs nothing but time."""

    file: Path
    allowance: Allowance


def chosen(
    wish: Wish, environment: Mapping[str, str], models: Path, *, from_fork: bool = False
) -> Off | Remote | Local:
    """The model that is to be asked.

    ``models`` is the folder of local ones. Raises UsageError for what the environment gets wrong.
    """
    said = {name: environment.get(name, "").strip() for name in (PROVIDER, URL, NAME, KEY, FILE)}
    provider = _provider(said[PROVIDER])
    wanted = {one for one in (wish.provider, provider) if one}
    if not wanted or OFF in wanted:
        return Off()
    if from_fork:
        return Off("a change from a fork is shown to no model")
    if len(wanted) > 1:
        return Off(f"the policy wants another provider than {PROVIDER} names")
    if LOCAL in wanted:
        return _local(wish, said[FILE], models)
    return _remote(wish, said, environment)


def _provider(said: str) -> str:
    if said and said not in PROVIDERS:
        near = difflib.get_close_matches(said[:_LONGEST_NAME].lower(), PROVIDERS, 1)
        meant = f"Did you mean {near[0]}? " if near else ""
        raise UsageError(
            f"{PROVIDER} names no provider",
            remedy=f"{meant}The providers are {', '.join(PROVIDERS)}.",
        )
    return said


def _local(wish: Wish, file: str, models: Path) -> Local | Off:
    if not file and not wish.file:
        return Off(f"no file of a local model is named: set {FILE}, or `model.file`")
    most = _allowance(wish, {})
    # A processor reads a long question in minutes, and nobody else waits for it.
    most = replace(most, call_s=most.total_s)
    return Local(Path(file) if file else models / str(wish.file), most)


def _remote(wish: Wish, said: Mapping[str, str], environment: Mapping[str, str]) -> Remote | Off:
    if not said[KEY].isascii() or not said[KEY].isprintable() or " " in said[KEY]:
        raise UsageError(f"{KEY} is no key", remedy="Give it as it was issued, in one line.")
    dialect = _DIALECTS[said[PROVIDER] or str(wish.provider)]
    name = said[NAME] or wish.name
    if not said[PROVIDER] and not said[URL]:
        return Off(f"the environment names no provider: set {PROVIDER} or {URL}, and {KEY}")
    if not name:
        return Off(f"no model is named: set {NAME}, or `model.name`")
    price = Price(wish.price.input, wish.price.output) if wish.price else None
    allowance = _allowance(wish, environment)
    if lack := _lack(said, allowance, price):
        return Off(lack)
    authorities = environment.get(AUTHORITIES, "").strip()
    return Remote(
        Address(_base(said[URL] or dialect.usual_base, said[KEY]), dialect),
        name,
        allowance,
        price,
        said[KEY],
        Path(authorities) if authorities else None,
    )


def _lack(said: Mapping[str, str], allowance: Allowance, price: Price | None) -> str:
    """Why it cannot be asked; empty where it can."""
    if not said[URL] and not said[KEY]:
        return f"there is no key: set {KEY}"
    if allowance.money_per_month is not None and price is None:
        return f"{MOST_MONEY} cannot be held: the policy has no `model.price`"
    return ""


def _base(url: str, key: str) -> str:
    """The address as it is used; raises UsageError."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname or "", parts.port
    except ValueError as error:
        raise UsageError(f"{URL} is no address") from error
    if parts.scheme not in {"http", "https"} or not host or parts.username is not None:
        raise UsageError(f"{URL} is no address", remedy="Give it as https://HOST/v1.")
    if parts.query or parts.fragment or not url.isascii() or any(one <= " " for one in url):
        raise UsageError(f"{URL} is no base address", remedy="Give it as https://HOST/v1.")
    if parts.scheme == "http" and key and host not in _LOOPBACK:
        raise UsageError(
            f"{KEY} would be sent in the clear", remedy=f"Let {URL} begin with https://."
        )
    return url.rstrip("/")


def _allowance(wish: Wish, environment: Mapping[str, str]) -> Allowance:
    limits = wish.limits
    months = (limits.money_per_month, _most_money(environment))
    least = min((one for one in months if one is not None), default=None)
    return Allowance(
        calls=limits.calls,
        thinking=limits.thinking,
        tokens=limits.tokens,
        total_s=limits.seconds,
        money=_micro(limits.money),
        money_per_month=_micro(least),
    )


def _most_money(environment: Mapping[str, str]) -> float | None:
    said = environment.get(MOST_MONEY, "").strip()
    if not said:
        return None
    try:
        money = float(said)
    except ValueError:
        money = -1.0
    if not 0 <= money < float("inf"):
        raise UsageError(f"{MOST_MONEY} is no sum", remedy="Give it as a number, such as 20.")
    return money


def _micro(money: float | None) -> int | None:
    return None if money is None else round(money * MICRO)
