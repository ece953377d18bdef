"""What search engines and assistants are told and get of a page: fetched and recorded, not judged.

Everything comes through the way out. robots.txt is read by RFC 9309, sitemaps as hostile XML, the
article by extraction libraries in a process of their own (``gather/article_worker.py``).
"""

from mergegate.gather.search.bounds import Bounds
from mergegate.gather.search.console import Console
from mergegate.gather.search.console_access import Access, read_access
from mergegate.gather.search.gathering import gather

__all__ = ["Access", "Bounds", "Console", "gather", "read_access"]
