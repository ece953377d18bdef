"""What users copy from the documents, the doctor finds nothing wrong with."""

import re

import pytest

from mergegate.doctor.predict import predict
from mergegate.doctor.predict.prediction import Scene
from mergegate.doctor.predict.settings import Settings
from tests.recipes.documents import RECIPES, ROOT, filled

ALONE = Settings(private=True, forks=False)
PAIR = ("github-fork-scan.yml", "github-fork-publish.yml")


def predicted(*texts: str, settings: Settings) -> list[str]:
    files = {f".github/workflows/{number}.yml": filled(one) for number, one in enumerate(texts)}
    return [
        one.kind.id for one in predict(Scene(files=files, settings=settings, provider="github"))
    ]


def test_the_workflow_of_the_readme_is_sound() -> None:
    readme = (ROOT / "README.md").read_text()
    example = re.search(r"```yaml\n(name: Mergegate.*?)```", readme, re.DOTALL)
    assert example is not None
    assert predicted(example[1], settings=ALONE) == []


@pytest.mark.parametrize("recipe", ["github-pull-request.yml", "github-merge-queue.yml"])
def test_a_recipe_is_sound_where_nothing_is_forked(recipe: str) -> None:
    assert predicted((RECIPES / recipe).read_text(), settings=ALONE) == []


def test_the_pair_is_sound_where_anything_may_be() -> None:
    texts = [(RECIPES / one).read_text() for one in PAIR]
    assert predicted(*texts, settings=Settings()) == []
    required = Settings(required=("Mergegate",), queue=True, protected_branches=("main",))
    assert predicted(*texts, settings=required) == []
