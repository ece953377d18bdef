"""The host: HTTP API, queue, store, scans in child processes."""
