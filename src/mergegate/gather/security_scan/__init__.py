"""Everything a security scan looks at, fetched through the way out and recorded, not judged.

What a page, its scripts and their source maps hold is searched in a process of its own
(``worker.py``); of secrets nothing but a mask leaves it.
"""

from mergegate.gather.security_scan.bounds import Bounds
from mergegate.gather.security_scan.gathering import gather

__all__ = ["Bounds", "gather"]
