"""No recipe for infrastructure fails at a text that is broken, or at a place that is another's."""

import random

import pytest

from mergegate.core.finding import Place
from mergegate.repo.fixes import blocks, instructions, mappings
from mergegate.repo.fixes.edits import apply, line_edits
from mergegate.repo.fixes.recipe import Found, Steps, recipes
from tests.repo.fixes.examples import examples_of

ENGINES: dict[str, tuple[str, Steps, tuple[str, ...]]] = {
    ".tf": ("terraform", blocks.steps, ("terraform-",)),
    ".dockerfile": ("dockerfile", instructions.steps, ("dockerfile-", "iac-dockerfile")),
    ".yaml": ("yaml", mappings.steps, ("iac-", "workflow-")),
    ".json": ("json", mappings.steps, ("iac-cloudformation",)),
}
JUNK = (
    *("\\", "'", '"', "{", "}", "[", ":", "- ", "\n", "\t", "#", "&a ", "*a", "|", "${{", "}}"),
    *("<<EOF\n", "FROM\n", "---\n", "é", "\r\n", "\u2028"),
)


def broken(text: str, chance: random.Random) -> str:
    for _ in range(chance.randrange(5)):
        at = chance.randrange(len(text) + 1)
        behind = at + chance.randrange(15)
        text = text[:at] + chance.choice((*JUNK, text[at:behind])) + text[behind:]
    return text


@pytest.mark.parametrize("suffix", ENGINES)
def test_a_broken_text_is_left_alone_or_its_change_applies(suffix: str) -> None:
    chance = random.Random(suffix)
    language, steps, prefixes = ENGINES[suffix]
    known = [one for one in recipes().values() if one.rule.startswith(prefixes)]
    texts = [one.read_text("utf-8") for one in examples_of(recipes()) if one.suffix == suffix]
    for _ in range(600):
        text = broken(chance.choice(texts), chance)
        line, recipe = chance.randrange(1, text.count("\n") + 3), chance.choice(known)
        place = Place("a", line, line, chance.randrange(9), chance.randrange(40))
        found = Found("a", text, language, suffix, place, recipe)
        edits = line_edits("a", text.encode(), (recipe.by or steps)(found))
        assert not edits or apply(text, *edits) is not None
