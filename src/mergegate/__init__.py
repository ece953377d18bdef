"""Mergegate: one trustworthy answer before a merge."""

__version__ = "0.1.0"
