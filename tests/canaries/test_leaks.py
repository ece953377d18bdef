"""A value is found wherever and however it is written: else no test here could fail."""

import base64
import gzip
import html
import io
import json
import sqlite3
import urllib.parse
import zipfile
import zlib
from contextlib import closing
from pathlib import Path

import pytest

from mergegate.repo.cache import AnswerCache
from tests.canaries.leaks import Needles, files

VALUE = "q7Rt-k2Zp_x9Wm4v"
NEEDLES = Needles({"it": [VALUE]})


def zipped(text: bytes) -> bytes:
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("member", text)
    return kept.getvalue()


SPELLINGS = {
    "plain": f"x = '{VALUE}'".encode(),
    "a middle part": f"…{VALUE[4:12]}…".encode(),
    "in capitals": VALUE.upper().encode(),
    "utf-16": f"x = '{VALUE}'".encode("utf-16"),
    "utf-16-be": f"x = '{VALUE}'".encode("utf-16-be"),
    "base64": base64.b64encode(f"Basic ann:{VALUE}".encode()),
    "base64 within": b"data=" + base64.b64encode(f"a{VALUE}".encode()),
    "base64url": base64.urlsafe_b64encode(f"??>{VALUE}".encode()),
    "base64 in lines": base64.encodebytes(f"{'x' * 50}{VALUE}{'y' * 50}".encode()),
    "hex": VALUE.encode().hex().encode(),
    "url": urllib.parse.quote("".join(f"{c}" for c in VALUE), safe="").encode(),
    "url, every letter": "".join(f"%{ord(c):02X}" for c in VALUE).encode(),
    "json": json.dumps(VALUE).encode(),
    "json, every letter": "".join(f"\\u{ord(c):04x}" for c in VALUE).encode(),
    "json in json": json.dumps(json.dumps({"a": f"\n{VALUE}"})).encode(),
    "escaped for Markdown": VALUE.replace("_", "\\_").encode(),
    "html": html.escape(f"<{VALUE}>").encode(),
    "html, every letter": "".join(f"&#{ord(c)};" for c in VALUE).encode(),
    "broken over lines": f"│ {VALUE[:7]} │\n│ {VALUE[7:]}  │".encode(),
    "coloured": f"{VALUE[:7]}\x1b[1;31m{VALUE[7:]}".encode(),
    "gzip": gzip.compress(VALUE.encode() * 3),
    "zlib": b"before" + zlib.compress(b"x" * 99 + VALUE.encode(), 1),
    "zip": zipped(VALUE.encode()),
    "gzip of base64": gzip.compress(base64.b64encode(f"some {VALUE}".encode())),
}


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_value_is_found_in_every_spelling(spelling: str) -> None:
    assert NEEDLES.within(SPELLINGS[spelling]) == {"it"}


def test_what_is_masked_is_not_found() -> None:
    shown = f"x = '{VALUE[:4]}****' {VALUE[4:11]}"
    assert NEEDLES.within(shown.encode()) == frozenset()


def test_a_value_is_found_in_a_cache_of_answers(tmp_path: Path) -> None:
    cache = AnswerCache(tmp_path / "answers.sqlite")
    cache.remember({"key": f'{{"text": "{VALUE}"}}'.encode()})
    found = [name for name, data in files(tmp_path) if NEEDLES.within(data)]
    assert found == [str(tmp_path / "answers.sqlite")]


def test_a_value_is_found_in_the_log_of_a_database(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "a.db")) as database:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("CREATE TABLE t (v)")
        database.execute("INSERT INTO t VALUES (?)", (VALUE,))
        database.commit()
        assert [name for name, data in files(tmp_path) if NEEDLES.within(data)]


def test_a_value_is_found_in_the_name_of_a_file(tmp_path: Path) -> None:
    (tmp_path / f"report-{VALUE}.html").touch()
    assert any(NEEDLES.within(data) for _, data in files(tmp_path))
