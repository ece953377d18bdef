"""Packages of the real dumps at chosen versions, in lock files; and what the records say of them.

The judge here reads the dumps themselves, by OSV's own algorithm in a few lines: nothing of it is
Mergegate's, so that a mistake of either shows as a difference.
"""

import json
import re
import zipfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

Record = dict[str, Any]
Pins = Mapping[str, str]
"""Package → version."""

# The standard library is no module: go.mod requires none of these, and before Go 1.21 states none.
_NO_MODULES = frozenset({"stdlib", "toolchain"})
_SEMVER = re.compile(
    r"(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z.-]+)?", re.ASCII
)


class NoVersion(ValueError):
    """A text that no version of the ecosystem looks like."""


def _pep440(text: str) -> Any:
    try:
        return Version(text)
    except InvalidVersion as error:
        raise NoVersion(text) from error


def _semver(text: str) -> Any:
    found = _SEMVER.fullmatch(text.removeprefix("v"))
    if found is None:
        raise NoVersion(text)
    *release, before = found.groups()
    parts = [(not part.isdigit(), int(part) if part.isdigit() else part) for part in
             (before or "").split(".")]  # fmt: skip
    return [int(number) for number in release], before is None, parts if before else []


ORDERS: Mapping[str, Callable[[str], Any]] = {
    "PyPI": lru_cache(maxsize=None)(_pep440),
    "npm": lru_cache(maxsize=None)(_semver),
    "Go": lru_cache(maxsize=None)(_semver),
    "crates.io": lru_cache(maxsize=None)(_semver),
}


def records_of(folder: Path, ecosystem: str) -> Mapping[str, Sequence[Record]]:
    """Package → its records that nobody took back, each with what it says of this package alone."""
    found: dict[str, dict[str, Record]] = defaultdict(dict)
    with zipfile.ZipFile(folder / f"{ecosystem}.zip") as dump:
        for name in dump.namelist():
            record = json.loads(dump.read(name))
            for part in () if record.get("withdrawn") else record["affected"]:
                package = part["package"]["name"]
                if ecosystem == "PyPI":
                    package = canonicalize_name(package)
                if part["package"]["ecosystem"] == ecosystem and package not in _NO_MODULES:
                    fresh = {**record, "affected": []}
                    found[package].setdefault(record["id"], fresh)["affected"].append(part)
    return {name: tuple(found[name].values()) for name in sorted(found)}


def verdict(record: Record, version: str, order: Callable[[str], Any]) -> bool | None:
    """OSV's evaluation; None where it hangs on a text that is no version, or where it says none."""
    pieces = [piece for part in record["affected"] for piece in part.get("ranges", ())
              if piece["type"] != "GIT"]  # fmt: skip
    listed = [one for part in record["affected"] for one in part.get("versions", ())]
    if not pieces and not listed:
        return None
    here = order(version)
    if version in listed or any(_same(one, here, order) for one in listed):
        return True
    said = [_inside(piece["events"], here, order) for piece in pieces]
    return True if True in said else None if None in said else False


def _same(text: str, here: object, order: Callable[[str], Any]) -> bool:
    try:
        return bool(order(text) == here)
    except NoVersion:
        return False


def _inside(
    events: Iterable[Mapping[str, str]], here: Any, order: Callable[[str], Any]
) -> bool | None:
    try:
        bounds = [(kind, None if text == "0" else order(text))
                  for event in events for kind, text in event.items()]  # fmt: skip
    except NoVersion:
        return None
    lows = [at for kind, at in bounds if kind == "introduced" and (at is None or at <= here)]
    if not lows:
        return False
    low = max((at for at in lows if at is not None), default=None)
    above = [(kind, at) for kind, at in bounds if at is not None and (low is None or at >= low)]
    following = min((at for kind, at in above if kind == "introduced" and at > here), default=None)
    ends = [
        at
        for kind, at in above
        if kind == "last_affected" and (following is None or at < following)
    ]
    fixed = any(kind == "fixed" and at <= here and at != low for kind, at in above)
    # Of several last affected versions in a row each is affected, so the last one counts.
    return not fixed and (not ends or here <= max(ends))


def odd_texts(record: Record, order: Callable[[str], Any]) -> Iterator[str]:
    """Boundaries of a record that are no versions."""
    ends = ("introduced", "fixed", "last_affected")
    return (text for text in _texts([record], ends) if not _is_version(text, order))


def pinned(packages: Mapping[str, Sequence[Record]], ecosystem: str) -> tuple[Pins, Pins, Pins]:
    """Each package inside what a record affects, at a boundary, and at an odd or newest version."""
    pins: tuple[dict[str, str], ...] = ({}, {}, {})
    for turn, (name, records) in enumerate(packages.items()):
        for chosen, version in zip(pins, _versions(records, ecosystem, turn), strict=True):
            chosen[name] = version
    return pins[0], pins[1], pins[2]


def _versions(records: Sequence[Record], ecosystem: str, turn: int) -> tuple[str, str, str]:
    order = ORDERS[ecosystem]
    known = sorted({one for one in _texts(records) if _is_version(one, order)}, key=order)
    known = known or ["1.0.0"]
    likely = [*known[turn % len(known) :], *known, "0.0.1"]
    inside = (one for one in likely if any(verdict(r, one, order) for r in records))
    ends = [one for one in _texts(records, ("fixed", "last_affected")) if _is_version(one, order)]
    bound = sorted(ends, key=order)[turn % len(ends)] if ends else known[-1]
    odd = _ODD[ecosystem][turn % len(_ODD[ecosystem])]
    return next(inside, known[0]), bound, odd(known[turn % len(known)])


def _texts(
    records: Iterable[Record], kinds: Sequence[str] = ("introduced", "fixed", "last_affected", "")
) -> Iterator[str]:
    for part in (part for record in records for part in record["affected"]):
        for piece in part.get("ranges", ()):
            if piece["type"] != "GIT":
                events = (item for event in piece["events"] for item in event.items())
                yield from (text for kind, text in events if kind in kinds and text != "0")
        if "" in kinds:
            yield from part.get("versions", ())


def _is_version(text: str, order: Callable[[str], Any]) -> bool:
    try:
        order(text)
    except NoVersion:
        return False
    return True


def _core(version: str) -> str:
    return version.partition("+")[0].partition("-")[0]


def _suffixed(suffix: str, version: str) -> str:
    return f"{_core(version)}{suffix}"


def _public(suffix: str, version: str) -> str:
    """PEP 440: a suffix after the release segment alone."""
    return f"{Version(version).base_version}{suffix}"


def _newest(_: str) -> str:
    return "9999.0.0"


_ODD: Mapping[str, Sequence[Callable[[str], str]]] = {
    "PyPI": [
        *(partial(_public, one) for one in ("rc1", ".post1", "+local.1", ".dev0", "a1", ".0.0")),
        _newest,
    ],
    "npm": [*(partial(_suffixed, one) for one in ("-beta.1", "+build.7", "-0", "-x.7.z")), _newest],
    "Go": [
        partial(_suffixed, "-0.20240102030405-abcdefabcdef"),
        partial(_suffixed, "+incompatible"),
        partial(_suffixed, "-rc.1"),
        _newest,
    ],
    "crates.io": [*(partial(_suffixed, one) for one in ("-alpha.1", "+1.2.3")), _newest],
}


def write_lock(folder: Path, ecosystem: str, pins: Pins) -> None:
    """The ecosystem's lock file, with ``pins`` as what the project itself asks for."""
    folder.mkdir(parents=True)
    _WRITERS[ecosystem](folder, pins)


def _requirements(folder: Path, pins: Pins) -> None:
    lines = [f"{name}=={version}\n" for name, version in pins.items()]
    (folder / "requirements.txt").write_text("".join(lines))


def _package_lock(folder: Path, pins: Pins) -> None:
    wanted = {"name": "x", "version": "1.0.0", "dependencies": dict(pins)}
    packages = {f"node_modules/{name}": {"version": version} for name, version in pins.items()}
    lock = {"lockfileVersion": 3, "packages": {"": wanted, **packages}}
    (folder / "package.json").write_text(json.dumps(wanted))
    (folder / "package-lock.json").write_text(json.dumps(lock, indent=1))


def _go_mod(folder: Path, pins: Pins) -> None:
    lines = [f"\t{name} v{version.removeprefix('v')}\n" for name, version in pins.items()]
    (folder / "go.mod").write_text(
        f"module example.org/x\n\ngo 1.20\n\nrequire (\n{''.join(lines)})\n"
    )
    (folder / "go.sum").write_text("")


def _cargo_lock(folder: Path, pins: Pins) -> None:
    parts = [
        f'[[package]]\nname = "{name}"\nversion = "{version}"\nsource = "registry+x"\n\n'
        for name, version in pins.items()
    ]
    (folder / "Cargo.lock").write_text(f"version = 3\n\n{''.join(parts)}")


_WRITERS: Mapping[str, Callable[[Path, Pins], None]] = {
    "PyPI": _requirements,
    "npm": _package_lock,
    "Go": _go_mod,
    "crates.io": _cargo_lock,
}
