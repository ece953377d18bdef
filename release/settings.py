"""Whose release this is, and how its parts are called."""

import os
import re
import tomllib
from dataclasses import dataclass, fields
from pathlib import Path

ROOT = Path(__file__).parents[1]
NOBODY = "owner.invalid"
"""No forge gives an account this name, so nobody can take it."""
_OWNER = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})")


class NotReleased(Exception):
    """What stops a release, and what to do about it."""


@dataclass(frozen=True, slots=True)
class Settings:
    """``release/settings.toml``."""

    owner: str
    repository: str
    forge: str
    registry: str
    slim_bytes: int

    @property
    def slug(self) -> str:
        """The repository at the forge."""
        return f"{self.owner}/{self.repository}"

    @property
    def home(self) -> str:
        """The repository's address."""
        return f"{self.forge}/{self.slug}"

    @property
    def image(self) -> str:
        """The image's name, without tag or digest; registries know no capitals."""
        return f"{self.registry}/{self.slug}".lower()


def settings(*, rehearsed: bool, file: Path = ROOT / "release" / "settings.toml") -> Settings:
    """What the file says; raises NotReleased where its owner is not who releases.

    In a rehearsal an owner may be missing. On GitHub the job's repository has to be the one named.
    """
    read = tomllib.loads(file.read_text(encoding="utf-8"))
    if set(read) != {one.name for one in fields(Settings)}:
        raise NotReleased(f"{file.name} has to hold {', '.join(f.name for f in fields(Settings))}")
    if not read["owner"] and rehearsed:
        read["owner"] = NOBODY
    elif not _OWNER.fullmatch(read["owner"]):
        raise NotReleased(f"{file.name} names no owner: whose account publishes this?")
    found = Settings(**read)
    here = os.environ.get("GITHUB_REPOSITORY", found.slug)
    if not rehearsed and here != found.slug:
        raise NotReleased(f"{file.name} names {found.slug}, and this is {here}")
    return found
