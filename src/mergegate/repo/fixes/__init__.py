"""Fixes: proposed by engines, advisories and recipes, and offered once every gate let them pass."""

from mergegate.repo.fixes.mending import repairs
from mergegate.repo.fixes.proof import point_to

__all__ = ["point_to", "repairs"]
