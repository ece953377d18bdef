"""What to do about a vulnerable package: in words, as a command, and as an edit."""

import re

from mergegate.core.finding import Edit
from mergegate.packages.dependencies import Package, VulnerablePackage

# What may be pasted into a shell: names come from files that are not to be trusted.
_SAFE = re.compile(r"^[A-Za-z0-9@._+~/-]+$")


def remedy(match: VulnerablePackage) -> str:
    """What to do, in one sentence or two."""
    if not match.upgrade:
        if match.fixed:
            return f"Upgrade to {match.fixed[0]} or later; other advisories remain open there."
        return (
            "No fixed version is published: replace the package, or make sure that the "
            "affected part is not used."
        )
    larger = "" if match.same_major else " (a new major version: read its release notes)"
    command = _command(match)
    return f"Upgrade to {match.upgrade}{larger}{f': {command}' if command else ''}."


def _command(match: VulnerablePackage) -> str:
    """What to run or write; empty when a name is not fit to be pasted into a shell."""
    package, version = match.package, match.upgrade
    name = package.written
    if not (_SAFE.match(name) and _SAFE.match(version)):
        return ""
    return _template(package).format(name=name, version=version)


def _template(package: Package) -> str:
    from mergegate.packages import ecosystems  # noqa: PLC0415 - slower to load than all checks

    if lock := ecosystems.lock_format(package.file):
        indirect = lock[1].upgrade_indirect if package.direct is False else ""
        return indirect or lock[1].upgrade or ""
    manifest = ecosystems.manifest_format(package.file)
    return manifest[1].upgrade if manifest else ""


def repair(match: VulnerablePackage) -> Edit | None:
    """The manifest's line with the new version: same major version, and no hashes beside it."""
    pin, version = match.package.pin, match.package.version
    if pin is None or not match.upgrade or not match.same_major or not _SAFE.match(match.upgrade):
        return None
    if pin.text.count(version) != 1:
        return None
    return Edit(pin.file, pin.line, pin.line, pin.text.replace(version, match.upgrade))
