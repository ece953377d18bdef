"""The one way out: a filtering proxy on loopback that httpx, Chromium and Lighthouse all use.

It looks a name up once, refuses it unless every address is allowed, and dials an address it has
checked. Nothing else in a scan of a site opens a connection. TLS is not read: it passes in tunnels.
"""

from mergegate.sandbox.egress.dialer import Lookup, system_lookup
from mergegate.sandbox.egress.policy import PUBLIC, Caps, Policy
from mergegate.sandbox.egress.refusal import Verdict
from mergegate.sandbox.egress.server import Egress, egress
from mergegate.sandbox.egress.traffic import Contact

__all__ = [
    "PUBLIC",
    "Caps",
    "Contact",
    "Egress",
    "Lookup",
    "Policy",
    "Verdict",
    "egress",
    "system_lookup",
]
