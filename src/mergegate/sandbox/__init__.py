"""The guarded doors: processes, files and, later, the network. Nobody else reaches out."""
