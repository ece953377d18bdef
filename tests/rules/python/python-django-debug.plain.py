"""Our own switches."""

# ok: python-django-debug
DEBUG = True
VERBOSE = 2
