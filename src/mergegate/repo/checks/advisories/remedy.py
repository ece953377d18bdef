"""What to do about a vulnerable package: in words, as a command, and as an edit."""

import re

from mergegate.core.finding import Edit
from mergegate.packages.dependencies import VulnerablePackage

# What may be pasted into a shell: names come from files that are not to be trusted.
_SAFE = re.compile(r"^[A-Za-z0-9@._+~/-]+$")
_UPGRADE = {
    "package-lock.json": "run `npm install {name}@{version}`",
    "npm-shrinkwrap.json": "run `npm install {name}@{version}`",
    "package.json": "run `npm install {name}@{version}`",
    "yarn.lock": "run `yarn add {name}@{version}`",
    "pnpm-lock.yaml": "run `pnpm add {name}@{version}`",
    "uv.lock": "run `uv lock --upgrade-package {name}=={version}`",
    "poetry.lock": "run `poetry update {name}`",
    "pdm.lock": "run `pdm update {name}`",
    "Pipfile.lock": "run `pipenv upgrade {name}=={version}`",
    "Cargo.lock": "run `cargo update -p {name} --precise {version}`",
    "go.mod": "run `go get {name}@{version}` and `go mod tidy`",
}
_UPGRADE_TRANSITIVE = {
    "package-lock.json": "run `npm update {name}`; where that keeps the old version, set it "
    "under `overrides` in package.json",
    "npm-shrinkwrap.json": "run `npm update {name}`",
    "yarn.lock": "set `{name}` to `{version}` under `resolutions` in package.json and run "
    "`yarn install`",
    "pnpm-lock.yaml": "run `pnpm update {name} --depth Infinity`; where that keeps the old "
    "version, set it under `overrides`",
}


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
    file = package.file.rpartition("/")[2]
    if file.endswith(".txt"):
        return f"write `{name}=={version}`"
    commands = _UPGRADE if package.direct is not False else _UPGRADE | _UPGRADE_TRANSITIVE
    return commands.get(file, "").format(name=name, version=version)


def repair(match: VulnerablePackage) -> Edit | None:
    """The manifest's line with the new version: same major version, and no hashes beside it."""
    pin, version = match.package.pin, match.package.version
    if pin is None or not match.upgrade or not match.same_major or not _SAFE.match(match.upgrade):
        return None
    if pin.text.count(version) != 1:
        return None
    return Edit(pin.file, pin.line, pin.line, pin.text.replace(version, match.upgrade))
