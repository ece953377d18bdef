"""How bad, how sure, and which cap it counts against."""

from enum import IntEnum, StrEnum
from typing import Self


class _Level(IntEnum):
    """Ordered, and named by a word."""

    @property
    def label(self) -> str:
        """The word used on every surface: ``critical``, ``high`` … in small letters."""
        return self.name.lower()

    @classmethod
    def named(cls, label: str) -> Self:
        """The level called ``label``; raises KeyError for any other word."""
        return cls[label.upper()]


class Severity(_Level):
    """How bad: a greater value is worse."""

    INFO = 0
    LOW = 1
    MEDIUM = 2
    HIGH = 3
    CRITICAL = 4


class Confidence(_Level):
    """How likely the finding is real: LOW is a hint, HIGH near certain."""

    LOW = 0
    MEDIUM = 1
    HIGH = 2


class Category(StrEnum):
    """What a deduction cap applies to (service specification, Limits)."""

    SECURITY = "Security"
    DEPENDENCY = "Dependency"
    QUALITY = "Quality"
    IAC = "IaC"


class Aspect(StrEnum):
    """The five parts of a repository scan, as ``--only`` names them."""

    CODE = "code"
    SECRETS = "secrets"
    DEPENDENCIES = "dependencies"
    IAC = "iac"
    QUALITY = "quality"


class Kind(StrEnum):
    """What sort of thing was found."""

    CODE = "code"
    SECRET = "secret"
    DEPENDENCY = "dependency"
    IAC = "iac"
    QUALITY = "quality"
    RISK = "risk"
