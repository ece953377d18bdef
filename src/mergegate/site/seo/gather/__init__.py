"""What search engines and assistants are told and get of a page: fetched and recorded, not judged.

Everything comes through the way out. robots.txt is read by RFC 9309, sitemaps as hostile XML, the
article by extraction libraries in a process of their own (``seo/article_worker.py``).
"""

from mergegate.site.seo.gather.asking import Bounds
from mergegate.site.seo.gather.console import Access, Console, Told, read_access
from mergegate.site.seo.gather.gathering import gather

__all__ = ["Access", "Bounds", "Console", "Told", "gather", "read_access"]
