"""Who may come in, as far as a block of nginx and those around it say."""

import re
from collections.abc import Iterator, Mapping

from mergegate.repo.checks.infrastructure.dialects.parts import says
from mergegate.repo.facts.documents import Node

_EVERYONE = frozenset({"all", "0.0.0.0/0"})
_LOGINS = ("auth_basic", "auth_request", "auth_jwt", "auth_oidc", "auth_digest")
_LOCAL = re.compile(r"(?:127\.|localhost\b|unix:|\[::1\])")
_GIVES = re.compile(r"2\d\d(?: .*)?", re.DOTALL)
"""A return that answers; what redirects or refuses gives nothing away."""

_Settings = Mapping[str, Node]


def access(line: int, own: _Settings, held: _Settings, around: _Settings) -> dict[str, Node]:
    """What follows of rules of access: those that stand here, and those that hold."""
    derived = {"asks_login": says(line, _asks_login(held))}
    if "listen" in own and all(_LOCAL.match(one.text) for one in own["listen"].each):
        derived["only_local"] = says(line, True)
    if _lets_all_in(held):
        derived["all_let_in"] = held["allow"]
    if _is_first(own):
        derived["all_first"] = own["allow"]
    if _is_alone(own, held):
        derived["allowed_alone"] = own["allow"]
    if (answer := _answer_past(own, held, around)) is not None:
        derived["answers_past"] = answer
    for login in _excepted(own, around):
        derived["login_excepted"] = login
    return derived


def _is_asked(settings: _Settings, login: str) -> bool:
    return login in settings and settings[login].text != "off"


def _excepted(own: _Settings, around: _Settings) -> Iterator[Node]:
    """Logins that are taken away from the block."""
    for login in _LOGINS:
        if login in own and own[login].text == "off" and _is_asked(around, login):
            yield own[login]


def _asks_login(held: _Settings) -> bool:
    return any(_is_asked(held, one) for one in _LOGINS)


def _lines(settings: _Settings, name: str) -> Iterator[int]:
    """Where a rule of access is about everyone."""
    if name in settings:
        yield from (one.line for one in settings[name].each if one.text in _EVERYONE)


def _lets_all_in(held: _Settings) -> bool:
    """Whether a list of addresses lets everyone in before it denies everyone."""
    allowed, denied = list(_lines(held, "allow")), list(_lines(held, "deny"))
    return bool(allowed) and (not denied or min(allowed) < min(denied))


def _is_first(own: _Settings) -> bool:
    """Whether a list of addresses lets everyone in before it denies somebody."""
    if "deny" not in own:
        return False
    first = min((one.line for one in own["deny"].each), default=0)
    return any(line < first for line in _lines(own, "allow"))


def _is_alone(own: _Settings, held: _Settings) -> bool:
    """Whether addresses are allowed, and nothing keeps out the others."""
    if "allow" not in own or not {"deny", "include", "return"}.isdisjoint(own):
        return False
    by_login = "satisfy" in held and held["satisfy"].text == "any" and _asks_login(held)
    return not by_login and not any(_lines(own, "allow"))


def _answer_past(own: _Settings, held: _Settings, around: _Settings) -> Node | None:
    """A return with an answer where addresses are denied, which are not asked then."""
    if "return" not in own or "deny" not in held:
        return None
    is_reached = "deny" in own or not ("internal" in held or _is_named(own) or _is_named(around))
    answers = (one for one in own["return"].each if _GIVES.fullmatch(one.text))
    return next(answers, None) if is_reached else None


def _is_named(settings: _Settings) -> bool:
    return "argument" in settings and settings["argument"].text.startswith("@")
