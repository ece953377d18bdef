"""The examples of entries about CI services as the files that they stand for."""

import re
from textwrap import indent

_WHOLE = re.compile(r"^(?:version|pipelines|jobs|stages): ?", re.MULTILINE)
_STARTED = re.compile(r"^(?:trigger|pr|parameters):", re.MULTILINE)
_STEP = re.compile(r"\b(?:sh|bat)\s*\(?[\"']|\bwithCredentials\b")
_WITH_JOB = re.compile(r"^a:$", re.MULTILINE)
_SETTING = re.compile(r"([\w.]+): (?:'([^']*)'|(.*))")


def _below(body: str, columns: int) -> str:
    """The body behind something that stands in that column."""
    return indent(body, " " * columns).lstrip()


def of_azure(kind: str, body: str) -> dict[str, str]:
    """A pipeline with the part that the body describes."""
    after, inner = "\nsteps:\n- bash: make\n", _below(body, 4)
    texts = {
        "script": f"steps:\n- bash: |\n    {_below(body, 4)}\n",
        "step": f"steps:\n- {_below(body, 2)}\n",
        "published": f"steps:\n- {_below(body, 2)}\n",
        "job": f"jobs:\n- {_below(body, 2)}\n",
        "variable": f"variables:\n  {body}{after}",
        "image": f"resources:\n  containers:\n  - container: c\n    {_below(body, 4)}{after}",
        "repository": f"resources:\n  repositories:\n  - repository: t\n    {inner}{after}",
    }
    text = body if _STARTED.search(body) else texts[kind.partition(".")[2]]
    return {"azure-pipelines.yml": text}


def of_bitbucket(kind: str, body: str) -> dict[str, str]:
    """A file with the part that the body describes."""
    step = "pipelines:\n  default:\n  - step:\n      "
    texts = {
        "script": f"{step}script:\n      - |\n        {_below(body, 8)}\n",
        "step": f"{step}{_below(body, 6)}\n",
        "pipe": f"{step}script:\n      - {_below(body, 8)}\n",
        "variable": f"{step}script:\n      - pipe: a/b:1\n        variables:\n          {body}\n",
        "image": f"{body}\n{step}script: [make]\n",
        "pipelines": f"{body}\n{step}script: [make]\n",
    }
    text = body if _WHOLE.search(body) else texts[kind.partition(".")[2]]
    return {"bitbucket-pipelines.yml": text}


def of_circleci(kind: str, body: str) -> dict[str, str]:
    """A configuration with the part that the body describes."""
    job = "version: 2.1\njobs:\n  a:\n    "
    docker, steps = "docker: [{image: 'b:1'}]\n    ", "steps:\n    - "
    command = body if body.startswith("command:") else f"command: |\n  {_below(body, 2)}"
    machine = f"\n      {_below(body, 6)}" if ":" in body else f" {body}"
    texts = {
        "script": f"{job}{docker}{steps}run:\n        {_below(command, 8)}\n",
        "run": f"{job}{docker}{steps}run:\n        command: make\n        {body}\n",
        "step": f"{job}{docker}{steps}{_below(body, 6)}\n",
        "job": f"{job}{docker}{body}\n    {steps}checkout\n",
        "variable": f"{job}{docker}environment:\n      {body}\n    {steps}checkout\n",
        "image": f"{job}docker:\n    - {_below(body, 6)}\n    {steps}checkout\n",
        "machine": f"{job}machine:{machine}\n    {steps}checkout\n",
        "orb": f"version: 2.1\norbs:\n  {body}\n",
    }
    text = body if _WHOLE.search(body) else texts[kind.partition(".")[2]]
    return {".circleci/config.yml": text}


def of_github(kind: str, body: str) -> dict[str, str]:
    """A workflow with the part that the body describes."""
    job = "on: push\njobs:\n  a:\n    runs-on: b\n    "
    make = "\n    steps:\n    - run: make\n"
    texts = {
        "script": f"{job}steps:\n    - run: |\n        {_below(body, 8)}\n",
        "step": f"{job}steps:\n    - {_below(body, 6)}\n",
        "variable": f"{job}env:\n      {body}{make}",
        "image": f"{job}container:\n      {_below(body, 6)}{make}",
    }
    text = body if _WHOLE.search(body) else texts[kind.partition(".")[2]]
    return {".github/workflows/a.yml": text}


def of_gitlab(_kind: str, body: str) -> dict[str, str]:
    """A pipeline whose job has the script that the body is, or the whole one."""
    if _WITH_JOB.search(body):
        return {".gitlab-ci.yml": f"{body}\n"}
    return {".gitlab-ci.yml": f"a:\n  stage: b\n  script:\n  - |\n    {_below(body, 4)}\n"}


def of_jenkins(kind: str, body: str) -> dict[str, str]:
    """A pipeline with the part that the body describes, in Groovy or as other services say it."""
    setting = _SETTING.fullmatch(body)
    text = body
    if kind == "jenkins.script" and not _STEP.search(body):
        escaped = body.replace("\\", "\\\\")
        text = f"node {{\n  sh '''\n{escaped}\n'''\n}}\n"
    elif setting and kind == "jenkins.variable":
        value = setting[2] or setting[3]
        text = f"pipeline {{\n  environment {{\n    {setting[1]} = '{value}'\n  }}\n}}\n"
    elif setting and kind == "jenkins.image":
        text = f"pipeline {{\n  agent {{ docker {{ image '{setting[3]}' }} }}\n}}\n"
    return {"Jenkinsfile": text}
