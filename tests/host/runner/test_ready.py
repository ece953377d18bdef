"""A host's children of the tests are those of a host, but for what they load."""

from mergegate.core.plans import Tool
from tests.host.runner.ready import Ready
from tests.host.runner.scans import carried, scan_of

REFUSED = scan_of(Tool.SEO, {"url": "file:///etc/passwd"})


def test_a_child_is_kept_after_a_failure_and_keeps_nothing(ready_host: Ready) -> None:
    first = carried(ready_host.carriage, REFUSED)
    before = ready_host.pids()
    assert carried(ready_host.carriage, REFUSED) == first
    assert ready_host.pids() == before
    assert [list(room.iterdir()) for room in ready_host.rooms()] == [[]] * len(ready_host.rooms())


def test_aside_it_the_host_starts_children_of_its_own(ready_host: Ready) -> None:
    as_usual, before = carried(ready_host.carriage, REFUSED), ready_host.pids()
    with ready_host.aside():
        assert carried(ready_host.carriage, REFUSED) == as_usual
    assert ready_host.pids() == before
