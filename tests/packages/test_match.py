"""OSV's evaluation, merging of databases, and the engine's refusals."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from mergegate.core.errors import EngineFailed, EngineMissing
from mergegate.core.report import EngineStatus
from mergegate.packages import known_flaw
from mergegate.packages.advisories import AdvisoryStore, open_store
from mergegate.packages.advisory_engine import AdvisoryEngine
from mergegate.packages.dependencies import (
    AdvisoryRecord,
    AdvisorySource,
    AffectedRange,
    Dependencies,
    Package,
    PythonAudit,
    Vulnerabilities,
    VulnerablePackage,
)
from mergegate.packages.ecosystems import ECOSYSTEMS
from mergegate.packages.match import match
from mergegate.packages.ranges import evaluate
from mergegate.packages.versions import Incomparable
from tests.packages.advisory_index import RECORDS, store_of
from tests.packages.dependency_tree import fixture

IN, F, L, M = "introduced", "fixed", "last_affected", "limit"
Events = Sequence[tuple[str, str]]

# Ecosystem, events, version, affected
TABLE: list[tuple[str, Events, str, bool]] = [
    ("npm", [(IN, "0")], "0.0.1-alpha", True),
    ("npm", [(IN, "0"), (F, "1.2.3")], "1.2.2", True),
    ("npm", [(IN, "0"), (F, "1.2.3")], "1.2.3", False),
    ("npm", [(IN, "0"), (F, "1.2.3")], "1.2.3-rc.1", True),
    ("npm", [(IN, "1.0.0"), (F, "1.2.3")], "0.9.9", False),
    ("npm", [(IN, "1.0.0"), (F, "1.2.3")], "1.0.0", True),
    ("npm", [(IN, "1.0.0"), (L, "1.2.3")], "1.2.3", True),
    ("npm", [(IN, "1.0.0"), (L, "1.2.3")], "1.2.4", False),
    ("npm", [(F, "2.2.0"), (IN, "2.0.0"), (F, "1.5.0"), (IN, "1.0.0")], "1.7.0", False),
    ("npm", [(F, "2.2.0"), (IN, "2.0.0"), (F, "1.5.0"), (IN, "1.0.0")], "2.1.0", True),
    ("npm", [(IN, "1.0.0"), (F, "1.5.0"), (IN, "1.5.0"), (F, "1.6.0")], "1.5.0", True),
    ("npm", [(IN, "0"), (M, "2.0.0")], "1.9.0", True),
    ("npm", [(IN, "0"), (M, "2.0.0")], "2.0.0", False),
    ("npm", [(IN, "0"), (M, "*")], "99.0.0", True),
    ("npm", [(F, "1.0.0")], "0.5.0", False),
    ("npm", [(IN, "1.2.3"), (L, "1.2.3")], "1.2.3", True),
    ("npm", [(IN, "1.2.3"), (L, "1.2.3")], "1.2.4", False),
    ("Go", [(IN, "0"), (F, "0.0.0-20210428140749-89ef3d95e781")],
     "v0.0.0-20210226172049-e18ecbb05110", True),
    ("Go", [(IN, "0"), (F, "0.0.0-20210428140749-89ef3d95e781")], "v0.1.0", False),
    ("Go", [(IN, "2.0.0"), (F, "2.1.0")], "v2.0.5+incompatible", True),
    ("crates.io", [(IN, "0.0.0-0"), (F, "1.6.1")], "1.6.0", True),
    ("PyPI", [(IN, "0"), (F, "3.2.13")], "3.2", True),
    ("PyPI", [(IN, "3.2"), (F, "3.2.13")], "3.2.0", True),
    ("PyPI", [(IN, "0"), (F, "3.2.13")], "3.2.13rc1", True),
    ("PyPI", [(IN, "0"), (F, "3.2.13")], "3.2.13.post1", False),
]  # fmt: skip


def record(events: Events = (), versions: Sequence[str] = (), id: str = "T-1") -> AdvisoryRecord:
    ranges = (AffectedRange("ECOSYSTEM", tuple(events)),) if events else ()
    return AdvisoryRecord(id=id, ranges=ranges, versions=tuple(versions))


@pytest.mark.parametrize(("ecosystem", "events", "version", "expected"), TABLE)
def test_ranges_are_evaluated_as_osv_says(
    ecosystem: str, events: Events, version: str, expected: bool
) -> None:
    assert evaluate(record(events), ECOSYSTEMS[ecosystem], version).affected is expected


def test_a_listed_version_is_affected_in_any_spelling() -> None:
    listed = record(versions=["1.0", "legacy-thing"])
    answers = [
        evaluate(listed, ECOSYSTEMS["PyPI"], version).affected
        for version in ("1.0", "1.0.0", "1.1")
    ]
    assert answers == [True, True, False]


def test_an_installed_version_that_is_none_is_refused() -> None:
    with pytest.raises(Incomparable):
        evaluate(record([(IN, "0")]), ECOSYSTEMS["npm"], "next")


# Ecosystem, events, version, affected, whether that is a guess
ODD: list[tuple[str, Events, str, bool, bool]] = [
    ("PyPI", [(IN, "0"), (L, "2.6.0-NA")], "2.5.0", True, False),
    ("PyPI", [(IN, "0"), (L, "2.6.0-NA")], "2.6.0+cu124", True, True),
    ("PyPI", [(IN, "0"), (L, "2.6.0-NA")], "2.6.1", False, False),
    ("PyPI", [(IN, "0"), (L, "0.2.0-alpha\\.33")], "0.2.0a12", True, True),
    ("PyPI", [(IN, "0"), (L, "0.2.0-alpha\\.33")], "0.2.1", False, False),
    ("PyPI", [(IN, "0"), (F, "4.6.0.stable11")], "4.5.9", True, False),
    ("PyPI", [(IN, "0"), (F, "4.6.0.stable11")], "4.6.0", True, True),
    ("PyPI", [(IN, "0"), (F, "4.6.0.stable11")], "4.6.1", False, False),
    ("PyPI", [(IN, "4.6.0.stable11")], "4.6.0", True, True),
    ("PyPI", [(IN, "4.6.0.stable11")], "4.5.9", False, False),
    ("PyPI", [(IN, "0"), (L, "2019-09-12")], "3.1", True, True),
    ("PyPI", [(IN, "0"), (F, "soon"), (IN, "2.0"), (F, "2.1")], "1.0", True, True),
    ("PyPI", [(IN, "never")], "1.0", True, True),
    ("PyPI", [(IN, "0"), (F, "4.6.0")], "4.5.0.stable11", True, False),
    ("PyPI", [(IN, "0"), (F, "4.6.0")], "4.6.0.stable11", True, True),
    ("PyPI", [(IN, "4.6.0")], "4.6.0.stable11", True, True),
    ("PyPI", [(IN, "0"), (L, "2.5.0"), (L, "2.7.1")], "2.7.1", True, True),
    ("PyPI", [(IN, "0"), (L, "2.7.1"), (L, "2.5.0")], "2.5.0", True, False),
    ("PyPI", [(IN, "0"), (L, "2.5.0"), (L, "2.7.1")], "2.7.2", False, False),
    ("PyPI", [(IN, "0"), (L, "2.5"), (IN, "2.6"), (L, "2.7")], "2.5.1", False, False),
    ("npm", [(IN, "0"), (F, "1.2.3.4")], "1.2.3", True, True),
    ("npm", [(IN, "0"), (F, "1.2.x")], "1.2.9", True, True),
    ("npm", [(IN, "0"), (F, "1.2.x")], "1.3.0", False, False),
    ("npm", [(IN, "0"), (M, "2.0.0.1")], "2.0.0", True, True),
    ("Go", [(IN, "0"), (F, "v1.2.3_beta")], "v1.2.2", True, False),
    ("crates.io", [(IN, "1.0.0"), (L, "1.4.0.0")], "1.4.0", True, True),
]


@pytest.mark.parametrize(("ecosystem", "events", "version", "affected", "guessed"), ODD)
def test_what_is_no_version_is_read_as_far_as_it_can_be_and_rather_affected(
    ecosystem: str, events: Events, version: str, affected: bool, guessed: bool
) -> None:
    verdict = evaluate(record(events), ECOSYSTEMS[ecosystem], version)
    assert (verdict.affected, bool(verdict.guesses)) == (affected, guessed)


def test_a_guess_is_told_once_with_the_advisories() -> None:
    odd = [record([(IN, "0"), (L, "2.6.0-NA")], id=f"T-{number}") for number in range(5)]
    package = Package(ecosystem="PyPI", name="a", written="a", version="2.6.0", file="lock")
    matched = match([package, replace(package, file="other")], Index("PyPI", a=odd))
    assert len(matched.matches) == 10
    (told,) = matched.guesses
    assert told.startswith("a 2.6.0 is told as affected by T-0, T-1, T-2 and 2 more because")
    assert told.endswith("'2.6.0-NA' is no PEP 440 version")


def test_an_advisory_that_names_no_version_is_named_itself() -> None:
    package = Package(ecosystem="PyPI", name="a", written="a", version="2.6.0", file="lock")
    matched = match([package, replace(package, version="1")], Index("PyPI", a=[record()]))
    assert (matched.matches, matched.doubts) == ((), ())
    assert matched.guesses == ("a: which versions T-1 means is not stated",)


class Index:
    """Records by name, one ecosystem."""

    def __init__(self, ecosystem: str, **records: list[AdvisoryRecord]) -> None:
        self._ecosystem = ecosystem
        self._records = {known_flaw.NAME: [known_flaw.RECORD], **records}

    def sources(self) -> tuple[AdvisorySource, ...]:
        return (AdvisorySource(self._ecosystem, 1, "2026-01-01T00:00:00Z", "2026-01-02"),)

    def exploitation(self, name: str, cves: Sequence[str]) -> float | None:
        del name, cves
        return None

    def lookup(self, ecosystem: str, name: str) -> list[AdvisoryRecord]:
        return self._records.get(name, [])


def npm(name: str, version: str) -> Package:
    return Package(ecosystem="npm", name=name, written=name, version=version, file="lock")


def test_the_upgrade_clears_all_advisories_within_the_major_version() -> None:
    index = Index(
        "npm",
        a=[
            record([(IN, "0"), (F, "1.2.0"), (IN, "2.0.0"), (F, "2.1.0")], id="T-1"),
            record([(IN, "1.1.0"), (F, "1.4.0")], id="T-2"),
            record([(IN, "0")], id="T-3"),
        ],
    )
    found = match([npm("a", "1.1.0")], index).matches
    assert {(m.id, m.upgrade, m.same_major) for m in found} == {
        ("T-1", "1.4.0", True),
        ("T-2", "1.4.0", True),
        ("T-3", "1.4.0", True),
    }
    assert [m.fixed for m in found] == [("1.2.0", "2.1.0"), ("1.4.0",), ()]
    assert [(m.left_open, m.is_answered) for m in found] == [
        (("T-3",), True),
        (("T-3",), True),
        (("T-3",), False),
    ]


def test_an_upgrade_passes_by_what_came_after_the_installed_version() -> None:
    index = Index(
        "npm",
        a=[record([(IN, "0"), (F, "1.2.0")], id="T-1"),
           record([(IN, "1.2.0"), (F, "1.3.0")], id="T-2")],
    )  # fmt: skip
    (found,) = match([npm("a", "1.0.0")], index).matches
    assert (found.id, found.fixed, found.upgrade) == ("T-1", ("1.2.0",), "1.3.0")


def test_a_fix_of_what_does_not_affect_the_package_is_no_upgrade() -> None:
    later = record([(IN, "1.2.0"), (F, "1.3.0")], id="T-2")
    index = Index("npm", a=[record([(IN, "0")], id="T-1"), later])
    (found,) = match([npm("a", "1.0.0")], index).matches
    assert (found.id, found.fixed, found.upgrade, found.left_open) == ("T-1", (), "", ())


def test_a_fix_that_one_database_knows_of_counts_for_all() -> None:
    named = replace(record([(IN, "0")], id="PYSEC-1"), aliases=("GHSA-1",))
    index = Index("PyPI", a=[named, record([(IN, "0"), (F, "2.0")], id="GHSA-1")])
    package = Package(ecosystem="PyPI", name="a", written="a", version="1.0", file="lock")
    (found,) = match([package], index).matches
    assert (found.upgrade, found.left_open, found.is_answered) == ("2.0", (), True)


def test_without_a_fix_in_the_major_version_the_next_one_is_named() -> None:
    index = Index("npm", a=[record([(IN, "0"), (F, "2.0.0")])])
    (found,) = match([npm("a", "1.0.0")], index).matches
    assert (found.upgrade, found.same_major) == ("2.0.0", False)


def test_an_unknown_version_is_a_problem_and_not_clean() -> None:
    matched = match([npm("a", "next")], Index("npm", a=[record([(IN, "0")])]))
    assert matched.matches == ()
    assert [(doubt.path, "'next'" in doubt.reason) for doubt in matched.doubts] == [("lock", True)]


def test_an_odd_version_that_is_listed_is_affected_all_the_same() -> None:
    index = Index("npm", a=[record([(IN, "0")], id="T-1"), record(versions=["next"], id="T-2")])
    matched = match([npm("a", "next")], index)
    assert [found.id for found in matched.matches] == ["T-2"]
    assert len(matched.doubts) == 1


def test_a_match_that_only_one_voice_has_is_kept() -> None:
    package = Package(ecosystem="PyPI", name="a", written="a", version="1.0", file="lock")
    index = Index(
        "PyPI", a=[record([(IN, "0"), (F, "2")], id="T-1"), record([(IN, "3")], id="T-2")]
    )
    matched = match([package], index, PythonAudit({"a==1.0": ("T-2",)}))
    assert [(m.id, m.engines) for m in matched.matches] == [
        ("T-1", ("advisories",)),
        ("T-2", ("pip-audit",)),
    ]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> AdvisoryStore:
    return store_of(RECORDS, tmp_path_factory.mktemp("store"))


def found_in(folder: str, store: AdvisoryStore) -> Vulnerabilities:
    (fact,) = AdvisoryEngine(lambda: store).gather(fixture(folder)).facts
    assert isinstance(fact, Vulnerabilities)
    return fact


def only(fact: Vulnerabilities, name: str) -> VulnerablePackage:
    (found,) = [m for m in fact.matches if m.package.name == name]
    return found


EXPECTED = {
    "cargo": ["remove_dir_all", "serde", "smallvec", "smallvec", "tempfile"],
    "go": ["github.com/gin-gonic/gin", "github.com/gin-gonic/gin", "github.com/new/thing",
           "golang.org/x/net"],
    "npm-v3": ["express", "lodash", "minimist", "mocha", "qs"],
    "pipenv": ["boto3", "django", "django", "pytest", "sqlparse"],
    "pnpm-v9": ["@types/node", "express", "lodash", "qs", "react-thing"],
    "uv": ["flask", "jinja2", "pytest", "werkzeug"],
}  # fmt: skip


@pytest.mark.parametrize("folder", EXPECTED)
def test_each_fixture_has_the_advisories_written_for_it(folder: str, store: AdvisoryStore) -> None:
    assert [m.package.name for m in found_in(folder, store).matches] == EXPECTED[folder]


def test_two_databases_on_one_flaw_are_one_match(store: AdvisoryStore) -> None:
    found = [m for m in found_in("pipenv", store).matches if "CVE-2099-0001" in m.aliases]
    assert [(m.id, m.cvss, m.identity) for m in found] == [
        ("GHSA-test-djan-sql1", 9.8, "CVE-2099-0001")
    ]
    assert "PYSEC-2099-1" in found[0].aliases


def test_a_malicious_package_is_marked(store: AdvisoryStore) -> None:
    assert only(found_in("pipenv", store), "sqlparse").malicious


def test_exploitation_is_read_off_the_record(store: AdvisoryStore) -> None:
    assert only(found_in("requirements", store), "pillow").known_exploited


def test_the_age_is_that_of_the_asked_ecosystems(store: AdvisoryStore) -> None:
    fact = found_in("uv", store)
    assert [source.ecosystem for source in fact.sources] == ["PyPI"]
    assert fact.data_date == "2026-05-01T00:00:00Z"


def test_a_record_that_cannot_be_compared_is_told_and_named(store: AdvisoryStore) -> None:
    gathered = AdvisoryEngine(lambda: store).gather(fixture("poetry"))
    assert (gathered.run.status, gathered.limited) == (EngineStatus.OK, ())
    assert ["PYSEC-2099-10" in guess for guess in gathered.facts[0].guesses] == [True]


def test_packages_without_a_store_are_no_clean_answer() -> None:
    with pytest.raises(EngineMissing, match=r"no advisory store.* about crates\.io\.") as raised:
        AdvisoryEngine(lambda: None).gather(fixture("cargo"))
    assert "mergegate advisories update" in raised.value.remedy


def test_an_ecosystem_that_the_store_lacks_leaves_the_scan_incomplete() -> None:
    run = AdvisoryEngine(lambda: Index("npm")).gather(fixture("cargo")).run
    assert run.status is EngineStatus.MISSING
    assert run.reason == "the advisory store holds nothing about crates.io"
    assert "mergegate advisories update --ecosystem crates.io" in run.remedy


def test_what_the_store_knows_is_told_even_where_it_lacks_an_ecosystem() -> None:
    index = Index("npm", a=[record([(IN, "0"), (F, "1.2.0")], id="T-1")])
    both = Dependencies((npm("a", "1.0.0"), *fixture("cargo").packages))
    gathered = AdvisoryEngine(lambda: index).gather(both)
    (fact,) = gathered.facts
    assert gathered.run.status is EngineStatus.MISSING
    assert [found.id for found in fact.matches] == ["T-1"]


def test_no_packages_need_no_store() -> None:
    gathered = AdvisoryEngine(lambda: None).gather(Dependencies())
    assert gathered.run.status is EngineStatus.IDLE
    assert gathered.facts == (Vulnerabilities(),)


def test_a_store_that_lost_our_own_flaw_has_answered_nothing(tmp_path: Path) -> None:
    store_of(RECORDS, tmp_path).close()
    with closing(sqlite3.connect(tmp_path / "advisories.sqlite")) as opened:
        opened.execute("DELETE FROM affected WHERE ecosystem = 'crates.io' AND name > 'm'")
        opened.commit()
    with closing(AdvisoryStore(tmp_path / "advisories.sqlite")) as store:
        engine = AdvisoryEngine(lambda: store)
        assert engine.gather(fixture("pipenv")).run.status is EngineStatus.OK
        with pytest.raises(EngineFailed, match=r"on crates\.io miss the flaw"):
            engine.gather(fixture("cargo"))


def test_one_in_which_everything_is_affected_has_not_either() -> None:
    always = [replace(known_flaw.RECORD, ranges=record([(IN, "0")]).ranges)]
    index = Index("npm", **{known_flaw.NAME: always})
    with pytest.raises(EngineFailed, match="miss the flaw"):
        AdvisoryEngine(lambda: index).gather(Dependencies((npm("a", "1.0.0"),)))


def test_our_own_flaw_is_in_no_answer(store: AdvisoryStore) -> None:
    known = Dependencies((npm(known_flaw.NAME, known_flaw.AFFECTED), npm("a", "1.0.0")))
    (fact,) = AdvisoryEngine(lambda: store).gather(known).facts
    assert fact.matches == ()


def test_a_damaged_store_is_an_engine_failure(tmp_path: Path) -> None:
    path = tmp_path / "advisories.sqlite"
    path.write_bytes(b"SQLite format 3\0" + b"x" * 5000)
    with pytest.raises(EngineFailed, match="damaged"):
        AdvisoryEngine(lambda: open_store(path)).gather(fixture("cargo"))
