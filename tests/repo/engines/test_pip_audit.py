"""The real pip-audit against the fixtures' store, and every way in which it may fail."""

import json
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from mergegate.core.errors import EngineFailed, EngineMissing
from mergegate.core.report import EngineStatus
from mergegate.packages.advisories import AdvisoryStore
from mergegate.packages.advisory_engine import AdvisoryEngine
from mergegate.packages.dependencies import Dependencies, Package, PythonAudit, Vulnerabilities
from mergegate.repo.engines import pip_audit
from mergegate.repo.engines.pip_audit import PipAuditEngine, pins_of, served
from mergegate.sandbox.engines.engine import EngineContext
from mergegate.sandbox.files.stage import Stage
from mergegate.sandbox.process.run import Completed
from tests.packages.advisory_index import RECORDS, store_of
from tests.packages.dependency_tree import fixture


def pypi(name: str, version: str) -> Package:
    return Package(ecosystem="PyPI", name=name, written=name, version=version, file="r.txt")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> AdvisoryStore:
    return store_of(RECORDS, tmp_path_factory.mktemp("store"))


def audit(dependencies: Dependencies, store: AdvisoryStore | None) -> PythonAudit:
    with Stage() as stage:
        (fact,) = PipAuditEngine(lambda: store).gather(dependencies, EngineContext(stage)).facts
    assert isinstance(fact, PythonAudit)
    return fact


def test_pip_audit_agrees_with_our_own_matches(store: AdvisoryStore) -> None:
    dependencies = fixture("requirements")
    (fact,) = AdvisoryEngine(lambda: store).gather(dependencies, audit(dependencies, store)).facts
    assert isinstance(fact, Vulnerabilities)
    assert {m.engines for m in fact.matches} == {("advisories", "pip-audit")}


def test_two_versions_of_one_package_both_get_an_answer(store: AdvisoryStore) -> None:
    answers = audit(Dependencies((pypi("flask", "2.2.2"), pypi("flask", "3.0"))), store).answers
    assert answers == {"flask==2.2.2": ("CVE-2099-0007", "PYSEC-2099-7"), "flask==3.0": ()}


def test_without_python_packages_it_is_idle_and_needs_no_store() -> None:
    with Stage() as stage:
        gathered = PipAuditEngine(lambda: None).gather(fixture("cargo"), EngineContext(stage))
    assert gathered.run.status is EngineStatus.IDLE


def test_without_a_store_it_is_missing() -> None:
    with pytest.raises(EngineMissing, match="no advisory store"):
        audit(Dependencies((pypi("flask", "2.2.2"),)), None)


def test_only_plain_pins_are_handed_over() -> None:
    packages = [pypi("a", "1.0"), pypi("a", "1.0.0"), pypi("-r evil", "1"), pypi("b", "1; x")]
    other = Package(ecosystem="npm", name="c", written="c", version="1.0.0", file="f")
    assert pins_of([*packages, other]) == [("a", "1.0"), ("a", "1.0.0")]


GARBAGE = [
    (2, b""),
    (0, b""),
    (1, b"Traceback"),
    (0, b'{"dependencies": []}'),
    (0, b"[]"),
    (0, b'{"dependencies": [{"name": "flask", "version": "2.2.2"}]}'),
    (1, b'{"dependencies": [{"name": "flask", "skip_reason": "no such package"}]}'),
]


@pytest.mark.parametrize(("exit_code", "stdout"), GARBAGE)
def test_garbled_silent_or_skipped_answers_are_failures(
    exit_code: int, stdout: bytes, store: AdvisoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = Completed(exit_code, stdout, b"")
    monkeypatch.setattr(pip_audit, "run", lambda *_, **__: broken)
    with pytest.raises(EngineFailed):
        audit(Dependencies((pypi("flask", "2.2.2"),)), store)


def query(address: str, body: object) -> object:
    request = urllib.request.Request(address, data=json.dumps(body).encode(), method="POST")
    with urllib.request.urlopen(request, timeout=10) as response:
        return json.load(response)


def test_the_loopback_server_knows_only_the_packages_in_question(store: AdvisoryStore) -> None:
    with served({"flask": store.lookup("PyPI", "flask")}) as address:
        known = {"package": {"name": "flask", "ecosystem": "PyPI"}, "version": "2.2.2"}
        assert query(address, known) != {}
        assert query(address, {**known, "version": "2.2.5"}) == {}
        refused: list[object] = [{**known, "package": {"name": "django"}}, [], {"version": "x"}]
        for body in refused:
            with pytest.raises(urllib.error.HTTPError, match="400"):
                query(address, body)


def test_the_server_listens_on_the_loopback_device_alone() -> None:
    with served({}) as address:
        assert address.startswith("http://127.0.0.1:")


def test_nothing_of_the_repository_is_run(store: AdvisoryStore, tmp_path: Path) -> None:
    canary = tmp_path / "canary"
    (tmp_path / "setup.py").write_text(f"open({str(canary)!r}, 'w')")
    evil = pypi(f"{tmp_path}", "1.0")
    assert audit(Dependencies((evil, pypi("flask", "2.2.5"))), store).answers == {
        "flask==2.2.5": ()
    }
    assert not canary.exists()
