"""What a scan does about its findings: proves fixes, and where it is asked to, files after them."""

import os
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from mergegate.core.finding import Edit, Finding, Place
from mergegate.core.render.escape import is_raw
from mergegate.core.report import Fix, Mended, Proofs, RefusedFix
from mergegate.core.severity import Kind
from mergegate.core.tree import SourceFile, Tree, display
from mergegate.repo.excerpts import literal_lines, masked_lines, stand_bare
from mergegate.repo.fixes import gates
from mergegate.repo.fixes.batch import mended
from mergegate.repo.fixes.proof import FixVerifier, verified_fixes
from mergegate.repo.fixes.proposals import Propose, proposed
from mergegate.repo.fixes.recipe import LONG_WORD, long_words, recipes
from mergegate.sandbox.files.record import source_file
from mergegate.sandbox.files.stage import read_regular
from mergegate.secrets.mask import mask_line

if TYPE_CHECKING:
    from mergegate.repo.fixes.asked import Adviser
    from mergegate.repo.fixes.own_tests import OwnTests


def repairs(
    tree: Tree,
    folder: Path,
    rescan: Callable[[Tree], Sequence[Finding]],
    wanted: Callable[[Finding], bool] | None = None,
    adviser: "Adviser | None" = None,
    *,
    above: str = "",
    tests: "OwnTests | None" = None,
) -> Callable[[Sequence[Finding], Sequence[Finding]], Proofs]:
    """Proves what can be repaired in ``tree``, in copies in ``folder`` that are scanned again.

    The function takes what counts, and all that was found: no fix repeats a secret among that. The
    fixes of the findings that are ``wanted`` are proved together as well. The ``adviser`` is asked
    where nothing else was proved. ``above`` is what ``tree`` is called in its repository. What is
    proved together has to pass the team's own ``tests`` as well, where somebody ordered them.
    """
    record = partial(source_file, readings=folder)
    bench = FixVerifier(folder=folder, read=_read, record=record, rescan=rescan)

    files = {file.path: file for file in tree.files}

    def read(path: str) -> str | None:
        return _read(files[path]).decode("utf-8", "replace") if path in files else None

    def verified(counted: Sequence[Finding], all_found: Sequence[Finding]) -> Proofs:
        def prove(findings: Sequence[Finding], propose: Propose) -> Proofs:
            return verified_fixes(findings, all_found, tree, bench, propose)

        told: dict[str, list[Finding]] = defaultdict(list)
        for one in all_found:
            told[one.place.file].append(one)

        @cache
        def masked(path: str) -> frozenset[int]:
            text = read(path)
            return frozenset() if text is None else masked_lines(path, text, told[path])

        proofs = prove(counted, proposed)
        secret = _secret_lines(all_found)
        if adviser is not None:
            proofs = _advised(
                adviser,
                proofs,
                counted=counted,
                all_found=all_found,
                prove=prove,
                masked=masked,
            )
        withheld = [
            one
            for one in proofs.fixes
            if _repeats(
                one,
                [each for each in told[one.edits[0].path] if each.kind is Kind.SECRET],
                literal_lines(_others(one, told[one.edits[0].path])),
            )
        ]
        taken = frozenset(_taken_lines(proofs.fixes, all_found))
        shown = tuple(
            _shown(one, masked(path) | {line for file, line in taken if file == path})
            for one in proofs.fixes
            if one not in withheld
            for path in [one.edits[0].path]
        )
        refused = (RefusedFix(id, *_WITHHELD) for one in withheld for id in one.finding_ids)
        proofs = replace(proofs, fixes=shown, refused=(*proofs.refused, *refused))
        if wanted is None:
            return proofs
        asked = {one.id for one in counted if wanted(one)}
        chosen = [one for one in shown if not asked.isdisjoint(one.finding_ids)]
        together = _joining(tree, bench, all_found, secret | taken, above)
        return _joined(proofs, chosen, together, tests)

    return verified


def _joining(
    tree: Tree,
    bench: FixVerifier,
    all_found: Sequence[Finding],
    secret: frozenset[tuple[str, int]],
    above: str,
) -> Callable[[Sequence[Fix]], tuple[Mended, ...]]:
    """What makes the files after fixes, as far as these hold together."""
    names = {file.path: _own_name(file) for file in tree.files}

    def together(fixes: Sequence[Fix]) -> tuple[Mended, ...]:
        held = mended(fixes, all_found, tree, bench)
        named = (replace(one, name=names[one.path], folder=above) for one in held)
        return tuple(_marked(one, secret, all_found) for one in named)

    return together


def _joined(
    proofs: Proofs,
    chosen: Sequence[Fix],
    together: Callable[[Sequence[Fix]], tuple[Mended, ...]],
    tests: "OwnTests | None",
) -> Proofs:
    """``proofs`` with the files after the ``chosen`` fixes, and what the tests say of these."""
    if tests is None:
        return replace(proofs, mended=together(chosen))
    judged = tests.judge(chosen, together)
    refused = {one.finding_id for one in judged.refused}
    return replace(
        proofs,
        fixes=tuple(
            replace(one, verified=(*one.verified, gates.OWN_TESTS))
            if one.id in judged.passed
            else one
            for one in proofs.fixes
            if refused.isdisjoint(one.finding_ids)
        ),
        refused=(*proofs.refused, *judged.refused),
        mended=judged.mended,
    )


def _advised(
    adviser: "Adviser",
    proofs: Proofs,
    *,
    counted: Sequence[Finding],
    all_found: Sequence[Finding],
    prove: Callable[[Sequence[Finding], Propose], Proofs],
    masked: Callable[[str], frozenset[int]],
) -> Proofs:
    """``proofs``, and what a model proposes for the findings without a fix."""
    from mergegate.repo.fixes.asked import advised  # noqa: PLC0415 - most scans have no model

    held = _secret_lines(all_found) | _masked_lines(all_found)

    def is_secret(path: str, number: int, line: str) -> bool:
        return (path, number) in held or number in masked(path) or _hides(path, line)

    done = {id for fix in proofs.fixes for id in fix.finding_ids}
    left = [one for one in counted if one.id not in done]
    more = advised(adviser, left, is_secret, prove)
    return replace(
        proofs,
        fixes=(*proofs.fixes, *more.fixes),
        refused=(*proofs.refused, *more.refused),
    )


def _masked_lines(findings: Sequence[Finding]) -> frozenset[tuple[str, int]]:
    """Lines of which a rule of another kind hides something."""
    return frozenset(
        (one.place.file, line)
        for one in findings
        if _STARS in one.snippet
        for line in range(one.place.start_line, max(one.place.start_line, one.place.end_line) + 1)
    )


_WITHHELD = ("shows no secret", "a line that it writes may hold a secret")
"""The gate that is asked last, of fixes that passed all others, and why one does not pass it."""
_STARS = "****"
"""What stands in a snippet for a secret."""


def _own_name(file: SourceFile) -> str:
    """The path of ``file`` as the file system has it; empty where a secret in it is masked."""
    name = "/".join(file.location.parts[-1 - file.path.count("/") :])
    return name if display(os.fsencode(name)) == file.path else ""


def _marked(
    one: Mended, secret: frozenset[tuple[str, int]], all_found: Sequence[Finding]
) -> Mended:
    """With the lines that no patch may show: what a report masks, and what acts where it stands."""
    here = (each for each in all_found if each.place.file == one.path)
    lines = one.before.split("\n")
    told = (n for n, line in enumerate(lines, 1) if (one.path, n) in secret or is_raw(line))
    return replace(one, unshown=masked_lines(one.path, one.before, here).union(told))


def _brings(path: str, line: str) -> bool:
    """Whether something of a new line may be a secret; words of our own recipes are none."""
    return _hides(path, LONG_WORD.sub(lambda one: "" if one[0] in long_words() else one[0], line))


def _hides(path: str, line: str) -> bool:
    return mask_line(line, bare=stand_bare(path)) != line


def _secret_lines(findings: Sequence[Finding]) -> frozenset[tuple[str, int]]:
    return frozenset(
        (one.place.file, line)
        for one in findings
        if one.kind is Kind.SECRET
        for line in range(one.place.start_line, one.place.end_line + 1)
    )


def _taken_lines(fixes: Sequence[Fix], findings: Sequence[Finding]) -> Iterator[tuple[str, int]]:
    """The lines from which fixes take secrets: whatever goes may be one."""
    rules = {rule for rule, recipe in recipes().items() if recipe.declares}
    takes = {one.id for one in findings if one.rule_id in rules}
    for edit in (edit for one in fixes if takes & {*one.finding_ids} for edit in one.edits):
        left = {*edit.replacement.split("\n")}
        for number, line in enumerate((edit.old or "").split("\n"), edit.start_line):
            if line not in left:
                yield edit.path, number


def _shown(fix: Fix, masked: frozenset[int]) -> Fix:
    """The fix without the lines it replaces of which something is secret: reports hold them."""
    return replace(fix, edits=tuple(_shown_edit(one, masked) for one in fix.edits))


def _shown_edit(edit: Edit, masked: frozenset[int]) -> Edit:
    if edit.old is None:
        return edit
    lines = enumerate(edit.old.split("\n"), edit.start_line)
    return replace(edit, old="\n".join(_STARS if n in masked else line for n, line in lines))


def _others(fix: Fix, findings: Sequence[Finding]) -> list[Finding]:
    """Findings that stay after the fix: what it takes out is in no new line."""
    return [one for one in findings if one.id not in fix.finding_ids]


def _repeats(fix: Fix, secrets: Sequence[Finding], literals: frozenset[int]) -> bool:
    """Whether the fix would repeat, in its new lines, a secret of the old.

    ``secrets`` were found in its file; ``literals`` are the lines whose literals a rule calls so.
    """
    for edit in fix.edits:
        if any(_may_show(edit, one.place) for one in secrets):
            return True
        if any(_brings(edit.path, line) for line in edit.replacement.split("\n")):
            return True
        for number, line in enumerate((edit.old or "").split("\n"), edit.start_line):
            if number in literals and any(one in edit.replacement for one in _held(line)):
                return True
    return False


def _may_show(edit: Edit, place: Place) -> bool:
    """Whether new lines may hold the secret of a place, or another literal beside it.

    They may where it is not known from where to where it goes.
    """
    if place.end_line < edit.start_line or edit.end_line < place.start_line:
        return False
    if edit.old is None or not place.start_column or place.start_line != place.end_line:
        return True
    line = edit.old.split("\n")[place.start_line - edit.start_line]
    secret = line[place.start_column - 1 : place.end_column - 1]
    return not secret or any(one in edit.replacement for one in (secret, *_held(line)))


_QUOTED = re.compile(r"([\"'`])(.+?)\1")


def _held(line: str) -> Iterator[str]:
    """The literals of a line that are not shown where a rule calls them secrets."""
    shown = mask_line(line, literals=True)
    return (one[0] for one in _QUOTED.finditer(line) if one[0] not in shown)


def _read(file: SourceFile) -> bytes:
    return read_regular(file.location, file.size + 1)
