import sys

# ruleid: python-django-weak-password-hasher
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


class Production(Base):
    # ruleid: python-django-weak-password-hasher
    PASSWORD_HASHERS = [
        "django.contrib.auth.hashers.SHA1PasswordHasher",
        "django.contrib.auth.hashers.PBKDF2PasswordHasher",
    ]


class Other(Base):
    # ok: python-django-weak-password-hasher
    PASSWORD_HASHERS = [
        "django.contrib.auth.hashers.Argon2PasswordHasher",
        "django.contrib.auth.hashers.MD5PasswordHasher",
    ]


if "test" in sys.argv:
    # ok: python-django-weak-password-hasher
    PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
