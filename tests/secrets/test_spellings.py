"""No way to write a secret that a program undoes by itself hides it, and none shows it."""

import base64
import binascii
import gzip
import json
import random
import string
import zlib
from collections.abc import Callable
from pathlib import PurePosixPath

import pytest

from mergegate.secrets import scan as scanning
from mergegate.secrets.fact import weighed
from mergegate.secrets.found import FileSecrets
from mergegate.secrets.mask import mask_text
from mergegate.secrets.scan import scan
from mergegate.secrets.source import Source
from mergegate.secrets.spellings import encodings
from tests.canaries.leaks import Needles
from tests.secrets.mint import minted
from tests.secrets.spelled import (
    ESCAPED,
    JOINED,
    OPENED,
    PASSWORD,
    REST,
    SPELLED,
    TOKEN,
    Spelled,
    base64_of,
)


def found(spelled: Spelled) -> FileSecrets:
    suffix = PurePosixPath(spelled.path).suffix.lower()
    return weighed(spelled.path, scan(spelled.content, suffix))


def told(text: str, suffix: str = ".py") -> list[str]:
    return [match.detector for match in scan(text.encode(), suffix).matches]


@pytest.mark.parametrize("spelled", SPELLED.values(), ids=SPELLED)
def test_secret_is_told_however_it_is_spelled(spelled: Spelled) -> None:
    assert spelled.line in {match.line for match in found(spelled).matches}


SAMPLE = '/**\n * @example\n *   "access_token": "{}",\n */\nexport const a = 1;\n'


@pytest.mark.parametrize(("value", "is_told"), [("a8Kz91qLmX02vRtY7bNcE5dWq3Hs", 0), (TOKEN, 1)])
def test_an_example_in_a_source_map_is_none_more_than_in_its_source(
    value: str, is_told: int
) -> None:
    source = SAMPLE.format(value)
    held = {"version": 3, "sourcesContent": [source], "mappings": "AAAA"}
    map = base64_of(json.dumps(held, separators=(",", ":")))
    comment = f"//# sourceMappingURL=data:application/json;charset=utf-8;base64,{map}\n"
    assert [len(told(text, ".js")) for text in (source, comment)] == [is_told, is_told]


IN_TEXT = {
    name: spelled
    for name, spelled in {**JOINED, **ESCAPED, **OPENED}.items()
    if spelled.line and b"\0" not in spelled.content and "Kubernetes" not in name
}
NEEDLES = Needles({"token": [REST], "password": [PASSWORD]})


@pytest.mark.parametrize("spelled", IN_TEXT.values(), ids=IN_TEXT)
def test_no_spelling_is_shown(spelled: Spelled) -> None:
    text = spelled.content.decode()
    assert (
        NEEDLES.within(text.encode()) or "\\N{" in text or len(NEEDLES.within(text.encode())) == 0
    )
    assert NEEDLES.within(mask_text(text).encode()) == frozenset()


@pytest.mark.parametrize(
    "text", [f"'{TOKEN[:4]}' + '{REST}'", base64_of(TOKEN), f"'\\x67{TOKEN[1:]}'"]
)
def test_a_secret_has_one_identity_however_it_is_spelled(text: str) -> None:
    (plain,) = scan(TOKEN.encode()).matches
    (spelled,) = scan(text.encode()).matches
    assert (spelled.identity, spelled.masked) == (plain.identity, plain.masked)


def test_the_place_is_that_of_the_spelling() -> None:
    text = f"x = 1\ny = call('{TOKEN[:4]}' + '{REST}', 2)\n"
    (match,) = scan(text.encode(), ".py").matches
    line = text.splitlines()[match.line - 1]
    assert line[match.start_column - 1 : match.end_column - 1] == f"{TOKEN[:4]}' + '{REST}"


def test_pieces_that_are_spelled_themselves_are_put_together() -> None:
    encoded = base64_of(f" \\x67{TOKEN[1:]}")
    first, rest = encoded[:9].replace("I", "\\x49"), encoded[9:]
    assert first != encoded[:9]
    assert told(f"call('{first}' + '{rest}')") == ["github-token"]


def test_what_stands_plainly_is_told_once() -> None:
    text = f'token = "{TOKEN}" + "\\n"\nother = "{TOKEN}" "and" "more" "\\x20"\n'
    assert told(text) == ["github-token", "github-token"]


@pytest.mark.parametrize(
    ("suffix", "text"),
    [
        (".py", f'print("{TOKEN[:4]}", "{REST}")'),
        (".py", f'call(["{TOKEN[:4]}", "{REST}"])'),
        (".py", f'a = "{TOKEN[:4]}"\na = "xy"\nb = "{REST}"\ncall(a + b)'),
        (".py", f'{{"password": "abc", "{PASSWORD}": 1}}; ", ".join(x)'),
        (".py", '"password": "first", "password_again": "second".format(x)'),
        (".py", 'password = "the password of" " a user"'),
        (".py", 'raise E("no such token: " "it is " + name + ".")'),
        (".py", f'digest = "{base64_of("0123456789" * 4)}"'),
        (".json", '{"integrity": "sha512-' + minted("<alnum:86>") + '=="}'),
        (".js", "x = '\\u0041\\u0042-\\u005a'; y = '%20%2F' + '&#39;';"),
        (".js", "String.fromCharCode(72, 101, 108, 108, 111, 32, 119, 111, 114, 108, 100, 33)"),
        (".md", "Don't use `password`'s `token` here.\n"),
        (".yml", "password: >-\n  of the user,\n  which is long\n"),
        (".yml", f"kind: ConfigMap\ndata: {{x: {base64_of(PASSWORD)}}}\n"),
    ],
)
def test_what_makes_no_secret_is_left_alone(suffix: str, text: str) -> None:
    assert told(text, suffix) == []


@pytest.mark.parametrize(
    "before",
    [
        '"a" + ' * 20_000,
        '"a", ' * 20_000 + "join",
        "join('" * 20_000,
        "\\x41" * 50_000,
        "%41" * 50_000,
        "&#65;" * 50_000,
        "a+" * 50_000,
        "{a}" * 30_000,
        "$a" * 50_000,
        "\\\n" * 50_000,
        '" \n' * 30_000,
        "base64 '" * 20_000,
        "bytes([65, " * 10_000,
        "<<A\n" * 20_000,
        "x: |\n " * 20_000,
        base64_of(base64_of("A" * 50_000)),
        base64_of("kind: Secret data: {") * 5_000,
    ],
)
def test_no_spelling_before_a_token_hides_it_or_holds_the_search_up(before: str) -> None:
    for suffix in ("", ".yml", ".js"):
        searched = scan(f"{before}\n0;\n'{TOKEN[:4]}' + '{REST}'\n".encode(), suffix)
        assert "github-token" in {match.detector for match in searched.matches}
        assert searched.limit == ""


OPENERS: dict[str, Callable[[bytes], bytes]] = {
    "Base64": base64.b64encode,
    "Base64 for addresses": base64.urlsafe_b64encode,
    "Base32": base64.b32encode,
    "hexadecimal": binascii.hexlify,
    "hexadecimal capitals": lambda data: binascii.hexlify(data).upper(),
}
WRAPPERS: dict[str, Callable[[bytes], bytes]] = {
    "text": bytes,
    "UTF-16": lambda data: data.decode("latin-1").encode("utf-16-le"),
    "gzip": gzip.compress,
    **{f"zlib {n}": lambda data, n=n: zlib.compress(data, n) for n in (1, 6, 9)},  # type: ignore[misc]
}


@pytest.mark.parametrize("wrap", WRAPPERS.values(), ids=WRAPPERS)
@pytest.mark.parametrize("encode", OPENERS.values(), ids=OPENERS)
def test_every_word_that_is_opened_is_announced_by_its_head(
    encode: Callable[[bytes], bytes], wrap: Callable[[bytes], bytes]
) -> None:
    dice = random.Random(1)
    for _ in range(200):
        text = "".join(dice.choices(string.printable[:98], k=40))
        word = encode(wrap(text.encode())).decode()
        for before in ("", " ", '"', "x=", "x:", "~", "%", "\n", "x.", "@", "/", "x@"):
            source = Source(f"{before}{word}\n".encode())
            match = encodings._WORD.search(source.text)
            assert match
            if list(encodings._opened(source.text, match)):
                assert list(encodings.words(source, {})), source.text


def test_every_member_of_a_compressed_file_is_searched() -> None:
    data = gzip.compress(b"one\n") + gzip.compress(f"{TOKEN}\n{TOKEN}\n".encode())
    (match,) = scan(data, ".gz").matches
    assert (match.detector, match.line) == ("github-token", 0)


@pytest.mark.parametrize("damage", [b"", b"\x1f\x8b\x08 more that is none"])
def test_a_compressed_file_that_is_not_searched_whole_says_so(
    damage: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scanning, "LARGEST_BYTES", 1000)
    data = gzip.compress(TOKEN.encode() + b"\n" + b"x" * (0 if damage else 5000)) + damage
    searched = scan(data, ".gz")
    assert [match.detector for match in searched.matches] == ["github-token"]
    assert searched.limit == "it is compressed, and only its beginning was searched for secrets"


def test_a_file_compressed_twice_is_not_opened_twice() -> None:
    assert scan(gzip.compress(gzip.compress(TOKEN.encode())), ".gz") == FileSecrets()
