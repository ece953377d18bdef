"""Corrections are made in any layout that YAML allows."""

from collections.abc import Callable
from dataclasses import replace

import pytest
import yaml

from mergegate.doctor.predict import corrected, predict
from mergegate.doctor.predict.prediction import Scene
from mergegate.doctor.predict.yaml.parse import Unreadable, documents
from tests.doctor.predict import bitbucket_cases, github_cases, gitlab_cases
from tests.doctor.predict.checking import assert_corrected
from tests.doctor.predict.scenes import Case, ids

CASES = (*github_cases.HITS, *gitlab_cases.HITS, *bitbucket_cases.HITS)
Layout = Callable[[object], str]


def _flat(document: object) -> str:
    return yaml.dump(document, sort_keys=False)


def _wide(document: object) -> str:
    return "---\n" + yaml.dump(document, sort_keys=False, indent=7, default_style=None)


def _quoted(document: object) -> str:
    return yaml.dump(document, sort_keys=False, default_style='"')


def _bracketed(document: object) -> str:
    return yaml.dump(document, sort_keys=False, default_flow_style=True, width=60)


def _laid_out(scene: Scene, layout: Layout) -> Scene:
    files = {
        path: layout(_without_blanks(yaml.load(text, Loader=yaml.BaseLoader)))
        for path, text in scene.files.items()
    }
    return replace(scene, files=files)


def _without_blanks(value: object) -> object:
    """The plainest reader reads an empty value as an empty text."""
    if isinstance(value, dict):
        return {key: _without_blanks(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_without_blanks(one) if one != "" else "" for one in value]
    return value or None


@pytest.mark.parametrize("layout", [_flat, _wide], ids=["flat", "wide"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_block_layouts_are_corrected_alike(case: Case, layout: Layout) -> None:
    laid_out = _laid_out(case.scene, layout)
    found = {one.kind.id: one for one in predict(laid_out)}
    assert case.id in found
    assert (found[case.id].corrected is not None) is case.corrected
    assert_corrected(Case(case.id, laid_out))


@pytest.mark.parametrize("layout", [_quoted, _bracketed], ids=["quoted", "bracketed"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_odd_layouts_are_corrected_or_left_alone(case: Case, layout: Layout) -> None:
    laid_out = _laid_out(case.scene, layout)
    for text in corrected(laid_out).values():
        assert _is_readable(text)
    assert_corrected(Case(case.id, laid_out))
    assert ids(predict(laid_out))


def _is_readable(text: str) -> bool:
    try:
        return len(documents(text)) == 1
    except Unreadable:
        return False
