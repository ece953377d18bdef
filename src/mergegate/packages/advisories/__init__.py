"""The advisory store: OSV records of every ecosystem in one SQLite file, read offline.

``update`` fills it from a URL, folder or zip, at once or in two steps (``draft``, ``adopt``);
``open_store`` reads it; ``status`` tells its age, and ``renewal`` what of it is too old.
"""

from mergegate.packages.advisories.fill import (
    DEFAULT_BASE,
    DEFAULT_ECOSYSTEMS,
    Updated,
    adopt,
    draft,
    update,
)
from mergegate.packages.advisories.lookup import AdvisoryStore, StoreStatus, open_store, status

__all__ = [
    "DEFAULT_BASE",
    "DEFAULT_ECOSYSTEMS",
    "AdvisoryStore",
    "StoreStatus",
    "Updated",
    "adopt",
    "draft",
    "open_store",
    "status",
    "update",
]
