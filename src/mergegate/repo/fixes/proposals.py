"""What is proposed for a finding: its engine's own proposal, or what its rule's recipe makes."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from mergegate.core.finding import Edit, Finding
from mergegate.core.severity import Kind
from mergegate.core.tree import SourceFile
from mergegate.repo.fixes import calls, go_imports
from mergegate.repo.fixes.candidate import ADVISORY, RULE
from mergegate.repo.fixes.edits import line_edits
from mergegate.repo.fixes.recipe import Found, Recipe, recipes
from mergegate.repo.fixes.syntax import LANGUAGES, Source


@dataclass(frozen=True, slots=True)
class Proposal:
    """Edits of one file, and whose they are."""

    edits: tuple[Edit, ...]
    recipe: Recipe | None = None
    source: str = RULE
    said: str = ""
    """What its author says of it."""


Read = Callable[[str], str | None]
"""Takes the path of a file and answers its text; None where there is none."""
Propose = Callable[[Finding, SourceFile, Read], Proposal | None]
"""Answers None where nothing is proposed."""


def proposed(finding: Finding, file: SourceFile, read: Read) -> Proposal | None:
    """The edits for the finding; None where no proposal fits.

    Line ends of Windows are left to where the edits are applied.
    """
    recipe = recipes().get(finding.rule_id)
    repair = finding.repair
    if (repair is None and (recipe is None or not finding.place.start_line)) or (
        repair is not None and repair.path != file.path
    ):
        return None
    text = read(file.path)
    if text is None:
        return None
    if repair is not None:
        source = ADVISORY if finding.kind is Kind.DEPENDENCY else RULE
        return Proposal((knowing(repair, text),), None, source, finding.message)
    if recipe is None:
        return None
    found = Found(file.path, text, file.language, file.suffix, finding.place, recipe, read)
    splices = (recipe.by or calls.steps)(found)
    if file.language == "go":
        splices = go_imports.tidied(Source(text, LANGUAGES["go"]), splices)
    edits = line_edits(file.path, text.encode(), splices)
    said = " ".join(filter(None, (recipe.does, recipe.caution)))
    return Proposal(tuple(knowing(one, text) for one in edits), recipe, RULE, said)


def knowing(edit: Edit, text: str) -> Edit:
    """The edit with the lines that it replaces."""
    lines = text.split("\n")[edit.start_line - 1 : edit.end_line]
    return replace(edit, old="\n".join(line.removesuffix("\r") for line in lines))
