"""Overlays, held to what Kustomize itself makes of each."""

import json
from pathlib import Path

import pytest

from mergegate.repo.engines import documents
from mergegate.repo.engines.kustomize import Overlays
from tests.repo.engines.helm.charts import said
from tests.repo.infrastructure.reading import answers

RECORDED = json.loads(Path(__file__).with_name("recorded.json").read_text("utf-8"))
"""What `kubectl kustomize` of the version that it names built of each overlay, values as texts."""


@pytest.mark.parametrize("name", RECORDED["cases"])
def test_an_overlay_comes_to_what_kustomize_makes_of_it(name: str) -> None:
    case = RECORDED["cases"][name]
    files = {
        "base/kustomization.yaml": "resources: [web.yaml]\n",
        "base/web.yaml": RECORDED["base"],
        "o/kustomization.yaml": f"resources: [../base]\n{case['overlay']}",
    }
    overlays = Overlays(documents.fact(answers(documents.DocumentEngine(), files)).files)
    overlays.build()
    made = [node for found in overlays.outcomes.values() for _, node in found if node.present]
    assert {one["kind"].text: said(one) for one in made} == case["made"]
