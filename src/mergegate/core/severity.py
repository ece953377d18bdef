"""How bad, how sure, and which cap it counts against."""

from enum import IntEnum, StrEnum


class Severity(IntEnum):
    """Ordered: a greater value is worse."""

    INFO = 0
    LOW = 1
    MEDIUM = 2
    HIGH = 3
    CRITICAL = 4

    @property
    def label(self) -> str:
        """The word used on every surface: ``critical`` … ``info``."""
        return self.name.lower()

    @classmethod
    def named(cls, label: str) -> "Severity":
        """The severity called ``label``; raises KeyError for any other word."""
        return cls[label.upper()]


class Confidence(IntEnum):
    """How likely the finding is real: LOW is a hint, HIGH near certain."""

    LOW = 0
    MEDIUM = 1
    HIGH = 2

    @property
    def label(self) -> str:
        """``high``, ``medium`` or ``low``."""
        return self.name.lower()

    @classmethod
    def named(cls, label: str) -> "Confidence":
        """The confidence called ``label``; raises KeyError for any other word."""
        return cls[label.upper()]


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
