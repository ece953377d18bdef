"""Stars in place of secrets, for every line of code that is shown.

In doubt it masks: a masked constant costs a reader a glance, a shown password costs the password.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from mergegate.core.data_table import read_lists
from mergegate.secrets import filters, phrases
from mergegate.secrets.names import promise
from mergegate.secrets.plugins import keyword_detector
from mergegate.secrets.scan import hits, masked, plain_hits, resolved
from mergegate.secrets.source import Hit, Source
from mergegate.secrets.spellings import changes
from mergegate.secrets.spellings.view import spelled

Span = tuple[int, int]
"""Start and end of characters, the end exclusive."""
LONGEST_SHOWN = 2000
"""Characters of a line that are kept; what follows is cut and said to be."""
_CUT = " … (cut)"
_OVERLAP = 500
"""Characters of a long line that are looked at twice: what begins in one piece ends in the next."""
_LISTS = read_lists(Path(__file__).with_suffix(".toml"))
LITERAL_WEAKNESSES = frozenset(_LISTS["weaknesses"])
"""Where a rule tells one of these, the literals of the line are what it calls a secret."""
_NAMES, _TYPES, _PLAIN = map(frozenset, (_LISTS["names"], _LISTS["types"], _LISTS["plain"]))


def _options(said: Iterable[str]) -> Mapping[str, bool]:
    """Each option, and whether it is given a user before the password."""
    return {one.removesuffix(":"): one.endswith(":") for one in said}


_OPTIONS = _options(_LISTS["options"])
_PROGRAMS = {name: _options(rest) for name, *rest in map(str.split, _LISTS["programs"])}
_CALLS = re.compile(rf"\b(?:{'|'.join(_LISTS['calls'])})\b")
_LOGINS = re.compile(rf"\b(?:{'|'.join(_LISTS['logins'])})(?:\(|=\()")
_SUSPECT = (
    "pass",
    "pwd",
    "secret",
    "token",
    "key",
    "cred",
    "auth",
    "salt",
    "sig",
    "bearer",
    "login",
)
_NAMED = (*_SUSPECT, *_NAMES)
_DOTTED = str.maketrans("İı", "ii")
"""What folding the case does not make an ``i``."""
_VALUE = re.compile(
    r"(?P<name>[\w.$-]{1,60})(?:\\?[\"'`])?[\])]{0,2}[ \t]{0,20}(?P<sign>:=|=>|[=!]?==?|:|,|\(|>| )"
    r"[ \t]{0,20}[bBrRuUfF@$]{0,2}\\?[\"'`](?P<value>[^\"'`\n]{1,400})"
)
_BASIC = re.compile(r"basic.?auth", re.IGNORECASE)
_OF_USER = re.compile(r"[\"',=\s][\w.@-]{1,60}:(?P<value>[^\s\"',:/{][^\s\"',]{2,400})")
_ASSIGNS = frozenset({"=", ":=", "=>", ":", "==", "!=", "===", "!=="})
_HEADER = re.compile(
    r"\b(?:Proxy-)?Authorization[\"']?[ \t]{0,20}[:=,][ \t]{0,20}[\"']?"
    r"[A-Za-z-]{1,20}[ ](?P<value>[^\s\"'`$<{]{4,400})",
    re.IGNORECASE,
)
_LITERAL = re.compile(r"([\"'`])(?P<value>(?:\\.|(?!\1).){1,2000})(?:\1|$)")
_ASSIGNED = re.compile(
    r"(?<![\w.$-])(?P<name>[A-Za-z_][\w.-]{0,60})(?P<sign>[ ]?:?=[ ]?|:[ ])"
    r"(?P<value>[^\s\"'`,;&|()\[\]{}<>$=]{3,400})(?P<rest>.?)"
)
_ASSIGNMENT = re.compile(
    r"(?<=[\w\]])[ ]?(?:=>|[:=])[ ]?(?!\{\s*[\w.-]+\s*:)"
    r"(?P<value>[^\s\"'`,;=:/$][^\s\"'`,;=:/]{0,400})"
)
_PAIRED = re.compile(
    r"(?<![\w-])(?:[A-Za-z]{1,20})?(?:[nN]ame|[kK]ey)[\"']?[ \t]{0,20}[:=][ \t]{0,20}[\"']?"
    r"(?P<name>[\w.-]{1,60})[\"']?[ \t]{0,20},?\s{0,80}[\"']?"
    r"(?:[A-Za-z]{1,20})?(?:[vV]alue|default)[\"']?[ \t]{0,20}[:=][ \t]{0,20}"
    r"(?:\"(?P<double>[^\"\n]{1,400})|'(?P<single>[^'\n]{1,400})|(?P<bare>[^\s\"'`,&*!|>{}\[\]$][^\s,}\]]{0,400}))"
)
"""A name and, in the entry behind it, the value: how variables are listed."""
_DIRECTIVE = re.compile(
    r"[ \t]*(?:user[ \t]+\S{1,100}[ \t]+)?(?P<name>[A-Za-z][\w-]{2,60})[ \t]+"
    r"[\"']?(?P<value>[^\s\"'$;={]{3,400})[\"']?[ \t]*(?:;|groups[ \t].*)?[ \t]*"
)
_LEGACY = re.compile(
    r"^[ \t]*(?:ENV|ARG)[ \t]+\w+[ \t]+(?P<value>[^\s=][^=]{0,400})$", re.IGNORECASE
)
_ENTRY = re.compile(
    r"^[ \t]*(?:-[ \t]+)*[\w.-]{1,100}:[ \t]+(?P<value>[^\s#].{0,2000}?)(?:[ \t]#.*)?$"
)
"""An entry of YAML, whose text may have blanks and no quotes."""
_PIPED = re.compile(
    r"\b(?:echo|printf)[ ]+(?:-\w+[ ]+)?[\"']?(?:[\w.-]{1,60}:)?(?P<value>[^|;&$\"'`]{3,400}?)"
    r"[\"']?[ ]*"
    rf"\|[^|;&]{{0,200}}?(?<![\w-])(?:{'|'.join(_LISTS['readers'])})(?![\w-])"
)
_AROUND_PIECES = b" \t\r\"'`+.&,()[]\\"
_BETWEEN_WORDS = re.compile(r"[\s|;&\"']")
_WORD = re.compile(r"[|;&]+|\"[^\"\n]*\"|'[^'\n]*'|[^\s|;&\"']+")
_CAMEL = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_ATTRIBUTE = re.compile(r"[A-Za-z_]\w*(?:\.\w+)+")
_CALL = re.compile(r"\$\{|\{\{|%\(|\w\(|^\W*$")
_BEFORE_KEY, _BEHIND_KEY = re.compile(r"[{,]\s*$"), re.compile(r"\s*:")
_GENERATED = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{20,}={0,2}")
_CONSTANT = re.compile(r"[A-Z]{2,8}\d{0,2}(?:_[A-Z]{2,10}\d{0,4}|_\d{1,5}){2,8}")
"""Words and numbers by underscores: ``RSA_SIGN_PKCS1_2048_SHA256``."""
_DIGEST = re.compile(r"[0-9a-fA-F]+")
_KEY_BODY = re.compile(r"[\s\"'+\\n,;]*(?P<value>[A-Za-z0-9+/]{40,}={0,2})[\s\"'+\\n,;]*")


def mask_line(
    text: str, known: Iterable[Span] = (), *, literals: bool = False, bare: bool = False
) -> str:
    """``text`` with every secret as stars, at most LONGEST_SHOWN characters long.

    ``known`` are places of secrets that were found otherwise; with ``literals`` all literals are
    masked, and without any what is assigned or given to an option. ``bare`` says that values stand
    without quotes, as in settings: a word behind a name is no variable there.
    """
    line = text[:LONGEST_SHOWN]
    found = [*_spans(line), *((start, min(end, len(line))) for start, end in known)]
    if bare and _mentions(line, _NAMED):
        found.extend(_bare(line, bare=True))
        directive = _DIRECTIVE.fullmatch(line)
        if directive and announces(directive["name"]):
            found.append(directive.span("value"))
    if literals:
        found.extend(_literals(line, bare=bare))
    return _starred(line, found) + (_CUT if len(text) > LONGEST_SHOWN else "")


def spans_across(lines: Sequence[str]) -> Mapping[int, list[Span]]:
    """The parts of secrets that ``lines`` spell otherwise, by the index of their line."""
    data = "\n".join(lines).encode("utf-8", "surrogatepass")
    found: defaultdict[int, list[Span]] = defaultdict(list)
    for hit in spelled(Source(data), changes, plain_hits):
        first = data.count(b"\n", 0, hit.start)
        start = data.rfind(b"\n", 0, hit.start) + 1
        for number, line in enumerate(data[start : hit.end].split(b"\n"), first):
            begin = max(hit.start - start, len(line) - len(line.lstrip(_AROUND_PIECES)))
            end = len(line.rstrip(_AROUND_PIECES))
            if begin < end:
                found[number].append(_characters(line, begin, end))
            start += len(line) + 1
    for number, span in (*_paired(lines), *phrases.examples(lines)):
        found[number].append(span)
    return found


def _paired(lines: Sequence[str]) -> Iterator[tuple[int, Span]]:
    """The values that stand in an entry of their own behind a name which announces a secret."""
    text = "\n".join(lines)
    for match in _PAIRED.finditer(text):
        value = match.span(str(match.lastgroup))
        if announces(match["name"]) and not _CALL.search(text[slice(*value)]):
            start = text.rfind("\n", 0, value[0]) + 1
            yield text.count("\n", 0, start), (value[0] - start, value[1] - start)


def _starred(text: str, spans: Iterable[Span]) -> str:
    """``text`` with the spans masked, but for what is stars already."""
    for start, end in reversed(_joined(list(spans))):
        if text[start:end].strip("*"):
            text = text[:start] + masked(text[start:end]) + text[end:]
    return text


def _everywhere(line: str) -> Iterator[Span]:
    """The spans of a line of any length as it stands, which is looked at piece by piece."""
    for first in range(0, max(len(line), 1), LONGEST_SHOWN - _OVERLAP):
        piece = line[first : first + LONGEST_SHOWN]
        yield from ((first + start, first + end) for start, end in _spans(piece, plain_hits))


def _spans(line: str, find: Callable[[Source], Iterable[Hit]] = hits) -> list[Span]:
    data = line.encode("utf-8", "surrogatepass")
    source = Source(data)
    spans = [(hit.start, hit.end) for hit in resolved(find(source)) if not _is_code(source, hit)]
    found = [_characters(data, start, end) for start, end in spans]
    body = _KEY_BODY.fullmatch(line)
    if body:
        found.append(body.span("value"))
    if _CALLS.search(line):
        found.extend(_arguments(line))
    if _LOGINS.search(line):
        found.extend(list(_arguments(line))[1:])
    if "-" in line:
        found.extend(_given(line))
    if "|" in line:
        found.extend(match.span("value") for match in _PIPED.finditer(line))
    if _mentions(line, _NAMED):
        found.extend(_quoted(line))
        found.extend(_bare(line))
        found.extend(_logins(line))
        found.extend(phrases.told(line))
    found.extend(phrases.logins(line))
    found.extend(one for one in _drawn(line) if _stands_in_quotes(line, one))
    is_suspect = _mentions(line, _SUSPECT)
    found.extend(_keywords(line) if is_suspect else ())
    if is_suspect:
        return [*found, *_drawn(line)]
    # The other half of a pair of keys has no name of its own.
    return [*found, *(one for one in _drawn(line) if found and not _overlaps(one, found))]


def _mentions(line: str, words: Iterable[str]) -> bool:
    """Whether the line holds one of the words, in letters of any case or as a part of another.

    A regular expression that ignores case takes ten times as long.
    """
    folded = line.translate(_DOTTED).casefold()
    return any(word in folded for word in words)


def _logins(line: str) -> Iterator[Span]:
    """What a header logs in with, and the passwords or hashes in lists of users."""
    yield from (match.span("value") for match in _HEADER.finditer(line))
    if _BASIC.search(line):
        yield from (match.span("value") for match in _OF_USER.finditer(line))


def _drawn(line: str) -> Iterator[Span]:
    """What looks drawn by lot."""
    found = (match for match in _GENERATED.finditer(line) if filters.is_random(match.group()))
    return (match.span() for match in found if not _CONSTANT.fullmatch(match.group()))


def _stands_in_quotes(line: str, span: Span) -> bool:
    """Whether it is a whole literal, such as the rest of a token; a digest is none."""
    quotes = line[span[0] - 1 : span[0]] + line[span[1] : span[1] + 1]
    return quotes in {'""', "''", "``"} and not _DIGEST.fullmatch(line[slice(*span)])


def _overlaps(span: Span, others: Iterable[Span]) -> bool:
    return any(span[0] < end and start < span[1] for start, end in others)


def mask_text(text: str, is_secret: Callable[[str], bool] = bool) -> str:
    """``text``, which may have several lines, with every secret as stars; nothing is cut.

    ``is_secret`` is asked whether a value is a secret, by callers that know more than the text.
    """
    lines = text.split("\n")
    across = spans_across(lines)
    return "\n".join(
        _starred(
            line,
            [
                (a, b)
                for a, b in (*_everywhere(line), *across.get(number, ()))
                if is_secret(line[a:b])
            ],
        )
        for number, line in enumerate(lines)
    )


def mask_words(words: Sequence[str], is_secret: Callable[[str], bool] = bool) -> list[str]:
    """The words of a command, with what options are given as stars."""
    line = " ".join(_BETWEEN_WORDS.sub("_", word) for word in words)
    given = [span for span in _given(line) if is_secret(line[slice(*span)])]
    shown, start = [], 0
    for word in words:
        own = ((max(a, start), min(b, start + len(word))) for a, b in given)
        shown.append(_starred(word, [(a - start, b - start) for a, b in own if a < b]))
        start += len(word) + 1
    return shown


def announces(name: str) -> bool:
    """Whether the value of what is called ``name`` is masked where it is shown."""
    words = _CAMEL.findall(name)
    return promise(name) is not None or (bool(words) and words[-1].lower() in _NAMES)


def _literals(line: str, *, bare: bool) -> list[Span]:
    """All that a line holds literally, however it is written there."""
    found = _LITERAL.finditer(line)
    quoted = [match.span("value") for match in found if match["value"].lower() not in _PLAIN]
    if quoted and not bare:
        return quoted
    legacy = _LEGACY.match(line) or _ENTRY.match(line)
    assigned = [match.span("value") for match in _ASSIGNMENT.finditer(line)]
    others = (*assigned, *([legacy.span("value")] if legacy else []), *_given(line, anything=True))
    return [*quoted, *others]


def _arguments(line: str) -> Iterator[Span]:
    """The literals that are no names of algorithms and encodings, and no keys of a mapping."""
    for match in _LITERAL.finditer(line):
        value = match["value"]
        is_key = _BEFORE_KEY.search(line[: match.start()]) and _BEHIND_KEY.match(line, match.end())
        if len(value) > 2 and value.lower() not in _PLAIN and not (_CALL.search(value) or is_key):
            yield match.span("value")


def _given(line: str, *, anything: bool = False) -> Iterator[Span]:
    """What follows an option that takes a password; with ``anything`` what follows any."""
    options, awaited = dict(_OPTIONS), ""
    for start, word in _words(line):
        if " " in word:  # a command in quotes
            inner = _given(word, anything=anything)
            yield from ((start + first, start + end) for first, end in inner)
        option, sign, value = word.partition("=")
        if awaited and not word.startswith("-"):
            yield from _password(start, word, options.get(awaited))
        elif sign and (option in options or (anything and option.startswith("-"))):
            yield from _password(start + len(option) + 1, value, options.get(option))
        elif word[:2] in options and len(word) > 2 and word[1] != "-":
            yield from _password(start + 2, word[2:], options[word[:2]])
        taken = word in options or (anything and word.startswith("-"))
        awaited = word if taken else ""
        if word[:1] in {"|", ";", "&"}:
            options = dict(_OPTIONS)
        options |= _PROGRAMS.get(word, {})


def _words(line: str) -> Iterator[tuple[int, str]]:
    """The words of a command, each with its place; what stands in quotes is one."""
    for match in _WORD.finditer(line):
        if word := match.group().strip("\"'[],"):
            yield match.start() + match.group().index(word), word


def _password(start: int, value: str, after_user: bool | None) -> Iterator[Span]:
    """Where a user comes first only what comes after the sign."""
    skipped = re.match(r"[^:%]*[:%]", value) if after_user else re.match("", value)
    if skipped and value[skipped.end() :] and not value.startswith("$"):
        yield start + skipped.end(), start + len(value)


def _bare(line: str, *, bare: bool = False) -> Iterator[Span]:
    """What stands without quotes behind a name that announces a secret, unless it is code."""
    for match in _ASSIGNED.finditer(line):
        name, value = match["name"], match["value"]
        setting = name.isupper() and match["sign"] == "="
        last = not match["rest"] and match["sign"] == ": "
        odd = not value.isidentifier() and not _ATTRIBUTE.fullmatch(value)
        code = match["rest"] in {"(", "[", "{", "<", "$"} or value in _TYPES
        queried = line[match.start() - 1 : match.start()] in {"?", "&"}
        if announces(name) and not code and (bare or setting or last or odd or queried):
            yield match.span("value")


def _is_code(source: Source, hit: Hit) -> bool:
    """A plain word without quotes is a name: ``login(password=password)``."""
    bare = source.text[hit.start - 1 : hit.start] not in {'"', "'", "`", ">"}
    return hit.detector == "default-password" and bare


def _characters(data: bytes, start: int, end: int) -> Span:
    """Byte offsets as character offsets."""
    first = len(data[:start].decode("utf-8", "replace"))
    return first, first + len(data[start:end].decode("utf-8", "replace"))


def _quoted(line: str) -> list[Span]:
    """Every literal that is given to a name which announces a secret."""
    return [
        match.span("value")
        for match in _VALUE.finditer(line)
        if announces(match["name"])
        and not _CALL.search(match["value"])
        and (match["sign"] in _ASSIGNS or not filters.is_prose(match["value"]))
    ]


def _keywords(line: str) -> list[Span]:
    """What detect-secrets' keyword detector takes for a secret."""
    found = []
    for value in keyword_detector().analyze_string(line[:600]):
        start = line.rfind(value)
        if start >= 0 and not (_is_harmless(value) or filters.is_common(value)):
            found.append((start, start + len(value)))
    return found


def _is_harmless(value: str) -> bool:
    """Templates and calls hold no value; words with blanks are labels."""
    return filters.is_prose(value) or _CALL.search(value) is not None


def _joined(spans: list[Span]) -> list[Span]:
    joined: list[Span] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end))
        elif end > start:
            joined.append((start, end))
    return joined
