"""Read an HTML document once: everything that checks of security and of search look at.

It is read as browsers do that run scripts: what stands in ``noscript`` and ``template`` is not part
of the page. Nothing is judged here, and no text of any kind makes it fail.
"""

from mergegate.site.document.page import Bounds
from mergegate.site.document.read import read

__all__ = ["Bounds", "read"]
