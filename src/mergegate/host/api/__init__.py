"""The HTTP API: what comes in over the wire is checked, queued, and answered."""
