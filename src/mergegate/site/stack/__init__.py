"""Tell from a loaded page what the site is built with and served by.

Three steps: :data:`SOURCE` collects traces inside the page, :func:`traces` reads what came back,
:func:`stack` holds the traces against our rules.
"""

from mergegate.site.stack.deduce import stack
from mergegate.site.stack.probe import SOURCE, argument, traces

__all__ = ["SOURCE", "argument", "stack", "traces"]
