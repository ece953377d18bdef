"""How bad a finding of a site is (specification: severity of the browser test)."""

from enum import StrEnum


class Level(StrEnum):
    """An error is to be put right; a warning is to be looked at."""

    ERROR = "error"
    WARNING = "warning"
