"""The recipes and workflows as data, with the words that a user fills in filled in."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from release import recipes

ROOT = Path(__file__).parents[2]
RECIPES = ROOT / "docs" / "ci"
WORKFLOWS = ROOT / ".github" / "workflows"
FILLED = {
    "OWNER": "example",
    "COMMIT": "0123456789abcdef0123456789abcdef01234567",
    "VERSION": "v1.2.3",
    "DIGEST": "0123456789abcdef" * 4,
    "FULL_DIGEST": "fedcba9876543210" * 4,
}


def filled(text: str) -> str:
    """``text`` as somebody has it who followed docs/ci/README.md."""
    return recipes.filled(text, FILLED)


def document(path: Path) -> dict[str, Any]:
    """The last document of a YAML file; the one before it is a component's ``spec``.

    YAML 1.1 reads a workflow's ``on`` as true; here it is called by its name.
    """
    last = list(yaml.safe_load_all(filled(path.read_text())))[-1]
    return {"on" if key is True else str(key): value for key, value in last.items()}


def inputs(path: Path) -> Mapping[str, Mapping[str, Any]]:
    """The inputs of an action or of a GitLab component."""
    first = next(iter(yaml.safe_load_all(path.read_text())))
    return dict(first.get("inputs") or first["spec"]["inputs"])


def steps(path: Path) -> Iterator[Mapping[str, Any]]:
    """Every step of a workflow's jobs."""
    for job in document(path)["jobs"].values():
        yield from job["steps"]
