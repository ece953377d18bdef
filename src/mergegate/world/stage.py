"""A private folder in which engines see copies under names of ours.

The scanned tree chooses no file name, no configuration and no link that an engine meets:
each file is copied to ``<digest><suffix>``, so equal files are examined once.
"""

import tempfile
from pathlib import Path
from types import TracebackType

from mergegate.model.tree import SourceFile
from mergegate.world.files import same_bytes


class Stage:
    """A context manager; the folder is removed when it closes."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="mergegate-", ignore_cleanup_errors=True)
        self.root = Path(self._folder.name)
        """Absolute; also the engines' working folder and HOME."""

    def __enter__(self) -> "Stage":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._folder.cleanup()

    def room(self, name: str) -> Path:
        """An empty folder for one engine."""
        return Path(tempfile.mkdtemp(prefix=f"{name}-", dir=self.root))

    def put(self, file: SourceFile, suffix: str | None = None) -> Path:
        """A copy of ``file`` named by its digest and ``suffix`` (default: its own)."""
        folder = self.root / "files" / file.digest[:2]
        copy = folder / f"{file.digest}{safe_suffix(file.suffix if suffix is None else suffix)}"
        if not copy.exists():
            folder.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(same_bytes(file.location, file.digest, file.size))
        return copy


def safe_suffix(suffix: str) -> str:
    """``suffix`` when it is a plain ASCII extension, else nothing."""
    plain = suffix.isascii() and suffix[1:].isalnum() and len(suffix) < 12
    return suffix if plain else ""
