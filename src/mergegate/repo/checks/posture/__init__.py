"""Risks of the repository as a whole: what it carries beside code, and what tries to hide."""
