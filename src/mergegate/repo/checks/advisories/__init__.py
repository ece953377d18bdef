"""Known vulnerabilities of resolved packages, and risks of how dependencies are fixed."""
