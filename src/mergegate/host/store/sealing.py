"""Secrets at rest: sealed with the newest key, opened with any, so that keys can be rotated."""

import json
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from mergegate.core.errors import StoreError, UsageError

_KEY_BYTES = 32
_PURPOSE = "mergegate.sealed-secret"
Place = tuple[str, ...]
"""Where a secret belongs, as kind, account and what else makes it: it opens nowhere else."""


class Sealer:
    """Fernet (AES-128-CBC and HMAC-SHA-256, https://github.com/fernet/spec); holds its keys.

    Each place has keys of its own, derived from those given (HKDF, RFC 5869): whoever may write the
    database cannot have one account's token opened as another's, or sent to another address.
    """

    def __init__(self, keys: Sequence[str]) -> None:
        """``keys`` as ``new_key`` makes them, the one to seal with first.

        Raises UsageError when there is none, or when one is no key.
        """
        if not keys:
            raise UsageError("there is no key to seal secrets with", remedy=_REMEDY)
        try:
            self._earlier = MultiFernet([Fernet(key) for key in keys])
        except ValueError as error:
            raise UsageError("a key to seal secrets with is not valid", remedy=_REMEDY) from error
        self._keys = [urlsafe_b64decode(key) for key in keys]

    def seal(self, secret: str, place: Place) -> str:
        """Text that only the keys open, and only as that of ``place``; another one each time."""
        return self._of(place).encrypt(secret.encode()).decode()

    def open(self, sealed: str, place: Place) -> str:
        """What :meth:`seal` got; raises StoreError when no key of these sealed it for ``place``."""
        # Up to revision 0002 secrets were sealed for no place: they open until they are resealed.
        for fernet in (self._of(place), self._earlier):
            try:
                return fernet.decrypt(sealed).decode()
            except (InvalidToken, ValueError):
                continue
        raise StoreError(f"the secret of {' '.join(place)} opens with none of the keys", remedy=ADD)

    def _of(self, place: Place) -> MultiFernet:
        info = json.dumps([_PURPOSE, *place]).encode()
        return MultiFernet([_derived(key, info) for key in self._keys])


def _derived(key: bytes, info: bytes) -> Fernet:
    derived = HKDF(algorithm=SHA256(), length=_KEY_BYTES, salt=None, info=info).derive(key)
    return Fernet(urlsafe_b64encode(derived))


def is_key(text: str) -> bool:
    """Whether :func:`new_key` could have made it."""
    try:
        Fernet(text)
    except ValueError:
        return False
    return True


def new_key() -> str:
    """A key for :class:`Sealer`: 32 random bytes in URL-safe base 64."""
    return urlsafe_b64encode(secrets.token_bytes(_KEY_BYTES)).decode()


_REMEDY = "Put Fernet keys into MERGEGATE_SECRET_KEYS, separated by commas, the newest first."
ADD = "Add the key that it was sealed with to MERGEGATE_SECRET_KEYS, or give the secret anew."
"""What helps when one does not open."""
