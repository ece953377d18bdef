"""A vulnerability of ours on a package that nobody has: what misses it has searched nothing."""

from mergegate.packages.dependencies import AdvisoryRecord, AffectedRange, Package

NAME = "mergegate-known-flaw"
AFFECTED, REPAIRED = "1.0.0", "2.0.0"
RECORD = AdvisoryRecord(
    id="MERGEGATE-KNOWN-FLAW",
    ranges=(AffectedRange("ECOSYSTEM", (("introduced", "0"), ("fixed", REPAIRED))),),
)
"""Every ecosystem of a store holds it."""


def package(ecosystem: str, version: str) -> Package:
    """The package as a lock file would fix it."""
    return Package(ecosystem=ecosystem, name=NAME, written=NAME, version=version, file="")
