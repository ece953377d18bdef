"""The candidates of ``srcset`` (HTML, "parsing a srcset attribute")."""

import re

_CANDIDATE = re.compile(r"[\s,]*+([^\s]++)(?:\s++([^,(]*+(?:\([^)]*+\)?[^,(]*+)*+))?")


def candidates(srcset: str) -> list[str]:
    """Their addresses as they are written, in their order."""
    if not srcset:
        return []
    found = []
    position = 0
    while (one := _CANDIDATE.match(srcset, position)) and one.end() > position:
        address = one[1]
        if address.endswith(","):
            position = one.end(1)
            found.append(address.rstrip(","))
        else:
            position = one.end()
            found.append(address)
    return [address for address in found if address]
