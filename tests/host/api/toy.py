"""A host whose scans are told by the address what to come to: ``mergegate serve`` but for them.

python -m tests.host.api.toy SAMPLES GATE PORT GRACE_S PROOF_S
    SAMPLES: a folder with a result a tool
    PROOF_S: how often it proves to a probe that its database takes changes

The first label of the address's host decides: ``slow-NAME`` takes until a file ``NAME`` lies in
the folder GATE; ``unreachable``, ``inward``, ``noise``, ``late`` and ``broken`` fail; all others
are done.
"""

import asyncio
import json
import os
import sys
from contextlib import nullcontext
from pathlib import Path
from urllib.parse import urlsplit

from mergegate.core.errors import Failed
from mergegate.core.plans import Tool
from mergegate.host.api import handlers
from mergegate.host.database import host_settings
from mergegate.host.scan import Done, Outcome, Scan
from mergegate.host.server import Listen, serve

FAILURES = {
    "unreachable": Failed("TARGET_UNREACHABLE", "The page does not answer."),
    "noise": Failed("TARGET_NOT_ANALYSABLE", "This is no page."),
    "inward": Failed("TARGET_NOT_ALLOWED", "It leads inward."),
    "late": Failed("SCAN_TIMEOUT", "It took too long."),
    "broken": Failed("INTERNAL", "The scan ended in a mistake of Mergegate's own."),
}
SLOW = "slow-"
IDS = {
    Tool.REPOSITORY: "id",
    Tool.SEO: "id",
    Tool.AUDIT: "reportId",
    Tool.BROWSER_TEST: "testId",
    Tool.SECURITY_SCAN: "scanId",
}


class Carrier:
    """Carries nothing out."""

    def __init__(self, samples: Path, gate: Path) -> None:
        self._samples = samples
        self._gate = gate

    async def __call__(self, scan: Scan) -> Outcome:
        word = self._word(json.loads(scan.request))
        if word.startswith(SLOW):
            while not (self._gate / word.removeprefix(SLOW)).exists():
                await asyncio.sleep(0.03)
        if word in FAILURES:
            return FAILURES[word]
        document = json.loads((self._samples / f"{scan.tool}.json").read_text())
        document[IDS[scan.tool]] = scan.id
        if "budget" not in scan.request:
            document.pop("budgetViolations", None)
        return Done(json.dumps(document, indent=2) + "\n")

    def _word(self, request: dict[str, str]) -> str:
        if "owner" in request:
            return request["owner"]
        return (urlsplit(request["url"]).hostname or "").partition(".")[0]


def main() -> None:
    samples, gate, port, grace_s, proof_s = sys.argv[1:]
    handlers._PROOF_S = float(proof_s)
    carrier = Carrier(Path(samples), Path(gate))
    listen = Listen(port=int(port), grace_s=float(grace_s))
    serve(host_settings(os.environ), listen, lambda _: nullcontext(carrier))


if __name__ == "__main__":
    main()
