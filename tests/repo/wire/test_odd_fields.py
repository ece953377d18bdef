"""Whatever stands in a field of a result, it is refused in our words, or every format shows it."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mergegate.core.errors import UsageError
from mergegate.core.render.formats import Surface
from mergegate.repo.report.formats import FORMATS, OF_A_SCAN
from mergegate.repo.wire.reading import read_answer
from tests.repo.report import stock
from tests.site.wire.test_readings import CASES, Case

SHOWN = {name: form for name, form in FORMATS.items() if name not in OF_A_SCAN}
REPOSITORY = Case(SHOWN, lambda content, _: read_answer(content), (stock.stocked,), stock.stocked)
EVERY = {"repository": REPOSITORY, **CASES}
ODD: list[Any] = [
    *("", "x" * 3_000, "\n::error::\x1b[31m\u202e", "-1", "../../x", "http://[", "\ud800"),
    *("2026-01-01", "9999-99-99", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59-23:59"),
    *("javascript:alert(1)", "0" * 20, "critical", "CWE-٣", "data:image/jpeg;base64,AAAA"),
    *(-1, 0, 1, 2**31, 1e-9, 3.5, None, True, [], {}, [""], ["a", "a"]),
]
Path = tuple[str | int, ...]


def places(value: Any, here: Path = ()) -> Iterator[Path]:
    """The places of every field, and of the first two elements of each list."""
    inner = value.items() if isinstance(value, dict) else enumerate(value[:2])
    for name, held in inner:
        yield (*here, name)
        if isinstance(held, dict | list):
            yield from places(held, (*here, name))


def put(document: Any, place: Path, value: object) -> None:
    *way, last = place
    for name in way:
        document = document[name]
    document[last] = value


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@pytest.mark.parametrize("case", EVERY.values(), ids=EVERY)
@given(data=st.data())
def test_an_odd_field_is_refused_or_shown(case: Case, data: st.DataObject) -> None:
    report = case.reports[0]()
    document = json.loads(case.written(report))
    put(
        document,
        data.draw(st.sampled_from(list(places(document)))),
        data.draw(st.sampled_from(ODD)),
    )
    try:
        again = case.read(json.dumps(document).encode(), report)
    except UsageError:
        return
    for form in case.formats.values():
        form.render(again, Surface(verbose=True))
        for part in form.parts.values():
            part(again)
