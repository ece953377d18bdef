"""The real pip-audit against the fixtures' store, and every way in which it may fail."""

import json
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from mergegate.core.errors import EngineFailed, EngineMissing
from mergegate.core.report import EngineStatus
from mergegate.packages import known_flaw
from mergegate.packages.advisories import AdvisoryStore
from mergegate.packages.advisory_engine import AdvisoryEngine
from mergegate.packages.dependencies import Dependencies, Package, PythonAudit, Vulnerabilities
from mergegate.repo.cache import AnswerCache, RunMemory
from mergegate.repo.engines import pip_audit
from mergegate.repo.engines.pip_audit import PipAuditEngine, pins_of
from mergegate.sandbox.engines.engine import EngineContext, Gathered
from mergegate.sandbox.files.stage import Stage
from mergegate.sandbox.process.run import Completed, run
from tests.packages.advisory_index import RECORDS, store_of
from tests.packages.dependency_tree import fixture


def pypi(name: str, version: str) -> Package:
    return Package(ecosystem="PyPI", name=name, written=name, version=version, file="r.txt")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> AdvisoryStore:
    return store_of(RECORDS, tmp_path_factory.mktemp("store"))


def audit(dependencies: Dependencies, store: AdvisoryStore | None) -> PythonAudit:
    with Stage() as stage:
        engine = PipAuditEngine(lambda: store, RunMemory())
        (fact,) = engine.gather(dependencies, EngineContext(stage)).facts
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
        engine = PipAuditEngine(lambda: None, RunMemory())
        gathered = engine.gather(fixture("cargo"), EngineContext(stage))
    assert gathered.run.status is EngineStatus.IDLE


def test_without_a_store_it_is_missing() -> None:
    with pytest.raises(EngineMissing, match="no advisory store"):
        audit(Dependencies((pypi("flask", "2.2.2"),)), None)


def test_only_plain_pins_are_handed_over() -> None:
    packages = [pypi("a", "1.0"), pypi("a", "1.0.0"), pypi("-r evil", "1"), pypi("b", "1; x")]
    other = Package(ecosystem="npm", name="c", written="c", version="1.0.0", file="f")
    ours = pypi(known_flaw.NAME, known_flaw.AFFECTED)
    assert pins_of([*packages, other, ours]) == [("a", "1.0"), ("a", "1.0.0")]


GARBAGE = [
    (2, b""),
    (0, b""),
    (1, b"Traceback"),
    (0, b'{"dependencies": []}'),
    (0, b"[]"),
    (0, b'{"dependencies": [{"name": "flask", "version": "2.2.2"}]}'),
    (1, b'{"dependencies": [{"name": "flask", "skip_reason": "no such package"}]}'),
    (0, b'{"dependencies": [{"name": "flask", "version": "2.2.2", "vulns": []}]}'),
]


@pytest.mark.parametrize(("exit_code", "stdout"), GARBAGE)
def test_garbled_silent_or_skipped_answers_are_failures(
    exit_code: int, stdout: bytes, store: AdvisoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = Completed(exit_code, stdout, b"")
    monkeypatch.setattr(pip_audit, "run", lambda *_, **__: broken)
    with pytest.raises(EngineFailed):
        audit(Dependencies((pypi("flask", "2.2.2"),)), store)


def test_it_has_no_network(store: AdvisoryStore, monkeypatch: pytest.MonkeyPatch) -> None:
    options: list[dict[str, object]] = []

    def spied(*arguments: Any, **given: Any) -> Completed:
        options.append(given)
        return run(*arguments, **given)

    monkeypatch.setattr(pip_audit, "run", spied)
    audit(Dependencies((pypi("flask", "2.2.2"),)), store)
    assert [one.get("network", False) for one in options] == [False]


ODD = {
    "id": "T-2",
    "modified": "2026-01-01T00:00:00Z",
    "affected": [
        {
            "package": {"ecosystem": "PyPI", "name": "a"},
            "ranges": [
                {
                    "type": "ECOSYSTEM",
                    "events": [{"introduced": "0"}, {"last_affected": "2.6.0-NA"}],
                }
            ],
        }
    ],
}


def test_an_odd_record_costs_nobody_the_second_voice_but_itself(tmp_path: Path) -> None:
    plain = json.loads(json.dumps(ODD).replace("T-2", "T-1").replace("2.6.0-NA", "2.6.0"))
    for one in (ODD, plain):
        (tmp_path / f"{one['id']}.json").write_text(json.dumps(one))
    dependencies = Dependencies((pypi("a", "2.6.0"),))
    with store_of(tmp_path, tmp_path) as odd:
        heard = audit(dependencies, odd)
        (fact,) = AdvisoryEngine(lambda: odd).gather(dependencies, heard).facts
    assert {one.id: one.engines for one in fact.matches} == {
        "T-1": ("advisories", "pip-audit"),
        "T-2": ("advisories",),
    }
    assert len(fact.guesses) == 1


def test_a_listed_version_is_the_same_in_any_spelling_to_both_voices(tmp_path: Path) -> None:
    listed = {"package": {"ecosystem": "PyPI", "name": "a"}, "versions": ["0.2.3"]}
    (tmp_path / "T-1.json").write_text(json.dumps({**ODD, "id": "T-1", "affected": [listed]}))
    dependencies = Dependencies((pypi("a", "0.2.3.0"), pypi("a", "0.2.3.1")))
    with store_of(tmp_path, tmp_path) as store:
        heard = audit(dependencies, store)
    assert heard.answers == {"a==0.2.3.0": ("T-1",), "a==0.2.3.1": ()}


def test_a_package_that_is_skipped_has_no_second_voice(
    store: AdvisoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = {"name": "flask", "version": "2.2.2", "vulns": []}
    skipped = {"name": "a", "skip_reason": "no such package"}
    flaw = {"id": known_flaw.RECORD.id, "aliases": []}
    known = {"name": known_flaw.NAME, "version": known_flaw.AFFECTED, "vulns": [flaw]}
    done = Completed(0, json.dumps({"dependencies": [told, skipped, known]}).encode(), b"")
    monkeypatch.setattr(pip_audit, "run", lambda *_, **__: done)
    pins = Dependencies((pypi("flask", "2.2.2"), pypi("a", "1"), pypi("b", "1")))
    assert audit(pins, store).answers == {"flask==2.2.2": ()}


def test_nothing_of_the_repository_is_run(store: AdvisoryStore, tmp_path: Path) -> None:
    canary = tmp_path / "canary"
    (tmp_path / "setup.py").write_text(f"open({str(canary)!r}, 'w')")
    evil = pypi(f"{tmp_path}", "1.0")
    assert audit(Dependencies((evil, pypi("flask", "2.2.5"))), store).answers == {
        "flask==2.2.5": ()
    }
    assert not canary.exists()


FLASK = Dependencies((pypi("flask", "2.2.2"), pypi("flask", "3.0")))


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What pip-audit was started with, each time that it was."""
    started: list[object] = []

    def spied(*arguments: Any, **given: Any) -> Completed:
        started.append(arguments)
        return run(*arguments, **given)

    monkeypatch.setattr(pip_audit, "run", spied)
    return started


def told_again(
    memory: RunMemory,
    dependencies: Dependencies,
    store: AdvisoryStore,
    anew: frozenset[str] = frozenset(),
) -> Gathered:
    with Stage() as stage:
        engine = PipAuditEngine(lambda: store, memory)
        return engine.gather(dependencies, EngineContext(stage, anew=anew))


def test_told_the_same_again_it_is_not_asked(
    store: AdvisoryStore, runs: list[object], tmp_path: Path
) -> None:
    first = told_again(RunMemory(AnswerCache(tmp_path / "answers")), FLASK, store)
    assert (len(runs), first.run.files, first.run.reused) == (2, 2, 0)
    second = told_again(RunMemory(AnswerCache(tmp_path / "answers")), FLASK, store)
    assert (len(runs), second.run.files, second.run.reused) == (2, 2, 2)
    assert second.facts == first.facts


def test_another_pin_or_another_advisory_is_asked_about(
    store: AdvisoryStore, runs: list[object], tmp_path: Path
) -> None:
    memory = RunMemory()
    told_again(memory, Dependencies((pypi("flask", "2.2.2"),)), store)
    told_again(memory, Dependencies((pypi("flask", "2.2.1"),)), store)
    assert len(runs) == 2
    (tmp_path / "odd.json").write_text(json.dumps(ODD))
    other = store_of(tmp_path, tmp_path)
    (fact,) = told_again(memory, Dependencies((pypi("flask", "2.2.2"),)), other).facts
    assert (len(runs), fact.answers) == (3, {"flask==2.2.2": ()})


@pytest.mark.parametrize("kept", [b"", b"[]", b"{}", b'{"flask==2.2.2": []}', b'{"a==1": []}'])
def test_a_kept_answer_that_is_not_whole_is_no_answer(
    kept: bytes, store: AdvisoryStore, runs: list[object]
) -> None:
    class Damaged(RunMemory):
        def recall(self, keys: Sequence[str], anew: Collection[str] = ()) -> Mapping[str, bytes]:
            return dict.fromkeys(keys, kept)

    both = Dependencies((pypi("flask", "2.2.2"), pypi("click", "8.0")))
    gathered = told_again(Damaged(), both, store)
    assert (len(runs), gathered.run.reused) == (1, 0)


def test_where_others_write_what_is_kept_only_this_run_is_believed(
    store: AdvisoryStore, runs: list[object], tmp_path: Path
) -> None:
    told_again(RunMemory(AnswerCache(tmp_path / "answers")), FLASK, store)
    memory = RunMemory(AnswerCache(tmp_path / "answers"))
    touched = frozenset({"a key"})
    assert told_again(memory, FLASK, store, touched).run.reused == 0
    assert len(runs) == 4
    assert told_again(memory, FLASK, store, touched).run.reused == 2  # as of the base
    assert len(runs) == 4
