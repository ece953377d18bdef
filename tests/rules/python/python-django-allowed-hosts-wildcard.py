# ruleid: python-django-allowed-hosts-wildcard
ALLOWED_HOSTS = ["*"]


class Production(Base):
    # ruleid: python-django-allowed-hosts-wildcard
    ALLOWED_HOSTS = ("*",)


class Other(Base):
    # ok: python-django-allowed-hosts-wildcard
    ALLOWED_HOSTS = ["example.org"]


if DEBUG:
    # ok: python-django-allowed-hosts-wildcard
    ALLOWED_HOSTS = ["*"]
