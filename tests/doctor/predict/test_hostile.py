"""Files made to harm their reader end early, and are named."""

import pytest

from mergegate.doctor.predict import corrected, predict
from mergegate.doctor.predict.logic import UNKNOWN, Language, holds
from mergegate.doctor.predict.prediction import Scene
from mergegate.doctor.predict.shell import calls
from mergegate.doctor.predict.yaml.parse import LARGEST_CHARACTERS, Unreadable, documents
from tests.doctor.predict.scenes import LAB, SCAN, SCAN_TEXT, ids

STEPS = "steps: [{run: mergegate ci}]"
NOTHING = "ci-runs-no-mergegate"
BOMB = "a0: &a0 [x, x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12)
)


@pytest.mark.parametrize(
    "text",
    [
        BOMB,
        "[" * 100_000,
        "{a: " * 50_000,
        "- " * 100_000,
        "a: " + "x" * LARGEST_CHARACTERS,
        "- x\n" * 60_000,
        "a: &a [*a]\n",
        "a: *gone\n",
        "\0",
        "a: \ud800",
        "%YAML 9.9\n---\na: b\n",
        "!!python/object/apply:os.system [id]: x",
    ],
    ids=lambda text: repr(text[:12]),
)
def test_a_hostile_file_is_unreadable_or_harmless(text: str) -> None:
    scene = Scene(files={SCAN: text})
    assert ids(predict(scene)) == {"ci-file-unreadable" if _is_refused(text) else NOTHING}
    assert set(corrected(scene)) <= {SCAN.replace("mergegate", "mergegate-publish"), SCAN}


@pytest.mark.parametrize(
    "text",
    [
        "on: pull_request\njobs: []\n",
        "on: 7\njobs: {a: 1, b: [], c: {steps: x}}\n",
        "jobs:\n  a: {steps: [1, [], {uses: []}, {run: {a: b}}, {run: mergegate ci}]}\n",
        f"on: {{pull_request: [a]}}\njobs: {{a: {{if: [], needs: {{a: b}}, {STEPS}}}}}\n",
        (
            "on: [pull_request]\npermissions: [a]\nconcurrency: []\n"
            f"jobs: {{a: {{permissions: x, strategy: {{matrix: {{include: x}}}}, {STEPS}}}}}\n"
        ),
        "? [a]\n: b\n",
        "on: pull_request\non: push\njobs: {a: {steps: [{run: mergegate ci}]}}\n",
    ],
)
def test_a_workflow_of_wrong_types_is_read_without_a_crash(text: str) -> None:
    predict(Scene(files={SCAN: text, LAB: text, "bitbucket-pipelines.yml": text}))


def test_jobs_that_extend_or_include_themselves_end() -> None:
    text = (
        "include: [{local: .gitlab-ci.yml}, {local: '**.yml'}]\n"
        "a: {extends: [a, b], script: mergegate ci}\nb: {extends: a}\n"
    )
    assert "gitlab-token-needed" in ids(predict(Scene(files={LAB: text})))


def test_workflows_that_call_themselves_end() -> None:
    text = (
        "on: [pull_request, workflow_call]\njobs: {a: {uses: ./.github/workflows/mergegate.yml}}\n"
    )
    assert ids(predict(Scene(files={SCAN: text}))) == {"ci-runs-no-mergegate"}


@pytest.mark.parametrize("condition", ["(" * 5000, "!" * 3000, "a " * 100, "'", "a(" * 900, "&&"])
def test_a_hostile_condition_is_unknown(condition: str) -> None:
    assert holds(condition, Language(lambda _: UNKNOWN)) is None


def test_a_long_script_is_read_in_one_pass() -> None:
    assert len(calls("mergegate ci || true\n" * 20_000)) == 20
    assert calls("x && " * 100_000) == []


def test_a_huge_matrix_is_not_multiplied_out() -> None:
    axes = "".join(f"        a{n}: [{', '.join(map(str, range(50)))}]\n" for n in range(8))
    text = SCAN_TEXT.replace(
        "    timeout-minutes: 30\n",
        f"    timeout-minutes: 30\n    strategy:\n      matrix:\n{axes}",
    )
    assert "github-check-name-varies" in ids(predict(Scene(files={SCAN: text})))


def _is_refused(text: str) -> bool:
    try:
        documents(text)
    except Unreadable:
        return True
    return False
