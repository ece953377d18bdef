"""Reports of the site tools, a folder a tool, in every format.

A tool brings what only it can say; frame, header, escaping, bounds and receipt are here:

- ``rows``: the report in words and numbers, for all of its renderers.
- ``console``: parts for :func:`~mergegate.site.render.screen.page`.
- ``markdown``: a template for :func:`~mergegate.site.render.paragraphs.paragraphs`.
- ``html``: a template that extends ``site/frame.html.j2``, for
  :func:`~mergegate.site.render.sheet.sheet`.
- ``junit``: cases for :func:`~mergegate.site.render.suites.document`.
- ``sarif``: hits for :func:`~mergegate.site.render.sarif_log.log`.

Its report is :class:`~mergegate.site.render.scanned.Scanned`.

SARIF names pages by their address, for nothing of a site maps to a file of the repository: it is
for viewers and for stores of findings. GitHub's code scanning shows files alone; do not upload it.
"""
