"""What a scan does about its findings: proves fixes, and where it is asked to, files after them."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from mergegate.core.finding import Finding
from mergegate.core.report import Fix, Mended, Proofs
from mergegate.core.severity import Kind
from mergegate.core.tree import SourceFile, Tree
from mergegate.repo.fixes.batch import mended
from mergegate.repo.fixes.proof import FixVerifier, verified_fixes
from mergegate.repo.fixes.recipe import LONG_WORD, long_words
from mergegate.sandbox.files.record import source_file
from mergegate.sandbox.files.stage import read_regular
from mergegate.secrets.mask import mask_line


def repairs(
    tree: Tree,
    folder: Path,
    rescan: Callable[[Tree], Sequence[Finding]],
    wanted: Callable[[Finding], bool] | None = None,
) -> Callable[[Sequence[Finding], Sequence[Finding]], Proofs]:
    """Proves what can be repaired in ``tree``, in copies in ``folder`` that are scanned again.

    The function takes what counts, and all that was found: no fix repeats a secret among that. The
    fixes of the findings that are ``wanted`` are proved together as well.
    """
    record = partial(source_file, readings=folder)
    bench = FixVerifier(folder=folder, read=_read, record=record, rescan=rescan)

    def verified(counted: Sequence[Finding], all_found: Sequence[Finding]) -> Proofs:
        proofs = verified_fixes(counted, all_found, tree, bench)
        secret = _secret_lines(all_found)
        shown = tuple(one for one in proofs.fixes if not _repeats(one, secret))
        proofs = replace(proofs, fixes=shown)
        if wanted is None:
            return proofs
        asked = {one.id for one in counted if wanted(one)}
        chosen = [one for one in shown if not asked.isdisjoint(one.finding_ids)]
        together = mended(chosen, all_found, tree, bench)
        return replace(proofs, mended=tuple(_marked(one, secret) for one in together))

    return verified


def _marked(one: Mended, secret: frozenset[tuple[str, int]]) -> Mended:
    lines = one.before.split("\n")
    told = (n for n, line in enumerate(lines, 1) if (one.path, n) in secret or _hides(line))
    return replace(one, secrets=frozenset(told))


def _brings(line: str) -> bool:
    """Whether something of a new line may be a secret; words of our own recipes are none."""
    return _hides(LONG_WORD.sub(lambda one: "" if one[0] in long_words() else one[0], line))


def _hides(line: str) -> bool:
    return mask_line(line) != line


def _secret_lines(findings: Sequence[Finding]) -> frozenset[tuple[str, int]]:
    return frozenset(
        (one.place.file, line)
        for one in findings
        if one.kind is Kind.SECRET
        for line in range(one.place.start_line, one.place.end_line + 1)
    )


def _repeats(fix: Fix, secret: frozenset[tuple[str, int]]) -> bool:
    """Whether the fix would repeat, in its new lines, a secret of the old."""
    for edit in fix.edits:
        touched = {(edit.path, line) for line in range(edit.start_line, edit.end_line + 1)}
        if touched & secret or any(map(_brings, edit.replacement.split("\n"))):
            return True
    return False


def _read(file: SourceFile) -> bytes:
    return read_regular(file.location, file.size + 1)
