"""What is predicted of GitLab pipelines, and that corrections prevent it."""

import pytest

from mergegate.doctor.predict import predict
from mergegate.doctor.predict.prediction import Scene
from tests.doctor.predict.checking import assert_corrected, assert_hit
from tests.doctor.predict.gitlab_cases import HITS, NEAR_MISSES
from tests.doctor.predict.scenes import Case, ids, lab, told


@pytest.mark.parametrize("case", HITS, ids=lambda case: case.id)
def test_what_goes_wrong_is_predicted_where_it_stands(case: Case) -> None:
    assert_hit(case)


@pytest.mark.parametrize("case", HITS, ids=lambda case: case.id)
def test_a_correction_prevents_what_was_predicted_and_brings_nothing_new(case: Case) -> None:
    assert_corrected(case)


@pytest.mark.parametrize(
    ("id", "scene"), NEAR_MISSES, ids=lambda one: one if isinstance(one, str) else ""
)
def test_what_only_looks_wrong_is_not_predicted(id: str, scene: Scene) -> None:
    assert id not in ids(predict(scene))


@pytest.mark.parametrize("scene", [lab()])
def test_nothing_is_predicted_of_a_sound_repository(scene: Scene) -> None:
    assert told(scene) == set()
