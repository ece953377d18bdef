"""Medians, budgets and comparisons of loads."""
