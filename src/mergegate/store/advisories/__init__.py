"""The advisory store: OSV records of every ecosystem in one SQLite file, read offline.

``update`` fills it from a URL, folder or zip; ``open_store`` reads it; ``status`` tells its age.
"""

from mergegate.store.advisories.fill import DEFAULT_BASE, DEFAULT_ECOSYSTEMS, Updated, update
from mergegate.store.advisories.lookup import AdvisoryStore, StoreStatus, open_store, status

__all__ = [
    "DEFAULT_BASE",
    "DEFAULT_ECOSYSTEMS",
    "AdvisoryStore",
    "StoreStatus",
    "Updated",
    "open_store",
    "status",
    "update",
]
