"""Every package of the real dumps at three versions: none incomplete, no advisory dropped."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import pytest
from packaging.version import Version

from mergegate.core.report import EngineStatus, Gate, Proofs, Report
from mergegate.core.severity import Aspect
from mergegate.packages.advisories import Stock
from mergegate.packages.dependencies import Vulnerabilities, VulnerablePackage
from mergegate.repo.cache import RunMemory
from mergegate.repo.engines.duplication import DuplicationFinder
from mergegate.repo.fixes import mending
from mergegate.repo.scan import Request, scan
from mergegate.repo.toolbox import scan_toolbox, sources
from tests.packages.advisory_index import REAL, needs_real_dumps, real_store
from tests.packages.real_pins import (
    ORDERS,
    Record,
    odd_texts,
    pinned,
    records_of,
    verdict,
    write_lock,
)

__all__ = ["real_store"]

pytestmark = [needs_real_dumps, pytest.mark.slow]

PLACES = ("inside", "boundary", "odd")
_Key = tuple[str, str]
"""Place and package."""


@dataclass(frozen=True)
class Swept:
    """A scan of all packages of an ecosystem, and what its records say."""

    ecosystem: str
    records: Mapping[str, Sequence[Record]]
    versions: Mapping[_Key, str]
    report: Report

    @property
    def matches(self) -> tuple[VulnerablePackage, ...]:
        assert self.report.basis is not None
        fact = self.report.basis.head.gathered.facts[Vulnerabilities]
        assert isinstance(fact, Vulnerabilities)
        return fact.matches

    @property
    def told(self) -> Mapping[_Key, set[str]]:
        """The names of every advisory in the report's findings."""
        found: dict[_Key, set[str]] = defaultdict(set)
        for one in self.matches:
            key = (one.package.file.partition("/")[0], one.package.name)
            found[key] |= {one.id, *one.aliases}
        return found


@pytest.fixture(scope="module", params=list(ORDERS))
def swept(
    request: pytest.FixtureRequest, real_store: Path, tmp_path_factory: pytest.TempPathFactory
) -> Swept:
    ecosystem, root = request.param, tmp_path_factory.mktemp("tree")
    records = records_of(REAL, ecosystem)
    turns = dict(zip(PLACES, pinned(records, ecosystem), strict=True))
    for place, pins in turns.items():
        write_lock(root / place, ecosystem, pins)
    engines = partial(sources, RunMemory(), Stock(real_store, fetch=False), DuplicationFinder())
    toolbox = replace(scan_toolbox(fetch=False, cached=False), sources=engines)
    with pytest.MonkeyPatch.context() as patch:
        # Their proofs are a second scan of it all, of which nothing is asked here.
        patch.setattr(mending, "repairs", lambda *_, **__: lambda *_: Proofs())
        report = scan(Request(root, frozenset({Aspect.DEPENDENCIES})), toolbox)
    versions = {(place, name): v for place, pins in turns.items() for name, v in pins.items()}
    return Swept(ecosystem, records, versions, report)


def verdicts(swept: Swept) -> Iterator[tuple[_Key, str, Record, bool | None]]:
    """What each record on a pinned package says of the version; None where it says too little."""
    for (place, name), version in swept.versions.items():
        for record in swept.records[name]:
            yield (place, name), version, record, verdict(record, version, ORDERS[swept.ecosystem])


def test_no_scan_of_it_is_incomplete(swept: Swept) -> None:
    statuses = {one.name: one.status for one in swept.report.engines}
    assert set(statuses.values()) <= {EngineStatus.OK, EngineStatus.IDLE}
    assert statuses["advisories"] is EngineStatus.OK
    assert swept.report.verdict.gate is not Gate.INCOMPLETE
    assert (swept.report.coverage.limited, swept.report.coverage.unresolved) == ((), ())
    assert len(swept.versions) == 3 * len(swept.records) > 1_000


def test_every_version_is_told_what_the_records_say_of_it(swept: Swept) -> None:
    told = swept.told
    said = list(verdicts(swept))
    missed = [(key, v, r["id"]) for key, v, r, one in said if one and r["id"] not in told[key]]
    assert missed == []
    holds = {(key, r["id"]) for key, _, r, one in said if one is not False}
    alone = [
        (key, match.id)
        for match in swept.matches
        for key in [(match.package.file.partition("/")[0], match.package.name)]
        if not {(key, name) for name in (match.id, *match.aliases)} & holds
    ]
    assert alone == []
    assert sum(bool(one) for *_, one in said) > 1_000


def test_what_a_record_leaves_open_is_told_or_named_or_lies_beyond_it(swept: Swept) -> None:
    told, limits = swept.told, "\n".join(swept.report.coverage.limits)
    for key, version, record, said in verdicts(swept):
        if said is None and record["id"] not in told[key]:
            odd = list(odd_texts(record, ORDERS[swept.ecosystem]))
            named = f"{key[1]}: " in limits and record["id"] in limits
            assert named or (odd and all(is_beyond(version, one) for one in odd)), record["id"]


def is_beyond(version: str, odd: str) -> bool:
    """Whether ``version`` is of a later release than the numbers that ``odd`` begins with."""
    start = re.match(r"v?(\d+(?:\.\d+)+)", odd)
    assert start, odd
    here, there = Version(version), Version(start[1])
    return here > there and here.release[: len(there.release)] != there.release


def test_python_has_a_second_voice_but_where_a_record_is_read_freely(swept: Swept) -> None:
    if swept.ecosystem == "PyPI":
        known = {r["id"]: r for records in swept.records.values() for r in records}
        single = {one.id for one in swept.matches if one.engines != ("advisories", "pip-audit")}
        assert 0 < len(single) < 50
        assert [one for one in single if not is_read_freely(known[one])] == []


def is_read_freely(record: Record) -> bool:
    """Whether a boundary is no version, or several are the last affected one."""
    pieces = [piece for part in record["affected"] for piece in part.get("ranges", ())]
    ends = [kind for piece in pieces for event in piece["events"] for kind in event]
    return ends.count("last_affected") > 1 or any(odd_texts(record, ORDERS["PyPI"]))
