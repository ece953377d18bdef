"""Whether the gate starts, sees the repository, and fails the pipeline when it fails."""

import re
from collections.abc import Iterator

from mergegate.doctor.predict import shell
from mergegate.doctor.predict.gitlab.pipeline import Gate, Pipeline, lines
from mergegate.doctor.predict.prediction import Draft, Kind, Outcome, predicts
from mergegate.doctor.predict.yaml.edit import Drop, Edit, Path, Put, Swap
from mergegate.doctor.predict.yaml.parse import Node

_YAML = "https://docs.gitlab.com/ci/yaml/"
_DIGEST = re.compile(r"@sha256:[0-9a-f]{64}$")

LENIENT = Kind(
    id="gitlab-allow-failure",
    outcome=Outcome.BREAKS,
    title="`allow_failure` hides a failed gate",
    why="A job that may fail leaves the pipeline passed, with a warning.",
    advice="Remove `allow_failure`; `fail-on: never` is the honest way to only look.",
    reference=f"{_YAML}#allow_failure",
)
MANUAL = Kind(
    id="gitlab-manual-gate",
    outcome=Outcome.BREAKS,
    title="The gate waits for somebody to start it",
    why="A manual job without rules is allowed to fail, so the pipeline passes without it.",
    advice="Remove `when: manual`.",
    reference=f"{_YAML}#when",
)
SWALLOWED = Kind(
    id="gitlab-exit-code-ignored",
    outcome=Outcome.BREAKS,
    title="The exit code of Mergegate is lost",
    why="A job fails by the exit codes of its `script:`; those of `after_script:` do not count.",
    advice="Let Mergegate's exit code end the script.",
    reference=f"{_YAML}#script",
)
ENTRYPOINT = Kind(
    id="gitlab-image-entrypoint",
    outcome=Outcome.BREAKS,
    title="The image starts Mergegate instead of a shell",
    why="GitLab starts the image with a shell as its arguments; Mergegate's image has an "
    "entrypoint of its own.",
    advice='Override it: `entrypoint: [""]`.',
    reference="https://docs.gitlab.com/ci/docker/using_docker_images/"
    "#override-the-entrypoint-of-an-image",
)
NO_FILES = Kind(
    id="gitlab-nothing-cloned",
    outcome=Outcome.BREAKS,
    title="The gate's job does not clone the repository",
    why="With `GIT_STRATEGY: none` or `empty` the job starts without the files.",
    advice="Remove `GIT_STRATEGY` from the job.",
    reference="https://docs.gitlab.com/ci/runners/configure_runners/#git-strategy",
)
SHALLOW = Kind(
    id="gitlab-history-unreachable",
    outcome=Outcome.BREAKS,
    title="The base is not in the clone",
    why="GitLab clones the last 20 commits of one branch. `mergegate ci` fetches what it lacks; "
    "`mergegate scan --base` fetches nothing.",
    advice='Set `GIT_DEPTH: "0"` for the job, or run `mergegate ci`.',
    reference="https://docs.gitlab.com/ci/runners/configure_runners/#shallow-cloning",
)
UNPINNED = Kind(
    id="gitlab-unpinned",
    outcome=Outcome.WARNS,
    title="Mergegate is not pinned",
    why="Tags, branches and `latest` can be moved to other content, which then sees this "
    "project's variables.",
    advice="Pin the image to its digest, the component to a commit, the package to a version.",
    reference="https://docs.gitlab.com/ci/pipeline_security/",
)


@predicts(LENIENT)
def lenient(pipeline: Pipeline) -> Iterator[Draft]:
    """``allow_failure`` on the job, on what it extends, or in a rule."""
    for gate in pipeline.gates:
        job = gate.job
        if _forgives(job["allow_failure"]):
            own = job.node.own("allow_failure")
            edit = Drop((*job.place, "allow_failure")) if own else _refused(job.place)
            yield _allowed(gate, job.node.key_line("allow_failure"), "", (edit,))
        for index, rule in enumerate(job.node["rules"].items):
            if _forgives(rule["allow_failure"]):
                place = (*job.place, "rules", index, "allow_failure")
                yield _allowed(gate, rule.key_line("allow_failure"), f":{index}", (Drop(place),))


@predicts(MANUAL)
def manual(pipeline: Pipeline) -> Iterator[Draft]:
    """``when: manual`` on the job or in a rule."""
    for gate in pipeline.gates:
        places: list[tuple[Path, Node]] = [(gate.job.place, gate.job.node)]
        rules = gate.job.node["rules"].items
        places += [((*gate.job.place, "rules", at), rule) for at, rule in enumerate(rules)]
        for place, node in places:
            if node["when"].text == "manual" and node.own("when"):
                yield MANUAL.at(
                    gate.job.path,
                    node.key_line("when"),
                    "Nothing is scanned until somebody presses the button, and the merge request "
                    "can be merged before.",
                    subject="/".join(map(str, place)),
                    edits={gate.job.path: (Drop((*place, "when")),)},
                )


@predicts(SWALLOWED)
def swallowed(pipeline: Pipeline) -> Iterator[Draft]:
    """``|| true`` and the like, or a call in ``after_script``."""
    for job in pipeline.jobs:
        entries = list(lines(job["script"]))
        for index, line in enumerate(entries):
            last = index + 1 == len(entries)
            for call in shell.calls(line.text, pipefail=True, ends_there=last):
                if call.swallowed and call.verb != "publish":
                    yield SWALLOWED.at(
                        job.path,
                        line.line,
                        f"A failing gate leaves the job green, because {call.swallowed}.",
                        subject=job.name,
                        edits={job.path: (_cleaned(job.place, job.node, line, call.excess),)}
                        if call.excess and line in job.node["script"].each
                        else {},
                    )
        for line in lines(job["after_script"]):
            if any(call.verb != "publish" for call in shell.calls(line.text)):
                yield SWALLOWED.at(
                    job.path,
                    line.line,
                    "A failing gate leaves the job green: what `after_script:` answers counts for "
                    "nothing.",
                    subject=f"{job.name}:after",
                )


@predicts(ENTRYPOINT)
def entrypoint(pipeline: Pipeline) -> Iterator[Draft]:
    """Mergegate's image, without its entrypoint overridden."""
    for gate in pipeline.gates:
        image = pipeline.image_of(gate.job)
        if not gate.image or gate.command is None or image["entrypoint"].present:
            continue
        own = gate.job.node.own("image")
        edit = Put((*gate.job.place, "image"), {"name": gate.image, "entrypoint": [""]})
        yield ENTRYPOINT.at(
            gate.job.path,
            image.line,
            "The job fails at once: Mergegate is given `sh -c …` and does not know such a command.",
            subject=gate.job.name,
            edits={gate.job.path: (edit,)} if own else {},
        )


@predicts(NO_FILES)
def no_files(pipeline: Pipeline) -> Iterator[Draft]:
    """``GIT_STRATEGY`` keeps the files away."""
    for gate in pipeline.gates:
        if gate.variable("GIT_STRATEGY") in {"none", "empty"}:
            own = gate.job.node["variables"].own("GIT_STRATEGY")
            place = (*gate.job.place, "variables", "GIT_STRATEGY")
            yield NO_FILES.at(
                gate.job.path,
                own[0].line if own else gate.job.node.line,
                "There is nothing to scan, or what an earlier job left behind is scanned instead.",
                subject=gate.job.name,
                edits={gate.job.path: (Drop(place) if own else Put(place, "fetch"),)},
            )


@predicts(SHALLOW)
def shallow(pipeline: Pipeline) -> Iterator[Draft]:
    """``scan --base`` in a shallow clone."""
    for gate in pipeline.gates:
        if gate.verb != "scan" or gate.command is None or not gate.command.options.get("base"):
            continue
        script = "\n".join(
            line.text for key in ("before_script", "script") for line in lines(gate.job[key])
        )
        if gate.variable("GIT_DEPTH") != "0" and "git fetch" not in script:
            yield SHALLOW.at(
                gate.job.path,
                gate.job.node.line,
                "The base is not in the clone: Mergegate exits with 2 and the job fails.",
                subject=gate.job.name,
                edits={gate.job.path: (Put((*gate.job.place, "variables", "GIT_DEPTH"), "0"),)},
            )


@predicts(UNPINNED)
def unpinned(pipeline: Pipeline) -> Iterator[Draft]:
    """An image by tag, a component by branch, a package without a version."""
    for gate in pipeline.gates:
        installs = any(
            shell.installs_unpinned(line.text)
            for key in ("before_script", "script")
            for line in lines(gate.job[key])
        )
        moving = bool(gate.image) and not _DIGEST.search(gate.image) and "$" not in gate.image
        if moving or installs:
            yield UNPINNED.at(
                gate.job.path,
                pipeline.image_of(gate.job).line if moving else gate.job.node.line,
                f"Whoever can move “{gate.image}” runs code in this job tomorrow."
                if moving
                else "Each run takes whatever release is the newest.",
                subject=gate.job.name,
            )
    for path, one in pipeline.components:
        version = one["component"].text.rpartition("@")[2]
        if re.fullmatch(r"~latest|main|master|HEAD|\d+(?:\.\d+)?", version):
            yield UNPINNED.at(
                path,
                one.line,
                f"The component at “{version}” changes without a commit here.",
                subject="component",
            )


PREDICTORS = (lenient, manual, swallowed, entrypoint, no_files, shallow, unpinned)


def _allowed(gate: Gate, line: int, suffix: str, edits: tuple[Edit, ...]) -> Draft:
    return LENIENT.at(
        gate.job.path,
        line,
        "A failing gate leaves the pipeline passed with a warning: it blocks nothing.",
        subject=f"{gate.job.name}{suffix}",
        edits={gate.job.path: edits},
    )


def _forgives(stated: Node) -> bool:
    """``true``, or exit codes among which is the gate's."""
    return stated.is_true or "1" in stated["exit_codes"].texts


def _refused(place: Path) -> Edit:
    return Put((*place, "allow_failure"), False)


def _cleaned(place: Path, job: Node, line: Node, excess: str) -> Edit:
    script = job["script"]
    at: Path = (script.items.index(line),) if script.items else ()
    blank = " " if f" {excess}" in line.text else ""
    return Swap((*place, "script", *at), f"{blank}{excess}", "")
