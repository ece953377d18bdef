"""The report of a security scan in every format; each module renders one."""

from mergegate.site.security.render import console, html, junit, markdown, sarif

__all__ = ["console", "html", "junit", "markdown", "sarif"]
