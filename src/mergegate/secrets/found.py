"""Which secrets were found, without the secrets."""

from dataclasses import dataclass

from mergegate.core.severity import Confidence
from mergegate.core.tree import Role


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretMatch:
    """One secret in one place; nothing here can be turned back into its value."""

    detector: str
    """Kebab-case and permanent: ``github-token``, ``private-key``…"""
    line: int
    start_column: int
    end_column: int
    """Exclusive; columns count characters from 1, on the secret's first line."""
    masked: str
    """The masked value: at most four characters of a publicly known prefix, then stars."""
    identity: str
    """Slow salted hash of the value, hexadecimal: equal for equal secrets of one detector."""
    confidence: Confidence
    ignored: bool = False
    """An in-line comment of the scanned file asks to ignore it."""
    outside: bool = False
    """It stands in a test inside a file of production code."""
    native: bool = False
    """The file hands it to a library that signs in the user of a native program, and to nothing
    else."""
    more: int = 0
    """How many places of the same value in this file are not told one by one."""


@dataclass(frozen=True, slots=True)
class FileSecrets:
    """What one file's bytes hold, wherever the file lies."""

    matches: tuple[SecretMatch, ...] = ()
    """The matches in order of place."""
    limit: str = ""
    """Why not everything was searched or told; empty when it was."""


@dataclass(frozen=True, slots=True)
class SecretsFile:
    """A file in which something was found."""

    path: str
    role: Role
    found: FileSecrets


@dataclass(frozen=True, slots=True)
class PastSecret:
    """A secret that a commit of the change added."""

    commit: str
    """Forty hexadecimal digits."""
    path: str
    """Repository path at that commit."""
    role: Role
    match: SecretMatch
    """Its line counts in the file as that commit left it."""


@dataclass(frozen=True, slots=True)
class Secrets:
    """The fact: all files with matches, in order of path, and what the change's commits added."""

    files: tuple[SecretsFile, ...] = ()
    history: tuple[PastSecret, ...] = ()
