"""How a version of Mergegate becomes something to paste: ``make release VERSION=X.Y.Z``.

The forge's workflow calls the same steps. The standard library alone: a step that pins, seals or
checks runs before anything was installed.
"""
