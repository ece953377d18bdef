"""What is proposed for a finding: its engine's own proposal, or what its rule's recipe makes."""

from dataclasses import replace

from mergegate.core.finding import Edit, Finding
from mergegate.core.tree import SourceFile
from mergegate.repo.fixes import calls
from mergegate.repo.fixes.edits import line_edits
from mergegate.repo.fixes.recipe import Found, Recipe, recipes


def is_known(finding: Finding) -> bool:
    """Whether anything can be proposed for such a finding."""
    return finding.repair is not None or finding.rule_id in recipes()


Proposal = tuple[Recipe | None, tuple[Edit, ...]]


def proposed(finding: Finding, file: SourceFile, text: str) -> Proposal:
    """The edits for the finding and the recipe that made them; no edits where none fits.

    ``text`` is that of ``file``. Line ends of Windows are left to where the edits are applied.
    """
    if finding.repair is not None:
        here = finding.repair.path == file.path
        return None, (_knowing(finding.repair, text),) if here else ()
    recipe = recipes().get(finding.rule_id)
    if recipe is None or not finding.place.start_line:
        return None, ()
    found = Found(file.path, text, file.language, file.suffix, finding.place, recipe)
    splices = (recipe.by or calls.steps)(found)
    edits = line_edits(file.path, text.encode(), splices)
    return recipe, tuple(_knowing(edit, text) for edit in edits)


def _knowing(edit: Edit, text: str) -> Edit:
    """The edit with the lines that it replaces."""
    lines = text.split("\n")[edit.start_line - 1 : edit.end_line]
    return replace(edit, old="\n".join(line.removesuffix("\r") for line in lines))
