"""What a scan needs on this machine, and what will go wrong in CI."""
