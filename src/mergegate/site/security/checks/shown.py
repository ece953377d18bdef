"""What may be shown of a text that a site sent: not the secrets that it put into odd places.

Detectors find secrets in pages and scripts; this is the second net, for what is quoted from
headers, addresses and markup. It knows secrets by how they begin, and only by that.
"""

import re

_STARS = "********"
_KEYS = re.compile(
    r"(?P<start>gh[opsur]_|github_pat_|glpat-|[rs]k_live_|whsec_|xox[abeprs]-|xapp-|npm_|pypi-"
    r"|SG\.|A[KS]IA|GOCSPX-|hf_|dop_v1_|shp(?:at|ca|pa|ss)_|sk-(?:ant|proj)-|sb_secret_)"
    r"[\w.-]{12,}"
)
_TOKENS = re.compile(r"eyJ[\w-]{10,}\.eyJ[\w-]{10,}(?:\.[\w-]*)?")


def shown(text: str) -> str:
    """``text`` with stars in place of every key and signed token (JWT) in it."""
    return _TOKENS.sub(f"eyJ{_STARS}", _KEYS.sub(rf"\g<start>{_STARS}", text))
