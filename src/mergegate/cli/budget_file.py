"""The performance budget's file: read, and replaced as a whole."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from mergegate.core.errors import UsageError
from mergegate.site.audit.budget import VERSION, Budget, Key
from mergegate.site.audit.wire import budget as wire
from mergegate.site.render.figures import figure, name

_MODE = 0o644


def read_budget(file: Path) -> Budget:
    """The budget in ``file``; raises UsageError as :func:`wire.read` does, with the file's name."""
    try:
        with file.open("rb") as opened:
            content = opened.read(wire.LARGEST_BYTES + 1)
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}") from error
    try:
        return wire.read(content)
    except UsageError as error:
        raise type(error)(f"{file}: {error.what}", remedy=error.remedy) from error


def old_budget(file: Path) -> Budget | None:
    """What a new budget would replace; None when there is no file, or an empty one.

    Raises UsageError when ``file`` is something else than a budget: it is not ours to replace.
    """
    try:
        if file.stat().st_size == 0:
            return None
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}") from error
    try:
        return read_budget(file)
    except UsageError as error:
        raise UsageError(
            f"{file} is not replaced: it holds no budget of version {VERSION}",
            remedy="Name another file, or remove it.",
        ) from error


def save_budget(budget: Budget, file: Path) -> None:
    """Write it at once or not at all, behind a link if ``file`` is one; raises UsageError."""
    draft, target = None, file.resolve()
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        descriptor, draft = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}-")
        with os.fdopen(descriptor, "w", encoding="ascii") as out:
            os.fchmod(descriptor, _MODE)
            out.write(wire.write(budget))
        Path(draft).replace(target)
    except OSError as error:
        raise UsageError(f"{file} cannot be written: {error.strerror}") from error
    finally:
        # Also when a signal ends the command.
        if draft:
            with suppress(OSError):
                Path(draft).unlink(missing_ok=True)


def changes(old: Budget, new: Budget) -> Iterator[str]:
    """What differs, a line each; names of vendors are hostile text."""
    if old.device is not new.device:
        yield f"device: {old.device} → {new.device}"
    for key in Key:
        before, after = old.limits.of(key), new.limits.of(key)
        if before != after:
            yield f"{name(key)}: {figure(key, before)} → {figure(key, after)}"
    yield from (f"new third party: {one}" for one in sorted(set(new.vendors) - set(old.vendors)))
    yield from (f"third party gone: {one}" for one in sorted(set(old.vendors) - set(new.vendors)))
