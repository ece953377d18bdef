"""The Jinja environment of the reports: strict, escaping, with cached compiled templates."""

import hashlib
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from jinja2 import Environment, FileSystemBytecodeCache, FileSystemLoader, StrictUndefined
from jinja2.bccache import Bucket


class Compiled(FileSystemBytecodeCache):
    """Compiled templates, kept where Python keeps compiled modules: beside the source, if it may.

    Jinja looks at the template's own text and at its version. What it computes beforehand of our
    filters changes with them, so their text is part of the name; so is the target.
    """

    def __init__(self, folder: Path, target: str, filters: Sequence[str]) -> None:
        texts = b"".join(Path(one).read_bytes() for one in filters)
        digest = hashlib.sha256(texts).hexdigest()[:16]
        super().__init__(str(folder / "__pycache__"), f"{target}-{digest}-%s.cache")

    def load_bytecode(self, bucket: Bucket) -> None:
        """Load the cached bytecode; an unreadable cache counts as empty."""
        with suppress(OSError):
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Cache the bytecode; without write access the template is compiled each time."""
        if sys.dont_write_bytecode:
            return
        with suppress(OSError):
            Path(self.directory).mkdir(exist_ok=True)
            super().dump_bytecode(bucket)


def environment(
    folder: Path, target: str, filters: Sequence[str], finalize: Callable[[object], object]
) -> Environment:
    """The environment of ``folder``; ``filters`` are the source files that define its filters."""
    return Environment(
        loader=FileSystemLoader(folder),
        bytecode_cache=Compiled(folder, target, filters),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=finalize,
    )
