# ruleid: python-django-session-cookie-exposed
SESSION_COOKIE_HTTPONLY = False


class Production(Base):
    # ruleid: python-django-session-cookie-exposed
    SESSION_COOKIE_HTTPONLY = False


class Other(Base):
    # ok: python-django-session-cookie-exposed
    SESSION_COOKIE_HTTPONLY = True
    # ok: python-django-session-cookie-exposed
    CSRF_COOKIE_HTTPONLY = False
