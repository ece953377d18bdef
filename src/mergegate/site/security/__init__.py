"""The security scan of a page."""
