"""Code that is hard to change, and traces of unfinished work."""
