"""Read an HTML document once: everything that checks of security and of search look at.

It is read as browsers do that run scripts: what stands in ``noscript`` and ``template`` is not part
of the page. Nothing is judged here, and no text of any kind makes it fail.
"""

from mergegate.gather.document.bounds import Bounds
from mergegate.gather.document.read import read

__all__ = ["Bounds", "read"]
