"""The report as the files that a GitLab job hands over under ``artifacts: reports``."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from mergegate.core.render.formats import late
from mergegate.core.report import Report

FILES: Mapping[str, Callable[[Report], str]] = MappingProxyType(
    {
        "gl-sast-report.json": late("mergegate.repo.report.gitlab.sast"),
        "gl-secret-detection-report.json": late("mergegate.repo.report.gitlab.secrets"),
        "gl-dependency-scanning-report.json": late("mergegate.repo.report.gitlab.dependencies"),
        "gl-code-quality-report.json": late("mergegate.repo.report.codequality"),
    }
)
"""What each file holds; the names are those of GitLab's own analysers."""
