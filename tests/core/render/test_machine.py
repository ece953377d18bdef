"""What the machine formats share: times, short texts, fingerprints, what fits."""

import json
from dataclasses import replace

import pytest

from mergegate.core.render import machine
from tests.repo.report import shop, stock


@pytest.mark.parametrize(
    ("stamp", "moment"),
    [
        ("2026-11-20T09:14:02Z", "2026-11-20T09:14:02"),
        ("2026-11-20T09:14:02.123Z", "2026-11-20T09:14:02"),
        ("2026-11-20T09:14:02+02:00", "2026-11-20T07:14:02"),
        ("2026-11-20T09:14:02", "2026-11-20T09:14:02"),
        ("0001-01-02T00:00:00Z", "0001-01-02T00:00:00"),
        ("0001-01-01T00:00:00+23:00", None),
        ("yesterday", None),
        ("", None),
    ],
)
def test_times_are_utc_to_the_second(stamp: str, moment: str | None) -> None:
    assert machine.moment(stamp) == moment


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("abcde", "abcde"),
        ("abcdef", "abcd…"),
        ("a\x1b", "a\\x1b"),
        ("a\u202eb", "a\\u2…"),
        ("", ""),
    ],
)
def test_short_text_is_visible_and_no_longer_than_said(text: str, shown: str) -> None:
    assert machine.short(text, 5) == shown


def test_one_id_borne_by_many_findings_is_numbered() -> None:
    assert machine.fingerprints(stock.alike(3).findings) == (
        shop.SQL.id,
        f"{shop.SQL.id}-2",
        f"{shop.SQL.id}-3",
    )


def test_a_number_never_makes_two_findings_one() -> None:
    ids = ("a", "a-2", "a", "", "")
    found = [replace(shop.SQL, id=id) for id in ids]
    assert machine.fingerprints(found) == (
        *("a", "a-2", "a-3"),
        *("python-sql-injection", "python-sql-injection-2"),
    )


def test_what_fits_is_kept_from_the_front() -> None:
    entries: list[machine.Json] = [{"n": number} for number in range(5)]
    kept = machine.within(entries, 3 * len('{"n":0},'))
    assert kept == entries[:3]
    assert machine.within(entries, 0) == []
    assert len(json.dumps(kept, separators=(",", ":"))) <= 3 * len('{"n":0},') + 1


def test_links_are_few_short_and_told_once() -> None:
    many = tuple(f"https://example.org/{n}" for n in range(50))
    long = "https://example.org/" + "a" * 3_000
    finding = replace(shop.SQL, references=(many[0], long, *many, "http://example.org/"))
    assert machine.links(finding) == many[:20]
