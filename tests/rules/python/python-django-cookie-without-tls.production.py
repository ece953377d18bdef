from site.settings.base import *

# ruleid: python-django-cookie-without-tls
CSRF_COOKIE_SECURE = False
# ok: python-django-cookie-without-tls
SESSION_COOKIE_SECURE = True
