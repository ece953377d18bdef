"""The nouns of the site tools: how a page is visited, and what is reported of it."""
