"""SARIF for GitHub's code scanning."""

import base64
import gzip
import json
from collections.abc import Sequence

from mergegate.core.errors import NotAllowed
from mergegate.forges.github.door import Door
from mergegate.forges.github.refusals import Errand
from mergegate.forges.github.shapes import maybe
from mergegate.forges.publication import Publication

# https://docs.github.com/en/code-security/code-scanning/troubleshooting-sarif-uploads
_MOST_BYTES = 10_000_000
_MOST_RUNS = 20
_MOST_RESULTS = 25_000
_KEPT_RESULTS = 5_000
_UPLOAD = Errand("take the code scanning results", "security-events: write")
_DISABLED = ("must be enabled", "not enabled")


class CodeScanning:
    """Alerts of one ref; on a pull request they also show beside its lines."""

    def __init__(self, door: Door, repository: str, ref: str) -> None:
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
