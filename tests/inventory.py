"""What Mergegate offers, by name: ``python -m tests.inventory > tests/inventory.txt``.

One line an entry, kind and name. Whatever is found by walking a package or registered on import
is looked for in a fresh process: here, another test may have imported what discovery would miss.
"""

import gc
import importlib
import pkgutil
import re
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

import click
from click.testing import CliRunner

import mergegate
from mergegate.cli.main import main
from mergegate.core.errors import UsageError
from mergegate.repo.checks import all_checks, all_rules
from mergegate.repo.settings import Policy

_SOURCE = Path(mergegate.__file__).parent
_NAME = re.compile(r"[a-z][a-z0-9_-]+")
_VARIABLE = re.compile(r"(?<!_)MERGEGATE_[A-Z_]*[A-Z]")
_TOOLS = ("scan", "audit", "browser-test", "security-scan", "seo")


def inventory() -> str:
    """Every line, sorted; what is loaded on demand is asked for before everything is loaded."""
    checks = {one.id for one in all_checks()}
    rules = {*all_rules()}
    offered = (
        *(f"check {id}" for id in checks),
        *(f"rule {id}" for id in rules),
        *chain.from_iterable(map(_formats, _TOOLS)),
        *(f"setting {one}" for one in _settings(Policy.model_json_schema(by_alias=True))),
        *(f"variable {one}" for one in _variables()),
        *_options("", main),
    )
    declared = (f"declared {name}" for name in {*_declared()} - checks - rules)
    return "".join(f"{line}\n" for line in sorted({*offered, *declared}))


def _formats(tool: str) -> Iterator[str]:
    """As the command lists them where it is asked for one that does not exist."""
    target = "." if tool == "scan" else "http://127.0.0.1:9"
    refused = CliRunner().invoke(main, [tool, target, "--format", "none"]).exception
    assert isinstance(refused, UsageError)
    listed = str(refused).rpartition("The formats are ")[2].rstrip(".")
    return (f"format {tool} {name}" for name in listed.split(", "))


def _settings(schema: Mapping[str, Any]) -> Iterator[str]:
    """``title.key`` of every object of a JSON schema."""
    for one in (schema, *schema.get("$defs", {}).values()):
        yield from (f"{one['title']}.{key}" for key in one.get("properties", ()))


def _variables() -> set[str]:
    """The environment variables that the source names."""
    files = (path.read_text("utf-8") for path in _SOURCE.rglob("*.py"))
    return {name for text in files for name in _VARIABLE.findall(text)}


def _options(path: str, command: click.Command) -> Iterator[str]:
    for one in command.params:
        yield from (f"option {path} {name}" for name in (*one.opts, *one.secondary_opts) if path)
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            yield from _options(f"{path} {name}".strip(), found)


def _declared() -> Iterator[str]:
    """Ids and keys of all values that modules make when they are imported."""
    for module in pkgutil.walk_packages(mergegate.__path__, f"{mergegate.__name__}."):
        if ".migrations" not in module.name:
            importlib.import_module(module.name)
    gc.unfreeze()  # what a command froze when it was loaded
    for value in gc.get_objects():
        if str(type(value).__module__).startswith(f"{mergegate.__name__}."):
            for name in (getattr(value, "id", None), getattr(value, "key", None)):
                if isinstance(name, str) and _NAME.fullmatch(name):
                    yield name


if __name__ == "__main__":
    click.echo(inventory(), nl=False)
