"""One file an engine: it is run, and its answer is recorded."""
