"""Reports of the audit and of the browser test."""
