"""A private folder in which engines see copies under names of ours.

The scanned tree chooses no file name, no configuration and no link that an engine meets:
each file is copied to ``<digest><suffix>``, so equal files are examined once.
"""

import hashlib
import tempfile
from pathlib import Path
from types import TracebackType

from mergegate.errors import EngineFailed
from mergegate.model.tree import SourceFile
from mergegate.world.checkout import read_regular


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
            copy.write_bytes(_same_bytes(file))
        return copy


def _same_bytes(file: SourceFile) -> bytes:
    """The bytes that were listed; raises EngineFailed when the file has changed since."""
    content = read_regular(file.location, file.size + 1)
    if hashlib.sha256(content).hexdigest() != file.digest:
        raise EngineFailed(f"{file.path} changed during the scan", remedy="Scan again.")
    return content


def safe_suffix(suffix: str) -> str:
    """``suffix`` when it is a plain ASCII extension, else nothing."""
    plain = suffix.isascii() and suffix[1:].isalnum() and len(suffix) < 12
    return suffix if plain else ""
