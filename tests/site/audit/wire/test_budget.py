"""A budget is read as strictly as it is written plainly."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mergegate.core.errors import UnsupportedBudgetVersion, UsageError
from mergegate.sandbox.visit import Device
from mergegate.site.audit.budget import (
    Budget,
    Figures,
    Measured,
    Violation,
    compare,
    derive,
)
from mergegate.site.audit.wire.budget import parse, read, shape, violations, write
from tests.site.audit.pages import pages

BUDGET = Budget(
    Device.MOBILE,
    Figures(
        lcp=2750,
        tbt=300,
        cls=0.15,
        fcp=1800.5,
        transfer_bytes=512_000,
        script_bytes=204_800,
        request_count=44,
    ),
    ("Café", "Google Tag Manager"),
)
FILE = """\
{
  "device": "mobile",
  "metrics": {
    "cls": 0.15,
    "fcp": 1800.5,
    "lcp": 2750,
    "tbt": 300
  },
  "requestCount": 44,
  "scriptBytes": 204800,
  "transferBytes": 512000,
  "vendors": [
    "Caf\\u00e9",
    "Google Tag Manager"
  ],
  "version": 1
}
"""


def document() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(FILE)
    return found


def test_the_file_is_sorted_indented_and_ends_with_a_line_break() -> None:
    assert write(BUDGET) == FILE


def test_what_was_written_is_read_back() -> None:
    assert read(FILE.encode()) == BUDGET
    assert parse(document()) == BUDGET


@settings(deadline=None)
@given(pages)
def test_a_page_keeps_its_budget_through_the_file(measured: Measured) -> None:
    saved = write(derive(measured))
    assert write(read(saved.encode())) == saved
    assert compare(read(saved.encode()), measured) == ()


def test_the_result_carries_the_fields_of_the_specification() -> None:
    assert shape(BUDGET).model_dump(by_alias=True) == document() | {"vendors": BUDGET.vendors}
    assert shape(BUDGET).model_dump_json(by_alias=True) == (
        '{"version":1,"device":"mobile","metrics":{"lcp":2750,"tbt":300,"cls":0.15,"fcp":1800.5},'
        '"transferBytes":512000,"scriptBytes":204800,"requestCount":44,'
        '"vendors":["Café","Google Tag Manager"]}'
    )


def test_a_merge_of_two_branches_is_put_in_order() -> None:
    merged = document() | {"vendors": ["Tags", "Ads", "Tags"]}
    assert parse(merged).vendors == ("Ads", "Tags")


@pytest.mark.parametrize("version", [0, 2, -1, 1.0, True, "1", None, [1], {}, 10**30])
def test_another_version_is_told_by_its_code(version: object) -> None:
    with pytest.raises(UnsupportedBudgetVersion) as caught:
        parse(document() | {"version": version})
    assert caught.value.code == "UNSUPPORTED_BUDGET_VERSION"


def test_people_are_told_of_another_version_in_a_sentence() -> None:
    with pytest.raises(UsageError) as caught:
        parse({"version": 2})
    assert str(caught.value) == (
        "the budget is not of version 1, the only one that is read here. "
        "`mergegate audit URL --save-budget FILE` writes one."
    )


def test_any_other_mistake_has_no_code_of_its_own() -> None:
    with pytest.raises(UsageError) as caught:
        parse([])
    assert caught.value.code == ""


def test_no_version_is_an_unsupported_one() -> None:
    given = document()
    del given["version"]
    with pytest.raises(UnsupportedBudgetVersion):
        parse(given)


def test_a_later_version_is_told_before_its_new_fields() -> None:
    with pytest.raises(UnsupportedBudgetVersion):
        parse({"version": 2, "limits": {}})


Change = Callable[[dict[str, Any]], object]


@pytest.mark.parametrize(
    ("change", "where"),
    [
        (lambda one: one.update(extra=1), "extra"),
        (lambda one: one.update(transfer_bytes=1), "transfer_bytes"),
        (lambda one: one["metrics"].update(inp=200), "metrics.inp"),
        (lambda one: one["metrics"].pop("tbt"), "metrics.tbt"),
        (lambda one: one.pop("vendors"), "vendors"),
        (lambda one: one.update(device="tablet"), "device"),
        (lambda one: one.update(device=None), "device"),
        (lambda one: one.update(metrics=[]), "metrics"),
        (lambda one: one["metrics"].update(lcp=-1), "metrics.lcp"),
        (lambda one: one["metrics"].update(lcp="2750"), "metrics.lcp"),
        (lambda one: one["metrics"].update(lcp=True), "metrics.lcp"),
        (lambda one: one["metrics"].update(lcp=None), "metrics.lcp"),
        (lambda one: one["metrics"].update(cls=float("nan")), "metrics.cls"),
        (lambda one: one["metrics"].update(cls=float("inf")), "metrics.cls"),
        (lambda one: one["metrics"].update(fcp=10**400), "metrics.fcp"),
        (lambda one: one["metrics"].update(fcp=2**53), "metrics.fcp"),
        (lambda one: one.update(transferBytes=-1), "transferBytes"),
        (lambda one: one.update(transferBytes=1.5), "transferBytes"),
        (lambda one: one.update(scriptBytes="1"), "scriptBytes"),
        (lambda one: one.update(requestCount=True), "requestCount"),
        (lambda one: one.update(requestCount=2**53), "requestCount"),
        (lambda one: one.update(vendors="Ads"), "vendors"),
        (lambda one: one.update(vendors={"Ads": 1}), "vendors"),
        (lambda one: one.update(vendors=["Ads", 1]), "vendors.1"),
        (lambda one: one.update(vendors=[""]), "vendors.0"),
        (lambda one: one.update(vendors=["\ud800"]), "vendors.0"),
    ],
)
def test_what_no_budget_holds_is_refused_by_its_field(change: Change, where: str) -> None:
    given = document()
    change(given)
    with pytest.raises(UsageError, match=f"no performance budget: {where}: "):
        parse(given)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"\xff\xfe{}",
        b"[" * 100_000,
        FILE.replace("2750", "NaN").encode(),
        FILE.replace("2750", "-Infinity").encode(),
        FILE.replace("2750", "9" * 5000).encode(),
        FILE.replace('"device": "mobile"', '"device": "mobile", "device": "desktop"').encode(),
        FILE.replace('"lcp": 2750', '"lcp": 2750, "lcp": 9999').encode(),
        FILE.replace('"version": 1', '"version": 1, "version": 2').encode(),
    ],
)
def test_what_is_no_plain_json_is_refused(content: bytes) -> None:
    with pytest.raises(UsageError, match="it is not valid JSON"):
        read(content)


@pytest.mark.parametrize("content", [b"null", b"1", b'"budget"', b"[]"])
def test_json_that_is_no_object_is_refused(content: bytes) -> None:
    with pytest.raises(UsageError, match="it is no object"):
        read(content)


def test_a_number_too_large_for_a_float_is_refused() -> None:
    with pytest.raises(UsageError, match=r"metrics\.lcp"):
        read(FILE.replace("2750", "1e400").encode())


def test_more_than_any_budget_holds_is_refused() -> None:
    with pytest.raises(UsageError, match="larger than 1 MiB"):
        read(b" " * ((1 << 20) + 1))


def test_hostile_names_and_values_do_not_reach_the_error() -> None:
    given = document() | {"\n::error::\u202e" + "x" * 100: 1, "device": "\n::error::"}
    with pytest.raises(UsageError) as caught:
        parse(given)
    assert str(caught.value).isascii()
    assert "\n" not in str(caught.value)
    with pytest.raises(UsageError) as caught:
        parse(document() | {"\n::error::\u202e" + "x" * 100: 1})
    assert str(caught.value).startswith(r"this is no performance budget: \n::error::\u202exxx")
    assert len(str(caught.value)) < 200


@settings(deadline=None)
@given(st.recursive(st.none() | st.booleans() | st.floats() | st.text(), st.lists, max_leaves=5))
def test_whatever_a_field_holds_nothing_but_a_usage_error_is_raised(value: object) -> None:
    for field in document():
        if field != "vendors":
            with pytest.raises(UsageError):
                parse(document() | {field: value})


def test_violations_have_the_three_fields_of_the_specification() -> None:
    found = [
        Violation(key="lcp", limit=2750, actual=3000.5, cause="https://example.org/", certain=True),
        Violation(key="vendor", limit="not in budget", actual="Ads"),
    ]
    assert [one.model_dump() for one in violations(found)] == [
        {"key": "lcp", "limit": 2750, "actual": 3000.5},
        {"key": "vendor", "limit": "not in budget", "actual": "Ads"},
    ]
    assert violations(found)[0].model_dump_json() == '{"key":"lcp","limit":2750,"actual":3000.5}'
