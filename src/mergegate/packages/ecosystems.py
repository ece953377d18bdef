"""Every ecosystem that Mergegate reads lock files of, and what asks by name or path."""

import re
from collections.abc import Mapping
from functools import lru_cache

from packaging.utils import canonicalize_name

from mergegate.packages import versions
from mergegate.packages.ecosystem import Ecosystem, LockFormat, ManifestFormat
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

PYPI = Ecosystem(
    name="PyPI",
    locks=(
        LockFormat(
            names=("poetry.lock",),
            read=python_locks.read_poetry,
            upgrade="run `poetry update {name}`",
            manager="poetry",
        ),
        LockFormat(
            names=("pdm.lock",),
            read=python_locks.read_pdm,
            upgrade="run `pdm update {name}`",
            manager="pdm",
        ),
        LockFormat(
            names=("uv.lock",),
            read=python_locks.read_uv,
            upgrade="run `uv lock --upgrade-package {name}=={version}`",
            manager="uv",
        ),
        LockFormat(
            names=("Pipfile.lock",),
            read=python_locks.read_pipfile_lock,
            upgrade="run `pipenv upgrade {name}=={version}`",
            manager="pipenv",
        ),
        LockFormat(
            names=("pylock.toml",),
            also=python_locks.is_pylock,
            read=python_locks.read_pylock,
            upgrade=None,
        ),
        LockFormat(
            names=("requirements.txt",),
            also=requirements.is_requirements,
            read=requirements.read,
            upgrade="write `{name}=={version}`",
            is_list=True,
        ),
    ),
    manifests=(
        ManifestFormat(names=("pyproject.toml",), read=python_manifests.read_pyproject),
        ManifestFormat(names=("setup.cfg",), read=python_manifests.read_setup_cfg),
        ManifestFormat(names=("setup.py",), read=python_manifests.read_setup_py),
        ManifestFormat(names=("Pipfile",), read=python_manifests.read_pipfile),
        ManifestFormat(
            names=("requirements.in",),
            also=requirements.is_source,
            read=python_manifests.read_in_file,
            lock_suffix=".txt",
        ),
    ),
    order=versions.pep440_key,
    line=versions.pep440_line,
    key=canonicalize_name,
    purl_type="pypi",
    manager="pip",
)
NPM = Ecosystem(
    name="npm",
    locks=(
        LockFormat(
            names=("package-lock.json",),
            read=npm_lock.read,
            upgrade="run `npm install {name}@{version}`",
            upgrade_indirect="run `npm update {name}`; where that keeps the old version, set it "
            "under `overrides` in package.json",
        ),
        LockFormat(
            names=("npm-shrinkwrap.json",),
            read=npm_lock.read,
            upgrade="run `npm install {name}@{version}`",
            upgrade_indirect="run `npm update {name}`",
        ),
        LockFormat(
            names=("yarn.lock",),
            read=yarn.read,
            upgrade="run `yarn add {name}@{version}`",
            upgrade_indirect="set `{name}` to `{version}` under `resolutions` in package.json and "
            "run `yarn install`",
            manager="yarn",
        ),
        LockFormat(
            names=("pnpm-lock.yaml",),
            read=pnpm.read,
            upgrade="run `pnpm add {name}@{version}`",
            upgrade_indirect="run `pnpm update {name} --depth Infinity`; where that keeps the old "
            "version, set it under `overrides`",
            manager="pnpm",
        ),
    ),
    manifests=(
        ManifestFormat(
            names=("package.json",),
            read=package_json.read,
            upgrade="run `npm install {name}@{version}`",
        ),
    ),
    order=versions.semver_key,
    line=versions.semver_line,
    purl_type="npm",
    purl_namespace=True,
    manager="npm",
)
GO = Ecosystem(
    name="Go",
    locks=(
        LockFormat(
            names=("go.mod",),
            read=go_mod.read,
            upgrade="run `go get {name}@{version}` and `go mod tidy`",
            sums="go.sum",
            sums_command="go mod tidy",
        ),
    ),
    manifests=(),
    order=versions.semver_key,
    line=versions.go_line,
    spelled=lambda version: f"v{version.removeprefix('v')}",
    purl_type="golang",
    purl_namespace=True,
    manager="go",
    lists_unused=True,
)
CRATES = Ecosystem(
    name="crates.io",
    locks=(
        LockFormat(
            names=("Cargo.lock",),
            read=cargo.read_lock,
            upgrade="run `cargo update -p {name} --precise {version}`",
        ),
    ),
    manifests=(ManifestFormat(names=("Cargo.toml",), read=cargo.read_manifest),),
    order=versions.semver_key,
    line=versions.semver_line,
    # RustSec marks the pre-releases of a release by ``-0``.
    spelled=lambda version: re.sub(r"-0$", "", version),
    purl_type="cargo",
    manager="cargo",
)

ECOSYSTEMS: Mapping[str, Ecosystem] = {one.name: one for one in (PYPI, NPM, GO, CRATES)}
"""By OSV's name. An entry here is all that the rest of Mergegate needs to know of one."""
_LOCKS = tuple((one, form) for one in ECOSYSTEMS.values() for form in one.locks)
SUMS = frozenset(form.sums for _, form in _LOCKS if form.sums)
"""Names of files that prove what a lock file fixes."""
_MANIFESTS = tuple((one, form) for one in ECOSYSTEMS.values() for form in one.manifests)


@lru_cache(maxsize=65_536)
def lock_format(path: str) -> tuple[Ecosystem, LockFormat] | None:
    """Whose lock file is called ``path``, and what reads it."""
    name = path.rpartition("/")[2]
    return next((one for one in _LOCKS if name in one[1].names or one[1].also(path)), None)


@lru_cache(maxsize=65_536)
def manifest_format(path: str) -> tuple[Ecosystem, ManifestFormat] | None:
    """Whose manifest is called ``path``, and what reads it."""
    name = path.rpartition("/")[2]
    return next((one for one in _MANIFESTS if name in one[1].names or one[1].also(path)), None)


def package_key(ecosystem: str, name: str) -> str:
    """The spelling under which two names of one package are equal; as written where unknown."""
    known = ECOSYSTEMS.get(ecosystem)
    return known.key(name) if known else name
