"""What a person sees in a browser: a report, or how far it is."""

from mergegate.api.pages.links import Links
from mergegate.api.pages.repository import Find, Pages, routes

__all__ = ["Find", "Links", "Pages", "routes"]
