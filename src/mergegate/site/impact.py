"""Findings of axe that are warnings, because they block no visitor, whatever axe's impact."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from mergegate.core.data_table import read_table


@dataclass(frozen=True, slots=True)
class Mild:
    """An entry of ``impact.toml``."""

    rule: str
    why: str
    """For whom it is there nonetheless."""
    pattern: str = ""
    """Searched in axe's reason; empty: whatever the reason."""


MILD: Mapping[str, Mild] = read_table(Path(__file__).with_name("impact.toml"), Mild, key="rule")


def keeps_nobody_out(rule: str, reasons: Iterable[str]) -> bool:
    """Whether a breach of ``rule`` is mild at each element, by axe's ``reasons``, one an element.

    Where the reason counts and none is known it is not: silence never passes.
    """
    mild, said = MILD.get(rule), list(reasons)
    if mild is None or not mild.pattern:
        return mild is not None
    return bool(said) and all(re.search(mild.pattern, reason.strip()) for reason in said)
