import os

# ruleid: python-django-debug
DEBUG = True

ALLOWED_HOSTS = ["example.org"]
ROOT_URLCONF = "site.urls"

if os.environ.get("SITE_DEBUG"):
    # ok: python-django-debug
    DEBUG = True
