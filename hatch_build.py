"""Compile the rules into the wheel: half a thousand YAML files take longer than a small scan."""

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompiledRules(BuildHookInterface):  # type: ignore[type-arg]
    """Adds ``mergegate/rules/compiled.json``; an editable install reads the YAML files."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling before it collects the files."""
        if version == "editable":
            return
        sys.path.insert(0, str(Path(self.root) / "src"))
        from mergegate.rules import COMPILED, compile_rules  # noqa: PLC0415

        target = Path(tempfile.mkdtemp()) / COMPILED
        compile_rules(target)
        build_data["force_include"][str(target)] = f"mergegate/rules/{COMPILED}"
