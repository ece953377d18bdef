"""The test of a site in a real browser."""
