"""What Compose files leave open that is told of a file as a whole; all else is an entry."""

from collections.abc import Iterator

from mergegate.core.finding import Finding
from mergegate.core.severity import Severity
from mergegate.repo.checks import check
from mergegate.repo.checks.infrastructure import DocumentRule, floating_images
from mergegate.repo.facts.documents import DocumentKind, Documents


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
        built = {spec["image"].text for spec in services if spec["build"].present}
        images = [spec["image"] for spec in services if spec["image"].text not in built]
        names, line = floating_images(images)
        if names and rule.concerns(file):
            yield rule.broken(file, line, f"The content of {names} can change with any pull")
