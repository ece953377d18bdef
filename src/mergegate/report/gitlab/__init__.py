"""The report as the files that a GitLab job hands over under ``artifacts: reports``."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from mergegate.model.report import Report
from mergegate.report.late import late

FILES: Mapping[str, Callable[[Report], str]] = MappingProxyType(
    {
        "gl-sast-report.json": late("gitlab.sast"),
        "gl-secret-detection-report.json": late("gitlab.secrets"),
        "gl-dependency-scanning-report.json": late("gitlab.dependencies"),
        "gl-code-quality-report.json": late("codequality"),
    }
)
"""What each file holds; the names are those of GitLab's own analysers."""
