"""A language model that the operator chose: asked for words and edits, never for a verdict.

``open.py`` makes a :class:`~mergegate.model.session.Session` out of settings. Nothing here is
imported by a scan without a model.
"""
