"""The report of a website audit in every format; each module renders one."""

from mergegate.site.audit.render import console, html, junit, markdown, sarif

__all__ = ["console", "html", "junit", "markdown", "sarif"]
