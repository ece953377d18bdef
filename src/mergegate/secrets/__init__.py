"""Secrets in files and in a change's commits, found by shape and context, masked when read."""
