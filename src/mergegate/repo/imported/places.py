"""SARIF's addresses of files → paths of the tree; what points elsewhere is no place here."""

import posixpath
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from urllib.parse import SplitResult, unquote_to_bytes, urljoin, urlsplit

from mergegate.core.tree import display
from mergegate.repo.imported.document import Artifact, ArtifactLocation, Run
from mergegate.secrets.places import shown_name

_DEEPEST = 8
"""Bases that lead to bases."""
_MOST_TRIED, _MOST_PARTS = 200, 40
"""Absolute paths by which the root is found that a tool had on another machine; parts of one."""
_MOST_BASES = 100
_LONGEST = 4096
"""The longest path or address: what is longer leads nowhere."""


class Places:
    """Where the results of one run lie in a tree."""

    def __init__(self, run: Run, root: Path, paths: frozenset[str]) -> None:
        self._paths = paths
        self._bases = run.original_uri_base_ids or {}
        self._artifacts: Sequence[Artifact] = run.artifacts or ()
        self._known: dict[str | None, str | None] = {}
        self._roots = [_folder(str(root.resolve())), _folder(str(root.absolute()))]
        named = list(self._bases)[:_MOST_BASES]
        self._roots += [path for one in named if (path := _absolute(self._base(one) or ""))]
        self._roots += _foreign_root(self._all(run), paths)

    def path(self, location: ArtifactLocation | None) -> str | None:
        """The path in the tree; None for what is not in it. Empty for the root itself."""
        address = self._address(location)
        if address is None:
            return None
        absolute = _absolute(address)
        if absolute is None:
            # The base says where the tool's root was, unless it is a folder in it.
            return self._inside(address)
        return next((found for one in self._below(absolute) if (found := self._inside(one))), None)

    def _inside(self, address: str) -> str | None:
        split = _split(address)
        if split is None or split.scheme or len(split.path) > _LONGEST:
            return None
        raw = posixpath.normpath(unquote_to_bytes(split.path).replace(b"\\", b"/"))
        if raw == b".":
            return ""
        name = shown_name(display(raw))
        return name if name in self._paths else None

    def _below(self, absolute: str) -> Iterable[str]:
        return (absolute.removeprefix(one) for one in self._roots if absolute.startswith(one))

    def _address(self, location: ArtifactLocation | None) -> str | None:
        if location is None:
            return None
        uri, index = location.uri, location.index
        if uri is None and index is not None and 0 <= index < len(self._artifacts):
            location = self._artifacts[index].location or location
            uri = location.uri
        if uri is None:
            return None
        base = self._base(location.uri_base_id)
        return None if base is None else _joined(base, uri)

    def _base(self, name: str | None) -> str | None:
        """The address of a base, each joined once; None for one that is too long."""
        if name not in self._known:
            self._known[name] = self._put_together(name)
        return self._known[name]

    def _put_together(self, name: str | None) -> str | None:
        address: str | None = ""
        for _ in range(_DEEPEST):
            base = self._bases.get(name or "")
            if base is None or address is None:
                break
            address = _joined(base.uri or "", address)
            name = base.uri_base_id
        return address

    def _all(self, run: Run) -> list[str]:
        """The absolute paths of the run's first results."""
        found = set[str]()
        for result in (run.results or ())[:_MOST_TRIED]:
            for one in (result.locations or ())[:1]:
                place = one.physical_location
                address = self._address(place.artifact_location if place else None)
                found.add(_absolute(address or "") or "")
        return sorted(one for one in found if one and one.count("/") <= _MOST_PARTS)


def _joined(base: str, uri: str) -> str | None:
    if len(base) + len(uri) > _LONGEST:
        return None
    try:
        return urljoin(base, uri) if base else uri
    except ValueError:
        return uri


def _absolute(address: str) -> str | None:
    """The path of a ``file:`` address or of an absolute path, still escaped; None for others."""
    split = _split(address)
    is_local = split and split.scheme in {"", "file"} and split.path.startswith("/")
    return split.path if split and is_local else None


def _split(address: str) -> SplitResult | None:
    try:
        return urlsplit(address)
    except ValueError:
        return None


def _folder(path: str) -> str:
    return f"{path.rstrip('/')}/"


def _foreign_root(absolute: Sequence[str], paths: frozenset[str]) -> list[str]:
    """The folder that was the tree's root on the machine of the tool, as far as its paths tell.

    It is the one below which most of them are paths of ours, of several the outermost.
    """
    if not absolute:
        return []
    counts: Mapping[str, int] = {
        folder: sum(
            one.startswith(folder) and _decoded(one.removeprefix(folder)) in paths
            for one in absolute
        )
        for folder in {_folder(str(parent)) for one in absolute for parent in Path(one).parents}
    }
    best = max(counts.values())
    return [min((one for one in counts if counts[one] == best), key=len)] if best else []


def _decoded(path: str) -> str:
    return display(unquote_to_bytes(path))
