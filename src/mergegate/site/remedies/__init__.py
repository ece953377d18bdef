"""Issues → code to paste: what to write stands in TOML files, a topic each."""
