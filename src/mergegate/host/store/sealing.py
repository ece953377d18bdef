"""Secrets at rest: sealed with the newest key, opened with any, so that keys can be rotated."""

import errno
import json
import os
import secrets
import tempfile
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from mergegate.core.errors import StoreError, UsageError

_KEY_BYTES = 32
_PURPOSE = "mergegate.sealed-secret"
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
_INSTEAD = "or set MERGEGATE_SECRET_KEYS."
_REMEDY = "Put Fernet keys into MERGEGATE_SECRET_KEYS, separated by commas, the newest first."
ADD = "Add the key that it was sealed with to MERGEGATE_SECRET_KEYS, or give the secret anew."
"""The remedy when a secret does not open."""
Place = tuple[str, ...]
"""What a secret is bound to, as kind, account and more: it opens with the same place only."""


class Sealer:
    """Fernet (AES-128-CBC and HMAC-SHA-256, https://github.com/fernet/spec); holds its keys.

    Each place has keys of its own, derived from those given (HKDF, RFC 5869): who may write the
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
        """The secret; raises StoreError when none of the keys sealed it for ``place``."""
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


def new_key() -> str:
    """A key for :class:`Sealer`: 32 random bytes in URL-safe base 64."""
    return urlsafe_b64encode(secrets.token_bytes(_KEY_BYTES)).decode()


def kept_key(file: Path) -> str:
    """The key in ``file``, which is made with mode 0600 where it is missing.

    However many processes start at once, one key comes to be. Raises StoreError.
    """
    try:
        if not file.exists():
            _make(file)
        key = file.read_text(encoding="ascii").strip()
    except (OSError, UnicodeError) as error:
        raise _cannot_keep(file, error) from error
    try:
        Fernet(key)
    except ValueError as error:
        remedy = f"Restore it from a backup, {_INSTEAD}"
        raise StoreError(f"{file} holds no key", remedy=remedy) from error
    return key


def _cannot_keep(file: Path, error: OSError | UnicodeError) -> StoreError:
    if isinstance(error, UnicodeError):
        what, remedy = "it is no text", "Restore it from a backup"
    elif error.errno in _FULL:
        what, remedy = os.strerror(error.errno or 0), "Free disk space"
    else:
        what = os.strerror(error.errno or 0)
        remedy = "Let this account read the file and write its folder"
    return StoreError(
        f"the key that seals secrets cannot be kept in {file}: {what}",
        remedy=f"{remedy}, {_INSTEAD}",
    )


def _make(file: Path) -> None:
    """Write it whole under another name first: no reader sees half of it."""
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    descriptor, name = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as out:
            out.write(f"{new_key()}\n")
            out.flush()
            os.fsync(descriptor)
        with suppress(FileExistsError):
            os.link(name, file)
    finally:
        Path(name).unlink()
    _sync(file.parent)


def _sync(folder: Path) -> None:
    """The name too must be on the disk before anything is sealed: without the key it is lost."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
