"""Charts of a few files, rendered as a scan renders them."""

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from mergegate.core.tree import Role, SourceFile, Tree
from mergegate.repo.cache import RunMemory
from mergegate.repo.engines import helm, manifests
from mergegate.repo.facts.documents import Documents, Form, Node, Rendered
from mergegate.repo.facts.resources import UNKNOWN
from mergegate.sandbox.engines.engine import EngineContext, Gathered, Memory
from mergegate.sandbox.files.stage import Stage

CHART = "name: web\nversion: 1.0.0\nappVersion: '2.0'\n"
POD = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\nspec:\n"


@contextmanager
def tree(files: Mapping[str, str], copy_of: str = "") -> Iterator[tuple[Tree, Stage]]:
    """A tree of these files on disk."""
    with Stage() as stage:
        found = []
        for number, (path, text) in enumerate(files.items()):
            location = stage.root / str(number)
            location.write_text(text, "utf-8")
            digest = hashlib.sha256(text.encode()).hexdigest()
            size = len(text.encode())
            found.append(
                SourceFile(
                    path=path,
                    location=location,
                    size=size,
                    digest=digest,
                    role=Role.TEST if path.startswith("tests/") else Role.SOURCE,
                    language="yaml",
                    copy_of=copy_of,
                )
            )
        yield Tree(tuple(sorted(found, key=lambda one: one.path))), stage


def gathered(files: Mapping[str, str], memory: Memory | None = None) -> Gathered:
    """What the engine of charts says of a tree."""
    with tree(files) as (seen, stage):
        return helm.source(memory or RunMemory()).gather(seen, EngineContext(stage), {})


def read(files: Mapping[str, str], copy_of: str = "") -> Documents:
    """The documents of a tree, those of its charts among them."""
    memory = RunMemory()
    with tree(files, copy_of) as (seen, stage):
        context = EngineContext(stage)
        [rendered] = helm.source(memory).gather(seen, context, {}).facts
        found = manifests.source(memory).gather(seen, context, {Rendered: rendered})
        [fact] = found.facts
    assert isinstance(fact, Documents)
    return fact


def chart(template: str, values: str = "", **more: str) -> dict[str, str]:
    """A chart with one template; underscores in other names stand for the parts of a path."""
    return {
        "web/Chart.yaml": CHART,
        "web/values.yaml": values,
        "web/templates/a.yaml": template,
        **{f"web/{name.replace('__', '/')}": text for name, text in more.items()},
    }


def roots(files: Mapping[str, str], path: str = "web/templates/a.yaml") -> list[Node]:
    """The documents of one template."""
    [found] = [one for one in read(files).files if one.path == path]
    return [one.root for one in found.found.documents]


def said(node: Node) -> object:
    """A value as Python has it; None where it is not known, an open map with a key of dots."""
    if node.form is Form.MAP:
        pairs = {key: said(one) for key, one in node.entries}
        return {**pairs, "...": None} if node.is_open else pairs
    if node.tag == UNKNOWN:
        return None
    return [said(one) for one in node.items] if node.form is Form.LIST else node.text


def spec(template: str, values: str = "", **more: str) -> object:
    """The ``spec`` of a pod whose template ends with these lines."""
    [root] = roots(chart(POD + template, values, **more))
    return said(root["spec"])
