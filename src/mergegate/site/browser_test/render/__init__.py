"""The report of a browser test in every format; each module renders one."""

from mergegate.site.browser_test.render import console, html, junit, markdown, sarif

__all__ = ["console", "html", "junit", "markdown", "sarif"]
