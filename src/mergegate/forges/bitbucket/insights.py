"""The verdict on a commit: a Code Insights report with annotations, and a build status."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from mergegate.core.errors import ForgeError
from mergegate.core.report import Gate
from mergegate.core.severity import Kind, Severity
from mergegate.forges.bitbucket.session import Refusal, Session, granted
from mergegate.forges.publication import SCANNING, STOPPED, Annotation, Publication

MOST = 1000
"""The most annotations that one report takes."""
PER_REQUEST = 100
_SUMMARY = 450
_DETAILS = 2000
_SEVERITIES = {
    Severity.CRITICAL: "CRITICAL",
    Severity.HIGH: "HIGH",
    Severity.MEDIUM: "MEDIUM",
    Severity.LOW: "LOW",
    # Code Insights knows nothing below.
    Severity.INFO: "LOW",
}
_SMELLS = frozenset({Kind.QUALITY, Kind.RISK})


def shown(annotations: Iterable[Annotation]) -> list[dict[str, Any]]:
    """The annotations that a report takes, worst first, one for each finding."""
    each = {one.finding_id: one for one in annotations}
    return [_shape(one) for one in list(each.values())[:MOST]]


def batches(shapes: list[dict[str, Any]]) -> Iterable[list[dict[str, Any]]]:
    """The annotations in batches, each as large as one request takes."""
    return (shapes[at : at + PER_REQUEST] for at in range(0, len(shapes), PER_REQUEST))


def clipped(text: str, most: int) -> str:
    """``text`` without what JSON or a page cannot carry, in at most ``most`` characters."""
    plain = "".join(one if one.isprintable() or one == "\n" else "\ufffd" for one in text).strip()
    return plain if len(plain) <= most else f"{plain[: most - 1]}…"


def _shape(of: Annotation) -> dict[str, Any]:
    return {
        "type": "report_annotation",
        "external_id": f"mergegate-{of.finding_id}",
        "annotation_type": "CODE_SMELL" if of.kind in _SMELLS else "VULNERABILITY",
        "severity": _SEVERITIES[of.severity],
        "summary": clipped(of.title, _SUMMARY) or of.rule_id or "Finding",
        "details": clipped(f"{of.message}\n\n{of.rule_id}", _DETAILS),
        **_place(of),
        **({"link": of.url} if of.url.startswith("https://") else {}),
    }


def _place(of: Annotation) -> dict[str, Any]:
    """Nothing for a path that would make Bitbucket refuse the whole batch."""
    if not of.path or not of.path.isprintable():
        return {}
    return {"path": of.path, "line": max(1, of.start_line)}


REPORT = "mergegate"
KEY = "mergegate"
_COMMIT = re.compile(r"[0-9a-f]{40}")
# Bitbucket fills in what stands in braces.
_ADDRESS = re.compile(r"https://[A-Za-z0-9.-]+(?::\d+)?(?:/[A-Za-z0-9._~%#?=&+/@:;,!-]*)?")
_WEB = "https://bitbucket.org"

_DESCRIPTION = 255
_GATES = {Gate.PASSED: "Passed", Gate.FAILED: "Failed", Gate.INCOMPLETE: "Incomplete"}


class CommitVerdicts:
    """The ports :class:`~mergegate.forges.ports.Verdicts` and ``Progress``.

    ``insights`` may be the proxy of Pipelines, which lets a job write reports and annotations
    without a token and nothing else; ``statuses`` is None without a token.
    """

    def __init__(
        self, insights: Session, statuses: Session | None, repository: str, run_url: str
    ) -> None:
        self._insights = insights
        self._statuses = statuses
        self._repository = repository
        self._run_url = run_url if _ADDRESS.fullmatch(run_url) else ""

    def announce(self, publication: Publication) -> Sequence[str]:
        """Replace the report of the commit, then set its build status.

        Returns what had to be left out, a sentence each; raises ForgeError.
        """
        commit = self._commit(publication.head)
        annotations = shown(publication.annotations)
        left_out = _left_out(len(annotations), len(publication.annotations))
        self._report(commit, publication, annotations, left_out)
        state = "SUCCESSFUL" if publication.gate is Gate.PASSED else "FAILED"
        return [*left_out, *self._status(publication.head, state, publication.headline)]

    def begin(self, head: str) -> None:
        """See the port; a report of an earlier scan stays until it is replaced."""
        self._status(head, "INPROGRESS", SCANNING)

    def stop(self, head: str) -> None:
        """See the port."""
        self._status(head, "STOPPED", STOPPED)

    def _commit(self, head: str) -> str:
        if not _COMMIT.fullmatch(head):
            raise ForgeError("a verdict needs the full hash of a commit")
        return f"/repositories/{self._repository}/commit/{head}"

    def _report(
        self,
        commit: str,
        publication: Publication,
        annotations: list[dict[str, Any]],
        left_out: Sequence[str],
    ) -> None:
        path, what = f"{commit}/reports/{REPORT}", "the Code Insights report"
        # Annotations outlive an update of their report: only its deletion takes them along.
        answer = self._insights.send("DELETE", path, what)
        if not (isinstance(answer, Refusal) and answer.gone):
            granted(answer, what)
        body = _report(publication, left_out) | self._link("link")
        self._insights.write("PUT", path, what, body)
        for batch in batches(annotations):
            answer = self._insights.send(
                "POST", f"{path}/annotations", what, body=batch, harmless=True
            )
            granted(answer, what)

    def _status(self, head: str, state: str, line: str) -> Sequence[str]:
        if self._statuses is None:
            return ["No build status: the proxy of Pipelines writes reports alone, give a token."]
        body = {
            "type": "build",
            "key": KEY,
            "name": "Mergegate",
            "state": state,
            "description": clipped(line, _DESCRIPTION),
            # Bitbucket wants some address; without a job there is the commit's own page.
            "url": self._run_url or f"{_WEB}/{self._repository}/commits/{head}",
        }
        path, what = f"{self._commit(head)}/statuses/build", "the build status"
        self._statuses.write("POST", path, what, body, harmless=True)
        return []

    def _link(self, name: str) -> dict[str, str]:
        return {name: self._run_url} if self._run_url else {}


def _left_out(number: int, total: int) -> list[str]:
    if number == total:
        return []
    return [f"Shown {number:,} of {total:,} annotations, worst first."]


def _report(publication: Publication, left_out: Sequence[str]) -> dict[str, Any]:
    passed = publication.gate is Gate.PASSED
    return {
        "type": "report",
        "title": "Mergegate",
        "details": clipped("\n".join((publication.headline, *left_out)), _DETAILS),
        "report_type": "SECURITY",
        "reporter": "Mergegate",
        # A scan that is incomplete is not a pass; PENDING would promise a later answer.
        "result": "PASSED" if passed else "FAILED",
        "data": _data(publication),
    }


def _data(publication: Publication) -> list[dict[str, Any]]:
    """At most eight of the ten fields that a report may have."""
    at_most = "at most " if publication.gate is Gate.INCOMPLETE else ""
    levels = [one.severity for one in publication.annotations]
    new = [] if publication.new is None else [_number("New findings", publication.new)]
    return [
        _text("Gate", _GATES[publication.gate]),
        _text("Score", f"{at_most}{publication.score}/100"),
        *new,
        *(
            _number(level.label.capitalize(), levels.count(level))
            for level in sorted(Severity, reverse=True)
            if level in levels
        ),
    ]


def _text(title: str, value: str) -> dict[str, Any]:
    return {"title": title, "type": "TEXT", "value": value}


def _number(title: str, value: int) -> dict[str, Any]:
    return {"title": title, "type": "NUMBER", "value": value}
