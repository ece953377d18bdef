from site.settings.base import *

DEBUG = True
# ok: python-django-cookie-without-tls
SESSION_COOKIE_SECURE = False
