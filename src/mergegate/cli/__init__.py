"""The command line: parse, dispatch, print, and the exit code."""
