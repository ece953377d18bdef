"""What files hold that use a package: its name, or those of its modules.

Rather more names than fewer: one that is missing would make a package look unused.
"""

from pathlib import Path

from mergegate.core.data_table import read_lists

_MODULES = read_lists(Path(__file__).with_suffix(".toml"))
"""Modules of packages whose names do not tell them."""


def python_names(name: str) -> tuple[str, ...]:
    """The spellings of a distribution's name, and the modules that it is known to bring."""
    spelled = {name.replace("-", mark) for mark in ("-", "_", ".", "")}
    core = name.removeprefix("python-").removeprefix("py").removesuffix("-python").strip("-_")
    return (*sorted(spelled | {core.replace("-", "_")} - {""}), *_MODULES.get(name, ()))


def javascript_names(name: str) -> tuple[str, ...]:
    """The package's name; of a package of types that of the package that has them."""
    if name.startswith("@types/"):
        return (name.removeprefix("@types/").replace("__", "/"),)
    return (name,)


def java_names(name: str) -> tuple[str, ...]:
    """Beginnings of the Java packages that a group or artifact brings, and the artifact's name."""
    group, _, artifact = name.partition(":")
    parts = group.split(".")
    likely = {artifact, artifact.replace("-", "."), ".".join(parts[:2]), ".".join(parts[:3])}
    return (*sorted(likely - {""}), *_MODULES.get(name, ()))


def rust_names(name: str) -> tuple[str, ...]:
    """The crate's name as code spells it."""
    return (name.replace("-", "_"),)


def dotnet_names(name: str) -> tuple[str, ...]:
    """The package's name, which most namespaces begin with, and its first two parts."""
    return tuple(sorted({name, ".".join(name.split(".")[:2])}))
