"""The report of a browser test in every format; each module renders one."""

from mergegate.report.site.browser_test import console, html, junit, markdown, sarif

__all__ = ["console", "html", "junit", "markdown", "sarif"]
