"""Every kind of secret that is told, in trees and in pages: data alone, one entry each."""

from collections.abc import Mapping

from mergegate.secrets.detector import Detector
from mergegate.secrets.detectors import (
    clouds,
    commerce,
    context,
    development,
    language_models,
    messages,
    monitoring,
    services,
)

_TABLES = (
    *(clouds, commerce, development, language_models, messages, monitoring, services),
    context,
)
DETECTORS: Mapping[str, Detector] = {one.id: one for table in _TABLES for one in table.DETECTORS}
"""By id. An entry is all that trees, pages, rules and reports need to know of a detector."""
