"""A real browser's way through the pages of a site, and everything that it met there.

A page is looked at from an isolated world: scripts of our own that share its elements and nothing
else, so that a page which replaced ``JSON`` or ``querySelectorAll`` deceives only itself.
"""

from mergegate.site.browser_test.journey.isolated import Bounds
from mergegate.site.browser_test.journey.travel import travel

__all__ = ["Bounds", "travel"]
