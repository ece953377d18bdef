"""Whether the language model that policy and environment name can be asked from here."""

from collections.abc import Mapping
from pathlib import Path

from mergegate.core.errors import EngineError, UsageError
from mergegate.doctor.machine import Sign
from mergegate.model import local
from mergegate.model.apart import apart
from mergegate.model.protocol import NoAnswer
from mergegate.model.provider import Spoken
from mergegate.model.settings import Local, Off, Remote, Wish, chosen

_NAME = "language model"


def model_signs(wish: Wish, environment: Mapping[str, str], models: Path) -> tuple[Sign, ...]:
    """One sign, or none where nobody wants a model; a scan does without."""
    try:
        found = chosen(wish, environment, models)
        if isinstance(found, Off):
            return (_sick("not asked", found.why),) if found.why else ()
        return (_local(found) if isinstance(found, Local) else _remote(found),)
    except (NoAnswer, EngineError, UsageError) as error:
        return (_sick(error.what, error.remedy),)


def _local(found: Local) -> Sign:
    """It is not loaded: that takes as long as its file is large."""
    if not local.is_installed():
        return _sick("llama.cpp is not installed", local.INSTALL)
    needs = local.fit(found.file)
    if not needs.fits:
        return _sick(f"{found.file.name}: {local.said(needs)}", "Name a smaller model.")
    return Sign(_NAME, f"{found.file.name}: {local.said(needs)}", essential=False)


def _remote(found: Remote) -> Sign:
    with apart(found, 1) as wire:
        Spoken(found.address, found.name, wire).ready()
    return Sign(_NAME, f"{found.name}, {found.address.host} answers", essential=False)


def _sick(state: str, remedy: str) -> Sign:
    return Sign(_NAME, state, remedy or "Look at docs/models.md.", essential=False)
