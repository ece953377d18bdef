"""What every case is held to, whatever the platform."""

import json
import subprocess
import sys
from pathlib import Path

from mergegate.doctor.predict import corrected, predict
from mergegate.doctor.predict.prediction import Scene
from tests.doctor.predict.scenes import BUCKET, LAB, Case, ids

_SCHEMAS = {
    LAB: ("--builtin-schema", "vendor.gitlab-ci", "--data-transform", "gitlab-ci"),
    BUCKET: ("--builtin-schema", "vendor.bitbucket-pipelines"),
}
_WORKFLOW = ("--builtin-schema", "vendor.github-workflows")


def assert_hit(case: Case) -> None:
    """Predicted with its outcome, at its line, and nothing else but what is expected beside."""
    found = predict(case.scene)
    one = next((one for one in found if one.kind.id == case.id), None)
    assert one is not None, ids(found)
    assert one.outcome.value == case.outcome
    assert case.line in case.scene.files[one.path].split("\n")[one.line - 1]
    serious = ids(other for other in found if other.outcome != "notes") - {case.id}
    assert serious == set(case.also)
    assert (one.corrected is not None) is case.corrected


def assert_corrected(case: Case) -> None:
    """Each correction removes its prediction and adds none; all together leave what has none."""
    before = ids(predict(case.scene))
    for one in predict(case.scene):
        if one.corrected is not None:
            after = predict(_with(case.scene, one.corrected))
            assert one.kind.id not in ids(after)
            assert ids(new for new in after if new.outcome != "notes") <= before
    left = predict(_with(case.scene, corrected(case.scene)))
    assert [one.kind.id for one in left if one.corrected is not None] == []


def all_corrected(cases: tuple[Case, ...], folder: Path) -> list[tuple[Path, str]]:
    """The corrected files of all cases, written to ``folder``, each with the path it is for."""
    written = []
    for index, case in enumerate(cases):
        for name, text in corrected(case.scene).items():
            file = folder / f"{index}-{Path(name).name}"
            file.write_text(text, encoding="utf-8")
            written.append((file, name))
    return written


def schema_errors(written: list[tuple[Path, str]]) -> list[str]:
    """What the official schemas say of the files; empty when they are all valid."""
    errors = []
    for schema in {_schema(name) for _, name in written}:
        files = [str(file) for file, name in written if _schema(name) == schema]
        checker = [sys.executable, "-m", "check_jsonschema", "--output-format", "json", *schema]
        done = subprocess.run([*checker, *files], capture_output=True, text=True, check=False)
        answer = json.loads(done.stdout)
        if answer["status"] != "ok":
            errors.append(done.stdout)
    return errors


def _schema(name: str) -> tuple[str, ...]:
    return _SCHEMAS.get(name, _WORKFLOW)


def _with(scene: Scene, files: object) -> Scene:
    assert isinstance(files, dict)
    return Scene(
        files={**scene.files, **files},
        settings=scene.settings,
        branch=scene.branch,
        provider=scene.provider,
    )
