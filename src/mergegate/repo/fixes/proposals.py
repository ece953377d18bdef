"""What is proposed for a finding: its engine's own proposal, or what its rule's recipe makes."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache

from mergegate.core.finding import Edit, Finding
from mergegate.core.roles.places import is_test_folder
from mergegate.core.severity import Kind
from mergegate.core.tree import Role, SourceFile
from mergegate.packages.ecosystems import lock_format
from mergegate.repo.fixes import (
    bicep,
    blocks,
    calls,
    directives,
    go_imports,
    instructions,
    mappings,
    settings,
)
from mergegate.repo.fixes.candidate import ADVISORY, RULE
from mergegate.repo.fixes.edits import line_edits
from mergegate.repo.fixes.recipe import Found, Recipe, Steps, recipes
from mergegate.repo.fixes.syntax import LANGUAGES, Source
from mergegate.repo.infrastructure import by_rule

_STEPS: dict[str | None, Steps] = {
    "dockerfile": instructions.steps,
    "terraform": blocks.steps,
    "yaml": mappings.steps,
    "json": mappings.steps,
}
"""What carries recipes out in files of a language; programs are left to `calls`."""


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
    is_test = file.role is Role.TEST or is_test_folder(file.path)  # a name is enough to do nothing
    if is_test and _changes_more(finding, recipe):
        return None
    if finding.repair is not None:
        return _repaired(finding, finding.repair, file, read)
    text = read(file.path) if finding.rule_id in _known() and finding.place.start_line else None
    if text is None:
        return None
    recipe = recipe or settings.recipe_of(finding, file, text)
    if recipe is None or (is_test and recipe.caution):
        return None
    found = Found(file.path, text, file.language, file.suffix, finding.place, recipe, read)
    steps = directives.steps_of if directives.names(finding.rule_id) else calls.steps
    by_kind = bicep.steps_of if file.suffix == bicep.SUFFIX else _STEPS.get(file.language, steps)
    splices = (recipe.by or by_kind)(found)
    if file.language == "go":
        splices = go_imports.tidied(Source(text, LANGUAGES["go"]), splices)
    edits = line_edits(file.path, text.encode(), splices)
    said = " ".join(filter(None, (recipe.does, recipe.caution)))
    return Proposal(tuple(knowing(one, text) for one in edits), recipe, RULE, said)


def _changes_more(finding: Finding, recipe: Recipe | None) -> bool:
    """Whether a test may rely on what else would change, or on what was found.

    A test switches protections off on purpose. What an engine rewrites says nothing of that.
    """
    is_rewrite = finding.repair is not None and finding.kind is not Kind.DEPENDENCY
    return is_rewrite or bool(recipe and recipe.caution)


@cache
def _known() -> frozenset[str]:
    """The rules of which something is known to mend them."""
    return frozenset({*recipes(), *by_rule()})


def _repaired(finding: Finding, repair: Edit, file: SourceFile, read: Read) -> Proposal | None:
    text = read(file.path) if repair.path == file.path else None
    if text is None or _is_open(finding, file, text):
        return None
    source = ADVISORY if finding.kind is Kind.DEPENDENCY else RULE
    return Proposal((knowing(repair, text),), None, source, _advice(finding, file))


_SPREAD = re.compile(r"[(,]\s*(?:\*{1,2}|\.{3})\s*[\w(\[{]")
_SPREADING = frozenset({"python", "javascript", "typescript"})


def _is_open(finding: Finding, file: SourceFile, text: str) -> bool:
    """Whether a call of code hands over a list of arguments, of which an engine knows nothing."""
    place = finding.place
    found = "\n".join(text.split("\n")[place.start_line - 1 : place.end_line])
    is_code = finding.kind is Kind.CODE and file.language in _SPREADING
    return is_code and _SPREAD.search(found) is not None


def _advice(finding: Finding, file: SourceFile) -> str:
    """The finding's message, and for a version that is locked elsewhere that it stays so."""
    lock = finding.place.file
    if finding.kind is not Kind.DEPENDENCY or lock == file.path:
        return finding.message
    name, manifest = lock.rpartition("/")[2], file.path.rpartition("/")[2]
    layout = lock_format(lock)
    if layout and layout[1].is_list:
        return f"{finding.message} {file.path} is edited here, where {lock} has the version from."
    return f"{finding.message} {manifest} is edited here; the command brings {name} up to it."


def knowing(edit: Edit, text: str) -> Edit:
    """The edit with the lines that it replaces."""
    lines = text.split("\n")[edit.start_line - 1 : edit.end_line]
    return replace(edit, old="\n".join(line.removesuffix("\r") for line in lines))
