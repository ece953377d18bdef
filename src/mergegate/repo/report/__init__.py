"""The report of a repository scan, one renderer a format."""
