"""The check run of a commit, or its commit status where the token can make no check run."""

import base64
import gzip
import json
from collections.abc import Iterator, Sequence
from typing import Any

from mergegate.core.errors import ForgeError, NotAllowed
from mergegate.core.report import Gate
from mergegate.core.severity import Severity
from mergegate.forges.github.client import Client, Purpose, cut, encodable, maybe, pick
from mergegate.forges.publication import SCANNING, STOPPED, Annotation, Publication

BATCH = 50
"""The most annotations that one request takes; later requests append."""
MOST = 250
"""The most annotations written: five requests, for each of them costs a write."""
_TITLE = 255
_MESSAGE = 8_000
"""GitHub takes 64 KB each; 50 of those would make a request of 3 MB."""
_LEVELS = {
    Severity.CRITICAL: "failure",
    Severity.HIGH: "failure",
    Severity.MEDIUM: "warning",
    Severity.LOW: "notice",
    Severity.INFO: "notice",
}


def shown(annotations: Sequence[Annotation]) -> tuple[list[dict[str, Any]], tuple[str, ...]]:
    """The worst of them for GitHub, and what was left out, in at most two sentences."""
    placed = [one for one in annotations if one.path and encodable(one.path)]
    said = []
    if len(placed) > MOST:
        said.append(f"Shown {MOST:,} of {len(placed):,} annotations, worst first")
    if homeless := len(annotations) - len(placed):
        said.append(f"{homeless:,} findings have no annotation: no file that GitHub can name")
    return [_shape(one) for one in placed[:MOST]], tuple(said)


def batches(annotations: list[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """At least one, perhaps empty: a check without annotations is a check."""
    yield annotations[:BATCH]
    for start in range(BATCH, len(annotations), BATCH):
        yield annotations[start : start + BATCH]


def _shape(one: Annotation) -> dict[str, Any]:
    start = max(1, one.start_line)
    message = cut(one.message.strip() or one.title, _MESSAGE)
    return {
        "path": one.path,
        "start_line": start,
        "end_line": max(start, one.end_line),
        "annotation_level": _LEVELS[one.severity],
        "title": cut(one.title, _TITLE),
        "message": f"{message}\n{one.rule_id} {one.url}".rstrip(),
    }


# https://docs.github.com/en/code-security/code-scanning/troubleshooting-sarif-uploads
_MOST_BYTES = 10_000_000
_MOST_RUNS = 20
_MOST_RESULTS = 25_000
_KEPT_RESULTS = 5_000
_UPLOAD = Purpose("take the code scanning results", "security-events: write")
_DISABLED = ("must be enabled", "not enabled")


class CodeScanning:
    """Alerts of one ref; on a pull request they also show beside its lines."""

    def __init__(self, door: Client, repository: str, ref: str) -> None:
        self._door = door
        self._path = f"/repos/{repository}/code-scanning/sarifs"
        self._ref = ref

    def upload(self, publication: Publication) -> Sequence[str]:
        """Nothing without SARIF; GitHub reads it later and tells problems under Security."""
        if publication.sarif is None:
            return ()
        packed = gzip.compress(publication.sarif.encode(errors="replace"), mtime=0)
        refused, cut = _limits(publication.sarif, len(packed))
        if not refused:
            self._send(publication.head, packed)
        return (*refused, *cut)

    def _send(self, commit: str, packed: bytes) -> None:
        body = {
            "commit_sha": commit,
            "ref": self._ref,
            "sarif": base64.b64encode(packed).decode(),
            "tool_name": "Mergegate",
        }
        try:
            self._door.send("POST", self._path, _UPLOAD, body=body)
        except NotAllowed as refusal:
            if any(words in refusal.what.lower() for words in _DISABLED):
                raise NotAllowed(
                    "Code scanning is off for this repository, so its alerts were not updated",
                    remedy="Private repositories need GitHub Code Security; or stop uploading.",
                ) from refusal
            raise


def _limits(sarif: str, packed_bytes: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Why GitHub would refuse it, and what it would drop in silence."""
    runs = maybe(json.loads(sarif), list, "runs") or []
    most = max((len(maybe(run, list, "results") or []) for run in runs), default=0)
    refusals = (
        (packed_bytes > _MOST_BYTES, f"the SARIF is larger than {_MOST_BYTES:,} bytes, packed"),
        (len(runs) > _MOST_RUNS, f"the SARIF has more than {_MOST_RUNS} runs"),
        (most > _MOST_RESULTS, f"the SARIF has more than {_MOST_RESULTS:,} results"),
    )
    refused = tuple(f"Code scanning was not updated: {why}" for is_so, why in refusals if is_so)
    dropped = f"Code scanning keeps {_KEPT_RESULTS:,} of {most:,} results"
    return refused, (dropped,) if most > _KEPT_RESULTS and not refused else ()


NAME = "Mergegate"
_OURS = "mergegate"

_TEXT = 65_535
_DESCRIPTION = 140
_FIND = Purpose("look for an earlier check", "checks: read")
_CHECK = Purpose("report the check", "checks: write")
_STATUS = Purpose("set the commit status", "statuses: write")
# Incomplete is red: a required check must not let pass what was not scanned.
_CONCLUSIONS = {Gate.PASSED: "success", Gate.FAILED: "failure", Gate.INCOMPLETE: "failure"}
_STATES = {Gate.PASSED: "success", Gate.FAILED: "failure", Gate.INCOMPLETE: "error"}
_UNVERIFIED = "neutral"
"""A pass that rests in part on the word of the change's own job; GitHub lets it merge."""
_HELD = "action_required"
"""The same where that part could have stopped the merge: GitHub lets nobody merge then
(https://docs.github.com/en/rest/checks/runs)."""
_PENDING = "pending"
"""The state of either; there is none that is neutral."""


class Checks:
    """One check run a commit."""

    def __init__(self, door: Client, repository: str, run_url: str, about: str = "") -> None:
        """``about`` is what the verdicts are about, so that no other counts for them.

        A branch that is judged as it is, or a colon and the branch that a change wants into.
        """
        self._door = door
        self._about = cut(f"{_OURS}:{about}", _TITLE) if about else _OURS
        self._repository = f"/repos/{repository}"
        self._runs = f"{self._repository}/check-runs"
        self._run_url = run_url if run_url.startswith("https://") else ""

    def has_passed(self, commit: str) -> bool:
        """See the port: every check on the commit about the same is green, and there is one."""
        about = [
            maybe(run, str, "conclusion")
            for run in self._ours(commit)
            if maybe(run, str, "external_id") == self._about
        ]
        return bool(about) and set(about) == {_CONCLUSIONS[Gate.PASSED]}

    def begin(self, head: str) -> None:
        """See the port. An earlier check stays below it: GitHub judges by the latest."""
        body: dict[str, Any] = {"name": NAME, "external_id": self._about, "head_sha": head}
        body |= {"status": "in_progress", "output": _said(SCANNING)}
        try:
            if self._open(self._ours(head)) is None:
                self._door.send("POST", self._runs, _CHECK, body=body)
        except NotAllowed as refusal:
            self._set_status(head, "pending", SCANNING, refusal)

    def stop(self, head: str) -> None:
        """See the port. For GitHub a check that was cancelled is none that passed."""
        try:
            ours = self._ours(head)
            if not ours:
                raise NotAllowed("There is no check to call off")
            if pending := self._open(ours):
                body = {"status": "completed", "conclusion": "cancelled", "output": _said(STOPPED)}
                self._door.send("PATCH", pending, _CHECK, body=body)
        except NotAllowed as refusal:
            self._set_status(head, "error", STOPPED, refusal)

    def announce(self, publication: Publication) -> Sequence[str]:
        """Only apps may make check runs; another token gets a commit status instead."""
        try:
            return self._check(publication)
        except NotAllowed as refusal:
            return self._status(publication, refusal)

    def _check(self, publication: Publication) -> Sequence[str]:
        annotations, left_out = shown(publication.annotations)
        head = {
            "name": NAME,
            "external_id": self._about,
            "status": "completed",
            "conclusion": _conclusion(publication),
        } | ({"details_url": self._run_url} if self._run_url else {})
        output = _output(publication, left_out)
        first, *others = batches(annotations)
        address = self._begin(publication.head, head | {"output": output | _also(first)})
        for batch in others:
            body = head | {"output": output | {"annotations": batch}}
            self._door.send("PATCH", address, _CHECK, body=body)
        return left_out

    def _begin(self, commit: str, body: dict[str, Any]) -> str:
        """The run's address, with the first annotations in it.

        An earlier run of the same commit is edited while it has no annotations. One that has
        some would show them twice, for GitHub only appends: a new run takes its place then.
        """
        earlier = self._earlier(commit)
        if earlier is not None:
            try:
                self._door.send("PATCH", earlier, _CHECK, body=body)
            except ForgeError:
                # Another app's run of our name; nothing was changed.
                pass
            else:
                return earlier
        made = self._door.send("POST", self._runs, _CHECK, body={**body, "head_sha": commit})
        return self._address(made)

    def _earlier(self, commit: str) -> str | None:
        """The run to edit: the one that is open, else one without annotations."""
        ours = self._ours(commit)
        bare = (
            self._address(run)
            for run in ours
            if maybe(run, int, "output", "annotations_count") == 0
        )
        return self._open(ours) or next(bare, None)

    def _open(self, runs: Sequence[Any]) -> str | None:
        """One that has no conclusion yet."""
        ends = (self._address(run) for run in runs if maybe(run, str, "status") != "completed")
        return next(ends, None)

    def _ours(self, commit: str) -> Sequence[Any]:
        path = f"{self._repository}/commits/{commit}/check-runs"
        query = {"check_name": NAME, "filter": "latest"}
        found = pick(self._door.send("GET", path, _FIND, query=query), list, "check_runs")
        return [
            run
            for run in found
            if (maybe(run, str, "external_id") or "").partition(":")[0] == _OURS
        ]

    def _address(self, run: Any) -> str:
        return f"{self._runs}/{pick(run, int, 'id')}"

    def _status(self, publication: Publication, refusal: NotAllowed) -> Sequence[str]:
        state = _PENDING if _is_hearsay(publication) else _STATES[publication.gate]
        self._set_status(publication.head, state, publication.headline, refusal)
        return (_instead(refusal, len(publication.annotations)),)

    def _set_status(self, commit: str, state: str, line: str, refusal: NotAllowed) -> None:
        """Raises ``refusal``, that of a check, when this is not allowed either."""
        body = {
            "state": state,
            "context": _OURS,
            "description": cut(line, _DESCRIPTION),
        } | ({"target_url": self._run_url} if self._run_url else {})
        path = f"{self._repository}/statuses/{commit}"
        try:
            self._door.send("POST", path, _STATUS, body=body)
        except NotAllowed:
            raise refusal from None


def _conclusion(publication: Publication) -> str:
    if not _is_hearsay(publication):
        return _CONCLUSIONS[publication.gate]
    return _HELD if publication.is_held else _UNVERIFIED


def _is_hearsay(publication: Publication) -> bool:
    return publication.gate is Gate.PASSED and not publication.verified


def _instead(refusal: NotAllowed, annotations: int) -> str:
    unshown = f", its {annotations:,} annotations are not shown" if annotations else ""
    by_person = any(words in refusal.what for words in ("GitHub App", "personal access token"))
    why = "only an app's token can make a check" if by_person else "grant the job `checks: write`"
    return f"The verdict is a commit status, not a check{unshown}: {why}"


def _said(line: str) -> dict[str, Any]:
    return {"title": line, "summary": line}


def _output(publication: Publication, left_out: Sequence[str]) -> dict[str, Any]:
    """The report is the summary: GitHub shows it right below the title."""
    title = _title(publication)
    paragraphs = (*(f"{sentence}." for sentence in left_out), publication.details or title)
    return {"title": cut(title, _TITLE), "summary": cut("\n\n".join(paragraphs), _TEXT)}


def _title(publication: Publication) -> str:
    line = publication.headline.rstrip(".")
    told = publication.gate is not Gate.INCOMPLETE or line.lower().startswith("incomplete")
    return line if told else f"Incomplete: {line}"


def _also(batch: list[dict[str, Any]]) -> dict[str, Any]:
    return {"annotations": batch} if batch else {}
