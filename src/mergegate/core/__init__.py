"""The nouns: what Mergegate talks about. Standard library only, no input or output."""
