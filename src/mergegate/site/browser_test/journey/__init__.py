"""A real browser's way through the pages of a site, and everything that it met there.

A page is looked at from an isolated world: scripts of our own that share its elements and nothing
else, so that a page which replaced ``JSON`` or ``querySelectorAll`` deceives only itself.
"""
