"""All platforms together: schemas, the list of kinds, unreadable files, no files at all."""

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from mergegate.doctor.predict import KINDS, corrected, predict
from mergegate.doctor.predict.prediction import Outcome, Place, Prediction, Scene
from mergegate.doctor.predict.yaml.edit import Put
from mergegate.doctor.printing import END, START, predictions_list
from tests.doctor.predict import bitbucket_cases, github_cases, gitlab_cases
from tests.doctor.predict.checking import all_corrected, schema_errors
from tests.doctor.predict.github_cases.parts import REQUIRED
from tests.doctor.predict.scenes import (
    BUCKET,
    LAB,
    SCAN,
    SCAN_TEXT,
    at,
    bucket,
    ids,
    lab,
    pair,
    scene,
    told,
)
from tests.recipes.documents import filled

ROOT = Path(__file__).parents[3]
CASES = (*github_cases.HITS, *gitlab_cases.HITS, *bitbucket_cases.HITS)
RARE = (
    scene({}),
    scene({LAB: "a: ["}),
    scene({LAB: "[" * 50 + "]" * 50}),
    scene({LAB: "image: ghcr.io/OWNER/mergegate"}),
    scene(
        {
            SCAN: SCAN_TEXT.replace("  merge_group:\n", ""),
            ".github/workflows/queue.yml": "on: merge_group",
        }
    ),
    pair(at(SCAN, ("[opened, synchronize, reopened, edited]", "[synchronize]"))),
    lab(("    - mergegate ci", "    - pip install mergegate\n    - mergegate ci")),
    bucket(("  - mergegate ci", "  - pip install mergegate\n            - mergegate ci")),
    bucket(("artifacts:", "after-script:\n            - mergegate ci\n          artifacts:")),
)
"""Sentences that no case is about."""


def test_every_corrected_file_is_valid_by_its_platforms_schema(tmp_path: Path) -> None:
    written = all_corrected(CASES, tmp_path)
    assert len(written) > 60
    assert schema_errors(written) == []


def test_the_schema_check_can_fail(tmp_path: Path) -> None:
    file = tmp_path / "bad.yml"
    file.write_text("on: pull_request\njobs: {x: {stepz: []}}\n")
    assert schema_errors([(file, SCAN)]) != []


def test_every_kind_is_seen_going_wrong() -> None:
    anywhere = {"ci-file-unreadable", "ci-runs-no-mergegate", "ci-words-left"}
    assert KINDS.keys() == {case.id for case in CASES} | anywhere


def test_every_sentence_of_a_kind_is_told_of_a_case() -> None:
    scenes = (*(case.scene for case in CASES), *RARE)
    told = [one for scene in scenes for one in predict(scene)]
    for kind in KINDS.values():
        for case, sentence in {"": kind.happens, **kind.cases}.items():
            shape = re.sub(r"\\{\w+\\}", ".+", re.escape(sentence))
            heard = (one.happens for one in told if one.kind is kind)
            assert not sentence or any(re.fullmatch(shape, one) for one in heard), (kind.id, case)


def test_every_id_names_its_platform_and_has_something_to_tell() -> None:
    folder = ROOT / "src" / "mergegate" / "doctor" / "predict"
    tables = {file.parent.name: tomllib.loads(file.read_text()) for file in folder.rglob("*.toml")}
    assert tables.keys() == {"predict", "github", "gitlab", "bitbucket"}
    for platform, table in tables.items():
        prefix = "ci" if platform == "predict" else platform
        assert all(name.startswith(f"{prefix}-") for name in table)
    assert all(bool(kind.happens) is not bool(kind.cases) for kind in KINDS.values())


def test_every_kind_is_told_in_whole_sentences() -> None:
    for kind in KINDS.values():
        assert kind.why.endswith("."), kind.id
        assert kind.advice.endswith("."), kind.id
        assert not kind.title.endswith("."), kind.id
        assert kind.reference.startswith("https://"), kind.id


def test_the_documented_list_is_current() -> None:
    page = (ROOT / "docs" / "doctor.md").read_text()
    listed = page[page.index(START) : page.index(END) + len(END)] + "\n"
    assert listed == predictions_list(KINDS.values())


@pytest.mark.parametrize("provider", ["github", "gitlab", "bitbucket"])
def test_an_empty_repository_gets_a_sound_recipe(provider: str, tmp_path: Path) -> None:
    empty = Scene(files={}, provider=provider)
    assert ids(predict(empty)) == {"ci-runs-no-mergegate"}
    files = corrected(empty)
    done = {path: filled(text) for path, text in files.items()}
    assert told(Scene(files=done, provider=provider)) == set()
    written = []
    for index, (name, text) in enumerate(files.items()):
        (tmp_path / f"{index}.yml").write_text(text)
        written.append((tmp_path / f"{index}.yml", name))
    assert schema_errors(written) == []


def test_the_recipes_pass_the_strictest_audit_of_workflows(tmp_path: Path) -> None:
    folder = tmp_path / ".github" / "workflows"
    folder.mkdir(parents=True)
    for name, text in corrected(Scene(files={}, provider="github")).items():
        (tmp_path / name).write_text(filled(text))
    zizmor = Path(sys.executable).with_name("zizmor")
    audit = [str(zizmor), "--offline", "--persona", "auditor", "--format", "json", str(folder)]
    done = subprocess.run(audit, capture_output=True, text=True, check=False)
    assert [one["ident"] for one in json.loads(done.stdout) if not one["ignored"]] == []


@pytest.mark.parametrize("provider", ["github", "gitlab", "bitbucket"])
def test_no_recipe_installs_from_an_index_what_nobody_has_published_there(provider: str) -> None:
    """Whoever took the name would get the token of the job."""
    for text in corrected(Scene(files={}, provider=provider)).values():
        assert not re.search(r"\b(?:pip|pipx|uv|uvx)\b|\bpython:", text), text
        assert "words in capitals" in text or "workflow_run" in text
        assert not re.search(r"\b(?:OWNER|COMMIT|VERSION|DIGEST)\b", filled(text))


def test_an_empty_repository_of_unknown_origin_is_only_advised() -> None:
    (only,) = predict(Scene(files={}))
    assert only.corrected is None
    assert "docs/ci" in only.advice


@pytest.mark.parametrize(
    ("reference", "is_told"),
    [
        ("OWNER/mergegate@COMMIT", True),
        ("acme/mergegate/publish@COMMIT", True),
        ("ghcr.io/acme/mergegate@sha256:DIGEST", True),
        ("acme/mergegate@v1", False),
    ],
)
def test_words_in_capitals_are_told_until_they_are_filled_in(reference: str, is_told: bool) -> None:
    found = predict(Scene(files={LAB: f"# OWNER/mergegate\ninclude: {reference}\n"}))
    told = [(one.outcome, one.line) for one in found if one.kind.id == "ci-words-left"]
    assert told == ([(Outcome.BREAKS, 2)] if is_told else [])


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (LAB, "# ours\nstages: [test]\ntest:\n  script: make\n"),
        (BUCKET, "# ours\npipelines:\n  default:\n    - step:\n        script: [make]\n"),
    ],
)
def test_the_recipe_is_added_to_a_pipeline_that_is_there(path: str, text: str) -> None:
    files = corrected(Scene(files={path: text}))
    assert files[path].startswith("# ours\n")
    assert "mergegate ci" in files[path]
    assert "make" in files[path]


def test_a_broken_file_is_named_with_its_line() -> None:
    (one,) = predict(Scene(files={SCAN: "on: push\njobs: [\n  a: }\n"}))
    assert one.kind.id == "ci-file-unreadable"
    assert one.outcome is Outcome.BREAKS
    assert one.line == 3


def test_the_worst_is_told_first() -> None:
    scene = pair(settings=REQUIRED)
    broken = SCAN_TEXT.replace("timeout-minutes: 30", "continue-on-error: true")
    found = predict(
        Scene(files={**scene.files, SCAN: broken.replace("fetch-depth: 0", "filter: a")})
    )
    ranks = [one.outcome.rank for one in found]
    assert ranks == sorted(ranks)
    assert len(set(ranks)) > 1


def test_predictions_are_the_same_each_time() -> None:
    for case in CASES[:10]:
        assert predict(case.scene) == predict(case.scene)


def test_a_correction_that_does_not_help_is_not_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    useless = {SCAN: (Put(("name",), "Other"),)}
    draft = KINDS["ci-runs-no-mergegate"].at(Place(SCAN, 1), edits=useless)
    monkeypatch.setattr("mergegate.doctor.predict.github.predictions", lambda _: iter([draft]))
    scene = pair()
    assert [one.corrected for one in predict(scene)] == [None]
    assert corrected(scene) == {}


def test_a_correction_that_breaks_something_else_is_not_offered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def worse(scene: Scene) -> Iterator[Prediction]:
        fixed = "Other" in scene.files[SCAN]
        edits = {SCAN: (Put(("name",), "Other"),)}
        kind = KINDS["github-no-checkout" if fixed else "ci-runs-no-mergegate"]
        yield kind.at(Place(SCAN, 1), edits={} if fixed else edits)

    monkeypatch.setattr("mergegate.doctor.predict.github.predictions", worse)
    assert [one.corrected for one in predict(pair())] == [None]
