"""Knowledge in formats that are slow to read: parsed once, when a wheel is built."""

import hashlib
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

COMPILED = "compiled.json"
"""The name of a file in a package's folder: what the knowledge beside it says."""


@dataclass(frozen=True)
class Knowledge:
    """Files of a package, and what they say when they are parsed."""

    folder: Path
    patterns: tuple[str, ...]
    """Which files of the folder."""
    parse: Callable[[Mapping[str, bytes]], Any]
    """Makes lists, mappings and texts of the files' contents by their paths in the folder."""

    @cached_property
    def files(self) -> Mapping[str, bytes]:
        """The contents by their paths in the folder, in order."""
        found = {path for pattern in self.patterns for path in self.folder.glob(pattern)}
        return {
            path.relative_to(self.folder).as_posix(): path.read_bytes() for path in sorted(found)
        }

    @cached_property
    def revision(self) -> str:
        """Changes when any of the files does."""
        return hashlib.sha256(b"\0".join(self.files.values())).hexdigest()

    def said(self) -> Any:
        """What the files say."""
        return self._compiled() or self.parse(self.files)

    def compile(self, target: Path | None = None) -> None:
        """Write what :meth:`said` reads instead of the files: to their folder, or to ``target``."""
        target = target or self.folder / COMPILED
        document = {"revision": self.revision, "said": self.said()}
        new = target.with_suffix(f".{os.getpid()}.new")
        new.write_text(json.dumps(document, separators=(",", ":")), encoding="utf-8")
        new.replace(target)  # at once: another may be reading it, or writing its own

    def _compiled(self) -> Any:
        """What an installed package carries; None without a whole one, or if a file changed."""
        try:
            document = json.loads((self.folder / COMPILED).read_bytes())
        except (FileNotFoundError, ValueError):
            return None
        return document["said"] if document["revision"] == self.revision else None
