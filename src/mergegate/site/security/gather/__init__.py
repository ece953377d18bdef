"""Everything a security scan looks at, fetched through the way out and recorded, not judged.

What a page, its scripts and their source maps hold is searched in a process of its own
(``worker.py``); of secrets nothing but a mask leaves it. Nothing stands here, for whatever did
would be loaded by that process too: the entrance is ``gathering.py``.
"""
