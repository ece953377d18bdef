"""What is known of each package index and of its files, as ``ecosystems.toml`` tells it."""

from collections.abc import Callable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path

from mergegate.core.data_table import read_lists, read_table
from mergegate.packages import known_flaw
from mergegate.packages.readers.reading import LockReader, ManifestReader
from mergegate.packages.versions import Order, Span, no_span


def as_written(text: str) -> str:
    """``text`` itself."""
    return text


def no_names(_name: str) -> tuple[str, ...]:
    """Nothing tells what files hold that use a package of this ecosystem."""
    return ()


def in_small_letters(text: str) -> str:
    """``text`` in small letters, for names whose case counts for nothing."""
    return text.lower()


def _by_name_alone(_path: str) -> bool:
    return False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LockFormat:
    """A file that fixes versions."""

    names: tuple[str, ...]
    """File names; the first is what reports call this kind of file."""
    read: LockReader
    known: str
    """A file of this kind that fixes our own package: a reader that misses it reads nothing."""
    upgrade: str
    """What to do for a newer version, with ``{name}`` and ``{version}``; empty where several
    tools write the file."""
    known_name: str = known_flaw.NAME
    """How that file calls it, where a name has more than one part."""
    upgrade_indirect: str = ""
    """The same for a package that no manifest names; empty where it is the same."""
    also: Callable[[str], bool] = _by_name_alone
    """Whether a path of another name is such a file, too."""
    manager: str = ""
    """GitLab's name of the package manager that writes it; empty for the ecosystem's usual one."""
    is_list: bool = False
    """Whether it is manifest and lock in one, as firm as each of its lines."""
    platform: str = ""
    """The name under which advisories have the language's own library, which no sum proves."""
    upgrade_platform: str = ""
    """The command as above for a newer one, ``{number}`` being the version without a letter."""
    sums: str = ""
    """The file beside it without which nothing proves what a build downloads."""
    sums_command: str = ""
    """What writes that file."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ManifestFormat:
    """A file that names what is wanted."""

    names: tuple[str, ...]
    """File names."""
    read: ManifestReader
    upgrade: str = ""
    """The command as for a lock format, for an exact version that no lock file repeats."""
    also: Callable[[str], bool] = _by_name_alone
    """Whether a path of another name is such a file, too."""
    lock_suffix: str = ""
    """What the end of the name becomes in its lock file, where each has one of its own."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ecosystem:
    """One package index with its files, names and versions. What has no default must be decided."""

    name: str
    """OSV's name, also of its dump: ``{base}/{name}/all.zip``."""
    locks: tuple[LockFormat, ...]
    manifests: tuple[ManifestFormat, ...]
    order: Order
    line: Callable[[str], object]
    """Version → what stays equal in upgrades that break nothing; raises Incomparable."""
    span: Span = no_span
    """What of a text that is no version can be told."""
    purl_type: str
    """Type of a package URL (purl specification, "Package URL types")."""
    manager: str
    """GitLab's name of the usual package manager."""
    purl_namespace: bool = False
    """Whether the part of a name before its last ``namespace_mark`` is a namespace."""
    key: Callable[[str], str] = as_written
    """The spelling under which two names of one package are equal."""
    spelled: Callable[[str], str] = as_written
    """A version of an advisory → as the ecosystem's tools want it."""
    meant: Callable[[str], str] = as_written
    """A version as files state it → the one that it stands for today, where it moves on."""
    namespace_mark: str = "/"
    """What ends the namespace of a package URL in a name."""
    for_building: bool = False
    """Whether its packages build the repository and are no part of it: where the store lacks
    them, that is told, and the scan is complete without them."""
    mentioned: Callable[[str], tuple[str, ...]] = no_names
    """Name → texts of which files that use the package hold one; none where that is unknown."""
    code: tuple[str, ...] = ()
    """Ends of the names of files that use packages; without one nothing tells what is used."""
    exactly: str = ""
    """What stands before a version in a manifest that means no other."""
    lists_unused: bool = False
    """Whether lock files hold packages of which nothing need be built in."""


ECOSYSTEMS = read_table(Path(__file__).with_suffix(".toml"), Ecosystem, "name")
"""The ecosystems by OSV's name."""
PYPI = ECOSYSTEMS["PyPI"]
REQUIREMENTS = (PYPI, next(form for form in PYPI.locks if form.is_list))
"""The format of what a requirements file includes, whatever its name."""
_LOCKS = tuple((one, form) for one in ECOSYSTEMS.values() for form in one.locks)
SUMS = frozenset(form.sums for _, form in _LOCKS if form.sums)
"""Names of files that prove what a lock file fixes."""
_MANIFESTS = tuple((one, form) for one in ECOSYSTEMS.values() for form in one.manifests)
_UNREAD = read_lists(Path(__file__).with_name("unread.toml"))


@lru_cache(maxsize=65_536)
def lock_format(path: str) -> tuple[Ecosystem, LockFormat] | None:
    """The ecosystem whose lock file is called ``path``, and its format; None for others."""
    name = path.rpartition("/")[2]
    return next((one for one in _LOCKS if name in one[1].names or one[1].also(path)), None)


@lru_cache(maxsize=65_536)
def manifest_format(path: str) -> tuple[Ecosystem, ManifestFormat] | None:
    """The ecosystem whose manifest is called ``path``, and its format; None for others."""
    name = path.rpartition("/")[2]
    return next((one for one in _MANIFESTS if name in one[1].names or one[1].also(path)), None)


def ecosystem_of(path: str) -> Ecosystem | None:
    """The ecosystem whose lock file or manifest is called ``path``; None for others."""
    found = lock_format(path) or manifest_format(path)
    return found[0] if found else None


@lru_cache(maxsize=65_536)
def without_reader(path: str) -> str | None:
    """The package index or format of a file that is known by name and not read; None for others."""
    if ecosystem_of(path):
        return None
    rooted = f"/{path}"
    fits = (
        index
        for index, names in _UNREAD.items()
        if any(fnmatchcase(rooted, f"*/{name}") for name in names)
    )
    return next(fits, None)


def package_key(ecosystem: str, name: str) -> str:
    """The spelling under which two names of one package are equal; as written where unknown."""
    known = ECOSYSTEMS.get(ecosystem)
    return known.key(name) if known else name
