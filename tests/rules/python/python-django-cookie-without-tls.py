DEBUG = False
ROOT_URLCONF = "site.urls"

# ruleid: python-django-cookie-without-tls
SESSION_COOKIE_SECURE = False
# ruleid: python-django-cookie-without-tls
CSRF_COOKIE_SECURE = False
# ok: python-django-cookie-without-tls
LANGUAGE_COOKIE_SECURE = False

if LOCAL:
    # ok: python-django-cookie-without-tls
    SESSION_COOKIE_SECURE = False
