"""Reports of the site tools: a module a tool, a module a format.

A tool makes a :class:`~mergegate.site.render.layout.Layout` of its report: sections, tables,
findings, pictures, in raw text. ``console``, ``markdown``, ``html``, ``junit`` and ``sarif`` each
render any layout, and alone know how to make text inert. A format is added by its module and an
entry of ``site/render/formats.py``; a tool by the module that makes its layout.
"""
