"""Fixes: proposed by engines, advisories, recipes and models; offered once every gate is passed."""
