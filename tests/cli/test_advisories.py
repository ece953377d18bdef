import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

from mergegate.cli.main import main
from mergegate.core.errors import StoreError
from mergegate.packages.advisories import DEFAULT_BASE, DEFAULT_ECOSYSTEMS, StoreStatus, Updated
from mergegate.packages.dependencies import AdvisorySource

RECORD = {
    "id": "GHSA-0000-0000-0001",
    "modified": "2026-03-01T00:00:00Z",
    "affected": [{"package": {"ecosystem": "npm", "name": "left"}, "versions": ["1.0.0"]}],
}
USUAL = sorted([*DEFAULT_ECOSYSTEMS, "EPSS", "KEV"])


def run(data: Path, *arguments: str) -> tuple[int, str]:
    env = {"MERGEGATE_DATA_DIR": str(data)}
    done = CliRunner().invoke(main, ("advisories", *arguments), env=env, standalone_mode=False)
    return done.exit_code, done.stdout


def held(*sources: AdvisorySource) -> StoreStatus:
    return StoreStatus(sources)


def source(ecosystem: str, label: str) -> AdvisorySource:
    return AdvisorySource(ecosystem, 1, "2026-03-01", "2026-03-02", label)


def test_a_folder_fills_the_store_and_its_age_is_told(tmp_path: Path) -> None:
    (tmp_path / "dump").mkdir()
    (tmp_path / "dump" / "one.json").write_text(json.dumps(RECORD))
    assert run(tmp_path / "data", "status") == (3, "")
    said = run(tmp_path / "data", "update", str(tmp_path / "dump"))
    assert said == (0, "npm: 1 advisories, newest of 2026-03-01\n")
    assert "npm" in run(tmp_path / "data", "status")[1].splitlines()[1]
    (plain,) = json.loads(run(tmp_path / "data", "status", "--format", "json")[1])
    assert list(plain) == ["ecosystem", "advisories", "newest", "importedAt", "from"]
    assert (plain["ecosystem"], plain["advisories"]) == ("npm", 1)


@pytest.mark.parametrize(
    ("there", "given", "expected"),
    [
        (None, (), USUAL),
        (held(), (), USUAL),
        (
            held(
                source("Hackage", f"{DEFAULT_BASE}/Hackage/all.zip"),
                source("npm", f"{DEFAULT_BASE}/npm/all.zip"),
                source("Acme", "acme.zip"),
            ),
            (),
            sorted([*USUAL, "Hackage"]),
        ),
        (
            held(source("Hackage", f"{DEFAULT_BASE}/Hackage/all.zip")),
            ("--ecosystem", "npm"),
            ["npm"],
        ),
        (held(source("Hackage", f"{DEFAULT_BASE}/Hackage/all.zip")), ("dump.zip",), []),
        (
            held(source("Hackage", "https://mirror.example.org/osv/Hackage/all.zip")),
            ("https://you:secret@mirror.example.org/osv/",),
            sorted([*USUAL, "Hackage"]),
        ),
        (StoreError("it is damaged"), (), USUAL),
    ],
)
def test_what_scans_have_fetched_besides_is_renewed_with_the_rest(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    there: StoreStatus | StoreError | None,
    given: tuple[str, ...],
    expected: list[str],
) -> None:
    asked: list[list[str]] = []

    def update(_: str | None, ecosystems: Sequence[str]) -> Updated:
        asked.append(list(ecosystems))
        return Updated((), 0, 0)

    def status() -> StoreStatus | None:
        if isinstance(there, StoreError):
            raise there
        return there

    monkeypatch.setattr("mergegate.cli.advisories.update_advisories", update)
    monkeypatch.setattr("mergegate.cli.advisories.advisories_status", status)
    assert run(tmp_path, "update", *given) == (0, "")
    assert asked == [expected]
