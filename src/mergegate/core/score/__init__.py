"""Findings → score, ledger, gate and the way out: arithmetic only."""
