"""The tools that look at a site: audit, browser test, security scan, search."""
