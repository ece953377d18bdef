"""The only place where adapters are built and rooms are joined."""
