"""World → facts: one file an engine. Engines run, answer and are recorded; nothing is judged."""
