"""Import advisories for a host, in a process that holds none of its secrets; no command for people.

A line of JSON comes in (``source``, ``ecosystems``); what is drafted lies in the working folder, or
why there is none is said on standard output.
"""

import json
import os
import sys
from pathlib import Path

from mergegate.core.errors import StoreError
from mergegate.packages import advisories
from mergegate.sandbox.process.deny_ptrace import deny_ptrace

_NICENESS = 10
"""Scans come first: audits measure time."""


def main() -> None:
    """Exits with 1 when nothing was drafted."""
    deny_ptrace()  # the address may hold a password, and scans' children may share our account
    os.nice(_NICENESS)
    order = json.loads(sys.stdin.readline())
    try:
        advisories.draft(order["source"], Path.cwd(), ecosystems=tuple(order["ecosystems"]))
    except StoreError as error:
        print(error, end="")
        sys.exit(1)


if __name__ == "__main__":
    main()
