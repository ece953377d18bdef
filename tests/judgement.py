"""Findings that were judged one by one, kept in a CSV file, and the tables that count them."""

import csv
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

ACTED_ON = "act"
HEAD = (
    "| {} | Above info | Worth acting on | Share | Unjust | Disputed | Red | Unjust red |",
    "|---|---|---|---|---|---|---|---|",
)


@dataclass(frozen=True)
class Judged:
    """One finding, and what the maintainer of its subject would make of it."""

    subject: str
    """The project or site."""
    rule: str
    place: str
    before: str = ""
    """Its severity when this list was begun, of an unseen subject at its first scan; empty if it
    was not told above info."""
    now: str = ""
    verdict: str = ""
    """``act`` or ``not``."""
    reason: str = ""
    second: str = ""
    """The second judge's verdict; empty of what was no longer told when it was written."""
    second_reason: str = ""

    @property
    def acted_on(self) -> bool:
        """Whether all who judged it would act; what they disagree on is unjust."""
        return {self.verdict, self.second or self.verdict} == {ACTED_ON}

    @property
    def is_disputed(self) -> bool:
        """Whether two judged it and disagree."""
        return bool(self.second) and self.second != self.verdict

    @property
    def key(self) -> tuple[str, str, str]:
        """What tells it from others."""
        return self.subject, self.rule, self.place

    def severity(self, when: str) -> str:
        """The severity ``before`` or ``now``."""
        return self.before if when == "before" else self.now


@dataclass(frozen=True)
class Ledger:
    """A CSV file of judgements."""

    path: Path
    subject: str
    """What its first column is called."""
    red: Collection[str]
    """The severities that stop a merge."""

    def read(self) -> list[Judged]:
        """All that was ever judged."""
        with self.path.open(newline="", encoding="utf-8") as file:
            rows = csv.reader(file)
            next(rows)
            return [Judged(*row) for row in rows]

    def write(self, judged: Iterable[Judged]) -> None:
        """The judgements, in order of subject, rule and place."""
        names = [self.subject, *(one.name for one in fields(Judged)[1:])]
        with self.path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(names)
            for one in sorted(judged, key=lambda one: one.key):
                writer.writerow([getattr(one, field.name) for field in fields(Judged)])

    def row(self, name: str, judged: Sequence[Judged], when: str) -> str:
        """One row under :data:`HEAD`, of the severities ``before`` or ``now``."""
        above = [one for one in judged if one.severity(when)]
        acted = sum(one.acted_on for one in above)
        disputed = sum(one.is_disputed for one in above)
        red = [one for one in above if one.severity(when) in self.red]
        unjust = sum(not one.acted_on for one in red)
        share = f"{acted / len(above):.0%}" if above else "–"
        counts = (len(above), acted, share, len(above) - acted, disputed, len(red), unjust)
        return f"| {name} | {' | '.join(map(str, counts))} |"


def head(subject: str) -> Iterator[str]:
    """The first two lines of a table."""
    yield HEAD[0].format(subject)
    yield HEAD[1]


def merged(
    known: Iterable[Judged], told: Iterable[Judged], subjects: Collection[str]
) -> tuple[list[Judged], list[Judged]]:
    """All judgements with the severities of now; then those of now that lack one of two verdicts.

    What was known of ``subjects`` and is told no more has no severity now.
    """
    before = {one.key: one for one in known}
    now = {one.key: replace(before.get(one.key, one), now=one.now) for one in told}
    gone = {
        key: replace(one, now="") if one.subject in subjects else one for key, one in before.items()
    }
    return list({**gone, **now}.values()), [
        one for one in now.values() if not (one.verdict and one.second)
    ]
