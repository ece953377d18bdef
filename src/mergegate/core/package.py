"""One version of one package that the repository is built from."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Package:
    """A line of the inventory, as one file of the repository fixes it."""

    file: str
    """The lock file or manifest that names the version."""
    ecosystem: str
    """OSV's name: ``PyPI``, ``npm``, ``Go``, ``crates.io``."""
    name: str
    """As the file spells it."""
    version: str
    direct: bool | None = None
    """Whether a manifest names it; None when the file cannot tell."""
    shipped: bool = True
    """False for what only development, tests, examples or documentation need."""
    licence: str = ""
    """As the file states it, an SPDX expression as a rule; empty when it states none."""
