"""The encoding of a text, as browsers choose it."""

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergegate.sandbox.web.decode import text

HTML = "text/html"


@pytest.mark.parametrize(
    ("body", "kind", "expected"),
    [
        ("ü".encode(), "text/html; charset=utf-8", "ü"),
        ("ü".encode(), HTML, "ü"),
        (b"\xfc", HTML, "ü"),
        (b"\xfc", "text/html; charset=ISO-8859-1", "ü"),
        (b"\x93x\x94", "text/html; charset=latin1", "“x”"),
        (b"\xfc", 'text/html; charset="windows-1252"', "ü"),
        (b"<meta charset=windows-1251>\xc0", HTML, "<meta charset=windows-1251>А"),
        (
            b'<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">\xc1',
            HTML,
            '<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">а',
        ),
        (
            b"<meta charset=koi8-r>" + "ü".encode(),
            "text/html; charset=utf-8",
            "<meta charset=koi8-r>ü",
        ),
        (codecs.BOM_UTF8 + "ü".encode(), "text/html; charset=koi8-r", "ü"),
        (codecs.BOM_UTF16_LE + "ü".encode("utf-16-le"), HTML, "ü"),
        (codecs.BOM_UTF16_BE + "ü".encode("utf-16-be"), HTML, "ü"),
        ("<meta charset=utf-16>ü".encode(), HTML, "<meta charset=utf-16>ü"),
        ("日本".encode("shift_jis"), "text/html; charset=Shift_JIS", "日本"),
        ("日本".encode("euc-jp"), "text/html; charset=euc-jp", "日本"),
        ("中文".encode("gbk"), "text/html; charset=gb2312", "中文"),
        ("한국".encode("euc-kr"), "text/html; charset=euc-kr", "한국"),
        (
            b'<?xml version="1.0" encoding="iso-8859-2"?>\xb1',
            "application/xml",
            '<?xml version="1.0" encoding="iso-8859-2"?>ą',
        ),
        ('{"a": "ü"}'.encode(), "application/ld+json", '{"a": "ü"}'),
        ("ü".encode(), "application/javascript", "ü"),
        (b"\xfc", "text/plain", "\ufffd"),
        (b"plain", "", "plain"),
        (b"\0\1\2", "", ""),
        (b"plain", "image/png", ""),
        (b"plain", "application/octet-stream", ""),
        (b"plain", "text/html; charset=no-such", "plain"),
        (b"plain", "text/html; charset=rot13", "plain"),
        (b"plain", "text/html; charset=idna", "plain"),
        ("ü".encode()[:1], HTML, "\ufffd"),
    ],
)
def test_a_body_is_read_in_its_encoding(body: bytes, kind: str, expected: str) -> None:
    assert text(body, kind) == expected


@given(st.binary(max_size=400), st.text(max_size=40))
def test_any_body_is_text_or_none(body: bytes, charset: str) -> None:
    for kind in ("text/html", "application/xml", "", f"text/html; charset={charset}"):
        assert isinstance(text(body, kind), str)
