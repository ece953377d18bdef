"""A job's variables, each read as what it must be: the platform sets them, a change names some."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn
from urllib.parse import urlsplit

from mergegate.core.errors import UsageError
from mergegate.sandbox.git.names import is_branch, is_commit, is_nothing
from mergegate.sandbox.git.origin import LOOPBACK

_REPOSITORY = re.compile(r"[\w.-]+(?:/[\w.-]+)+", re.ASCII)
_HOST = re.compile(r"[A-Za-z0-9.-]+|[0-9A-Fa-f:]+", re.ASCII)
_SHORT_COMMIT = re.compile(r"[0-9a-f]{7,64}", re.ASCII)
_NUMBER = re.compile(r"[1-9][0-9]{0,18}", re.ASCII)
_MOST_LETTERS = 4096


def is_repository(text: str) -> bool:
    """Whether ``text`` is ``owner/name``, with any groups between, and names no other folder."""
    parts = text.split("/")
    fits = len(text) <= _MOST_LETTERS and _REPOSITORY.fullmatch(text) is not None
    return fits and not any(part in {".", ".."} or part.startswith("-") for part in parts)


def number_in(text: str) -> int | None:
    """The positive number that ``text`` is; None when it is none."""
    return int(text) if _NUMBER.fullmatch(text) else None


def is_address(text: str, *, plain: bool = False) -> bool:
    """Whether ``text`` is an https address without credentials; http only to this machine.

    ``plain``: http to any host will do as well.
    """
    if len(text) > _MOST_LETTERS or not text.isascii() or not text.isprintable() or " " in text:
        return False
    try:
        parts = urlsplit(text)
        _ = parts.port
    except ValueError:
        return False
    host = parts.hostname or ""
    may_be_plain = plain or host in LOOPBACK
    secure = parts.scheme == "https" or (parts.scheme == "http" and may_be_plain)
    bare = not (parts.query or parts.fragment or "@" in parts.netloc or "\\" in text)
    return secure and bare and _HOST.fullmatch(host) is not None


@dataclass(frozen=True, slots=True)
class Variables:
    """Reads raise UsageError that names the variable, never what it holds."""

    environment: Mapping[str, str]

    def text(self, name: str) -> str:
        """The unchanged value; empty when it is not set."""
        return self.environment.get(name, "")

    def commit(self, name: str) -> str | None:
        """A full commit; None when it is not set, or is the zeros that stand for none."""
        value = self.text(name)
        if not value or is_nothing(value):
            return None
        return value if is_commit(value) else _refuse(name, "is no full commit")

    def short_commit(self, name: str) -> str:
        """A commit, abbreviated or not; empty when it is not set."""
        value = self.text(name)
        return value if not value or _SHORT_COMMIT.fullmatch(value) else _refuse(name, "is none")

    def branch(self, name: str) -> str:
        """A branch; empty when it is not set."""
        value = self.text(name)
        return value if not value or is_branch(value) else _refuse(name, "is no branch's name")

    def number(self, name: str) -> int | None:
        """A positive number; None when it is not set."""
        value = self.text(name)
        if not value:
            return None
        return number_in(value) or _refuse(name, "is no positive number")

    def repository(self, name: str) -> str:
        """``owner/name``; it must be set."""
        value = self.text(name)
        return value if is_repository(value) else _refuse(name, "does not name a repository")

    def address(self, name: str, usual: str = "", *, plain: bool = False) -> str:
        """An https address without a slash at its end; ``usual`` when it is not set.

        ``plain``: or http, where the platform's owner may have set it up so.
        """
        value = self.text(name) or usual
        if value and not is_address(value, plain=plain):
            _refuse(name, "is not an https address without credentials")
        return value.rstrip("/")

    def link(self, name: str, below: str) -> str:
        """An address below ``below``; empty for any other: it is only there to be read."""
        value = self.text(name)
        is_below = value.startswith(f"{below}/")
        return value if is_below and is_address(value, plain=True) else ""

    def path(self, name: str) -> Path | None:
        """An absolute path; None when it is not set."""
        value = self.text(name)
        if not value:
            return None
        fits = value.startswith("/") and "\0" not in value
        return Path(value) if fits else _refuse(name, "is not an absolute path")


def _refuse(name: str, why: str) -> NoReturn:
    raise UsageError(
        f"the variable {name} {why}",
        remedy="The CI platform sets it; do not overwrite it in the job.",
    )
