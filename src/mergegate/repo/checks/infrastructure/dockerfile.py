"""What Dockerfiles build in: what needs several instructions to be seen."""

import re
from collections.abc import Iterator

from mergegate.core.finding import Finding
from mergegate.core.severity import Confidence, Severity
from mergegate.repo.checks import check
from mergegate.repo.checks.infrastructure import DocumentRule, is_floating_image, listed
from mergegate.repo.checks.infrastructure.purposes import (
    Purpose,
    image_of,
    is_work,
    may_leave_root,
    purpose_of,
)
from mergegate.repo.facts.documents import MASKED, DocumentFile, Documents, Instruction

_NOT_ROOT_BY_DEFAULT = re.compile(
    r"nonroot|rootless|unprivileged|chainguard|cgr\.dev|bitnami|(^|/)(jenkins/|keycloak|grafana|"
    r"elasticsearch/|sonarqube|mssql/server|ubi\d-minimal-nonroot)"
)
_ROOT = re.compile(r"(root|0)(:(root|0))?$")
_LEAVES_ROOT = re.compile(r"(?<![\w-])(su-exec|gosu|s6-setuidgid|setpriv|chpst)(?![\w-])")
"""Programs with which an entry point starts the service as another user than its own."""
_OWN_STAGE = re.compile(r"\s+AS\s+(\S+)\s*$", re.IGNORECASE)
_MASKED = re.compile(rf"(?<!\*){re.escape(MASKED)}(?!\*)")
_MASKED_NAME = re.compile(rf"([A-Za-z_]\w*)(?:=|\s)[\"']?{_MASKED.pattern}")


@check(
    "iac-dockerfile-runs-as-root",
    Severity.LOW,
    "CWE-250",
    production_only=True,
    confidence=Confidence.MEDIUM,
)
def runs_as_root(rule: DocumentRule, documents: Documents) -> Iterator[Finding]:
    """The final stage of a Dockerfile starts its program as root.

    A flaw in the program then has root's reach. Only stages with CMD or ENTRYPOINT count, but not
    those that start a mere shell, a build or tests. Base images known for another user are left
    alone.

    Title: Image runs as root

    Info: where the image names no port and starts nothing that is known to serve, or may leave
    root by itself: through a program such as su-exec or gosu, through a script that it starts
    with, or as nginx does

    Remedy: Create a user and end the Dockerfile with `USER` and its name.

    Reference: https://docs.docker.com/build/building/best-practices/#user
    """
    for file in _dockerfiles(documents):
        image = image_of(file.found.instructions)
        if not image or not rule.concerns(file):
            continue
        users = [one for one in image if one.name == "USER"]
        last = image[-1].stage
        starts = [one for one in image if one.name in {"CMD", "ENTRYPOINT"} and one.stage == last]
        if all(is_work(one.text) for one in starts):
            continue
        harmless = _NOT_ROOT_BY_DEFAULT.search(_base(image[0])) and not users
        if not harmless and (not users or _ROOT.match(users[-1].text.strip("\"'"))):
            place = users[-1] if users else starts[-1]
            how = "switches back to root" if users else "never leaves root"
            wrong = f"The final image {how}, so a flaw in its program has root's reach"
            serves = purpose_of(file.found.instructions) is Purpose.SERVICE
            severity = rule.severity if serves else Severity.INFO
            if leaves := _LEAVES_ROOT.search(" ".join(one.text for one in image)):
                severity = Severity.INFO
                wrong = f"{wrong} unless the entry point leaves it with {leaves[1]}"
            elif may_leave_root(image):
                severity = Severity.INFO
                wrong = f"{wrong} unless what it starts with leaves root by itself"
            yield rule.broken(file, place.start_line, wrong, severity, end_line=place.end_line)


@check("iac-dockerfile-floating-base", Severity.INFO, "CWE-1357", production_only=True)
def floating_base(rule: DocumentRule, documents: Documents) -> Iterator[Finding]:
    """A stage is built on an image without a tag, or with ``latest``: rebuilds change.

    One finding a Dockerfile. It is for information: whoever can move `latest` can move a version
    too, and only a digest keeps to one content.

    Title: Base image without a fixed version

    Remedy: Name a version, or better a digest.

    Reference: https://docs.docker.com/build/building/best-practices/#pin-base-image-versions
    """
    for file in _dockerfiles(documents):
        known: set[str] = set()
        floating: list[Instruction] = []
        for one in file.found.instructions:
            if one.name == "FROM":
                if _base(one).lower() not in known and is_floating_image(_base(one)):
                    floating.append(one)
                known.update(name.lower() for name in _OWN_STAGE.findall(one.text))
        if floating and rule.concerns(file):
            names = listed(sorted({_base(one) for one in floating}))
            wrong = f"The content of {names} can change with any build"
            yield rule.broken(file, floating[0].start_line, wrong)


@check("iac-dockerfile-secret", Severity.HIGH, "CWE-798", confidence=Confidence.MEDIUM)
def built_in_secret(rule: DocumentRule, documents: Documents) -> Iterator[Finding]:
    """ENV or ARG gives a value to a name that says secret: it stays in the image's history.

    Title: Secret built into an image

    Medium: for the default of an ARG

    Remedy: Revoke it; pass it at run time, or to the build with `RUN --mount=type=secret`.

    Reference: https://docs.docker.com/build/building/secrets/
    """
    for file in _dockerfiles(documents):
        for one in file.found.instructions:
            if one.name in {"ENV", "ARG"} and _MASKED.search(one.text):
                names = listed(_MASKED_NAME.findall(one.text))
                wrong = (
                    f"{names or 'A secret'} is written into the image, where everyone who pulls it "
                    "can read it"
                )
                severity = Severity.MEDIUM if one.name == "ARG" else Severity.HIGH
                yield rule.broken(file, one.start_line, wrong, severity, end_line=one.end_line)


def _dockerfiles(documents: Documents) -> Iterator[DocumentFile]:
    return (file for file in documents.files if file.found.instructions)


def _base(instruction: Instruction) -> str:
    """What a FROM builds on, options left out."""
    words = [word for word in instruction.text.split() if not word.startswith("--")]
    return words[0] if words else ""
