"""What Compose files leave open that is told of a file as a whole; all else is an entry."""

import re
from collections.abc import Iterator
from dataclasses import replace

from mergegate.core.finding import Finding
from mergegate.core.severity import Confidence, Severity
from mergegate.repo.checks import check
from mergegate.repo.checks.infrastructure import DocumentRule, floating_images
from mergegate.repo.checks.infrastructure.dialects.compose import mounts
from mergegate.repo.facts.documents import DocumentKind, Documents, Node

_PRODUCTION = re.compile(r"(?:^|[._-])(?:prod|production|live)[._-]", re.IGNORECASE)
"""In the name of a file that is for production."""
_SOURCES = re.compile(r"\.{1,2}|\./(?:src|app|code|backend|frontend|server|web|api)|\$\{?PWD\}?")
_DEFAULT = re.compile(r"\$\{\w+:?-([^${}]*)\}")


@check("iac-compose-floating-image", Severity.INFO, "CWE-1357", production_only=True)
def floating_image(rule: DocumentRule, documents: Documents) -> Iterator[Finding]:
    """Services run images without a tag, or with ``latest``: each pull may bring something else.

    One finding a file; images that the file itself builds are left alone. It is for information:
    whoever can move `latest` can move a version too, and only a digest keeps to one content.

    Title: Image without a fixed version

    Remedy: Name a version, or better a digest.

    Reference: https://docs.docker.com/reference/compose-file/services/#image
    """
    for file, root in documents.of(DocumentKind.COMPOSE):
        services = [spec for _, spec in root["services"].entries]
        built = {_with_defaults(spec["image"]).text for spec in services if spec["build"].present}
        images = [_with_defaults(spec["image"]) for spec in services]
        images = [one for one in images if one.text not in built]
        names, line = floating_images(images)
        if names and rule.concerns(file):
            yield rule.broken(file, line, f"The content of {names} can change with any pull")


@check(
    "iac-compose-working-copy-in-production",
    Severity.LOW,
    "CWE-489",
    confidence=Confidence.MEDIUM,
    production_only=True,
)
def working_copy(rule: DocumentRule, documents: Documents) -> Iterator[Finding]:
    """A file for production mounts the folder of the sources, so that the image's are hidden.

    Title: Working copy mounted in production

    Remedy: Leave the mount to the file for development.

    Reference: https://docs.docker.com/compose/how-tos/production/
    """
    for file, root in documents.of(DocumentKind.COMPOSE):
        if not _PRODUCTION.search(file.path.rpartition("/")[2]) or not rule.concerns(file):
            continue
        for name, spec in root["services"].entries:
            found = (one for one in mounts(spec) if _SOURCES.fullmatch(one["source"].text))
            if mount := next((one for one in found if not one["read_only"].is_true), None):
                wrong = (
                    f"Service {name} runs what lies in the folder, not what was built and tested"
                )
                yield rule.broken(file, mount.line, wrong)


def _with_defaults(image: Node) -> Node:
    """The image that is taken where nobody sets the variables in its name."""
    return replace(image, text=_DEFAULT.sub(r"\1", image.text))
