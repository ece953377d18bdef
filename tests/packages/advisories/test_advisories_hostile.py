"""Dumps that want to fill the disk, climb out of their archive, or pass for an empty one."""

import io
import json
import stat
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from mergegate.core.errors import StoreError
from mergegate.packages.advisories import dumps, open_store, update

GOOD = {
    "id": "T-1",
    "modified": "2026-01-01T00:00:00Z",
    "affected": [{"package": {"ecosystem": "PyPI", "name": "a"}, "versions": ["1.0"]}],
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "advisories.sqlite"


def archive(target: Path, **entries: bytes) -> Path:
    """Keyword = name; a good record is always in it."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as opened:
        opened.writestr("T-1.json", json.dumps(GOOD))
        for name, data in entries.items():
            opened.writestr(name, data)
    return target


def test_a_record_that_unpacks_without_end_is_stopped(path: Path, tmp_path: Path) -> None:
    bomb = archive(tmp_path / "PyPI.zip", **{"bomb.json": b"0" * (33 * 1024 * 1024)})
    with pytest.raises(StoreError, match="unpacks to more than"):
        update(bomb, path)
    assert not path.exists()


def test_many_records_that_unpack_to_too_much_are_stopped(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dumps, "RATIO_COUNTS_FROM_BYTES", 1024 * 1024)
    bomb = archive(tmp_path / "PyPI.zip", **{f"{n}.json": b" " * 400_000 for n in range(10)})
    with pytest.raises(StoreError, match="200 times its size"):
        update(bomb, path)


def test_a_nested_bomb_is_stopped(path: Path, tmp_path: Path) -> None:
    inner = archive(tmp_path / "inner.zip", **{"bomb.json": b"0" * (33 * 1024 * 1024)})
    outer = archive(tmp_path / "x.zip", **{"PyPI.zip": inner.read_bytes()})
    with pytest.raises(StoreError, match="unpacks to more than"):
        update(outer, path)


def test_a_third_level_of_zips_is_not_opened(path: Path, tmp_path: Path) -> None:
    first = archive(tmp_path / "1.zip")
    second = archive(tmp_path / "2.zip", **{"PyPI.zip": first.read_bytes()})
    third = archive(tmp_path / "3.zip", **{"PyPI.zip": second.read_bytes()})
    assert update(third, path).malformed == 1


def test_the_budget_holds_over_all_archives(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mergegate.packages.advisories.fill.Budget", lambda: dumps.Budget(500, 100))
    with pytest.raises(StoreError, match="larger than any real one"):
        update(archive(tmp_path / "PyPI.zip", **{"x.json": b" " * 600}), path)


def test_a_hundred_thousand_entries_are_read(path: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "PyPI.zip", "w") as opened:
        for number in range(100_001):
            opened.writestr(f"{number}.txt", b"")
        opened.writestr("T-1.json", json.dumps(GOOD))
    assert update(tmp_path / "PyPI.zip", path).sources[0].records == 1


def said_twice(data: bytes) -> bytes:
    """The list's length once as it is, and once as nothing, where a reader may look for it."""
    at = data.rfind(b"PK\x05\x06")
    length, first = struct.unpack_from("<LL", data, at + 12)
    own = struct.pack("<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, 100, 100, length, first)
    own += struct.pack("<4sLQL", b"PK\x06\x07", 0, at, 1)
    end = bytearray(data[at:])
    struct.pack_into("<L", end, 12, 0)
    return data[:at] + own + bytes(end)


def in_disguise(data: bytes) -> bytes:
    """A list whose place looks like the sign that the end begins with."""
    changed = bytearray(data)
    at = data.rfind(b"PK\x05\x06") + 16
    changed[at : at + 4] = b"PK\x05\x06"
    return bytes(changed)


@pytest.mark.parametrize("disguised", [bytes, said_twice, in_disguise])
def test_a_list_of_entries_beyond_any_real_one_is_not_loaded(
    disguised: Callable[[bytes], bytes],
    path: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    many = archive(tmp_path / "PyPI.zip", **{f"{one}.json": b"" for one in range(100)})
    many.write_bytes(disguised(many.read_bytes()))
    with zipfile.ZipFile(many) as opened:
        assert len(opened.infolist()) == 101
    monkeypatch.setattr(dumps, "MAX_DIRECTORY_BYTES", 4_000)
    with pytest.raises(StoreError, match="more entries than any real one"):
        update(many, path)


@pytest.mark.parametrize("name", ["../../escape.json", "/escape.json", "..\\escape.json"])
def test_a_path_that_climbs_is_refused_and_counted(name: str, tmp_path: Path) -> None:
    deep = tmp_path / "two" / "deep"
    deep.mkdir(parents=True)
    hostile = archive(deep / "PyPI.zip", **{name: json.dumps({**GOOD, "id": "T-2"}).encode()})
    assert update(hostile, deep / "advisories.sqlite").malformed == 1
    assert not list(tmp_path.rglob("escape.json"))


def test_a_link_in_an_archive_is_refused_and_counted(path: Path, tmp_path: Path) -> None:
    link = zipfile.ZipInfo("link.json")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(archive(tmp_path / "PyPI.zip"), "a") as opened:
        opened.writestr(link, "/etc/hostname")
    assert update(tmp_path / "PyPI.zip", path).malformed == 1


def test_links_in_a_folder_are_not_followed(path: Path, tmp_path: Path) -> None:
    folder = tmp_path / "PyPI"
    folder.mkdir()
    (folder / "T-1.json").write_text(json.dumps(GOOD))
    (tmp_path / "outside.json").write_text(json.dumps({**GOOD, "id": "T-2"}))
    (folder / "T-2.json").symlink_to(tmp_path / "outside.json")
    (folder / "loop").symlink_to(folder)
    assert update(folder, path).sources[0].records == 1


def test_a_damaged_entry_is_skipped_and_counted(path: Path, tmp_path: Path) -> None:
    other = json.dumps({**GOOD, "id": "T-2", "details": "x" * 500}).encode()
    data = bytearray(archive(tmp_path / "PyPI.zip", **{"T-2.json": other}).read_bytes())
    at = data.find(b"T-2.json") + 12
    data[at : at + 8] = b"\xff" * 8
    (tmp_path / "PyPI.zip").write_bytes(data)
    assert update(tmp_path / "PyPI.zip", path).malformed == 1


MALFORMED: dict[str, bytes] = {
    "no JSON": b"{",
    "deep JSON": b"[" * 200_000,
    "no object": b"[1, 2]",
    "no id": b"{}",
    "two lines of id": json.dumps({**GOOD, "id": "T-2\n"}).encode(),
    "odd id": json.dumps({**GOOD, "id": "<script>"}).encode(),
    "affected is text": json.dumps({**GOOD, "id": "T-2", "affected": "all"}).encode(),
    "an entry is text": json.dumps({**GOOD, "id": "T-2", "affected": ["all"]}).encode(),
    "another schema": json.dumps({**GOOD, "id": "T-2", "schema_version": "2.0.0"}).encode(),
    "no events": json.dumps(
        {
            "id": "T-2",
            "affected": [
                {
                    "package": {"ecosystem": "PyPI", "name": "a"},
                    "ranges": [{"type": "ECOSYSTEM", "events": []}],
                }
            ],
        }
    ).encode(),
    "an event of numbers": json.dumps(
        {
            "id": "T-2",
            "affected": [
                {
                    "package": {"ecosystem": "PyPI", "name": "a"},
                    "ranges": [{"type": "SEMVER", "events": [{"introduced": 0}]}],
                }
            ],
        }
    ).encode(),
    "not UTF-8": b'{"id": "\xff"}',
}


@pytest.mark.parametrize("data", MALFORMED.values(), ids=MALFORMED)
def test_a_malformed_record_is_skipped_and_counted(data: bytes, path: Path, tmp_path: Path) -> None:
    updated = update(archive(tmp_path / "PyPI.zip", **{"T-2.json": data}), path)
    assert (updated.malformed, updated.sources[0].records) == (1, 1)


def test_a_dump_of_mostly_rubbish_replaces_nothing(path: Path, tmp_path: Path) -> None:
    rubbish = archive(tmp_path / "PyPI.zip", **{"1.json": b"{", "2.json": b"{"})
    with pytest.raises(StoreError, match="it is damaged"):
        update(rubbish, path)


def test_a_dump_without_records_replaces_nothing(path: Path, tmp_path: Path) -> None:
    update(archive(tmp_path / "PyPI.zip"), path)
    (tmp_path / "empty").mkdir()
    with pytest.raises(StoreError, match="no advisories"):
        update(tmp_path / "empty", path)
    store = open_store(path)
    assert store is not None
    assert len(store.lookup("PyPI", "a")) == 1


@pytest.mark.parametrize("data", [b"", b"PK", b"hello" * 100])
def test_what_is_no_zip_is_said_to_be_none(data: bytes, path: Path, tmp_path: Path) -> None:
    (tmp_path / "PyPI.zip").write_bytes(data)
    with pytest.raises(StoreError, match="not a zip file"):
        update(tmp_path / "PyPI.zip", path)


def test_a_source_that_is_not_there_is_named_without_its_folder(path: Path) -> None:
    with pytest.raises(StoreError, match=r"no advisory dump at nowhere\.zip$"):
        update(path.parent / "nowhere.zip", path)


def test_control_characters_and_scripts_do_not_reach_the_store(path: Path, tmp_path: Path) -> None:
    record = {
        **GOOD,
        "id": "T-2",
        "summary": "red\x1b[31m\u202e\nnext",
        "references": [
            {"type": "WEB", "url": "javascript:alert(1)"},
            {"type": "WEB", "url": "https://example.org/<script>"},
            {"type": "WEB", "url": "https://example.org/line\n"},
            {"type": "WEB", "url": "https://example.org/good"},
        ],
    }
    update(archive(tmp_path / "PyPI.zip", **{"T-2.json": json.dumps(record).encode()}), path)
    store = open_store(path)
    assert store is not None
    found = store.lookup("PyPI", "a")[1]
    assert (found.summary, found.references) == ("red [31m next", ("https://example.org/good",))


def test_an_ecosystem_is_named_on_one_line(path: Path, tmp_path: Path) -> None:
    """It is said in the log."""
    package = {"ecosystem": "Acme\n", "name": "a"}
    other = json.dumps({**GOOD, "id": "T-2", "affected": [{"package": package}]}).encode()
    updated = update(archive(tmp_path / "all.zip", **{"T-2.json": other}), path)
    assert [one.ecosystem for one in updated.sources] == ["PyPI"]


def test_an_encrypted_entry_is_refused(tmp_path: Path) -> None:
    data = bytearray(archive(tmp_path / "PyPI.zip").read_bytes())
    data[data.rfind(b"PK\x01\x02") + 8] |= 1
    with zipfile.ZipFile(io.BytesIO(bytes(data))) as opened:
        info = opened.infolist()[0]
    assert info.flag_bits & 1
    (tmp_path / "PyPI.zip").write_bytes(data)
    (document,) = dumps.documents(tmp_path / "PyPI.zip", dumps.Budget())
    assert document.data is None
