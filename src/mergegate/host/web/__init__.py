"""Pages for a browser: a report, or how far its scan is."""

from mergegate.host.web.repository import Find, Links, Pages, routes

__all__ = ["Find", "Links", "Pages", "routes"]
