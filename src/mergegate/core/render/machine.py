"""Parts of the machine formats: inert short text, times, fingerprints, the frame of SARIF."""

import datetime as dt
import json
import re
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Any

from mergegate.core.finding import Advisory, Finding
from mergegate.core.render import escape, wording
from mergegate.core.report import Gate, Report

LONGEST_LINK = 2_000
"""Characters of an address; browsers and servers take no more for certain."""
MOST_LINKS = 20

Json = dict[str, Any]


def short(text: str, most: int) -> str:
    """``text`` made visible on one line of at most ``most`` characters; a cut shows as ``…``."""
    shown = escape.visible(text[: most + 1])
    return shown if len(shown) <= most else f"{shown[: most - 1]}…"


def path(finding: Finding) -> str:
    """The file of a finding; ``.`` stands for the repository as a whole."""
    return escape.visible(finding.place.file) or "."


def first_line(finding: Finding) -> int:
    """The finding's line from 1; a finding of a whole file stands at line 1."""
    return max(1, finding.place.start_line)


def links(finding: Finding) -> tuple[str, ...]:
    """The https references of a finding, each once, the first :data:`MOST_LINKS`."""
    found = dict.fromkeys(wording.links(finding))
    return tuple(link for link in found if len(link) <= LONGEST_LINK)[:MOST_LINKS]


def repair(finding: Finding, advisory: Advisory) -> str:
    """What to do about a vulnerable package."""
    if advisory.upgrade:
        return f"Upgrade {advisory.package} to {advisory.upgrade}."
    if advisory.fixed_versions:
        return f"Repaired in {wording.repaired_in(finding)}."
    return "No repaired version is published."


def moment(stamp: str) -> str | None:
    """An ISO 8601 time as ``YYYY-MM-DDTHH:MM:SS`` in UTC; None when it is none."""
    try:
        when = dt.datetime.fromisoformat(stamp)
        aware = when if when.tzinfo else when.replace(tzinfo=dt.UTC)
        return aware.astimezone(dt.UTC).replace(tzinfo=None).isoformat(timespec="seconds")
    except (ValueError, OverflowError):
        return None


def fingerprints(findings: Iterable[Finding]) -> tuple[str, ...]:
    """One a finding, in order: its id, told apart by a number where an earlier one has it too.

    Readers keep one finding a fingerprint and drop the rest without a word.
    """
    taken: dict[str, None] = {}
    for finding in findings:
        wanted = escape.visible(finding.id or finding.rule_id)
        mark, number = wanted, 1
        while mark in taken:
            number += 1
            mark = f"{wanted}-{number}"
        taken[mark] = None
    return tuple(taken)


def problems(report: Report) -> tuple[str, ...]:
    """Why the scan is incomplete, a sentence each; empty when it is not."""
    if report.verdict.gate is not Gate.INCOMPLETE:
        return ()
    broken = [run for run in report.engines if run.status in wording.BROKEN]
    told = [
        f"{run.name} gave no answer: {wording.engine_note(run) or f'{run.status.value}.'}"
        for run in broken
    ]
    return tuple(told or report.verdict.reasons or ("The scan is incomplete.",))


def within(entries: Sequence[Json], most_bytes: int) -> list[Json]:
    """The first of ``entries`` that fit into ``most_bytes`` of compact JSON."""
    sizes = accumulate(len(dumps(entry)) + 1 for entry in entries)
    return [entry for entry, size in zip(entries, sizes, strict=True) if size <= most_bytes]


def dumps(value: object) -> str:
    """Compact JSON, ASCII alone."""
    return json.dumps(value, separators=(",", ":"))


_SARIF_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
# SARIF 3.11.6: in a message, [text](target) is a link.
_LINK = re.compile(r"\[(?=[^\[\]]*\]\()")


def sarif_document(run: Json) -> str:
    """The SARIF 2.1.0 log of one run, compact and in ASCII."""
    return dumps({"$schema": _SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}) + "\n"


def sarif_driver(version: str, rules: Sequence[Json]) -> Json:
    """The SARIF ``driver``: Mergegate and its rules; without a version if that is empty."""
    named = {"name": "mergegate", "rules": list(rules)}
    return named | ({"version": version} if version else {})


def sarif_invocation(*, complete: bool, notes: Sequence[Json], begun: str, ended: str) -> Json:
    """The SARIF ``invocation``: how the scan went; a damaged time is left out."""
    times = {"startTimeUtc": begun, "endTimeUtc": ended}
    return {
        "executionSuccessful": complete,
        "toolExecutionNotifications": list(notes),
        **{name: value for name, value in times.items() if moment(value)},
    }


def sarif_note(level: str, text: str) -> Json:
    """A SARIF notification: ``error`` for what is missing, ``warning`` for what was cut short."""
    return {"level": level, "message": {"text": escape.visible(text)}}


def sarif_message(text: str) -> str:
    """``text`` as a SARIF message, in which nothing is taken for a link."""
    return _LINK.sub(r"\\[", escape.visible(text))
