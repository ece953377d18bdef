"""Filling the store and asking it."""

import json
import shutil
import sqlite3
import zipfile
from pathlib import Path
from typing import Any

import httpx
import pytest

from mergegate.core.errors import StoreError
from mergegate.packages.advisories import open_store, status, update
from mergegate.packages.advisories.records import read_record

RECORDS = Path(__file__).parent.parent / "fixtures" / "dependencies" / "osv"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "advisories.sqlite"


def record(id: str, ecosystem: str = "PyPI", name: str = "a", **more: object) -> dict[str, Any]:
    affected = {
        "package": {"ecosystem": ecosystem, "name": name},
        "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}]}],
    }
    return {"id": id, "modified": "2026-01-01T00:00:00Z", "affected": [affected], **more}


def zipped(target: Path, *records: dict[str, Any]) -> Path:
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for one in records:
            archive.writestr(f"{one['id']}.json", json.dumps(one))
    return target


def ids(path: Path, ecosystem: str = "PyPI", name: str = "a") -> list[str]:
    store = open_store(path)
    assert store is not None
    with store:
        return [found.id for found in store.lookup(ecosystem, name)]


def test_a_folder_fills_every_ecosystem_it_holds(path: Path) -> None:
    updated = update(RECORDS, path)
    assert [(s.ecosystem, s.records) for s in updated.sources] == [
        ("Go", 5),
        ("PyPI", 13),
        ("crates.io", 4),
        ("npm", 7),
    ]
    assert (updated.withdrawn, updated.malformed) == (1, 0)


def test_the_status_tells_how_fresh_each_ecosystem_is(path: Path) -> None:
    update(RECORDS, path)
    held = status(path)
    assert held is not None
    assert {s.ecosystem: s.newest for s in held.sources}["PyPI"] == "2026-05-01T00:00:00Z"
    assert held.newest == "2026-05-01T00:00:00Z"
    assert all(s.imported_at.endswith("+00:00") and s.source == "osv" for s in held.sources)


def test_without_a_store_there_is_no_status(path: Path) -> None:
    assert status(path) is None
    assert open_store(path) is None


def test_names_of_python_packages_are_found_in_any_spelling(path: Path, tmp_path: Path) -> None:
    update(zipped(tmp_path / "PyPI.zip", record("T-1", name="Foo_Bar.baz")), path)
    assert ids(path, name="foo-bar-baz") == ids(path, name="FOO.Bar_baz") == ["T-1"]


def test_a_record_keeps_all_that_a_finding_needs(path: Path) -> None:
    update(RECORDS, path)
    store = open_store(path)
    assert store is not None
    found = {one.id: one for one in store.lookup("PyPI", "django")}["GHSA-test-djan-sql1"]
    assert (found.severity, found.cvss, found.cwe) == ("critical", 9.8, ("CWE-89",))
    assert found.aliases == ("CVE-2099-0001", "TEST-2099-0001")
    assert found.ranges[1].events == (("introduced", "3.0"), ("fixed", "3.2.13"))
    assert found.references == ("https://advisories.example.org/GHSA-test-djan-sql1",)


# What a record says beside its package and range, and whether the package was made to do harm
MALWARE: list[tuple[dict[str, Any], bool]] = [
    ({"id": "MAL-2026-1"}, True),
    ({"aliases": ["MAL-2026-1"]}, True),
    ({"database_specific": {"cwe_ids": ["CWE-506"]}}, True),
    ({"database_specific": {"cwe_ids": ["CWE-79", "CWE-512"]}}, True),
    ({"database_specific": {"malicious-packages-origins": []}}, True),
    ({"summary": "Embedded malware in a"}, True),
    ({"summary": "Malicious code in a (PyPI)"}, True),
    ({"summary": "`a` was removed from crates.io due to malicious code"}, True),
    ({"details": "Two a versions published containing credential harvesting malware"}, True),
    ({"details": "It was taken over and a new malicious release made which steals keys"}, True),
    ({"database_specific": {"cwe_ids": ["CWE-505", "CWE-829"]}}, False),
    ({"summary": "a runs malicious code in crafted archives"}, False),
    ({"summary": "Versions of a before 2 do not notice files containing malware"}, False),
    ({"summary": "Malicious input could cause a panic"}, False),
    ({"summary": "Malicious plugin names cause execution"}, False),
]


@pytest.mark.parametrize(("more", "expected"), MALWARE)
def test_a_package_that_was_made_to_do_harm_is_known_by_every_mark(
    more: dict[str, Any], expected: bool
) -> None:
    (imported,) = read_record({**record("T-1"), **more})
    assert imported.record.malicious is expected


def test_the_category_of_rust_s_database_marks_it_too() -> None:
    told = record("T-1", "crates.io")
    told["affected"][0]["database_specific"] = {"categories": ["malicious"]}
    assert [one.record.malicious for one in read_record(told)] == [True]


def test_a_date_that_is_still_to_come_makes_no_store_young(path: Path, tmp_path: Path) -> None:
    dates = ("2022-05-02T00:00:00Z", "2999-01-01T00:00:00Z", "2022-13-45T00:00:00Z")
    told = (record(f"T-{n}", modified=date) for n, date in enumerate(dates))
    (source,) = update(zipped(tmp_path / "PyPI.zip", *told), path).sources
    assert (source.records, source.newest) == (3, dates[0])
    assert len(ids(path)) == 3


def test_an_update_replaces_its_ecosystem_and_keeps_the_others(path: Path, tmp_path: Path) -> None:
    update(RECORDS, path)
    update(zipped(tmp_path / "PyPI.zip", record("T-1")), path)
    assert (ids(path), ids(path, name="django")) == (["T-1"], [])
    assert len(ids(path, "npm", "qs")) == 1
    held = status(path)
    assert held is not None
    assert [s.ecosystem for s in held.sources] == ["Go", "PyPI", "crates.io", "npm"]


def test_one_npm_package_in_a_dump_of_pypi_does_not_stand_for_npm(
    path: Path, tmp_path: Path
) -> None:
    both = record("T-1")
    both["affected"] = [*record("x")["affected"], *record("x", "npm", "b")["affected"]]
    updated = update(zipped(tmp_path / "PyPI.zip", both), path)
    assert [source.ecosystem for source in updated.sources] == ["PyPI"]


def test_a_zip_of_zips_is_read_by_their_names(path: Path, tmp_path: Path) -> None:
    inner = zipped(tmp_path / "inner.zip", record("T-1"), record("T-2", "npm"))
    with zipfile.ZipFile(tmp_path / "dump.zip", "w") as outer:
        outer.write(inner, "PyPI/all.zip")
    updated = update(tmp_path / "dump.zip", path)
    assert [(s.ecosystem, s.records) for s in updated.sources] == [("PyPI", 1)]


def test_a_folder_of_all_zips_is_read_by_its_folders(path: Path, tmp_path: Path) -> None:
    folder = tmp_path / "mirror" / "crates.io"
    folder.mkdir(parents=True)
    zipped(folder / "all.zip", record("T-1", "crates.io"))
    assert [s.ecosystem for s in update(tmp_path / "mirror", path).sources] == ["crates.io"]


def test_only_the_wanted_ecosystems_are_taken(path: Path) -> None:
    updated = update(RECORDS, path, ecosystems=("Go",))
    assert [source.ecosystem for source in updated.sources] == ["Go"]


def test_a_release_of_a_distribution_is_no_part_of_the_ecosystem(
    path: Path, tmp_path: Path
) -> None:
    update(zipped(tmp_path / "x.zip", record("T-1", "Debian:12")), path)
    assert ids(path, "Debian") == ["T-1"]


def test_an_open_store_is_not_disturbed_by_an_update(path: Path, tmp_path: Path) -> None:
    update(zipped(tmp_path / "PyPI.zip", record("T-1")), path)
    before = open_store(path)
    assert before is not None
    update(zipped(tmp_path / "PyPI.zip", record("T-2")), path)
    assert [found.id for found in before.lookup("PyPI", "a")] == ["T-1"]
    assert ids(path) == ["T-2"]


def test_two_updates_at_once_are_refused(path: Path, tmp_path: Path) -> None:
    path.parent.mkdir()
    lock = sqlite3.connect(path.with_name(f"{path.name}.lock"), isolation_level=None)
    lock.execute("BEGIN EXCLUSIVE")
    with pytest.raises(StoreError, match="being updated already"):
        update(RECORDS, path)
    lock.close()
    update(RECORDS, path)


def test_nothing_is_left_beside_the_store(path: Path) -> None:
    update(RECORDS, path)
    names = {entry.name for entry in path.parent.iterdir()}
    assert names == {"advisories.sqlite", "advisories.sqlite.lock"}


@pytest.mark.parametrize("damage", [b"", b"not a database at all" * 300])
def test_a_damaged_store_is_said_to_be_damaged(path: Path, damage: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(damage)
    with pytest.raises(StoreError, match="damaged") as raised:
        status(path)
    assert "mergegate advisories update" in raised.value.remedy


def test_a_store_of_another_version_is_refused(path: Path) -> None:
    update(RECORDS, path)
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE meta SET value = '0'")
    with pytest.raises(StoreError, match="another version"):
        open_store(path)


def mirror(answers: dict[str, httpx.Response]) -> httpx.Client:
    def answer(request: httpx.Request) -> httpx.Response:
        return answers.get(str(request.url), httpx.Response(404))

    return httpx.Client(transport=httpx.MockTransport(answer))


def served(tmp_path: Path, *records: dict[str, Any]) -> httpx.Response:
    data = zipped(tmp_path / "served.zip", *records).read_bytes()
    return httpx.Response(200, stream=httpx.ByteStream(data))


def test_a_base_address_is_asked_for_each_ecosystem(path: Path, tmp_path: Path) -> None:
    base = "https://user:secret@mirror.example.org/osv"
    answers = {
        f"{base}/PyPI/all.zip": served(tmp_path, record("T-1")),
        f"{base}/GitHub%20Actions/all.zip": served(tmp_path, record("T-2", "GitHub Actions")),
    }
    update(base, path, ecosystems=("PyPI", "GitHub Actions"), client=mirror(answers))
    held = status(path)
    assert held is not None
    assert {s.ecosystem for s in held.sources} == {"PyPI", "GitHub Actions"}
    assert "secret" not in repr(held)


def test_a_mirror_may_lack_some_of_what_is_usual_and_none_of_what_is_named(
    path: Path, tmp_path: Path
) -> None:
    base = "https://mirror.example.org/osv"

    def holding(ecosystem: str) -> httpx.Client:
        data = served(tmp_path, record("T-1", ecosystem))
        return mirror({f"{base}/{ecosystem}/all.zip": data})

    update(base, path, client=holding("npm"))
    updated = update(base, path, client=holding("PyPI"))
    assert [one.ecosystem for one in updated.sources] == ["PyPI"]
    held = status(path)
    assert held is not None
    assert [one.ecosystem for one in held.sources] == ["PyPI", "npm"]
    for client, asked in ((holding("PyPI"), ("PyPI", "npm")), (mirror({}), ())):
        with pytest.raises(StoreError, match="answered 404"):
            update(base, path, ecosystems=asked, client=client)


def test_a_zip_address_is_taken_as_it_is(path: Path, tmp_path: Path) -> None:
    url = "https://mirror.example.org/dumps/PyPI.zip"
    answers = {url: served(tmp_path, record("T-1"))}
    update(url, path, client=mirror(answers))
    assert ids(path) == ["T-1"]


REFUSED = {
    "plain http": ("http://mirror.example.org/PyPI.zip", {}, "not an https address"),
    "not found": ("https://mirror.example.org/PyPI.zip", {}, "answered 404"),
    "another host": (
        "https://mirror.example.org/PyPI.zip",
        {"location": "https://evil.example.org/PyPI.zip"},
        "redirects to another host",
    ),
    "down to http": (
        "https://mirror.example.org/PyPI.zip",
        {"location": "http://mirror.example.org/PyPI.zip"},
        "not an https address",
    ),
    "in circles": (
        "https://mirror.example.org/PyPI.zip",
        {"location": "https://mirror.example.org/PyPI.zip"},
        "redirects more than",
    ),
}


@pytest.mark.parametrize(("url", "headers", "reason"), REFUSED.values(), ids=REFUSED)
def test_an_address_that_misbehaves_changes_nothing(
    url: str, headers: dict[str, str], reason: str, path: Path
) -> None:
    update(RECORDS, path)
    before = path.read_bytes()
    answers = {url: httpx.Response(302, headers=headers)} if headers else {}
    with pytest.raises(StoreError, match=reason):
        update(url, path, client=mirror(answers))
    assert path.read_bytes() == before


def test_a_broken_connection_tells_how_to_work_offline(path: Path) -> None:
    def fail(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("no route", request=request)

    client = httpx.Client(transport=httpx.MockTransport(fail))
    with pytest.raises(StoreError, match="could not be downloaded") as raised:
        update("https://mirror.example.org", path, client=client)
    assert "FOLDER_OR_ZIP" in raised.value.remedy


def test_the_store_can_be_carried_elsewhere(path: Path, tmp_path: Path) -> None:
    update(RECORDS, path)
    shutil.copy(path, tmp_path / "carried.sqlite")
    assert len(ids(tmp_path / "carried.sqlite", "npm", "qs")) == 1
