"""Small sites on loopback that behave as sites do, well and badly, the same way each time.

with serve() as sites, egress(sites.policy, lookup=sites.lookup) as way, ...:
    sites.url("fast")
"""

from tests.sites.server import SECRET, Seen, Sites, serve

__all__ = ["SECRET", "Seen", "Sites", "serve"]
