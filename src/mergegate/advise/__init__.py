"""Summaries in words, written by code from facts; they never score."""

from mergegate.advise.repository import summarise

__all__ = ["summarise"]
