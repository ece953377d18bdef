"""What every command prints with: reports, lists, progress, exit codes."""
