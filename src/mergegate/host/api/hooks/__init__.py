"""Where forges tell of changes: verified over the raw bytes, queued, acknowledged at once."""

from mergegate.host.api.hooks.receiving import Hooks, routes

__all__ = ["Hooks", "routes"]
