"""Which reader reads which file, by name."""

import re
from dataclasses import dataclass

from mergegate.packages.readers import (
    cargo,
    go_mod,
    npm_lock,
    package_json,
    pnpm,
    python_locks,
    python_manifests,
    requirements,
    yarn,
)
from mergegate.packages.readers.reading import LockReader, ManifestReader


@dataclass(frozen=True, slots=True)
class LockFormat:
    """A file that fixes versions."""

    ecosystem: str
    read: LockReader


@dataclass(frozen=True, slots=True)
class ManifestFormat:
    """A file that names what is wanted."""

    ecosystem: str
    read: ManifestReader


_LOCKS = {
    "poetry.lock": LockFormat("PyPI", python_locks.read_poetry),
    "pdm.lock": LockFormat("PyPI", python_locks.read_pdm),
    "uv.lock": LockFormat("PyPI", python_locks.read_uv),
    "Pipfile.lock": LockFormat("PyPI", python_locks.read_pipfile_lock),
    "package-lock.json": LockFormat("npm", npm_lock.read),
    "npm-shrinkwrap.json": LockFormat("npm", npm_lock.read),
    "yarn.lock": LockFormat("npm", yarn.read),
    "pnpm-lock.yaml": LockFormat("npm", pnpm.read),
    "go.mod": LockFormat("Go", go_mod.read),
    "Cargo.lock": LockFormat("crates.io", cargo.read_lock),
}
_MANIFESTS = {
    "pyproject.toml": ManifestFormat("PyPI", python_manifests.read_pyproject),
    "setup.cfg": ManifestFormat("PyPI", python_manifests.read_setup_cfg),
    "setup.py": ManifestFormat("PyPI", python_manifests.read_setup_py),
    "Pipfile": ManifestFormat("PyPI", python_manifests.read_pipfile),
    "package.json": ManifestFormat("npm", package_json.read),
    "Cargo.toml": ManifestFormat("crates.io", cargo.read_manifest),
}
_PYLOCK = re.compile(r"^pylock(\.[\w-]+)?\.toml$")
_IN_FILE = re.compile(r"requirements[\w.-]*\.in$|(^|/)requirements/[\w.-]+\.in$")


def lock_format(path: str) -> LockFormat | None:
    """The reader of a lock file called ``path``."""
    name = path.rpartition("/")[2]
    if _PYLOCK.match(name):
        return LockFormat("PyPI", python_locks.read_pylock)
    if requirements.is_requirements(path):
        return LockFormat("PyPI", requirements.read)
    return _LOCKS.get(name)


def manifest_format(path: str) -> ManifestFormat | None:
    """The reader of a manifest called ``path``."""
    if _IN_FILE.search(path):
        return ManifestFormat("PyPI", python_manifests.read_in_file)
    return _MANIFESTS.get(path.rpartition("/")[2])
