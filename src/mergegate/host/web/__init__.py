"""What a person sees in a browser: a report, or how far it is."""

from mergegate.host.web.links import Links
from mergegate.host.web.repository import Find, Pages, routes

__all__ = ["Find", "Links", "Pages", "routes"]
