"""Processes with limits, without rights or network, and the end of all they start."""
