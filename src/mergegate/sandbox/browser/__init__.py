"""A Chromium of our own for one scan: found, started with every door closed but one, and ended.

It is started here and never by Playwright or Puppeteer, which would lend it our environment and
their flags; both attach to it. It lives on the host's network because the way out and what
attaches meet it on loopback, which a network namespace of its own would not show it.
"""

from mergegate.sandbox.browser.find import executable
from mergegate.sandbox.browser.launch import LIMITS, Chromium, chromium

__all__ = ["LIMITS", "Chromium", "chromium", "executable"]
