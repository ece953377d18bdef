import os

# ok: python-django-debug
DEBUG = True
ROOT_URLCONF = "site.urls"
DEBUG = os.environ.get("SITE_DEBUG") == "1"
