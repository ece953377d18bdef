"""The report as the files that a GitLab job hands over under ``artifacts: reports``."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from mergegate.model.report import Report
from mergegate.report import codequality
from mergegate.report.gitlab import dependencies, sast, secrets

FILES: Mapping[str, Callable[[Report], str]] = MappingProxyType(
    {
        "gl-sast-report.json": sast.render,
        "gl-secret-detection-report.json": secrets.render,
        "gl-dependency-scanning-report.json": dependencies.render,
        "gl-code-quality-report.json": codequality.render,
    }
)
"""What each file holds; the names are those of GitLab's own analysers."""
