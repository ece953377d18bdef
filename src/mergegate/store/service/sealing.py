"""Secrets at rest: sealed with the newest key, opened with any, so that keys can be rotated."""

import secrets
from base64 import urlsafe_b64encode
from collections.abc import Sequence

from cryptography.fernet import Fernet, InvalidToken, MultiFernet

from mergegate.errors import StoreError, UsageError

_KEY_BYTES = 32


class Sealer:
    """Fernet (AES-128-CBC and HMAC-SHA-256, https://github.com/fernet/spec); holds its keys."""

    def __init__(self, keys: Sequence[str]) -> None:
        """``keys`` as ``new_key`` makes them, the one to seal with first.

        Raises UsageError when there is none, or when one is no key.
        """
        if not keys:
            raise UsageError("there is no key to seal secrets with", remedy=_REMEDY)
        try:
            self._fernet = MultiFernet([Fernet(key) for key in keys])
        except ValueError as error:
            raise UsageError("a key to seal secrets with is not valid", remedy=_REMEDY) from error

    def seal(self, secret: str) -> str:
        """Text that only the keys open; another one each time."""
        return self._fernet.encrypt(secret.encode()).decode()

    def open(self, sealed: str) -> str:
        """What :meth:`seal` got; raises StoreError when no key of these sealed it."""
        try:
            return self._fernet.decrypt(sealed).decode()
        except (InvalidToken, ValueError) as error:
            raise StoreError("a stored secret opens with none of the keys", remedy=_ADD) from error

    def reseal(self, sealed: str) -> str:
        """The same secret under the first key; raises StoreError as :meth:`open` does."""
        return self.seal(self.open(sealed))


def new_key() -> str:
    """A key for :class:`Sealer`: 32 random bytes in URL-safe base 64."""
    return urlsafe_b64encode(secrets.token_bytes(_KEY_BYTES)).decode()


_REMEDY = "Put Fernet keys into MERGEGATE_SECRET_KEYS, separated by commas, the newest first."
_ADD = "Add the key that it was sealed with to MERGEGATE_SECRET_KEYS."
