"""Values → YAML as people write it: block style, two blanks, no quotes without need."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import yaml

Value: TypeAlias = "bool | int | str | Sequence[Value] | Mapping[str, Value] | None"
"""What an edit may write."""

PINS = {
    "actions/checkout@de0fac2e4500dabe0009e67214ff5f5447ce83dd": "v6.0.2",
    "actions/upload-artifact@bbbca2ddaa5d8feaa63e36b76fdaad77386f024f": "v7.0.0",
    "actions/download-artifact@70fc10c6e5e1ce46ad2ea6f2b72d43f7d47b13c3": "v8.0.0",
}
"""The commits that corrected files refer to, and the releases they are."""


class _Flow(yaml.SafeDumper):
    """Nothing is written as an alias."""

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002
        return True


class _Block(_Flow):
    """Lists stand further in than their key; an empty value is written as nothing."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: ARG002
        super().increase_indent(flow, False)


def _none(dumper: yaml.SafeDumper, _: None) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:null", "")


def _text(dumper: yaml.SafeDumper, value: str) -> yaml.ScalarNode:
    style = "|" if "\n" in value else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)


_Block.add_representer(type(None), _none)
_Block.add_representer(str, _text)


def block(value: Value) -> tuple[str, ...]:
    """The lines of ``value``, none indented, pinned actions with their release behind."""
    if value is None:
        return ("",)
    return tuple(_with_release(line.rstrip()) for line in _dumped(value, _Block).split("\n"))


def flow(value: Value) -> str:
    """``value`` on one line, to stand inside brackets."""
    return _dumped([value], _Flow)[1:-1]


def _dumped(value: Value, dumper: type[yaml.SafeDumper]) -> str:
    dumped = yaml.dump(
        value,
        Dumper=dumper,
        default_flow_style=dumper is _Flow,
        sort_keys=False,
        allow_unicode=True,
        width=10**9,
    )
    return dumped.removesuffix("\n...\n").rstrip("\n")


def _with_release(line: str) -> str:
    for pinned, release in PINS.items():
        if line.endswith(pinned):
            return f"{line} # {release}"
    return line
