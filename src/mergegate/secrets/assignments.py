"""Names that announce a secret, and the value that is given to them on the spot."""

import re
from collections.abc import Iterator

from mergegate.secrets.judge import Setting, judge
from mergegate.secrets.names import (
    CONFIGURATION,
    CONVERSIONS,
    CONVERSIONS_BEHIND,
    QUOTED_ONLY,
    Promise,
    promise,
)
from mergegate.secrets.prefilter import keyword_places
from mergegate.secrets.source import REACH, Hit, Source
from mergegate.secrets.structures import apart

_NAME_CHARACTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.$"
_NAME_REACH = 60
_CLOSE = r"(?:\\?[\"'`])?[\])]{0,2}(?:\[\w{0,20}\])?[ \t]{0,20}"
_TYPE = r":[ \t]{0,4}[\w\[\]|.?<>, &']{1,40}?=|string[ \t]{1,4}=|as[ \t]{1,4}[\w.]{1,40}[ \t]{0,4}="
_SIGN = (
    rf"{_TYPE}|::?=|=>|[=!]==?|[?.+]=|\{{|<-|\|\|=?|\?\?=?|\?:|or(?=[ \t])"
    r"|,[ \t]{0,4}default[ ]?=|=|:|,|\(|"
)
_CONVERTED = "|".join(map(re.escape, CONVERSIONS))
_CONVERTS = "|".join(CONVERSIONS_BEHIND)
_STRING = (
    r"(?:\"(?P<double>(?:[^\"\\\n]|\\[^\n]){1,400})\"|'(?P<single>(?:[^'\\\n]|\\[^\n]){1,400})'"
    r"|`(?P<back>[^`\n]{1,400})`|\\\"(?P<escaped>[^\"\\\n]{1,400})\\\")"
)
_QUOTED = re.compile(
    rf"{_CLOSE}(?P<sign>{_SIGN})[ \t]{{0,20}}(?P<wrap>(?:{_CONVERTED})?)"
    rf"(?P<prefix>[bBuUrRfFlL]{{1,2}}|@|\$)?(?:\"\"(?=\"))?{_STRING}"
    rf"(?P<after>[ \t]{{0,4}}(?:\.(?!(?:{_CONVERTS})\b)|[+%])?)",
    re.IGNORECASE,
)
_BARE = re.compile(
    rf"{_CLOSE}(?P<sign>::?=|\?=|=|:(?=[ \t]))[ \t]{{0,20}}(?:&\w{{1,40}}[ ]|!!str[ ])?"
    r"(?P<value>[^\s\"'`][^\s\"'`]{0,399})(?P<rest>[^\n]{0,200})"
)
_PHRASE = re.compile(r"[ \t]?[:=][ \t]?(?P<value>[a-z]{3,9}(?: [a-z]{3,9}){3,11})[ \t]*(?:\r?\n|$)")
_CODE = re.compile(r"\(\)|\)[:,;]?$|^\(|\w\.\w+\(")
_OPTION = re.compile(r"--?[A-Za-z][\w.-]*")
_FLAG = re.compile(
    r"(?:[ \t=]{1,4}[\"']?|[\"']?\s?,\s?[\"']|[\"']?\n[ ]{0,40}-[ ][\"']?)"
    r"(?P<value>[^\s\"'`|;&<>-][^\s\"'`|;&<>]{2,200})"
)
_ENV_LINE = re.compile(r"[ \t]{1,8}(?P<value>[^\s\"'`=][^\s\"'`]{2,200}?)[ \t]*;?(?:\r?\n|$)")
_CONNECTION = re.compile(r"[ ]?=[ ]?\{?(?P<value>[^;\"'`&\s<>{}]{1,200})")
_CONNECTION_PARTS = re.compile(
    r"(?:server|data source|host|user id|uid|user|database|initial catalog|endpoint|addr)[ ]?="
    r"|[?&]user"
)
_POSTGRES_PART = re.compile(r"\b(?:host|hostaddr|dbname|user|port|sslmode)=[^\s\"',;]{1,100}[ ]")
"""Parts of what libpq is given are parted by blanks."""
_FORM = re.compile(
    r"(?:^|[\"'&?])(?:user(?:name)?|login|email|grant_type|client_id)=[^&\s]{1,100}&"
)
"""The beginning of what a form sends."""
_PAIRS = re.compile(r"[\w.-]{1,60}=\S")
"""More settings of a line that has nothing else: ``add name=alice password=… profile=default``."""
_LOGIN_NEAR = re.compile(
    r"\b(?:(?:db|ssh|ftp|server|user|mail|irc|my|smtp)?_?(?:host(?:name)?|server(?:host)?|user(?:name)?|login|port|uri?l?))"
    r"[\"']?\s{0,10}(?:[:=]|=>|>|,|\()"
)
_USER_NEAR = re.compile(
    r"\b(?:db|mysql|my)?_?(?:user(?:[_ ]?(?:name|id))?|login|uid)[\"']?"
    r"\s{0,10}(?:=>|[:=>])\s{0,10}[\"']?(?P<name>[^\s\"'<>,;)]{1,60})"
)
_CALL_BEFORE = re.compile(
    r"(?:define|set\w*|put|add|append|header\w*|property|config\w*)\s{0,4}\([ \t]*[\"']$"
    r"|(?:define|strn?cpy|coalesce|nvl|ifnull)\s{0,4}\([ \t]*$|\{$",
    re.IGNORECASE,
)
_FALLBACK_BEFORE = re.compile(
    r"(?:getenv|get|env|fetch|config)\s{0,4}\([ \t]*[\"']$", re.IGNORECASE
)
_SETTER = re.compile(r"(?:(?:set|with)\w{0,20}|\.)(?:password|secret|token|key)$", re.IGNORECASE)
_ENV_BEFORE = re.compile(
    r"(?:^|\n)[ \t]{0,20}(?:ENV|ARG|SetEnv|setenv|setx|set -g?x|fastcgi_param)[ \t]{1,8}$"
)
_DEFINED_BEFORE = re.compile(
    r"#[ ]?define[ \t]+$|\((?:def\w{0,12}|setq|setf|set!)[ \t]+$|(?:^|[\s({\[]):$"
)
"""Before a name that its value follows without a sign, in C and Lisp."""


def assignments(source: Source) -> Iterator[Hit]:
    """Every name with a value that withstands judgement."""
    done = 0
    for start, end in keyword_places(source):
        if end <= done:
            continue
        name_start, done = _name_around(source.text, start, end)
        announced = promise(source.text[name_start:done])
        if announced:
            yield from _assigned(source, announced, name_start, done)


def _name_around(text: str, start: int, end: int) -> tuple[int, int]:
    low, high = max(0, start - _NAME_REACH), end + _NAME_REACH
    before, after = text[low:start], text[end:high]
    start = low + len(before.rstrip(_NAME_CHARACTERS))
    end += len(after) - len(after.lstrip(_NAME_CHARACTERS))
    return start, start + len(text[start:end].rstrip(".-"))


def _assigned(source: Source, announced: Promise, start: int, end: int) -> Iterator[Hit]:
    for value_start, value_end, detector in _values(source, start, end):
        value = source.text[value_start:value_end]
        judged = judge(announced, value, _setting(source, start, end))
        if judged:
            found, confidence = judged
            own = detector if detector and found == "password-literal" else found
            yield Hit(value_start, value_end, own, confidence, rank=1)
            return


def _setting(source: Source, start: int, end: int) -> Setting:
    name = source.text[start:end]
    around = source.lower[max(0, start - 400) : start] + "\n" + source.lower[end : end + 400]
    login = _LOGIN_NEAR.search(around) is not None
    database = re.match(r"\$?(?:db|database|mysql|postgres|pg)", name, re.IGNORECASE) is not None
    plain = source.suffix in CONFIGURATION or source.suffix not in QUOTED_ONLY
    users = (
        frozenset(match["name"] for match in _USER_NEAR.finditer(around)) if login else frozenset()
    )
    return Setting(name, plain or (login and database) or _is_defined(source, start), login, users)


def _is_defined(source: Source, start: int) -> bool:
    return source.lower[max(0, start - 10) : start].lstrip().startswith("define(")


def _values(source: Source, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    """Where a value may stand, the likeliest first: start, end and the detector's own id."""
    text, limit = source.text, end + REACH
    before = text[max(0, start - 24) : start]
    yield from ((*span, "") for span in apart(source, start, end))
    yield from _quoted(source, before, start, end)
    if _in_connection_string(source, start, end):
        # A link may carry a password that everybody is given, as one to a meeting does.
        in_link = text[start - 1 : start] in {"&", "?"} and "user" not in _beside(source, start)
        detector = "" if in_link else "connection-string"
        yield from _group(_CONNECTION.match(text, end, limit), detector)
    if source.suffix not in QUOTED_ONLY:
        yield from _unquoted(source, before, start, end)


def _beside(source: Source, start: int) -> str:
    low, high = source.line_span(start)
    return source.lower[max(low, start - 250) : min(high, start + 250)]


def _group(match: re.Match[str] | None, detector: str = "") -> Iterator[tuple[int, int, str]]:
    if match:
        yield *match.span("value"), detector


def _quoted(source: Source, before: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    match = _QUOTED.match(source.text, end, end + REACH)
    if match is None or not _sign_assigns(source, match["sign"], before, end):
        return
    if match["after"].strip() or (match["prefix"] or "").lower().startswith(("f", "$")):
        return  # an expression: concatenation, formatting, interpolation
    if not match["sign"] and source.text[start] == "$":
        return  # a variable that is used, and the next word of the command: "$TOKEN" "$URL"
    if not match["sign"] and (match["back"] or "").isalpha():
        return  # prose that quotes a word: "let the proxy pass `Upgrade` on"
    for group in ("double", "single", "back", "escaped"):
        if match[group] is not None:
            yield *match.span(group), ""


def _sign_assigns(source: Source, sign: str, before: str, end: int) -> bool:
    if sign == "{":
        return _FALLBACK_BEFORE.search(before) is not None
    if sign == ",":
        return (
            _CALL_BEFORE.search(before) is not None or _FALLBACK_BEFORE.search(before) is not None
        )
    if sign == "(":
        return _SETTER.search(source.text, max(0, end - 40), end) is not None
    return (
        bool(sign) or source.suffix not in QUOTED_ONLY or _DEFINED_BEFORE.search(before) is not None
    )


def _in_connection_string(source: Source, start: int, end: int) -> bool:
    if not source.text.startswith(("=", " ="), end):
        return False
    low, high = source.line_span(start)
    around = source.lower[max(low, start - 250) : min(high, end + 250)]
    if source.text[start - 1 : start] in {"&", "?"}:
        return "://" in around or _FORM.search(around) is not None
    if _POSTGRES_PART.search(around):
        return True
    return ";" in around and _CONNECTION_PARTS.search(around) is not None


def _unquoted(source: Source, before: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    text, limit = source.text, end + REACH
    if _OPTION.fullmatch(text, start, end):
        match = _FLAG.match(text, end, limit)
        # What follows one hyphen may be prose: "-password  regexp for the password".
        if match and (text.startswith("--", start) or not match["value"].isalpha()):
            yield from _group(match, "command-line-password")
    elif _ENV_BEFORE.search(before):
        yield from _group(_ENV_LINE.match(text, end, limit))
    yield from _group(_PHRASE.match(text, end, limit))
    match = _BARE.match(text, end, limit)
    if match and _stands_alone(match, before, text[start:end]) and not _CODE.search(match["value"]):
        value = match["value"].rstrip(",;") if match["value"][-1] in ",;" else match["value"]
        if value.endswith("}") and "{" not in value:
            value = value[:-1]  # closes the mapping on one line that opens before the name
        yield match.start("value"), match.start("value") + len(value), ""


def _stands_alone(match: re.Match[str], before: str, name: str) -> bool:
    """Whether nothing but a comment, a command after ``NAME=value`` or a header's quote follows."""
    rest = match["rest"].strip()
    shell = match["sign"] == "=" and match.group().find("= ") < 0
    opening = before.rpartition("\n")[2]
    begins = not opening.strip() or (name.isupper() and opening.endswith(" "))
    commanded = shell and (begins or opening.rstrip().endswith(("export", "-e", "set", "env")))
    header = match["sign"] == ":" and before[-1:] in {'"', "'"} and rest[:1] == before[-1:]
    return (
        header
        or (shell and _PAIRS.match(rest) is not None)
        or not rest
        or rest.startswith(("#", "//", ";", "\\", "&&", "|", "\r"))
        or commanded
    )
