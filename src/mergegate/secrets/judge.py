"""What a value is worth under the name it has: detector and confidence, or nothing."""

import re
from dataclasses import dataclass

from mergegate.core.severity import Confidence
from mergegate.secrets import filters
from mergegate.secrets.checksums import user_and_password
from mergegate.secrets.detectors import DETECTORS
from mergegate.secrets.names import Promise, promise

HIGH, MEDIUM, LOW = Confidence.HIGH, Confidence.MEDIUM, Confidence.LOW

Judgement = tuple[str, Confidence]

CRYPT = re.compile(
    r"\$(?:2[abxy]?|1|5|6|7|y|apr1|argon2\w{1,2}|P|H|S|pbkdf2\S{0,12})\$[^\s:\"']{8,200}"
    r"|\{S?SHA\d*\}[A-Za-z0-9+/=]{20,}|(?:pbkdf2|bcrypt|argon2|scrypt)_?\w*\$[^\s:\"']{20,200}"
    r"|\*[0-9A-F]{40}|md5[0-9a-f]{32}|SCRAM-SHA-256\$\S{40,}"
    r"|(?:unsalted_)?(?:md5|sha(?:1|224|256|384|512))\$[^\s$:\"']{0,64}\$[0-9a-f]{32,128}"
)
_HASHED = re.compile(r"(?:hash(?!icorp)|digest)(?!.*(?:key|token|secret|salt))", re.IGNORECASE)
_DIGEST = re.compile(r"(?:[0-9a-fA-F]{32}|[0-9a-fA-F]{40}|[0-9a-fA-F]{64}|[0-9a-fA-F]{128})")
"""MD5, SHA-1, SHA-256 and SHA-512."""
_NAMED = tuple(
    (one.id, re.compile(look.name), re.compile(look.pattern))
    for one in DETECTORS.values()
    for look in one.names
)


@dataclass(frozen=True, slots=True)
class Setting:
    """What surrounds an assignment."""

    name: str
    configuration: bool
    """A file that holds settings rather than code."""
    login: bool
    """A user, host or the like is set close by."""
    users: frozenset[str] = frozenset()
    """The names of all users that are set close by, in small letters: a password that is the only
    one's name is tried first, and one more user beside the real one shows nothing."""


def judge(promised: Promise, value: str, setting: Setting) -> Judgement | None:
    """None: not a secret. Passwords may be weak and real; machine-made secrets look it."""
    if not 3 <= len(value) <= 400 or filters.is_placeholder(value) or filters.is_between(value):
        return None
    if promised is Promise.LOGIN:
        return _login(value)
    if CRYPT.fullmatch(value) or (_HASHED.search(setting.name) and _DIGEST.fullmatch(value)):
        return "password-hash", MEDIUM
    if filters.is_prose(value) or filters.is_pattern(value):
        drawn = promised is Promise.PASSWORD and filters.is_passphrase(value)
        return ("password-literal", MEDIUM) if drawn else None
    named = _named(value, setting.name.lower())
    if named:
        return named, HIGH
    return _password(value, setting) if promised is Promise.PASSWORD else _secret(value, setting)


def _named(value: str, name: str) -> str | None:
    for detector, names, shape in _NAMED:
        if filters.is_repetitive(value):
            return None
        if names.search(name) and shape.fullmatch(value):
            return detector
    return None


def _login(value: str) -> Judgement | None:
    password = user_and_password(value)
    if not password and len(value) >= 32 and filters.is_random(value):
        return None if filters.is_worded(value) else ("token-literal", MEDIUM)
    if len(value) < 12 or not password or filters.is_placeholder(password):
        return None
    return "basic-auth", (LOW if filters.is_common(password) else HIGH)


def _password(value: str, setting: Setting) -> Judgement | None:
    if filters.is_common(value) or (value.isalpha() and setting.users == {value.lower()}):
        return ("default-password", LOW) if setting.configuration else None
    generated = filters.is_salt(value) or filters.is_uuid(value) or filters.is_random(value)
    if filters.is_expression(value) and not filters.is_salt(value):
        return None
    if generated:
        return "password-literal", HIGH
    if value.isalpha() or filters.is_name(value):
        return _word(value, setting)
    return _chosen(value, setting)


def _chosen(value: str, setting: Setting) -> Judgement | None:
    """A password that a person made up: the more kinds of characters, the surer."""
    kinds = filters.classes(value)
    if len(value) < 6 or (kinds < 2 and not setting.configuration):
        return None
    strong = kinds >= 3 and len(value) >= 8
    return "password-literal", (HIGH if strong else MEDIUM if kinds >= 2 else LOW)


def _word(value: str, setting: Setting) -> Judgement | None:
    """Words are a password of settings: one where a login stands beside it, or several."""
    if not setting.configuration:
        return None
    if value.isalpha():
        return ("password-literal", MEDIUM) if setting.login and len(value) >= 5 else None
    return ("password-literal", MEDIUM if setting.login else LOW) if _is_phrase(value) else None


def _is_phrase(value: str) -> bool:
    """Words by hyphens that are not themselves the name of a secret: ``shop-db-password``."""
    return filters.are_hyphenated(value) and promise(value) is None


def _secret(value: str, setting: Setting) -> Judgement | None:
    if filters.is_uuid(value):
        return "token-literal", (MEDIUM if setting.configuration else LOW)
    generated = filters.is_salt(value)
    if not generated and (filters.is_common(value) or filters.is_expression(value)):
        return None
    drawn = filters.is_random(value.removeprefix("0x"))
    if generated or (drawn and not filters.is_worded(value)):
        insecure = value.startswith("django-insecure-")
        return "token-literal", (LOW if insecure else HIGH if len(value) >= 24 else MEDIUM)
    by_hand = setting.name.lower().rstrip("s").endswith(("secret", "secret_key", "secretkey"))
    strong = filters.classes(value) >= 3 and len(value) >= 10 and not filters.is_name(value)
    phrase = setting.configuration and value.count("-") > 2 and _is_phrase(value)
    if not (by_hand and (strong or phrase)):
        return None
    return "token-literal", (MEDIUM if setting.configuration else LOW)
