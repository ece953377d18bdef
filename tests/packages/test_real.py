"""The same on real advisories, where their dumps are at hand."""

import time
from pathlib import Path

import pytest

from mergegate.packages.advisories import AdvisoryStore, open_store, status
from mergegate.packages.advisory_engine import AdvisoryEngine
from mergegate.packages.dependencies import Dependencies, Package, Vulnerabilities
from tests.packages.advisory_index import needs_real_dumps, real_store

__all__ = ["real_store"]

pytestmark = needs_real_dumps

# Ecosystem, package, version, an advisory that everybody knows, whether it applies
KNOWN = [
    ("PyPI", "django", "3.2.0", "CVE-2022-28346", True),
    ("PyPI", "django", "3.2.13", "CVE-2022-28346", False),
    ("PyPI", "jinja2", "2.10", "CVE-2019-10906", True),
    ("PyPI", "jinja2", "2.10.1", "CVE-2019-10906", False),
    ("Go", "golang.org/x/net", "v0.16.0", "CVE-2023-39325", True),
    ("Go", "golang.org/x/net", "v0.17.0", "CVE-2023-39325", False),
    ("Go", "golang.org/x/text", "v0.3.3", "CVE-2021-38561", True),
    ("crates.io", "smallvec", "1.6.0", "CVE-2021-25900", True),
    ("crates.io", "smallvec", "1.6.1", "CVE-2021-25900", False),
]


@pytest.fixture(scope="module")
def store(real_store: Path) -> AdvisoryStore:
    store = open_store(real_store)
    assert store is not None
    return store


def package(ecosystem: str, name: str, version: str) -> Package:
    return Package(ecosystem=ecosystem, name=name, written=name, version=version, file="lock")


@pytest.mark.parametrize(("ecosystem", "name", "version", "advisory", "applies"), KNOWN)
def test_a_well_known_advisory_applies_where_it_does(
    ecosystem: str, name: str, version: str, advisory: str, applies: bool, store: AdvisoryStore
) -> None:
    one = Dependencies((package(ecosystem, name, version),))
    (fact,) = AdvisoryEngine(lambda: store).gather(one).facts
    assert isinstance(fact, Vulnerabilities)
    assert any(advisory in (m.id, *m.aliases) for m in fact.matches) is applies


def test_a_record_takes_less_than_a_kilobyte(real_store: Path) -> None:
    held = status(real_store)
    assert held is not None
    records = sum(source.records for source in held.sources)
    assert records > 8_000
    assert real_store.stat().st_size < 700 * records


def test_two_thousand_lookups_take_a_moment(store: AdvisoryStore) -> None:
    names = [f"package-{number}" for number in range(1_900)] + ["django", "flask", "jinja2"] * 33
    started = time.process_time()
    assert sum(len(store.lookup("PyPI", name)) for name in names) > 1_000
    assert time.process_time() - started < 1.0
