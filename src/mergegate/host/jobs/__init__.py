"""Durable scans: what was accepted ends once, whatever is killed."""
