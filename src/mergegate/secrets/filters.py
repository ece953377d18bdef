"""Is this value a secret, or a placeholder, a name, an expression? Decided from the value alone."""

import hashlib
import re
from itertools import pairwise

from mergegate.secrets.checksums import decoded
from mergegate.secrets.names import COMMON, FREQUENT_PAIRS, SENTENCE
from mergegate.secrets.plugins import Base64HighEntropyString, HexHighEntropyString

_HEX = HexHighEntropyString()
_BASE64 = Base64HighEntropyString()

# Files are read as Latin-1, so an ellipsis or a bullet that stands for a password is three letters.
_TEMPLATE = re.compile(
    r"\$\{|\$\(|\{\{|\{%|<%|%\(|%s|%d|\$\{\{|\{\d*\}|\{[a-z_.]{1,40}\}|^<[^<>]*(?:>[\])]*)?$|^\[[^\]]*\]?$"
    r"|^\{[A-Z][A-Z_]{1,40}\}$|^\{(?:env|posargs|toxinidir)\b|^\^?\[[^\]]*\][+*?{]"
    r"|^'?\$[A-Za-z_]\w*'?$|^%[A-Za-z_]\w*%$|^@[\w.]+@$|^\*+$|^\.+$|^-+$|^ENC\[|^ENC\(|^!\w|^vault:|^\{cipher\}"
    r"|^(?:\u2026|\u2022|\xe2\x80\xa6|\xe2\x80\xa2)+$|^AQICA|^projects/|^arn:|^op://|^ref\+|^file:|^env:|^secret:|^ssm:|^\{resolve:|__\w+__"
)
_ENCRYPTED = re.compile(
    r"ENC\[(?:AES256_GCM,data:|PKCS7,|KMS,|GPG,|GKMS,)|ENC\([A-Za-z0-9+/=_-]+\)$|\{cipher\}[0-9a-f]{16}"
    r"|vault:v\d+:|AQICA[A-Za-z0-9+/]|gAAAAAB[\w-]{60,}={0,2}$|A[gQ][A-D][A-Za-z0-9+/]{280,}={0,2}$"
    r"|-----BEGIN (?:PGP MESSAGE|AGE ENCRYPTED FILE)-----|\$ANSIBLE_VAULT;"
)
"""How SOPS, eyaml, Jasypt, Spring, Vault, KMS, Fernet, Sealed Secrets, PGP and Ansible begin."""
_DEFAULTED = re.compile(r"[$%]\w{0,20}\{.*\}")
_RULES = re.compile(r"[a-z_]+(?::[\w,.]+)?(?:\|[a-z_]+(?::[\w,.]+)?)+")
"""A list of rules for a field: ``required|string|min:8``."""
_PHRASE = re.compile(r"[a-z]{3,9}(?:[ -][a-z]{3,9}){3,11}")
_HYPHENATED = re.compile(r"(?=.*[a-z])[a-z0-9]{2,14}(?:-[a-z0-9]{2,14}){2,11}")
_LITERAL = re.compile(r"true|false|null|none|nil|undefined|yes|no|on|off|disabled|enabled")
_STAND_IN = re.compile(
    r"example|change[-_ ]?(?:me|it|this)|place[-_ ]?holder|your[-_ ]|^your|x{4,}|\*{3,}"
    r"|\.{3,}|to[-_ ]?do\b|fixme"
    r"|dummy|fake|sample|redacted|masked|hidden|removed|insert[-_ ]|replace|<[a-z -]+>"
    r"|not[-_ ]?(?:a[-_ ]|real|used|set)"
    r"|(?:fill|put)[-_ ]|^(?:enter|type)[-_ ]|lorem|deadbeef|0{8,}|1{8,}"
    r"|(?:0123456789|123456789|abcdefgh)"
    r"|development[-_]only|do[-_]?not[-_]?use|insecure[-_]?(?:key|secret|dev)"
)
_ENCODED = re.compile(r"[A-Za-z0-9+/]{12,400}={0,2}")
_EXPRESSION = re.compile(
    r"^[a-z][a-z0-9+.-]{1,12}://|[a-z_]\w*\(|\)[\]},;.]|\]\.|\)$|=>|::|\|\||&&|this\.|\?\.[a-z]|\$\{[a-z]"
    r"|\bself\.|\)\]\(|^(?P<quote>[\"'`])[ ]?[.+&][ ]?[$\w].*[\w)\]][ ]?[.+&][ ]?(?P=quote)$",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"[,;)\]}][^\"'`]*[:=(\[{,]")
_SEPARATED = re.compile(r"[A-Za-z0-9 _.:/,+-]*")
_LEET = str.maketrans("0134578@$!", "oleastbasi")
_WITHOUT_SIGNS = str.maketrans("", "", "!#*?&^")
_PASSWORD = re.compile(r"[!-~]{12,40}")
# Templates, patterns, forms of dates and addresses have every kind of character, too.
_WRITTEN = re.compile(
    r"[$#]\{|&#|\$\(|\{\{|\{%|<%|%\(|\(\?|\\|\[\^|[A-Za-z0-9]-[zZ9]|\{\d*,?\d*\}|%[a-zA-Z][-:/ ]?%|://|[a-z]{5}"
)
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_ALGORITHM = re.compile(
    r"(?:aes|des|sha|md|hs|rs|es|ps|hmac|pbkdf2|bcrypt|argon2|scrypt|base|utf|latin|oauth|x|rsa|ed|p)"
    r"[-_]?\d{1,5}\w{0,12}(?:[-_]\w{1,12}){0,4}",
    re.IGNORECASE,
)
_NAMESPACED = re.compile(r"\\{0,2}[A-Z][A-Za-z]+(?:\\{1,2}[A-Z][A-Za-z]+){2,12}")
"""A class of PHP or a type of .NET, as it is written in a text or between its quotes."""
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
"""A letter of Thai, Lao, Khmer, Japanese or Chinese, which leave no blanks between words."""
_DOCUMENTED = frozenset(
    # SHA-256 of what vendors and standards print in their own documentation: it opens nothing.
    {
        "0011cc25eb4320717494d2703e8cba85743e71b500283c21c8b88147992f9059",
        "153a182586451358014e3142089118ce38f6c7dc7c79014d3fa40b57f80b4aab",
        "2cafc0970149a84f3b9e62eaf169f36f59907a3b3e31f7b82e68c69cd27f7326",
        "73f71af093fdf1541b2c376f03436d71d1209d8a181f87d36e53a44b87ac4c4f",
        "7e8de44ea9ecf6d53415c90f5b249a8591f7abafbf7d65a2c0d855afeca3ec09",
        "aa6547439583c3a275d4542a0df6c1ad6a863971be9f2a2220f027cc02aef615",
        "cf4d418ed3de92d71f767db5391d5a2dacd40e1ce49e75d1137e2ecf4982d844",
        "f2d6ca16515033e5dce14eba840b979d27b5cbae24bb3e5bf484339667f86397",
    }
)


_EITHER_CASE = re.compile(r"\(([a-z])\|\1\)", re.IGNORECASE)


def is_placeholder(value: str) -> bool:
    """Whether nothing secret stands here: a template, a variable, a stand-in, a documented key."""
    lower = value.lower()
    return (
        len(set(value)) < 3
        or _LITERAL.fullmatch(lower) is not None
        or _ENCRYPTED.match(value) is not None
        or _DEFAULTED.fullmatch(value) is not None
        or (_TEMPLATE.search(value) is not None and not is_salt(value) and not is_password(value))
        or _STAND_IN.search(lower) is not None
        or _says_so(value)
        or _is_run(lower)
        or hashlib.sha256(value.encode("latin-1", "replace")).hexdigest() in _DOCUMENTED
    )


def _says_so(value: str) -> bool:
    """Whether a text in Base64 calls itself a stand-in."""
    if len(value) < 12 or _ENCODED.fullmatch(value) is None:
        return False
    plain = decoded(value)
    return plain.isascii() and _STAND_IN.search(plain.decode().lower()) is not None


def _is_run(lower: str) -> bool:
    """Repeated or counted up: ``abababab``, ``123456``, ``a1b2c3d4``."""
    half = lower[: len(lower) // 2]
    if len(lower) >= 8 and len(set(half)) <= 2:
        return True
    for step in (1, 2):
        pairs = list(zip(lower, lower[step:], strict=False))
        climbing = sum(ord(b) - ord(a) in {0, 1} for a, b in pairs)
        if len(pairs) >= 6 and climbing >= 0.8 * len(pairs):
            return True
    return False


def is_repetitive(value: str) -> bool:
    """Token-shaped, but typed by hand: few different characters, or counted up."""
    return len(value) >= 16 and (len(set(value)) < 9 or _is_run(value[8:].lower()))


def is_worded(value: str) -> bool:
    """Long, and put together from words as identifiers are: ``net_tls_resync_request_id``.

    Of generated values of any alphabet one in a thousand reads like that.
    """
    plain = re.sub(r"[^A-Za-z0-9]", "", value)
    if len(plain) < 16 or "/" in value:
        return False
    digits = sum(character.isdigit() for character in plain) / len(plain)
    fluent = _pronounceable(plain)
    if plain.lower() != plain and plain.upper() != plain:
        camel = digits < 0.12 and fluent >= 0.5 and _turns(plain) / len(plain) < 0.34
        return camel or (digits < 0.05 and fluent >= 0.66)
    joined = value.count("_")
    return digits < (0.4 if joined > 1 else 0.2 if joined else 0.08 if fluent >= 0.45 else 0)


def words(value: str) -> list[str]:
    """Its alphabetic words in lower case: ``superSecret-key_2`` → super, secret, key."""
    return [word.lower() for word in _WORDS.findall(value)]


def is_common(value: str) -> bool:
    """Made of words that people use where a secret belongs: ``my-secret-key``, ``Passw0rd1``."""
    plain = value.translate(_WITHOUT_SIGNS).rstrip("0123456789")
    return any(
        map(_is_made_of_words, (value, value.rstrip("!").translate(_LEET), plain.translate(_LEET)))
    )


def _is_made_of_words(value: str) -> bool:
    found = words(value)
    digits = "".join(character for character in value if character.isdigit())
    counted = len(digits) <= 4 or "1234567890".startswith(digits)
    return counted and _SEPARATED.fullmatch(value) is not None and all(map(_is_word, found))


def _is_word(word: str) -> bool:
    """Common, or several common words written as one."""
    return word in COMMON or any(
        word[:at] in COMMON and (word[at:] in COMMON or (len(word) < 24 and _is_word(word[at:])))
        for at in range(2, len(word) - 1)
    )


def is_name(value: str) -> bool:
    """An identifier, path, address or algorithm rather than a value."""
    if is_password(value):
        return False
    return (
        re.fullmatch(r"[A-Za-z_$#./@:-][A-Za-z_$./:@#\[\]()|,=?&*>-]*", value) is not None
        or _ALGORITHM.fullmatch(value) is not None
        or _NAMESPACED.fullmatch(value) is not None
        or _RULES.fullmatch(value) is not None
        or _is_foreign(value)
        or value.startswith(("/", "./", "../", "~/", "C:\\", "#", "&", "@"))
        or is_expression(value)
    )


def _is_foreign(value: str) -> bool:
    """A word with letters beyond ASCII, or a text without any of ASCII: translations hold both.

    Files are read as Latin-1.
    """
    written = value.encode("latin-1", "replace").decode("utf-8", "replace")
    others = [character for character in written if character.isalpha() and character > "\x7f"]
    foreign = len(others) > 2 and not any(one.isascii() and one.isalnum() for one in written)
    return bool(others) and (written.isalpha() or foreign)


def is_passphrase(value: str) -> bool:
    """Words drawn from a list, as Diceware's, or with blanks between what no sentence holds.

    A sentence has short words, capitals or words that people use of passwords.
    """
    if " " not in value:
        return False
    if _PHRASE.fullmatch(value):
        return not any(word in COMMON or word in SENTENCE for word in re.split("[ -]", value))
    return len(value) < 80 and all(
        len(word) >= 8 and classes(word) >= 3 and not is_name(word) and not _WRITTEN.search(word)
        for word in value.split(" ")
    )


def are_hyphenated(value: str) -> bool:
    """Three words or more, as people make up what they have to remember."""
    return _HYPHENATED.fullmatch(value) is not None and not is_uuid(value)


def is_expression(value: str) -> bool:
    """An address or a piece of code: what stands between quotes by accident."""
    return _EXPRESSION.search(value.strip()) is not None and not is_password(value)


def is_between(value: str) -> bool:
    """Whether it is code that stands between two texts, of which the first holds a name."""
    return _BETWEEN.fullmatch(value) is not None


def is_pattern(value: str) -> bool:
    """Whether it is a regular expression: a letter in either case, and anything after."""
    return _EITHER_CASE.search(value) is not None and value.endswith(".*")


def is_prose(value: str) -> bool:
    """Sentences and labels: blanks between words, where the language has them."""
    written = value.encode("latin-1", "replace").decode("utf-8", "replace")
    if len(_UNSPACED.findall(written)) >= 3 and not re.search(r"[0-9]", written):
        return True
    if " " not in value and "\t" not in value:
        return False
    if is_salt(value):
        return False
    letters = sum(len(word) for word in re.findall(r"[A-Za-z\x80-\xff]{3,}", value))
    return len(value) < 32 or letters * 10 > len(value) * 4


def is_salt(value: str) -> bool:
    """Long and of every kind of character: Django's and WordPress's generated keys."""
    symbols = sum(not (c.isalnum() or c.isspace()) for c in value)
    return (
        len(value) >= 40
        and value.isascii()
        and symbols >= 5
        and len(set(value)) >= 18
        and _pronounceable(value) < 0.62
        and re.search(r"://|\$\{[a-z]|\w\.\w+\(|this\.", value) is None
        and re.search(r"[ ].*[ ].*[ ].*[ ].*[ ]", value) is None
    )


def is_password(value: str) -> bool:
    """As a password manager makes them: every kind of character in turn, no words.

    Such a value may begin as a path or reference does, or hold what looks like a call.
    """
    return (
        _PASSWORD.fullmatch(value) is not None
        and _WRITTEN.search(value) is None
        and classes(value) == 4
        and sum(character.isupper() for character in value) >= 2
        and _turns(value) * 2 >= len(value)
        and _pronounceable(value) < 0.5
    )


def is_uuid(value: str) -> bool:
    """Whether it is a UUID."""
    return _UUID.fullmatch(value) is not None


def classes(value: str) -> int:
    """How many of lower case, upper case, digits and symbols occur: 0 to 4."""
    kinds = ("[a-z]", "[A-Z]", "[0-9]", r"[^A-Za-z0-9\s_.-]")
    return sum(re.search(kind, value) is not None for kind in kinds)


def is_random(value: str) -> bool:
    """Looks generated: enough entropy for its alphabet, digits among letters, no words."""
    if len(value) < 16 or len(value) > 400 or any(c.isspace() for c in value):
        return False
    if re.fullmatch(r"[0-9a-fA-F]+", value):
        return len(value) >= 20 and _HEX.calculate_shannon_entropy(value.lower()) > 3.0
    if re.fullmatch(r"[A-Za-z0-9+/=_.:~-]+", value):
        return _is_random_base64(value)
    return len(value) >= 20 and classes(value) >= 3 and len(set(value)) >= 14 and not is_name(value)


def _is_random_base64(value: str) -> bool:
    needed = 3.3 if len(value) < 24 else 3.5 if len(value) < 40 else 3.9
    if _BASE64.calculate_shannon_entropy(value) < needed:
        return False
    turns, pronounceable = _turns(value) / len(value), _pronounceable(value)
    digits = sum(character.isdigit() for character in value)
    if digits == 0:
        return len(value) >= 20 and turns >= 0.35 and pronounceable < 0.55
    mixed = digits * 12 >= len(value) and turns >= 0.3
    return pronounceable < 0.7 if mixed else turns >= 0.2 and pronounceable < 0.45


def _pronounceable(value: str) -> float:
    """Share of its letter pairs that are frequent in English and in names: 0 to 1.

    A good third of random pairs are, and most of those in words.
    """
    pairs = [a + b for a, b in pairwise(value.lower()) if a.isalpha() and b.isalpha()]
    return sum(pair in FREQUENT_PAIRS for pair in pairs) / len(pairs) if pairs else 0.0


def _turns(value: str) -> int:
    """How often the kind of character changes."""
    kinds = [
        "d" if c.isdigit() else "u" if c.isupper() else "l" if c.isalpha() else "s" for c in value
    ]
    return sum(a != b for a, b in pairwise(kinds))
