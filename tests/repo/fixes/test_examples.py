"""Every recipe mends findings of its rule, with fixes that passed every gate of a real scan."""

import pytest

from mergegate.repo.fixes.recipe import recipes
from tests.repo.fixes.examples import EXPECTED, examples_of, folders, mended, outcomes, rule_of


@pytest.mark.parametrize("folder", folders())
def test_recipes_make_of_the_examples_what_was_read_and_agreed(folder: str) -> None:
    told = outcomes(mended(), folder)
    assert {rule for rule, one in told.items() if not one.fixed} == set()
    made = {file: text for one in told.values() for file, text in one.texts.items()}
    known = {file: (EXPECTED / file).read_text("utf-8") for file in made}
    assert made == known
    left = {
        str(one.relative_to(EXPECTED)) for one in (EXPECTED / folder).rglob("*") if one.is_file()
    }
    assert left == made.keys()


def test_every_recipe_has_examples() -> None:
    assert {rule_of(path) for path in examples_of(recipes())} == set(recipes())
