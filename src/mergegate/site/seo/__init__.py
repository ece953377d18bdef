"""The analysis of a page for search engines and assistants."""
