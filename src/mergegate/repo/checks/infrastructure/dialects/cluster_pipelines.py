"""Pipelines that run in a cluster, of Tekton and Argo: the scripts of their steps."""

from collections.abc import Iterator
from dataclasses import replace

from mergegate.repo.facts.documents import Form, Node

_TEKTON, _ARGO = "tekton.dev/", "argoproj.io/"
_SHELLS = frozenset({"sh", "bash", "ash", "dash", "zsh", "python", "python3", "node"})
_TAKES_TEXT = frozenset({"-c", "-ec", "-exc", "-xc", "-lc", "-ce", "-e"})


def with_scripts(root: Node, written: Node) -> Node:
    """The document; of a pipeline with its ``scripts``, a text each, as they are written."""
    version = written["apiVersion"].text
    scripts: tuple[Node, ...] = ()
    if version.startswith(_TEKTON):
        scripts = tuple(_of_steps(written["spec"]))
    elif version.startswith(_ARGO):
        scripts = tuple(_of_templates(written["spec"]))
    if not scripts:
        return root
    listed = Node(scripts[0].line, Form.LIST, children=scripts)
    return replace(root, keys=(*root.keys, "scripts"), children=(*root.children, listed))


def _of_steps(spec: Node) -> Iterator[Node]:
    """The scripts of a task, or of the tasks that a pipeline or a run of one has in it."""
    for holder in (spec, *spec["steps"].items, *spec["sidecars"].items):
        if holder["script"].is_literal:
            yield holder["script"]
    inner = spec["pipelineSpec"] if spec["pipelineSpec"].present else spec
    for task in (*inner["tasks"].items, *inner["finally"].items):
        yield from _of_steps(task["taskSpec"])
    if spec["taskSpec"].present:
        yield from _of_steps(spec["taskSpec"])


def _of_templates(spec: Node) -> Iterator[Node]:
    """What a shell or an interpreter is given, whether as a script or as an argument."""
    around = spec["workflowSpec"] if spec["workflowSpec"].present else spec
    for template in around["templates"].items:
        if template["script"]["source"].is_literal:
            yield template["script"]["source"]
        container = template["container"]
        words = (*container["command"].items, *container["args"].items)
        texts = [one.text for one in words]
        if texts and texts[0].rpartition("/")[2] in _SHELLS and not _TAKES_TEXT.isdisjoint(texts):
            yield from words[2:]
