"""The report of an SEO analysis in every format; each module renders one."""

from mergegate.site.seo.render import console, html, junit, markdown, sarif

__all__ = ["console", "html", "junit", "markdown", "sarif"]
