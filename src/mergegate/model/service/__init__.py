"""The nouns of a host: who asks, for what, and what became of it."""
