"""Fixes: proposed by engines, advisories and recipes, and offered once every gate let them pass."""

from mergegate.repo.fixes.proof import point_to
from mergegate.repo.fixes.repairs import repairs

__all__ = ["point_to", "repairs"]
