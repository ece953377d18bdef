"""The repository scan."""
