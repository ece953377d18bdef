"""How the files of CI services are told from all others."""

from collections.abc import Iterator

from mergegate.repo.facts.documents import Form, Node

_AZURE_STEPS = ("task", "bash", "pwsh", "powershell", "checkout", "publish", "template")
_BITBUCKET_STARTS = ("default", "branches", "tags", "bookmarks", "custom", "pull-requests")
_CIRCLECI_JOB = ("steps", "docker", "machine", "macos", "executor", "parameters")


def is_azure(root: Node) -> bool:
    """Stages, jobs and steps are lists there; a step of other services that have them is named."""
    stages = (*_listed(root["stages"]), *_listed(root["jobs"]))
    if any(one[key].present for one in stages for key in ("stage", "job", "deployment")):
        return True
    if any(_is_template(one) for one in (*stages, root["extends"])):
        return True
    is_said = any(root[key].present for key in ("pool", "trigger", "pr"))
    return any(_is_azure_step(one, is_said) for one in _listed(root["steps"]))


def _listed(node: Node) -> Iterator[Node]:
    """The items of a list, with those below a condition in its place."""
    waiting = list(node.items)
    while waiting:
        item = waiting.pop()
        yield item
        if item.keys and item.keys[0].startswith("${{"):
            waiting += item.children[0].items


def _is_template(part: Node) -> bool:
    return part["template"].text.partition("@")[0].endswith((".yml", ".yaml"))


def _is_azure_step(step: Node, is_said: bool) -> bool:
    """Whether it is one; ``is_said`` where the file has what no other service calls so."""
    is_ours = is_said or step["displayName"].present or not step["name"].present
    is_script = step["script"].present and is_ours
    return is_script or any(step[key].present for key in _AZURE_STEPS)


def is_circleci(root: Node) -> bool:
    """Its version is 2, and its jobs say where they run."""
    if not root["version"].text.startswith("2"):
        return False
    jobs = (job for _, job in root["jobs"].entries)
    is_job = any(job[key].present for job in jobs for key in _CIRCLECI_JOB)
    parts = (root[key] for key in ("workflows", "orbs", "commands"))
    return is_job or any(part.form is Form.MAP for part in parts)


def is_bitbucket(root: Node) -> bool:
    """Its pipelines are listed by what starts them."""
    return any(root["pipelines"][key].children for key in _BITBUCKET_STARTS)


def is_github(root: Node) -> bool:
    """A workflow says what starts it, an action what runs it."""
    jobs = (job for _, job in root["jobs"].entries)
    is_workflow = any(job["runs-on"].present or job["uses"].present for job in jobs)
    is_action = root["runs"]["using"].present
    return (is_workflow and root["on"].present) or is_action
