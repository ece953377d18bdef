"""Pages for a browser: a report, or how far its scan is."""
