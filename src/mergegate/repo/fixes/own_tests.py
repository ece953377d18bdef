"""The team's own tests as a gate of fixes: code of the scanned tree, run on an operator's order.

No policy, no file and no host can give that order (``ci/testing.py``). Each run is in a fresh copy
and held to it, without a variable, a token or, unless it was ordered too, a network of the job's.
"""

import os
import re
import shutil
import stat
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from mergegate.core.errors import EngineError, UsageError
from mergegate.core.render.escape import visible
from mergegate.core.render.wording import counted
from mergegate.core.report import Fix, Mended, RefusedFix
from mergegate.repo.excerpts import masked_text
from mergegate.repo.fixes import application
from mergegate.repo.fixes.gates import OWN_TESTS
from mergegate.sandbox.files.stage import Stage
from mergegate.sandbox.process import own_folder
from mergegate.sandbox.process.confinement import network_is_isolated
from mergegate.sandbox.process.run import MEBIBYTE, Limits, run
from mergegate.sandbox.process.supervised import supervised

MOST_RUNS = 20
"""How often the tests are run in a scan at most."""
TIMEOUT_S = 600
_MOST_BYTES = 4096 * MEBIBYTE
"""The largest work tree that is copied."""
_LIMITS = Limits(memory_bytes=4096 * MEBIBYTE, output_bytes=512 * MEBIBYTE)
_MOST_PROCESSES = 1000
_MOST_LINES, _MOST_COLUMNS = 12, 200
"""How much is shown of what failing tests said last."""
_TAIL_BYTES = 4096
_SHORTEST_VALUE = 4
"""Shorter values of variables are words like any other, and are not masked."""
_GARBAGE = "\0)}]>\n"
"""No program, and in no language: what loads such a file fails."""
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_SHORTEST_TOKEN = 16
"""A shorter value, such as ``true``, may stand in many variables."""
_TOKENS = re.compile(r"TOKEN|KEY|SECRET|PASSWORD|JWT", re.ASCII)
"""Names of variables whose values are in no other, as ``CI_JOB_TOKEN`` is in an index's address."""

Together = Callable[[tuple[Fix, ...]], tuple[Mended, ...]]
"""The files after fixes, worst first, as far as these hold together."""


@dataclass(frozen=True, slots=True)
class Ran:
    """How the tests ended."""

    why: str = ""
    """Why they failed; empty where they passed."""
    said: tuple[str, ...] = ()
    """Their last lines, masked and made visible."""


@dataclass(frozen=True, slots=True)
class Suite:
    """The tests of a folder, and what they may have."""

    root: Path
    command: str
    """The operator's text, for ``sh -c``."""
    path: str
    """PATH."""
    variables: Mapping[str, str] = field(default_factory=dict, repr=False)
    """What the operator passes beside PATH, HOME and the locale."""
    network: bool = False
    timeout_s: int = TIMEOUT_S

    def run(self, mended: Sequence[Mended] = ()) -> Ran:
        """The tests in a copy of the folder, its files as ``mended`` has them.

        Raises UsageError where there is no copy as it was scanned, or modes of the folder were set
        meanwhile; EngineError where the tests could not be started.
        """
        with Stage() as stage, _cleared(stage.room("tests")) as room:
            for name in ("home", "tmp"):
                (room / name).mkdir()
            modes = self._copy(room / "tree")
            if len(application.write(room / "tree", mended, None).written) != len(mended):
                raise UsageError("the work tree changed while it was scanned", remedy="Scan again.")
            with _kept(modes):
                return self._tested(room)

    def _copy(self, tree: Path) -> dict[Path, int]:
        """Without Git's data, which may hold a token, and what is neither file, folder nor link.

        Returns the modes of what is in the folder, outermost first.
        """
        copied, modes = 0, {self.root: self.root.lstat().st_mode}

        def unwanted(folder: str, names: list[str]) -> set[str]:
            nonlocal copied
            left = {".git"}
            for name in names:
                place = Path(folder) / name
                facts = place.lstat()
                copied += facts.st_size
                modes[place] = facts.st_mode
                if not any(test(facts.st_mode) for test in (stat.S_ISREG, stat.S_ISDIR, _is_link)):
                    left.add(name)
            if copied > _MOST_BYTES:
                raise UsageError(
                    f"the work tree is larger than {_MOST_BYTES // MEBIBYTE:,} MiB, so no copy of"
                    " it is tested",
                    remedy="Leave out --test-command.",
                )
            return left

        try:
            shutil.copytree(self.root, tree, symlinks=True, ignore=unwanted)
        except (OSError, RecursionError) as error:
            raise UsageError(
                f"the work tree cannot be copied for its tests: {type(error).__name__}",
                remedy="Every file has to be readable, and the temporary folder large enough.",
            ) from error
        return modes

    def _tested(self, room: Path) -> Ran:
        inside = (sys.executable, "-I", "-S", own_folder.__file__, room, room / "tree")
        with supervised(
            [*inside, "sh", "-c", self.command],
            cwd=room,
            limits=_LIMITS,
            most_processes=_MOST_PROCESSES,
            environment={
                **self.variables,
                "PATH": self.path,
                "HOME": str(room / "home"),
                "TMPDIR": str(room / "tmp"),
            },
            network=self.network,
            answers=False,
        ) as tests:
            tests.stdin.close()
            if not tests.ends_within(self.timeout_s):
                why = f"they did not finish within {self.timeout_s} s"
            else:
                why = "" if tests.succeeded else tests.fault
            tests.end()
            return Ran(why, self._shown(tests.complaints()) if why else ())

    def _shown(self, said: str) -> tuple[str, ...]:
        """The last whole lines of hostile text, without what looks like a secret."""
        lines = said.splitlines()
        if len(said.encode()) >= _TAIL_BYTES:
            del lines[:1]  # its beginning is cut off, and with it what a secret is known by
        text = "\n".join(lines)
        for value in sorted(self.variables.values(), key=len, reverse=True):
            if len(value) >= _SHORTEST_VALUE:
                text = text.replace(value, "****")
        shown = [visible(line.rstrip()) for line in masked_text(text.split("\n")) if line.strip()]
        return tuple(line[:_MOST_COLUMNS] for line in shown[-_MOST_LINES:])


@contextmanager
def _cleared(room: Path) -> Iterator[Path]:
    """``room``, emptied in the end: nested as deeply as tests can, it is too deep for Python."""
    try:
        yield room
    finally:
        for argv in (("chmod", "-R", "u+rwX", "--", room), ("rm", "-rf", "--", room)):
            run(argv, cwd=room.parent, own_rights=True)


@contextmanager
def _kept(modes: Mapping[Path, int]) -> Iterator[None]:
    """Put the modes back, which Landlock lets an owner set: a file shut is not scanned again.

    Raises UsageError where one was another.
    """
    changed = False
    try:
        yield
    finally:
        for place, mode in modes.items():
            changed |= _put_back(place, mode)
    if changed:
        raise UsageError(
            "modes of files in the work tree were set meanwhile, and are put back",
            remedy="Tests may set those of their copy alone.",
        )


def _put_back(place: Path, mode: int) -> bool:
    """Whether its mode was another; what is gone, or something else by now, is left as it is."""
    try:
        now = place.lstat().st_mode
        if now == mode or stat.S_IFMT(now) != stat.S_IFMT(mode):
            return False
        place.chmod(stat.S_IMODE(mode))
    except FileNotFoundError:
        return False
    except OSError:
        pass
    return True


def _is_link(mode: int) -> bool:
    return stat.S_ISLNK(mode)


def suite(
    root: Path,
    command: str,
    names: Sequence[str],
    environment: Mapping[str, str],
    *,
    network: bool,
    timeout_s: int,
    withheld: re.Pattern[str],
) -> Suite:
    """The tests that an operator ordered, with the variables that were named.

    Raises UsageError for variables whose names are ``withheld``, and for others with the value of
    one, or a token of one within theirs; and where tests cannot be held to their copy.
    """
    held = {name: text.strip() for name, text in environment.items() if withheld.match(name)}
    held = {name: text for name, text in held.items() if len(text) >= _SHORTEST_TOKEN}
    tokens = [text for name, text in held.items() if _TOKENS.search(name)]
    for name in names:
        if not _NAME.fullmatch(name) or name not in environment:
            raise UsageError(f"there is no variable {visible(name)!r} to give to the tests")
        value = environment[name].strip()
        is_held = value in held.values() or any(one in value for one in tokens)
        if withheld.match(name) or is_held:
            raise UsageError(
                f"{name} is not given to the tests: it is, or holds, what is Mergegate's or the"
                " platform's own, and may be a token",
                remedy="Give them a variable of their own.",
            )
    if not own_folder.is_supported():
        raise UsageError(
            "the tests cannot be held to a copy of the work tree here, so they are not run",
            remedy="That takes Linux 6.2 or newer with Landlock, and a container that allows it.",
        )
    if not (network or network_is_isolated()):
        raise UsageError(
            "the network cannot be taken from the tests here, so they are not run",
            remedy="Let them have it with --test-network.",
        )
    return Suite(
        root,
        command,
        environment.get("PATH", os.defpath),
        {name: environment[name] for name in names},
        network,
        timeout_s,
    )


@dataclass(frozen=True, slots=True)
class Judged:
    """What the tests say of fixes."""

    mended: tuple[Mended, ...]
    """The files after the fixes that are left."""
    passed: frozenset[str] = frozenset()
    """The ids of fixes with which, all together, the tests passed."""
    refused: tuple[RefusedFix, ...] = ()


class OwnTests:
    """The gate. What it once refused stays refused when the tree is scanned again."""

    def __init__(self, suite: Suite) -> None:
        self._suite = suite
        self._runs = 0
        self._refused: dict[str, RefusedFix] = {}
        """By the finding's id."""
        self.told = ""
        """What came of it, in one line; empty as long as there was nothing to test."""

    def judge(self, fixes: Sequence[Fix], together: Together) -> Judged:
        """The tests without ``fixes``, with all of them, and where that fails with fewer."""
        if self.told:
            left = (one for one in fixes if self._refused.keys().isdisjoint(one.finding_ids))
            return Judged(together(tuple(left)), refused=tuple(self._refused.values()))
        proved = cache(together)
        whole = proved(tuple(fixes))
        tried = _among(fixes, whole)
        try:
            return self._judged(tried, whole, proved) if tried else Judged(whole)
        except (UsageError, EngineError) as error:
            self._refuse(tried, Ran(f"the tests could not be run: {error.what}"))
            self._tell(f"they could not be run: {error}")
            return Judged((), refused=tuple(self._refused.values()))

    def _judged(self, tried: Sequence[Fix], whole: tuple[Mended, ...], proved: Together) -> Judged:
        without = self._run(())
        if without.why:
            last = f": {without.said[-1]}" if without.said else ""
            self._tell(f"they fail without the fix too, so they say nothing of it{last}")
            return Judged(whole)
        kept, mended = self._search(tried, proved)
        refused = tuple(self._refused.values())
        if not kept:
            self._tell("they pass with no fix, so none of these is offered")
            return Judged((), refused=refused)
        if not self._run([replace(one, after=_GARBAGE) for one in mended]).why:
            self._tell(
                "they pass with garbage in place of the changed files too, so they say nothing of"
                " them"
            )
            return Judged(mended, refused=refused)
        others = counted(len(refused), "finding")
        self._tell(
            f"they pass with {counted(len(kept), 'fix', 'fixes')}"
            + (f"; those of {others} are not offered" if refused else "")
        )
        return Judged(mended, frozenset(one.id for one in kept), refused)

    def _search(
        self, tried: Sequence[Fix], proved: Together
    ) -> tuple[list[Fix], tuple[Mended, ...]]:
        """The fixes with which the tests pass, all at once, and the files that they were run on."""
        kept: list[Fix] = []
        tested: tuple[Mended, ...] = ()
        waiting = [list(tried)]
        while waiting:
            group = waiting.pop(0)
            if self._runs >= MOST_RUNS - 1:  # the last is the one with garbage
                self._refuse(group, Ran(f"which of them fails is not known after {MOST_RUNS} runs"))
                continue
            wanted = (*kept, *group)
            files = proved(wanted)
            ran = self._run(files) if len(_among(wanted, files)) == len(wanted) else None
            if ran and not ran.why:
                kept, tested = list(wanted), files
            elif len(group) > 1:
                half = len(group) // 2
                waiting[:0] = [group[:half], group[half:]]
            elif ran:
                self._refuse(group, replace(ran, why=f"the tests fail with it: {ran.why}"))
        return kept, tested

    def _run(self, mended: Sequence[Mended]) -> Ran:
        self._runs += 1
        return self._suite.run([one for one in mended if one.name])

    def _refuse(self, fixes: Sequence[Fix], ran: Ran) -> None:
        for id in (id for fix in fixes for id in fix.finding_ids):
            self._refused[id] = RefusedFix(id, OWN_TESTS, ran.why, ran.said)

    def _tell(self, what: str) -> None:
        self.told = f"{OWN_TESTS}, {counted(self._runs, 'run')}: {what}"


def _among(fixes: Sequence[Fix], mended: Sequence[Mended]) -> list[Fix]:
    """Those of ``fixes`` that stand in the files, as far as these can be written."""
    there = {id for one in mended if one.name for id in one.fix_ids}
    return [one for one in fixes if one.id in there]
