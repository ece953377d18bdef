"""Ask every address that a site links to whether it leads anywhere, and believe no first answer.

A machine is told other things than a visitor. What only robots are refused, and what may pass, is
told apart from what is gone; what stays in doubt is opened in a browser (``links/reopen.py``).
"""
