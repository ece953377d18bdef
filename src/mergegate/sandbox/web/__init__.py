"""Fetch addresses of a site without a browser, through the one proxy (``sandbox/egress``).

What a site does is data: ``Fetched.failure`` says in our own words why there is no answer. Nothing
here judges an answer.
"""

from mergegate.sandbox.web.client import Client, client
from mergegate.sandbox.web.way import Bounds, Method, Request, asking, trusted

__all__ = ["Bounds", "Client", "Method", "Request", "asking", "client", "trusted"]
