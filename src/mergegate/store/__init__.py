"""What outlives a scan: the cache of answers and the advisories."""
