"""What infrastructure files open, expose or leave unprotected: one module a format."""
