"""What a change of a rule's finding looks like when it is one."""

import re

from mergegate.repo.fixes import bicep, directives, mappings
from mergegate.repo.fixes.candidate import MODEL, Candidate
from mergegate.repo.fixes.recipe import Recipe


def misshapen(one: Candidate) -> str:
    """Why the new lines are not what a fix is expected to be."""
    if one.recipe and _strays(one, one.recipe):
        return "it changes other keys than those that are meant"
    old, new = _Lines(), _Lines()
    _take(one, old, new)
    absent = one.recipe.absent if one.recipe else ""
    if absent and re.search(absent, new.plain):
        return _LEFT
    if one.source == MODEL:
        return _unproven(one, old, new)
    wanted = one.recipe.shape if one.recipe else ""
    is_right = not wanted or not new.plain.strip() or re.search(wanted, new.plain)
    return "" if is_right else _OTHER


_LEFT = "what must go still stands in the new lines"
_OTHER = "it does not have the shape that is expected"


def _unproven(one: Candidate, old: "_Lines", new: "_Lines") -> str:
    """Why a model's change is unproved: the shape must begin in code, more often than before.

    Unless it only took away what must not stand there.
    """
    asked = one.recipe.asked if one.recipe else None
    if asked is None:
        return "nobody knows what a fix of this looks like"
    if asked.absent and re.search(asked.absent, new.plain):
        return _LEFT
    gone = asked.absent or (one.recipe.absent if one.recipe else "")
    is_there = new.count(asked.shape) > old.count(asked.shape) or _only_goes(gone, old, new)
    return "" if is_there else _OTHER


def _only_goes(absent: str, old: "_Lines", new: "_Lines") -> bool:
    """Whether what must not stand there went, and nothing else but commas and blanks."""
    if not absent:
        return False
    left = re.sub(absent, "", old.plain)
    return left != old.plain and re.sub(r"[\s,]", "", left) == re.sub(r"[\s,]", "", new.plain)


def _strays(one: Candidate, recipe: Recipe) -> bool:
    """Whether keys or directives change that the recipe does not name."""
    if named := directives.names(one.finding.rule_id):
        return directives.strays(one.before, one.after or "", named)
    if one.file.suffix == bicep.SUFFIX:
        return bicep.strays(one.before, one.after or "", recipe.set)
    is_mapping = one.file.language in mappings.LANGUAGES
    return is_mapping and mappings.strays(one.before, one.after or "", recipe)


_WORD = re.compile(r"[A-Za-z_]\w*")


class _Lines:
    """Lines as they are, and with blanks for comments and for what texts say."""

    def __init__(self) -> None:
        self.plain = ""
        self.code = ""

    def add(self, plain: str, code: str) -> None:
        self.plain += f"{plain}\n"
        self.code += f"{code}\n"

    def count(self, shape: str) -> int:
        """How often ``shape`` begins in code."""
        found = (one.start() for one in re.finditer(shape, self.plain))
        return sum(self.code[at : at + 1] == self.plain[at : at + 1] != " " for at in found)


def _take(one: Candidate, old: _Lines, new: _Lines) -> None:
    """The lines that change, before and after."""
    before, after, moved = one.before.split("\n"), (one.after or "").split("\n"), 0
    for edit in sorted(one.edits, key=lambda each: each.start_line):
        count = len(edit.replacement.split("\n")) if edit.replacement else 0
        first = edit.start_line + moved
        moved += count - (edit.end_line - edit.start_line + 1)
        was = "\n".join(before[edit.start_line - 1 : edit.end_line])
        now = "\n".join(after[first - 1 : first - 1 + count])
        if one.sources is None:
            old.add(was, was)
            new.add(now, now)
        else:
            old.add(was, one.sources[0].code(edit.start_line, edit.end_line))
            new.add(now, one.sources[1].code(first, first + count - 1))
